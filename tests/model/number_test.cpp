#include "model/number.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/bits.h"

namespace isometric::test {
namespace {

TEST(ParseNumber, GivesTheNearestDouble) {
    const std::pair<const char*, double> cases[] = {
        {"0", 0.0},
        {"-0", -0.0},
        {"+4", 4.0},
        {"-1.110223e-16", -1.110223e-16},
        {"0.035000000000000003", 0.035},
        {"4.9e-324", 0x1p-1074},
        {"2.4703282292062327208299439634110915642194e-324", 0.0},
        {"2.4703282292062328e-324", 0x1p-1074},
        {"9007199254740993", 9007199254740992.0},
        {"1.7976931348623157e308", std::numeric_limits<double>::max()},
        {"1.", 1.0},
        {".5", 0.5},
        {"1E2", 100.0},
    };
    for (const auto& [text, value] : cases) {
        const auto parsed = parse_number(text);
        ASSERT_TRUE(parsed) << text;
        EXPECT_SAME_BITS(value, *parsed) << text;
    }
}

TEST(ParseNumber, WhatIsBelowTheRangeIsZero) {
    for (const char* text : {"1e-400", "1e-99999999999999999999", "0.0000000001e-320", "123456e-340"}) {
        const auto parsed = parse_number(text);
        ASSERT_TRUE(parsed) << text;
        EXPECT_SAME_BITS(0.0, *parsed) << text;
    }
    EXPECT_SAME_BITS(-0.0, parse_number("-1e-400").value_or(1));
}

TEST(ParseNumber, RefusesEverythingElse) {
    for (const char* text : {"",
                             "+",
                             "-",
                             "+-1",
                             "--1",
                             "1,5",
                             "1.5x",
                             " 1",
                             "1 ",
                             "inf",
                             "-inf",
                             "nan",
                             "infinity",
                             "1e400",
                             "-1e400",
                             "1e99999999999999999999",
                             "1000000e303",
                             "0x10",
                             "1e",
                             "1e+",
                             "e5",
                             ".",
                             "1..2",
                             "1_000"})
        EXPECT_FALSE(parse_number(text)) << text;
}

TEST(ParseInteger, IsWholeAndInRange) {
    EXPECT_EQ(parse_integer("17", 1, 17), 17);
    EXPECT_EQ(parse_integer("-3", -3, 0), -3);
    for (const char* text : {"", "0", "18", "1.0", "1e1", "+1", " 1", "1 ", "99999999999999999999", "0x1"})
        EXPECT_FALSE(parse_integer(text, 1, 17)) << text;
}

}  // namespace
}  // namespace isometric::test
