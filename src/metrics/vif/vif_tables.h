// The constants of `vif` (docs/metrics/vif.md, sections 2 and 4), shared by every backend.
#pragma once

#include <array>
#include <cstdint>

namespace isometric::vif {

// Gaussian of 2^(4 - scale) + 1 taps and sigma (taps / 5), rounded to sum 2^16: the taps from one end to the centre.
template <int scale>
struct Filter;
template <>
struct Filter<0> {
    static constexpr std::array<std::uint16_t, 9> half = {489, 935, 1640, 2640, 3896, 5274, 6547, 7455, 7784};
};
template <>
struct Filter<1> {
    static constexpr std::array<std::uint16_t, 5> half = {1244, 3663, 7925, 12590, 14692};
};
template <>
struct Filter<2> {
    static constexpr std::array<std::uint16_t, 3> half = {3571, 16004, 26386};
};
template <>
struct Filter<3> {
    static constexpr std::array<std::uint16_t, 2> half = {10904, 43728};
};

template <int scale>
constexpr int radius = int(Filter<scale>::half.size()) - 1;
template <int scale>
constexpr int taps = 2 * radius<scale> + 1;

constexpr int radius_of(int scale) { return 8 >> scale; }

// Tap k = -radius..radius; 0 beyond.
template <int scale>
constexpr std::uint32_t tap(int k) {
    const int from_end = radius<scale> - (k < 0 ? -k : k);
    return from_end < 0 ? 0 : Filter<scale>::half[std::size_t(from_end)];
}

template <int scale>
constexpr bool sums_to_one() {
    std::uint32_t sum = 0;
    for (int k = -radius<scale>; k <= radius<scale>; ++k) sum += tap<scale>(k);
    return sum == 65536 && radius<scale> == radius_of(scale);
}
static_assert(sums_to_one<0>() && sums_to_one<1>() && sums_to_one<2>() && sums_to_one<3>());

constexpr std::int32_t noise_variance_q16 = 2 << 16;
// What keeps the division by sigma1_sq apart from zero: 1e-10 of an 8-bit step squared, in Q16.
constexpr double epsilon_q16 = 65536 * 1.0e-10;
static_assert(epsilon_q16 == 0x1.b7cdfd9d7bdbbp-18);

// 2048 * log2(i) for i = 32768..65535, at [i - 32768]: floor(2048 log2 i + 1/2 + 2^-10).
const std::array<std::uint16_t, 32768>& log2_table();

// The same in a form for vectors, an eighth of the size. The table has at most one step in 8 successive i. With `bits` the single-precision
// float of an integer v >= 2^17, cut off (not rounded) to 24 bits, and v's 16 leading bits in i,
//     2048 * (log2(v) - 17) = (bits + steps[bits >> 11 & 4095]) >> 12,
// where the exponent contributes 2048 for each octave by itself, and the low 11 bits carry into bit 12 from the step on.
constexpr int log2_blocks = 4096;
const std::array<std::int32_t, log2_blocks>& log2_steps();

}  // namespace isometric::vif
