#include "base/workers.h"

#include <utility>

namespace isometric {

Workers::Workers(int threads) {
    threads_.reserve(std::size_t(threads));
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
}

Workers::~Workers() {
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
    }
    available_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

void Workers::submit(std::function<void()> task) {
    {
        const std::lock_guard lock(mutex_);
        tasks_.push_back(std::move(task));
    }
    available_.notify_one();
}

void Workers::run() {
    std::unique_lock lock(mutex_);
    while (true) {
        available_.wait(lock, [&] { return closing_ || !tasks_.empty(); });
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
