// The vertical filters of `vif`: part of vif_cpu.cpp, compiled once for each instruction set.
//
// Sums of 16 taps are formed from signed 16-bit pairs. A value v of 16 bits enters as v - 2^15; since the taps sum to 2^16, that takes 2^31
// from the sum, and all sums are modulo 2^32. A product of samples enters as its two halves, each a value of 16 bits.
#if defined(ISO_METRICS_VIF_VERTICAL_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ISO_METRICS_VIF_VERTICAL_INL_H
#undef ISO_METRICS_VIF_VERTICAL_INL_H
#else
#define ISO_METRICS_VIF_VERTICAL_INL_H
#endif

#include <hwy/highway.h>

#include <utility>

#include "metrics/vif/vif_passes.h"
#include "metrics/vif/vif_tables.h"
#include "numeric/simd_supplement.h"

// Emulated vectors do not get faster by unrolling, only slower to compile.
#undef ISO_VIF_INLINE
#if HWY_TARGET == HWY_EMU128
#define ISO_VIF_INLINE HWY_NOINLINE
#else
#define ISO_VIF_INLINE HWY_INLINE
#endif

HWY_BEFORE_NAMESPACE();
namespace isometric::vif::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
namespace hs = isometric::simd::HWY_NAMESPACE;

using D16 = hn::ScalableTag<int16_t>;
using DU16 = hn::RebindToUnsigned<D16>;
using D32 = hn::RepartitionToWide<D16>;
using DU32 = hn::RebindToUnsigned<D32>;
using V16 = hn::Vec<D16>;
using V32 = hn::Vec<D32>;

// Words with the top bit flipped: unsigned values less 2^15.
HWY_INLINE V16 less_half(V16 v) { return hn::Xor(v, hn::Set(D16(), int16_t(-32768))); }

HWY_INLINE V32 set_u32(uint32_t value) { return hn::Set(D32(), int32_t(value)); }

// sum += c0 * first + c1 * second of every pair. A tap that does not fit 16 bits is added in two parts.
template <uint32_t c0, uint32_t c1>
HWY_INLINE void add_taps(V16 pairs, V32& sum) {
    constexpr uint32_t part0 = c0 > 32767 ? c0 / 2 : 0, part1 = c1 > 32767 ? c1 / 2 : 0;
    if constexpr (c0 + c1 != 0) {
        constexpr uint32_t taps_of_pair = (c0 - part0) | (c1 - part1) << 16;
        sum = hs::AccumulatePairProducts(D32(), pairs, hn::BitCast(D16(), set_u32(taps_of_pair)), sum);
    }
    if constexpr (part0 + part1 != 0)
        sum = hs::AccumulatePairProducts(D32(), pairs, hn::BitCast(D16(), set_u32(part0 | part1 << 16)), sum);
}

// A pair of rows, the first of which is `offset` below output row 0, onto the output rows 0, step, 2 step, 3 step.
template <int filter, int offset, int step>
ISO_VIF_INLINE void add_row_pair(V16 rows, V32& s0, V32& s1, V32& s2, V32& s3) {
    add_taps<tap<filter>(offset), tap<filter>(offset + 1)>(rows, s0);
    add_taps<tap<filter>(offset - step), tap<filter>(offset + 1 - step)>(rows, s1);
    add_taps<tap<filter>(offset - 2 * step), tap<filter>(offset + 1 - 2 * step)>(rows, s2);
    add_taps<tap<filter>(offset - 3 * step), tap<filter>(offset + 1 - 3 * step)>(rows, s3);
}

// Row pairs of the window of a band; with the filter of the next scale, of its even rows.
template <int filter>
constexpr int window_pairs = band_rows / 2 + reach_of(filter);

// The eight rows of a band. rows: a vector for each row pair of the window; sums: a vector for each row.
template <int scale, size_t... m>
HWY_INLINE void filter_band(const int16_t* rows, V32 start, int32_t* sums, std::index_sequence<m...>) {
    const D16 d16;
    const D32 d32;
    const size_t n = hn::Lanes(d32);
    V32 s0 = start, s1 = start, s2 = start, s3 = start, s4 = start, s5 = start, s6 = start, s7 = start;
    const auto add = [&](auto index) HWY_ATTR {
        constexpr int offset = 2 * int(decltype(index)::value) - reach_of(scale);
        const V16 pair = hn::Load(d16, rows + decltype(index)::value * 2 * n);
        add_row_pair<scale, offset, 1>(pair, s0, s1, s2, s3);
        add_row_pair<scale, offset - 4, 1>(pair, s4, s5, s6, s7);
    };
    (add(std::integral_constant<size_t, m>()), ...);
    hn::Store(s0, d32, sums);
    hn::Store(s1, d32, sums + n);
    hn::Store(s2, d32, sums + 2 * n);
    hn::Store(s3, d32, sums + 3 * n);
    hn::Store(s4, d32, sums + 4 * n);
    hn::Store(s5, d32, sums + 5 * n);
    hn::Store(s6, d32, sums + 6 * n);
    hn::Store(s7, d32, sums + 7 * n);
}

