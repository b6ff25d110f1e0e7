#include "input/chroma_siting.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace isometric {
namespace {

// Taps in 1/128 (docs/input.md, chroma siting).
template <std::size_t N>
using Taps = std::array<int, N>;
constexpr Taps<6> quarter_right{4, -17, 114, 35, -9, 1};
constexpr Taps<6> quarter_left{1, -9, 35, 114, -17, 4};
constexpr Taps<4> widen_even{1, 110, 18, -1};
constexpr Taps<4> widen_odd{-3, 50, 86, -5};

template <std::size_t N>
constexpr int sum_of(const Taps<N>& taps, int sign) {
    int sum = 0;
    for (const int tap : taps) sum += tap * sign > 0 ? tap * sign : 0;
    return sum;
}
static_assert(sum_of(quarter_right, 1) - sum_of(quarter_right, -1) == 128);
static_assert(sum_of(widen_even, 1) - sum_of(widen_even, -1) == 128);
static_assert(sum_of(widen_odd, 1) - sum_of(widen_odd, -1) == 128);
static_assert(255 * sum_of(quarter_right, 1) + 64 < 1 << 16, "the two sums below fit 16 bits");

// at(k) is the k-th sample under the taps. Positive and negative products are summed apart, in 16 bits each; a negative total is 0 after
// clamping, so the difference may stop there.
template <std::size_t N, class At>
std::uint8_t filtered(const Taps<N>& taps, At at) {
    std::uint16_t plus = 64, minus = 0;
    for (std::size_t k = 0; k < N; ++k) {
        if (taps[k] > 0) plus = std::uint16_t(plus + at(k) * taps[k]);
        else minus = std::uint16_t(minus + at(k) * -taps[k]);
    }
    const std::uint16_t difference = std::uint16_t(plus > minus ? plus - minus : 0);
    return std::uint8_t(std::min<std::uint16_t>(std::uint16_t(difference >> 7), 255));
}

void shape(ChromaPlane& out, int width, int height) {
    out.width = width;
    out.height = height;
    out.samples.resize(std::size_t(width) * std::size_t(height));
}

// A row with `before` and `after` copies of its edges beside it.
void pad_row(const std::uint8_t* row, int width, int before, int after, std::vector<std::uint8_t>& padded) {
    padded.resize(std::size_t(before + width + after));
    std::fill_n(padded.begin(), before, row[0]);
    std::copy_n(row, width, padded.begin() + before);
    std::fill_n(padded.begin() + before + width, after, row[width - 1]);
}

// The taps' first row is `first` rows from the result's.
void filter_columns(const ChromaPlane& in, const Taps<6>& taps, int first, ChromaPlane& out) {
    shape(out, in.width, in.height);
    for (int y = 0; y < in.height; ++y) {
        std::array<const std::uint8_t*, 6> rows{};
        for (int k = 0; k < 6; ++k)
            rows[std::size_t(k)] = in.samples.data() + std::size_t(std::clamp(y + first + k, 0, in.height - 1)) * std::size_t(in.width);
        std::uint8_t* to = out.samples.data() + std::size_t(y) * std::size_t(in.width);
        for (int x = 0; x < in.width; ++x) to[x] = filtered(taps, [&](std::size_t k) { return rows[k][x]; });
    }
}

}  // namespace

void move_chroma_right(const ChromaPlane& in, ChromaPlane& out) {
    shape(out, in.width, in.height);
    std::vector<std::uint8_t> padded;
    for (int y = 0; y < in.height; ++y) {
        const std::size_t row = std::size_t(y) * std::size_t(in.width);
        pad_row(in.samples.data() + row, in.width, 2, 3, padded);
        const std::uint8_t* from = padded.data();
        std::uint8_t* to = out.samples.data() + row;
        for (int x = 0; x < in.width; ++x) to[x] = filtered(quarter_right, [&](std::size_t k) { return from[std::size_t(x) + k]; });
    }
}

void widen_411(const ChromaPlane& in, int width, ChromaPlane& out) {
    shape(out, width, in.height);
    std::vector<std::uint8_t> padded;
    for (int y = 0; y < in.height; ++y) {
        pad_row(in.samples.data() + std::size_t(y) * std::size_t(in.width), in.width, 1, 2, padded);
        std::uint8_t* to = out.samples.data() + std::size_t(y) * std::size_t(width);
        for (int x = 0; x < width; ++x) {
            const std::uint8_t* from = padded.data() + x / 2;
            const auto at = [&](std::size_t k) { return from[k]; };
            to[x] = x % 2 ? filtered(widen_odd, at) : filtered(widen_even, at);
        }
    }
}

void repeat_411(const ChromaPlane& in, int width, ChromaPlane& out) {
    shape(out, width, in.height);
    for (int y = 0; y < in.height; ++y)
        for (int x = 0; x < width; ++x)
            out.samples[std::size_t(y) * std::size_t(width) + std::size_t(x)] =
                in.samples[std::size_t(y) * std::size_t(in.width) + std::size_t(x / 2)];
}

void move_chroma_down(const ChromaPlane& in, ChromaPlane& out) { filter_columns(in, quarter_right, -2, out); }
void move_chroma_up(const ChromaPlane& in, ChromaPlane& out) { filter_columns(in, quarter_left, -3, out); }

}  // namespace isometric
