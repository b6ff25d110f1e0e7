#include "input/chroma_siting.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/fill.h"

namespace isometric {
namespace {

using Samples = std::vector<std::uint8_t>;

Samples run(void (*filter)(const ChromaPlane&, ChromaPlane&), int width, int height, Samples samples) {
    ChromaPlane out;
    filter({width, height, std::move(samples)}, out);
    EXPECT_EQ(out.width, width);
    EXPECT_EQ(out.height, height);
    return out.samples;
}

Samples widen(void (*filter)(const ChromaPlane&, int, ChromaPlane&), int width, Samples row) {
    ChromaPlane out;
    filter({int(row.size()), 1, row}, width, out);
    return out.samples;
}

// By hand: the first is (4*10 - 17*10 + 114*10 + 35*200 - 9*30 + 1*30 + 64) >> 7 = 7834 >> 7 = 61.
TEST(ChromaSiting, RightByHand) {
    EXPECT_EQ(run(move_chroma_right, 3, 1, {10, 200, 30}), (Samples{61, 183, 7}));
    EXPECT_EQ(run(move_chroma_right, 3, 1, {255, 0, 255}), (Samples{185, 28, 255}));    // the last sum is 289 before clamping
    EXPECT_EQ(run(move_chroma_right, 4, 1, {0, 255, 0, 0}), (Samples{70, 227, 0, 8}));  // and the third -34
    EXPECT_EQ(run(move_chroma_right, 1, 2, {77, 5}), (Samples{77, 5}));
}

TEST(ChromaSiting, WidenByHand) {
    EXPECT_EQ(widen(widen_411, 6, {10, 200, 30}), (Samples{37, 137, 176, 97, 31, 26}));
    EXPECT_EQ(widen(widen_411, 5, {10, 200, 30}), (Samples{37, 137, 176, 97, 31}));
    EXPECT_EQ(widen(widen_411, 1, {9}), (Samples{9}));
    EXPECT_EQ(widen(widen_411, 4, {0, 255}), (Samples{34, 161, 253, 255}));
    EXPECT_EQ(widen(repeat_411, 5, {10, 200, 30}), (Samples{10, 10, 200, 200, 30}));
}

TEST(ChromaSiting, ColumnsByHand) {
    EXPECT_EQ(run(move_chroma_down, 1, 3, {10, 200, 30}), (Samples{61, 183, 7}));
    EXPECT_EQ(run(move_chroma_up, 1, 3, {10, 200, 30}), (Samples{0, 177, 78}));
    EXPECT_EQ(run(move_chroma_up, 2, 1, {10, 200}), (Samples{10, 200}));
}

// The specification's sum, with a signed total and indices clamped one by one.
int reference(const std::vector<int>& taps, int first, int at, int size, const auto& sample) {
    int sum = 0;
    for (int k = 0; k < int(taps.size()); ++k) sum += taps[std::size_t(k)] * sample(std::clamp(at + first + k, 0, size - 1));
    return std::clamp((sum + 64) >> 7, 0, 255);
}

TEST(ChromaSiting, EqualsTheSumsOnNoise) {
    const std::vector<int> right{4, -17, 114, 35, -9, 1}, left{1, -9, 35, 114, -17, 4}, even{1, 110, 18, -1}, odd{-3, 50, 86, -5};
    for (const int width : {1, 2, 3, 4, 5, 6, 7, 16, 33, 100})
        for (const int height : {1, 2, 3, 5, 6, 9}) {
            ChromaPlane in{width, height, Samples(std::size_t(width * height))};
            for (const test::Fill how : {test::Fill::full_range_noise, test::Fill::alternating, test::Fill::maximum}) {
                test::fill<std::uint8_t>(in.samples, how, std::uint64_t(width * 100 + height));
                const auto at = [&](int x, int y) { return int(in.samples[std::size_t(y * width + x)]); };
                const Samples moved = run(move_chroma_right, width, height, in.samples),
                              down = run(move_chroma_down, width, height, in.samples), up = run(move_chroma_up, width, height, in.samples);
                ChromaPlane wide;
                widen_411(in, 2 * width - 1, wide);
                for (int y = 0; y < height; ++y)
                    for (int x = 0; x < width; ++x) {
                        const auto index = std::size_t(y * width + x);
                        const auto row = [&](int i) { return at(i, y); };
                        const auto column = [&](int i) { return at(x, i); };
                        ASSERT_EQ(moved[index], reference(right, -2, x, width, row)) << width << " " << height << " " << how;
                        ASSERT_EQ(down[index], reference(right, -2, y, height, column)) << width << " " << height << " " << how;
                        ASSERT_EQ(up[index], reference(left, -3, y, height, column)) << width << " " << height << " " << how;
                        const auto out = std::size_t(y * (2 * width - 1) + 2 * x);
                        ASSERT_EQ(wide.samples[out], reference(even, -1, x, width, row)) << width << " " << height << " " << how;
                        if (2 * x + 1 == 2 * width - 1) continue;
                        ASSERT_EQ(wide.samples[out + 1], reference(odd, -1, x, width, row)) << width << " " << height << " " << how;
                    }
            }
        }
}

}  // namespace
}  // namespace isometric
