// Comparing pictures sample by sample.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>

#include "isometric/picture.h"

namespace isometric::test {

inline int sample_at(const Picture& picture, int plane, int x, int y) {
    return picture.format().bit_depth > 8 ? picture.plane<std::uint16_t>(plane).row(y)[x] : picture.plane<std::uint8_t>(plane).row(y)[x];
}

// EXPECT_PRED_FORMAT2(same_pictures, expected, actual); names the first differing sample.
inline testing::AssertionResult same_pictures(const char* a_text, const char* b_text, const Picture& a, const Picture& b) {
    if (a.empty() || b.empty()) return testing::AssertionFailure() << "a picture is empty";
    if (a.format() != b.format())
        return testing::AssertionFailure() << a_text << " is " << a.format().describe() << ", " << b_text << " " << b.format().describe();
    for (int p = 0; p < a.format().planes(); ++p)
        for (int y = 0; y < a.format().plane_height(p); ++y)
            for (int x = 0; x < a.format().plane_width(p); ++x)
                if (const int left = sample_at(a, p, x, y), right = sample_at(b, p, x, y); left != right)
                    return testing::AssertionFailure() << "plane " << p << " column " << x << " row " << y << " differ\n  " << a_text
                                                       << ": " << left << "\n  " << b_text << ": " << right;
    return testing::AssertionSuccess();
}

}  // namespace isometric::test

#define EXPECT_SAME_PICTURES(a, b) EXPECT_PRED_FORMAT2(::isometric::test::same_pictures, a, b)
#define ASSERT_SAME_PICTURES(a, b) ASSERT_PRED_FORMAT2(::isometric::test::same_pictures, a, b)
