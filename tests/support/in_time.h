// For tests of what waits: a fault that waits for good fails, and does not hold the suite up.
#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <thread>

namespace isometric::test {

// Runs the function on a thread of its own. If it does not come back in time the program ends, since such a thread cannot be joined.
template <class Function>
void in_time(Function function, std::chrono::seconds limit = std::chrono::seconds(20)) {
    std::promise<void> done;
    const std::future<void> end = done.get_future();
    std::thread thread([&] {
        function();
        done.set_value();
    });
    if (end.wait_for(limit) != std::future_status::ready) {
        std::fflush(stdout);
        std::fprintf(stderr, "not done in %d seconds\n", int(limit.count()));
        std::_Exit(1);
    }
    thread.join();
}

}  // namespace isometric::test
