#include <condition_variable>
#include <mutex>
#include <vector>

#include "base/error.h"
#include "isometric/picture.h"

namespace isometric {

// Pictures that are free wait here. A handle that acquire() gives holds a lease: releasing it puts the picture back, and keeps the state
// alive for pictures that outlive the pool.
struct PicturePool::State {
    std::mutex mutex;
    std::condition_variable returned;
    std::vector<Picture> free;
    int outstanding = 0;

    static Picture lease(const std::shared_ptr<State>& state, Picture picture) {
        const std::array<PlaneMemory, 3> planes = {picture.memory(0), picture.memory(1), picture.memory(2)};
        const PictureFormat format = picture.format();
        std::shared_ptr<void> owner(nullptr, [state, picture = std::move(picture)](void*) mutable {
            {
                const std::lock_guard lock(state->mutex);
                state->free.push_back(std::move(picture));
                --state->outstanding;
            }
            state->returned.notify_one();
        });
        return *Picture::wrap(format, planes, std::move(owner));
    }
};

Result<PicturePool> PicturePool::create(const PictureFormat& format, int count) {
    if (count < 1) return error(Code::invalid_argument, "a pool of {} pictures: needs at least one", count);
    PicturePool pool;
    pool.state_ = std::make_shared<State>();
    pool.state_->free.reserve(std::size_t(count));
    for (int i = 0; i < count; ++i) {
        ISO_TRY(Picture picture, Picture::allocate(format));
        pool.state_->free.push_back(std::move(picture));
    }
    return pool;
}

Picture PicturePool::acquire() {
    std::unique_lock lock(state_->mutex);
    state_->returned.wait(lock, [&] { return !state_->free.empty(); });
    Picture picture = std::move(state_->free.back());
    state_->free.pop_back();
    ++state_->outstanding;
    lock.unlock();
    return State::lease(state_, std::move(picture));
}

Picture PicturePool::try_acquire() {
    std::unique_lock lock(state_->mutex);
    if (state_->free.empty()) return {};
    Picture picture = std::move(state_->free.back());
    state_->free.pop_back();
    ++state_->outstanding;
    lock.unlock();
    return State::lease(state_, std::move(picture));
}

int PicturePool::outstanding() const {
    const std::lock_guard lock(state_->mutex);
    return state_->outstanding;
}

}  // namespace isometric
