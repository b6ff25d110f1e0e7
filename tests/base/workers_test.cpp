#include "base/workers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "tests/support/in_time.h"

namespace isometric {
namespace {

TEST(Workers, OneThreadRunsTasksInOrder) {
    std::vector<int> order;
    {
        Workers workers(1);
        for (int i = 0; i < 100; ++i) workers.submit([&order, i] { order.push_back(i); });
    }
    ASSERT_EQ(order.size(), 100u);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(order[std::size_t(i)], i);
}

TEST(Workers, EveryTaskRunsBeforeTheDestructorReturns) {
    for (int threads : {1, 2, 8}) {
        std::atomic<int> sum = 0;
        {
            Workers workers(threads);
            EXPECT_EQ(workers.threads(), threads);
            for (int i = 1; i <= 1000; ++i) workers.submit([&sum, i] { sum += i; });
        }
        EXPECT_EQ(sum, 500500);
    }
}

TEST(Workers, TasksMaySubmitTasks) {
    std::atomic<int> done = 0;
    {
        Workers workers(2);
        workers.submit([&] {
            for (int i = 0; i < 10; ++i) workers.submit([&] { ++done; });
            ++done;
        });
        while (done < 11) std::this_thread::yield();
    }
    EXPECT_EQ(done, 11);
}

TEST(Workers, PartsRunOnceEachAlsoFromWithinTasks) {
    for (int threads : {1, 2, 5}) {
        std::atomic<int> sum = 0;
        test::in_time([&] {
            Workers workers(threads);
            workers.run_parts(100, [&](int part) { sum += part + 1; });
            EXPECT_EQ(sum, 5050);
            // Every worker splits at once: nobody may wait for somebody who waits.
            for (int i = 0; i < 2 * threads; ++i)
                workers.submit([&] { workers.run_parts(7, [&](int part) { sum += part; }); });
        });
        EXPECT_EQ(sum, 5050 + 2 * threads * 21);
    }
}

TEST(Workers, IdleCountsThreadsThatWait) {
    Workers workers(3);
    while (workers.idle() < 3) std::this_thread::yield();
    std::atomic<bool> release = false;
    workers.submit([&] {
        while (!release) std::this_thread::yield();
    });
    while (workers.idle() != 2) std::this_thread::yield();
    release = true;
    while (workers.idle() != 3) std::this_thread::yield();
}

}  // namespace
}  // namespace isometric
