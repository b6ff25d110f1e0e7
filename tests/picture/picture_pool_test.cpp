#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <thread>

#include "isometric/picture.h"

namespace isometric {
namespace {

const PictureFormat format{16, 16, 8, ChromaFormat::yuv420};

TEST(PicturePool, GivesEachPictureOnceUntilItComesBack) {
    PicturePool pool = *PicturePool::create(format, 2);
    Picture a = pool.try_acquire();
    Picture b = pool.try_acquire();
    ASSERT_TRUE(a && b);
    EXPECT_NE(a.memory(0).data, b.memory(0).data);
    EXPECT_FALSE(pool.try_acquire());
    EXPECT_EQ(pool.outstanding(), 2);
    const Picture copy = a;
    a = {};
    EXPECT_FALSE(pool.try_acquire()) << "a copy still holds it";
    b = {};
    EXPECT_TRUE(pool.try_acquire());
}

TEST(PicturePool, AcquireWaitsForAReturn) {
    PicturePool pool = *PicturePool::create(format, 1);
    Picture held = pool.acquire();
    std::promise<void> got;
    std::future<void> waits = got.get_future();
    std::thread waiter([&] {
        const Picture picture = pool.acquire();
        got.set_value();
    });
    EXPECT_EQ(waits.wait_for(std::chrono::milliseconds(20)), std::future_status::timeout);
    held = {};
    if (waits.wait_for(std::chrono::seconds(20)) != std::future_status::ready) {
        std::fputs("the waiter never got the picture\n", stderr);
        std::_Exit(1);  // a thread that waits for good cannot be joined
    }
    waiter.join();
}

TEST(PicturePool, PicturesOutliveThePool) {
    Picture picture;
    {
        PicturePool pool = *PicturePool::create(format, 1);
        picture = pool.acquire();
    }
    picture.writable_plane<std::uint8_t>(0).row(15)[15] = 7;
    EXPECT_EQ(picture.plane<std::uint8_t>(0).row(15)[15], 7);
}

TEST(PicturePool, RefusesAnEmptyPoolAndAbsurdFormats) {
    EXPECT_FALSE(PicturePool::create(format, 0));
    EXPECT_FALSE(PicturePool::create({0, 1, 8}, 1));
}

}  // namespace
}  // namespace isometric