// Rows 0, 2, 4, 6 of a band with the filter of the next scale, for the two positions of a pair.
template <int filter, size_t... m>
HWY_INLINE void filter_even_rows(const int16_t* rows, V32 start, int32_t* sums, std::index_sequence<m...>) {
    const D16 d16;
    const D32 d32;
    const size_t n = hn::Lanes(d32);
    V32 s0 = start, s1 = start, s2 = start, s3 = start;
    (add_row_pair<filter, 2 * int(m) - reach_of(filter), 2>(hn::Load(d16, rows + m * 2 * n), s0, s1, s2, s3), ...);
    hn::Store(s0, d32, sums);
    hn::Store(s1, d32, sums + n);
    hn::Store(s2, d32, sums + 2 * n);
    hn::Store(s3, d32, sums + 3 * n);
}

// Samples of row pair t of positions, as words: of the first position (q = 0) or the second.
template <Samples samples>
HWY_INLINE V16 load_samples(const int32_t* rows, size_t t, size_t q) {
    const D16 d16;
    const D32 d32;
    const size_t n = hn::Lanes(d32);
    if constexpr (samples == Samples::byte) {
        const V16 bytes = hn::BitCast(d16, hn::Load(d32, rows + t * n));
        return q == 0 ? hn::And(bytes, hn::Set(d16, 0xFF)) : hn::BitCast(d16, hn::ShiftRight<8>(hn::BitCast(DU16(), bytes)));
    } else {
        return hn::BitCast(d16, hn::Load(d32, rows + (2 * t + q) * n));
    }
}

// Signed words of samples.
template <Samples samples>
HWY_INLINE V16 centred(V16 words) {
    return samples == Samples::full ? less_half(words) : words;
}

// The constants of a depth: means and second moments are brought to Q8 and Q16 of 8-bit steps, to nearest.
template <Samples samples>
struct Scaling {
    explicit Scaling(int bits) : mean_bits(samples == Samples::byte ? 8 : samples == Samples::full ? 16 : bits), square_bits(2 * (mean_bits - 8)) {}

    // Sums start from it; their bits mean_bits..mean_bits + 15 are then the mean less 2^15.
    HWY_INLINE V32 mean_start() const {
        const uint32_t lost = samples == Samples::full ? 1u << 31 : 0;
        return set_u32(lost + (1u << (mean_bits - 1)) - (1u << 15 << mean_bits));
    }
    // With A and B the sums of the high and low halves of products:
    //     (2^16 A + B + rounding) >> square_bits = (A << (16 - square_bits)) + ((B + rounding) >> square_bits).
    // Less 2^31, which makes the high word signed; at 8 bits A = 0 and nothing is shifted.
    HWY_INLINE V32 low_start() const { return samples == Samples::byte ? hn::Zero(D32()) : set_u32((1u << 31) + (1u << (square_bits - 1))); }
    HWY_INLINE V32 high_start() const { return samples == Samples::full ? hn::Zero(D32()) : set_u32(1u << (15 + square_bits)); }

    const int mean_bits, square_bits;
};

// What the vertical filter reads at a pair of positions: for each position and input (two means, three products or six halves of products) a
// vector for each row pair of the window.
template <Samples samples>
constexpr int moment_inputs = samples == Samples::byte ? 5 : 8;

template <Samples samples, int pairs>
HWY_INLINE void make_inputs(const BandInput& in, size_t t, int16_t* inputs) {
    const D16 d16;
    const DU16 du16;
    const size_t n = hn::Lanes(d16);
    for (size_t q = 0; q < 2; ++q)
        for (size_t m = 0; m < size_t(pairs); ++m) {
            int16_t* to = inputs + (q * moment_inputs<samples> * pairs + m) * n;
            const auto store = [&](V16 v) HWY_ATTR {
                hn::Store(v, d16, to);
                to += pairs * n;
            };
            const V16 r = load_samples<samples>(in.ref[m], t, q), d = load_samples<samples>(in.dis[m], t, q);
            store(centred<samples>(r));
            store(centred<samples>(d));
            const auto store_product = [&](V16 a, V16 b) HWY_ATTR {
                store(less_half(hn::BitCast(d16, hn::Mul(hn::BitCast(du16, a), hn::BitCast(du16, b)))));
                if constexpr (samples != Samples::byte) store(centred<samples>(hn::BitCast(d16, hn::MulHigh(hn::BitCast(du16, a), hn::BitCast(du16, b)))));
            };
            store_product(r, r);
            store_product(d, d);
            store_product(r, d);
        }
}

// The pair of means that the sums at two positions give.
template <Samples samples>
HWY_INLINE V16 mean_pair(V32 first, V32 second, const Scaling<samples>& scaling) {
    const D16 d16;
    const DU32 du32;
    const auto low = hn::Shr(hn::BitCast(du32, first), hn::Set(du32, uint32_t(scaling.mean_bits)));
    const auto high = hn::Shl(hn::BitCast(du32, second), hn::Set(du32, uint32_t(16 - scaling.mean_bits)));
    return hn::OddEven(hn::BitCast(d16, high), hn::BitCast(d16, low));
}

