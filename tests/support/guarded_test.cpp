#include "tests/support/guarded.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "tests/support/clip.h"

namespace isometric::test {
namespace {

// The compiler must not see through the access, or drop it.
template <class T>
int touch(volatile T* at) {
    return int(*at);
}

class GuardedDeathTest : public testing::Test {
protected:
    void SetUp() override { testing::GTEST_FLAG(death_test_style) = "threadsafe"; }
};

TEST_F(GuardedDeathTest, RowsFaultOnTheGuardedSide) {
    for (const std::size_t n : {1u, 33u, 4096u, 5000u}) {
        const auto after = guarded_row<std::uint16_t>(n, Fill::ramp);
        EXPECT_EQ(touch(&after[n - 1]), int(after[n - 1]));
        EXPECT_DEATH(touch(after.data() + n), "") << n;
        const auto before = guarded_row<std::uint16_t>(n, Fill::ramp, GuardSide::before);
        EXPECT_DEATH(touch(before.data() - 1), "") << n;
        EXPECT_EQ(std::uintptr_t(before.data()) % 64, 0u);
    }
}

TEST_F(GuardedDeathTest, EveryRowOfAPictureFaults) {
    const ClipSpec spec = *ClipSpec::parse("67x43 10 420 1 texture none 1");
    const Picture picture = guarded_picture(make_picture(spec));
    for (int p = 0; p < 3; ++p) {
        const auto plane = picture.plane<std::uint16_t>(p);
        for (const int y : {0, 7, plane.height - 1}) {
            EXPECT_EQ(plane.row(y)[plane.width - 1], make_frame(spec, 0)[std::size_t(p)].at(plane.width - 1, y));
            EXPECT_DEATH(touch(plane.row(y) + plane.width), "") << p << " " << y;
        }
    }
}

TEST(Guarded, WritesOnTheFarSideAreSeen) {
    GuardedRow<float> row(10);
    EXPECT_TRUE(row.check());
    std::byte* beside = reinterpret_cast<std::byte*>(row.data()) - 1;
    const std::byte kept = *beside;
    *beside = std::byte(0);
    EXPECT_FALSE(row.check());
    *beside = kept;
    EXPECT_NONFATAL_FAILURE(
        {
            GuardedRow<float> other(10, GuardSide::before);
            other.data()[10] = 0.f;
        },
        "bytes beside a row of 40 bytes were written");
}

}  // namespace
}  // namespace isometric::test
