// The horizontal filters of `vif`, and the way of a picture's rows into lanes: part of vif_cpu.cpp, compiled once for each instruction set.
#if defined(ISO_METRICS_VIF_HORIZONTAL_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ISO_METRICS_VIF_HORIZONTAL_INL_H
#undef ISO_METRICS_VIF_HORIZONTAL_INL_H
#else
#define ISO_METRICS_VIF_HORIZONTAL_INL_H
#endif

#include <hwy/highway.h>

#include <utility>

#include "metrics/vif/vif_vertical-inl.h"

HWY_BEFORE_NAMESPACE();
namespace isometric::vif::HWY_NAMESPACE {

void transpose(const uint8_t* a, const uint8_t* b, ptrdiff_t lane_stride, int steps, int left_shift, int32_t* row_pair) {
    const D16 d16;
    const D32 d32;
    const size_t n = hn::Lanes(d32);
    const auto offsets = hn::Mul(hn::Iota(d32, 0), hn::Set(d32, int32_t(lane_stride)));
    for (int step = 0; step < steps; ++step, a += 4, b += 4, row_pair += 2 * n) {
        // Two words of each row: (a0, a1) and (b0, b1) become (a0, b0) and (a1, b1).
        const V32 from_a = hn::GatherOffset(d32, reinterpret_cast<const int32_t*>(a), offsets);
        const V32 from_b = hn::GatherOffset(d32, reinterpret_cast<const int32_t*>(b), offsets);
        const V16 first = hn::OddEven(hn::BitCast(d16, hn::ShiftLeft<16>(from_b)), hn::BitCast(d16, from_a));
        const V16 second = hn::OddEven(hn::BitCast(d16, from_b), hn::BitCast(d16, hn::ShiftRight<16>(from_a)));
        hn::Store(hn::BitCast(d32, hn::ShiftLeftSame(first, left_shift)), d32, row_pair);
        hn::Store(hn::BitCast(d32, hn::ShiftLeftSame(second, left_shift)), d32, row_pair + n);
    }
}

// Positions parity, parity + 2, .. of four pairs of positions; `line` is where the window of the first begins. A second moment is
//     (2^16 A + B + 2^15) >> 16 = A + ((B + 2^15) >> 16)
// with the sums A, B of the high and low halves; A is 2^31 short, which the statistic knows.
template <int scale, int parity>
HWY_INLINE void filter_moments(const int16_t* line, int32_t* moments) {
    const D32 d32;
    const size_t n = hn::Lanes(d32), vector = 2 * n, stride = half_count * vector;
    const TapPairs<scale, parity> taps;
    const V32 mean_start = set_u32(1u << 31), square_start = set_u32((1u << 31) + (1u << 15));
    const auto store = [&](Moment moment, V32 s0, V32 s1, V32 s2, V32 s3) ISO_VIF_LAMBDA {
        int32_t* to = moments + (size_t(parity) * moment_count + moment) * n;
        hn::Store(s0, d32, to);
        hn::Store(s1, d32, to + 2 * moment_count * n);
        hn::Store(s2, d32, to + 4 * moment_count * n);
        hn::Store(s3, d32, to + 6 * moment_count * n);
    };
    const auto pairs = [&](Half half) ISO_VIF_LAMBDA {
        return [=](size_t m) ISO_VIF_LAMBDA { return hn::Load(D16(), line + half * vector + m * stride); };
    };
    const auto filter = [&](Half half, V32& s0, V32& s1, V32& s2, V32& s3, Half other, V32& r0, V32& r1, V32& r2, V32& r3) ISO_VIF_LAMBDA {
        filter_windows(std::make_index_sequence<TapPairs<scale, parity>::count + 3>(), taps, pairs(half), s0, s1, s2, s3, pairs(other), r0,
                       r1, r2, r3);
    };
    const auto halve = [](V32& s0, V32& s1, V32& s2, V32& s3)
                           ISO_VIF_LAMBDA { s0 = upper_word(s0), s1 = upper_word(s1), s2 = upper_word(s2), s3 = upper_word(s3); };
    V32 a0 = square_start, a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0, c0 = a0, c1 = a0, c2 = a0, c3 = a0;
    V32 m0 = mean_start, m1 = m0, m2 = m0, m3 = m0, n0 = m0, n1 = m0, n2 = m0, n3 = m0;
    filter(ref_sq_low, a0, a1, a2, a3, dis_sq_low, b0, b1, b2, b3);
    halve(a0, a1, a2, a3), halve(b0, b1, b2, b3);
    filter(ref_dis_low, c0, c1, c2, c3, mean_ref, m0, m1, m2, m3);
    halve(c0, c1, c2, c3), store(ref_mean, m0, m1, m2, m3);
    filter(ref_sq_high, a0, a1, a2, a3, mean_dis, n0, n1, n2, n3);
    store(ref_sq, a0, a1, a2, a3), store(dis_mean, n0, n1, n2, n3);
    filter(dis_sq_high, b0, b1, b2, b3, ref_dis_high, c0, c1, c2, c3);
    store(dis_sq, b0, b1, b2, b3), store(ref_dis, c0, c1, c2, c3);
}

template <int scale>
void horizontal(const int16_t* line, int position_pairs, int32_t* moments) {
    const size_t n = hn::Lanes(D32());
    for (int t = 0; t < position_pairs; t += 4) {
        filter_moments<scale, 0>(line, moments);
        filter_moments<scale, 1>(line, moments);
        line += 4 * half_count * 2 * n;
        moments += 4 * 2 * moment_count * n;
    }
}

// filter: of the scale that is made.
template <int filter>
void decimate_columns(const int16_t* even_line, const int16_t* odd_line, int positions, int32_t* ref, int32_t* dis) {
    const D16 d16;
    const D32 d32;
    const size_t n = hn::Lanes(d32), stride = 4 * n;
    const TapPairs<filter, 0> taps;
    const V32 start = set_u32((1u << 31) + (1u << 15));
    for (int p = 0; p < positions; p += 4, even_line += 4 * stride, odd_line += 4 * stride)
        for (size_t picture = 0; picture < 2; ++picture) {
            V32 a0 = start, a1 = start, a2 = start, a3 = start, b0 = start, b1 = start, b2 = start, b3 = start;
            filter_four(
                taps, [&](size_t m) ISO_VIF_LAMBDA { return hn::Load(d16, even_line + picture * 2 * n + m * stride); }, a0, a1, a2, a3);
            filter_four(
                taps, [&](size_t m) ISO_VIF_LAMBDA { return hn::Load(d16, odd_line + picture * 2 * n + m * stride); }, b0, b1, b2, b3);
            int32_t* const to = (picture == 0 ? ref : dis) + size_t(p) * n;
            const auto store = [&](int i, V32 first, V32 second) ISO_VIF_LAMBDA {
                if (p + i >= positions) return;
                hn::Store(hn::BitCast(d32, hn::OddEven(hn::BitCast(d16, second), hn::BitCast(d16, upper_word(first)))), d32,
                          to + size_t(i) * n);
            };
            store(0, a0, b0), store(1, a1, b1), store(2, a2, b2), store(3, a3, b3);
        }
}

}  // namespace isometric::vif::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