// A second moment from the sum of its low halves and, apart from 8 bits, of its high halves.
template <Samples samples>
HWY_INLINE V32 square_sum(const int32_t* low_sum, const int32_t* high_sum, const Scaling<samples>& scaling) {
    const D32 d32;
    const DU32 du32;
    const V32 low = hn::Load(d32, low_sum);
    if constexpr (samples == Samples::byte) return low;
    const auto high = hn::Shl(hn::BitCast(du32, hn::Load(d32, high_sum)), hn::Set(du32, uint32_t(16 - scaling.square_bits)));
    return hn::BitCast(d32, hn::Add(high, hn::Shr(hn::BitCast(du32, low), hn::Set(du32, uint32_t(scaling.square_bits)))));
}

template <Samples samples, int scale>
void moments(const BandInput& in, const BandLines& out, int32_t* scratch) {
    constexpr int pairs = window_pairs<scale>, inputs = moment_inputs<samples>;
    constexpr std::make_index_sequence<size_t(pairs)> window;
    const D16 d16;
    const D32 d32;
    const size_t n = hn::Lanes(d32);
    const Scaling<samples> scaling(in.bits);
    int32_t* const sums = scratch;  // [position][input][row]
    int16_t* const rows = reinterpret_cast<int16_t*>(scratch + size_t(2 * inputs * band_rows) * n);
    const auto sum_at = [&](size_t q, size_t input, size_t row) HWY_ATTR { return sums + ((q * inputs + input) * band_rows + row) * n; };
    for (size_t t = 0; t < size_t(in.position_pairs); ++t) {
        make_inputs<samples, pairs>(in, t, rows);
        for (size_t q = 0; q < 2; ++q)
            for (size_t input = 0; input < inputs; ++input) {
                const bool low = samples == Samples::byte || input % 2 == 0;
                const V32 start = input < 2 ? scaling.mean_start() : low ? scaling.low_start() : scaling.high_start();
                filter_band<scale>(rows + (q * inputs + input) * pairs * 2 * n, start, sum_at(q, input, 0), window);
            }
        for (size_t row = 0; row < band_rows; ++row) {
            int16_t* to = out.lines + ptrdiff_t(row) * out.stride + ptrdiff_t(t * half_count * 2 * n);
            const auto store = [&](V16 v) HWY_ATTR {
                hn::Store(v, d16, to);
                to += 2 * n;
            };
            for (size_t input = 0; input < 2; ++input)
                store(mean_pair(hn::Load(d32, sum_at(0, input, row)), hn::Load(d32, sum_at(1, input, row)), scaling));
            for (size_t product = 0; product < 3; ++product) {
                const size_t low = 2 + product * (inputs == 8 ? 2 : 1), high = low + 1;
                const V32 first = square_sum(sum_at(0, low, row), sum_at(0, high, row), scaling);
                const V32 second = square_sum(sum_at(1, low, row), sum_at(1, high, row), scaling);
                store(less_half(hn::OddEven(hn::BitCast(d16, hn::ShiftLeft<16>(second)), hn::BitCast(d16, first))));
                store(hn::OddEven(hn::BitCast(d16, second), hn::BitCast(d16, hn::ShiftRight<16>(first))));
            }
        }
    }
}

template <Samples samples, int filter>
void decimate_rows(const BandInput& in, const BandLines& out, int32_t* scratch) {
    constexpr int pairs = window_pairs<filter>;
    constexpr std::make_index_sequence<size_t(pairs)> window;
    const D16 d16;
    const D32 d32;
    const size_t n = hn::Lanes(d32);
    const Scaling<samples> scaling(in.bits);
    int32_t* const sums = scratch;  // [position][row]
    int16_t* const rows = reinterpret_cast<int16_t*>(scratch + size_t(band_rows) * n);
    const auto filter_picture = [&](const auto& row_pairs, size_t t, int16_t* to) HWY_ATTR {
        for (size_t q = 0; q < 2; ++q) {
            for (size_t m = 0; m < size_t(pairs); ++m) hn::Store(centred<samples>(load_samples<samples>(row_pairs[m], t, q)), d16, rows + m * 2 * n);
            filter_even_rows<filter>(rows, scaling.mean_start(), sums + q * 4 * n, window);
        }
        for (size_t row = 0; row < 4; ++row)
            hn::Store(mean_pair(hn::Load(d32, sums + row * n), hn::Load(d32, sums + (4 + row) * n), scaling), d16, to + ptrdiff_t(row) * out.stride);
    };
    for (size_t t = 0; t < size_t(in.position_pairs); ++t) {
        filter_picture(in.ref, t, out.lines + t * 4 * n);
        filter_picture(in.dis, t, out.lines + t * 4 * n + 2 * n);
    }
}

}  // namespace isometric::vif::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
