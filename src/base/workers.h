// A fixed number of threads that run tasks in the order in which they were submitted.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace isometric {

class Workers {
public:
    explicit Workers(int threads);
    ~Workers();  // runs what was submitted, then joins
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    int threads() const { return int(threads_.size()); }
    // The task must not throw.
    void submit(std::function<void()> task);

private:
    void run();

    std::mutex mutex_;
    std::condition_variable available_;
    std::deque<std::function<void()>> tasks_;
    bool closing_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace isometric
