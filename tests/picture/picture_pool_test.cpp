#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "isometric/picture.h"
#include "tests/support/in_time.h"

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
    std::atomic<bool> got = false;
    std::thread waiter([&] {
        const Picture picture = pool.acquire();
        got = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_FALSE(got);
    held = {};
    test::in_time([&] { waiter.join(); });
    EXPECT_TRUE(got);
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
