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

void transpose(const uint8_t* a, const uint8_t* b, ptrdiff_t lane_stride, int steps, int32_t* row_pair) {
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
        hn::Store(hn::BitCast(d32, first), d32, row_pair);
        hn::Store(hn::BitCast(d32, second), d32, row_pair + n);
    }
}

// Both outputs of a pair of positions; `from` is their window's first pair, a vector every `stride` words.
template <int filter, size_t... m>
ISO_VIF_INLINE void filter_positions(const int16_t* from, size_t stride, std::index_sequence<m...>, V32& even, V32& odd) {
    const auto add = [&](auto index) HWY_ATTR {
        constexpr int offset = 2 * int(decltype(index)::value) - reach_of(filter);
        const V16 pair = hn::Load(D16(), from + decltype(index)::value * stride);
        add_taps<tap<filter>(offset), tap<filter>(offset + 1)>(pair, even);
        add_taps<tap<filter>(offset - 1), tap<filter>(offset)>(pair, odd);
    };
    (add(std::integral_constant<size_t, m>()), ...);
}

template <int scale>
void horizontal(const int16_t* line, int position_pairs, int32_t* moments) {
    const D32 d32;
    const DU32 du32;
    const size_t n = hn::Lanes(d32), stride = half_count * 2 * n;
    constexpr std::make_index_sequence<size_t(reach_of(scale) + 1)> window;
    const V32 lost = set_u32(1u << 31), lost_and_rounding = set_u32((1u << 31) + (1u << 15));
    const auto upper = [&](V32 v) HWY_ATTR { return hn::BitCast(d32, hn::ShiftRight<16>(hn::BitCast(du32, v))); };
    for (int t = 0; t < position_pairs; ++t, line += stride, moments += 2 * moment_count * n) {
        const auto mean = [&](int half, int moment) HWY_ATTR {
            V32 even = lost, odd = lost;
            filter_positions<scale>(line + size_t(half) * 2 * n, stride, window, even, odd);
            hn::Store(even, d32, moments + size_t(moment) * n);
            hn::Store(odd, d32, moments + size_t(moment_count + moment) * n);
        };
        // (2^16 A + B + 2^15) >> 16 = A + ((B + 2^15) >> 16) for the sums A, B of the halves; A is 2^31 short, which the statistic knows.
        const auto square = [&](int half, int moment) HWY_ATTR {
            V32 even = lost_and_rounding, odd = lost_and_rounding;
            filter_positions<scale>(line + size_t(half) * 2 * n, stride, window, even, odd);
            even = upper(even);
            odd = upper(odd);
            filter_positions<scale>(line + size_t(half + 1) * 2 * n, stride, window, even, odd);
            hn::Store(even, d32, moments + size_t(moment) * n);
            hn::Store(odd, d32, moments + size_t(moment_count + moment) * n);
        };
        mean(mean_ref, ref_mean);
        mean(mean_dis, dis_mean);
        square(ref_sq_low, ref_sq);
        square(dis_sq_low, dis_sq);
        square(ref_dis_low, ref_dis);
    }
}

// filter: of the scale that is made.
template <int filter>
void decimate_columns(const int16_t* even_line, const int16_t* odd_line, int positions, int32_t* ref, int32_t* dis) {
    const D16 d16;
    const D32 d32;
    const size_t n = hn::Lanes(d32), stride = 4 * n;
    constexpr std::make_index_sequence<size_t(reach_of(filter) + 1)> window;
    const V32 start = set_u32((1u << 31) + (1u << 15));
    const auto filtered = [&](const int16_t* line) HWY_ATTR {
        V32 even = start;
        const auto add = [&](auto index) HWY_ATTR {
            constexpr int offset = 2 * int(decltype(index)::value) - reach_of(filter);
            add_taps<tap<filter>(offset), tap<filter>(offset + 1)>(hn::Load(d16, line + decltype(index)::value * stride), even);
        };
        [&]<size_t... m>(std::index_sequence<m...>) HWY_ATTR { (add(std::integral_constant<size_t, m>()), ...); }(window);
        return even;
    };
    for (int p = 0; p < positions; ++p, even_line += stride, odd_line += stride, ref += n, dis += n) {
        const auto join = [&](size_t picture, int32_t* to) HWY_ATTR {
            const V32 first = filtered(even_line + picture * 2 * n), second = filtered(odd_line + picture * 2 * n);
            hn::Store(hn::BitCast(d32, hn::OddEven(hn::BitCast(d16, second), hn::BitCast(d16, hn::ShiftRight<16>(first)))), d32, to);
        };
        join(0, ref);
        join(1, dis);
    }
}

}  // namespace isometric::vif::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
