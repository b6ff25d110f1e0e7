// A fixed number of threads that run tasks in the order in which they were submitted.
#pragma once

#include <atomic>
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
    ~Workers();  // close()
    // Runs what was submitted, then joins. Nothing may be submitted afterwards.
    void close();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    int threads() const { return int(threads_.size()); }
    // The task must not throw.
    void submit(std::function<void()> task);

    // Threads that wait for a task.
    int idle() const { return idle_; }
    // Runs body(0) .. body(parts - 1): the calling thread, which may be a worker, together with idle workers. Never waits for a thread
    // that has not begun a part.
    void run_parts(int parts, const std::function<void(int)>& body);

private:
    void run();

    std::mutex mutex_;
    std::condition_variable available_;
    std::deque<std::function<void()>> tasks_;
    bool closing_ = false;
    std::atomic<int> idle_ = 0;
    std::vector<std::thread> threads_;
};

}  // namespace isometric
