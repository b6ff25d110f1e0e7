#include "base/workers.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace isometric {

Workers::Workers(int threads) {
    try {
        threads_.reserve(std::size_t(threads));
        for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
    } catch (...) {
        close();
        throw;
    }
}

Workers::~Workers() { close(); }

void Workers::close() {
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
    }
    available_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
}

void Workers::submit(std::function<void()> task) {
    {
        const std::lock_guard lock(mutex_);
        tasks_.push_back(std::move(task));
    }
    available_.notify_one();
}

void Workers::run_parts(int parts, const std::function<void(int)>& body) {
    struct Shared {
        const std::function<void(int)>* body;  // valid while parts are unclaimed or running
        int parts;
        std::atomic<int> next = 0;
        std::atomic<int> done = 0;

        void work() {
            for (int part; (part = next.fetch_add(1)) < parts;) {
                (*body)(part);
                if (done.fetch_add(1) + 1 == parts) done.notify_all();
            }
        }
    };
    const auto shared = std::make_shared<Shared>();
    shared->body = &body;
    shared->parts = parts;
    {
        const std::lock_guard lock(mutex_);
        for (int k = std::min(parts - 1, idle()); k > 0; --k) tasks_.push_front([shared] { shared->work(); });
    }
    available_.notify_all();
    shared->work();
    for (int done; (done = shared->done.load()) < parts;) shared->done.wait(done);
}

void Workers::run() {
    std::unique_lock lock(mutex_);
    while (true) {
        ++idle_;
        available_.wait(lock, [&] { return closing_ || !tasks_.empty(); });
        --idle_;
        if (tasks_.empty()) return;
        std::function<void()> task = std::move(tasks_.front());
        tasks_.pop_front();
        lock.unlock();
        task();
        task = nullptr;  // releases what it holds before the next wait
        lock.lock();
    }
}

}  // namespace isometric
