#include "input/chroma_siting.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

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

// The value of the loaded samples v[k] under the taps. Positive and negative products are summed apart, in 16 bits each (which vectorises
// well); a negative total is 0 after clamping, so the difference may stop there.
template <const auto& taps, std::size_t... k>
inline std::uint8_t weigh(const std::uint16_t* v, std::index_sequence<k...>) {
    const auto plus = std::uint16_t((64 + ... + (taps[k] > 0 ? v[k] * taps[k] : 0)));
    const auto minus = std::uint16_t((0 + ... + (taps[k] < 0 ? v[k] * -taps[k] : 0)));
    const auto larger = std::max(plus, minus);
    return std::uint8_t(std::min<std::uint16_t>(std::uint16_t(std::uint16_t(larger - minus) >> 7), 255));
}

// at(k) is the k-th sample under the taps.
template <const auto& taps, class At>
inline std::uint8_t filtered(At at) {
    std::uint16_t v[taps.size()];
    for (std::size_t k = 0; k < taps.size(); ++k) v[k] = at(k);
    return weigh<taps>(v, std::make_index_sequence<taps.size()>());
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
template <const auto& taps>
void filter_columns(const ChromaPlane& in, int first, ChromaPlane& out) {
    shape(out, in.width, in.height);
    for (int y = 0; y < in.height; ++y) {
        std::array<const std::uint8_t*, 6> rows{};
        for (int k = 0; k < 6; ++k)
            rows[std::size_t(k)] = in.samples.data() + std::size_t(std::clamp(y + first + k, 0, in.height - 1)) * std::size_t(in.width);
        const auto width = std::size_t(in.width);  // of its own: a byte stored may be any object's
        std::uint8_t* to = out.samples.data() + std::size_t(y) * width;
        for (std::size_t x = 0; x < width; ++x) to[x] = filtered<taps>([&](std::size_t k) { return rows[k][x]; });
    }
}

}  // namespace

void move_chroma_right(const ChromaPlane& in, ChromaPlane& out) {
    shape(out, in.width, in.height);
    const auto width = std::size_t(in.width);
    std::vector<std::uint8_t> padded;
    for (int y = 0; y < in.height; ++y) {
        pad_row(in.samples.data() + std::size_t(y) * width, in.width, 2, 3, padded);
        const std::uint8_t* from = padded.data();
        std::uint8_t* to = out.samples.data() + std::size_t(y) * width;
        for (std::size_t x = 0; x < width; ++x) to[x] = filtered<quarter_right>([&](std::size_t k) { return from[x + k]; });
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
            to[x] = x % 2 ? filtered<widen_odd>(at) : filtered<widen_even>(at);
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

void move_chroma_down(const ChromaPlane& in, ChromaPlane& out) { filter_columns<quarter_right>(in, -2, out); }
void move_chroma_up(const ChromaPlane& in, ChromaPlane& out) { filter_columns<quarter_left>(in, -3, out); }

}  // namespace isometric
