#include "tests/support/bits.h"

#include <gtest/gtest-spi.h>

#include <limits>
#include <vector>

#include "tests/support/fill.h"
#include "tests/support/instruction_sets.h"

namespace isometric::test {
namespace {

TEST(SameBits, ComparesBitsNotValues) {
    EXPECT_SAME_BITS(1.5, 1.5);
    EXPECT_SAME_BITS(std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN());
    EXPECT_FALSE(same_bits("a", "b", 0.0, -0.0));
    EXPECT_FALSE(same_bits("a", "b", 1.0, std::nextafter(1.0, 2.0)));
    EXPECT_FALSE(same_bits("a", "b", 1.0f, std::nextafter(1.0f, 2.0f)));
    EXPECT_FALSE(same_bits("a", "b", 3, 4));
}

TEST(SameBits, SaysWhereAndWhichBits) {
    const std::vector<double> a{1, 2, 3, 4}, b{1, 2, 3.5, 5};
    const std::string text = same_bits("left", "right", a, b).message();
    EXPECT_NE(text.find("2 of 4 values differ, the first at [2]"), std::string::npos) << text;
    EXPECT_NE(text.find("left: 0x1.8p+1 (3; bits 0x4008000000000000)"), std::string::npos) << text;
    EXPECT_NE(text.find("right: 0x1.cp+1 (3.5; bits 0x400c000000000000)"), std::string::npos) << text;
    EXPECT_FALSE(same_bits("a", "b", a, std::vector<double>{1, 2, 3}));
    EXPECT_TRUE(same_bits("a", "b", a, std::vector<double>(a)));
}

TEST(SameBits, FailsTheRunningTest) { EXPECT_NONFATAL_FAILURE(EXPECT_SAME_BITS(1.0f, 2.0f), "bits differ"); }

TEST(Fill, StaysInItsBounds) {
    std::vector<std::uint16_t> row(1000);
    for (const Fill how : all_fills) {
        fill<std::uint16_t>(row, how, 7, 1023);
        EXPECT_LE(*std::max_element(row.begin(), row.end()), 1023) << how;
    }
    std::vector<float> floats(1000);
    for (const Fill how : all_fills) {
        fill<float>(floats, how, 7, 2.f, -2.f);
        EXPECT_LE(*std::max_element(floats.begin(), floats.end()), 2.f) << how;
        EXPECT_GE(*std::min_element(floats.begin(), floats.end()), -2.f) << how;
    }
    std::vector<std::int64_t> wide(100);
    fill<std::int64_t>(wide, Fill::full_range_noise);
    EXPECT_NE(wide[0], wide[1]);
}

TEST(InstructionSets, EachRunsOnce) {
    std::size_t runs = 0;
    for_each_instruction_set([&](InstructionSet) { ++runs; });
    EXPECT_EQ(runs, available_instruction_sets().size());
    EXPECT_GE(runs, 1u);
}

}  // namespace
}  // namespace isometric::test
