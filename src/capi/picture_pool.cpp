#include "capi/picture_pool.h"

#include "base/error.h"

namespace isometric::capi {
namespace {

constexpr unsigned most_pictures = 1u << 16;
// Long enough for another thread of the caller to start using the context.
constexpr auto patience = std::chrono::seconds(3);

}  // namespace

Result<std::shared_ptr<PicturePool>> PicturePool::create(const PictureFormat& format, unsigned count) {
    if (count < 1 || count > most_pictures)
        return error(Code::invalid_argument, "a pool of {} pictures: must be 1..{}", count, most_pictures);
    const std::shared_ptr<PicturePool> pool(new PicturePool(format, int(count)));
    for (unsigned i = 0; i < count; ++i) {
        ISO_TRY(PictureMemory memory, allocate_planes(format));
        pool->free_.push_back(std::move(memory));
    }
    pool->allocated_ = int(count);
    pool->free_.reserve(std::size_t(pool->count_));
    return pool;
}

Result<VmafPicture> PicturePool::fetch(std::optional<std::chrono::milliseconds> timeout, const std::function<bool()>& alone) {
    const auto until = std::chrono::steady_clock::now() + timeout.value_or(std::chrono::milliseconds(0));
    std::unique_lock lock(mutex_);
    const auto available = [&] { return closed_ || !free_.empty() || allocated_ < count_; };
    while (!available()) {
        if (timeout) {
            if (!changed_.wait_until(lock, until, available)) return error(Code::not_ready, "no picture of the pool came back in time");
        } else if (!changed_.wait_for(lock, patience, available) && with_caller_ == allocated_ && alone()) {
            return error(Code::not_ready, "all {} pictures of the pool are in the caller's hands: read or give back one first", allocated_);
        }
    }
    if (closed_) return error(Code::invalid_argument, "the pool is gone: the context was closed or given another pool");
    PictureMemory memory;
    if (free_.empty()) {
        free_.reserve(std::size_t(count_));  // so that giving back needs no memory
        ISO_TRY(memory, allocate_planes(format_));
        ++allocated_;
    } else {
        memory = std::move(free_.back());
        free_.pop_back();
    }
    lock.unlock();
    VmafPicture picture = lend(std::move(memory));
    lock.lock();
    ++with_caller_;
    return picture;
}

VmafPicture PicturePool::lend(PictureMemory memory) {
    std::byte* samples = memory.get();
    PictureMemory lease(
        samples, [pool = shared_from_this(), memory = std::move(memory)](std::byte*) mutable { pool->give_back(std::move(memory)); });
    return hand_out(format_, std::move(lease), shared_from_this());
}

void PicturePool::give_back(PictureMemory memory) {
    const std::lock_guard lock(mutex_);
    if (!closed_) free_.push_back(std::move(memory));
    changed_.notify_all();
}

void PicturePool::require(int pictures) {
    const std::lock_guard lock(mutex_);
    if (pictures <= count_) return;
    count_ = pictures;
    changed_.notify_all();
}

int PicturePool::with_caller() const {
    const std::lock_guard lock(mutex_);
    return with_caller_;
}

void PicturePool::close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    free_.clear();
    changed_.notify_all();
}

void PicturePool::left_caller() {
    const std::lock_guard lock(mutex_);
    --with_caller_;
}

}  // namespace isometric::capi
