// Splitters for tests of metrics that divide a frame.
#pragma once

#include <functional>
#include <thread>
#include <vector>

#include "metrics/metric.h"

namespace isometric::test {

// Every part on a thread of its own.
class ThreadSplitter final : public Splitter {
public:
    explicit ThreadSplitter(int ways) : ways_(ways) {}
    int ways() const override { return ways_; }
    void run(int parts, const std::function<void(int part)>& body) const override {
        std::vector<std::thread> threads;
        for (int part = 0; part < parts; ++part) threads.emplace_back([&body, part] { body(part); });
        for (std::thread& thread : threads) thread.join();
        parts_run += parts;
    }

    mutable int parts_run = 0;

private:
    int ways_;
};

// The last part first, one after the other.
class ReverseSplitter final : public Splitter {
public:
    explicit ReverseSplitter(int ways) : ways_(ways) {}
    int ways() const override { return ways_; }
    void run(int parts, const std::function<void(int part)>& body) const override {
        for (int part = parts; part-- > 0;) body(part);
    }

private:
    int ways_;
};

}  // namespace isometric::test
