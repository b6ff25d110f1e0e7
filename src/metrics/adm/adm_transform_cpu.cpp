// The wavelet transform of `adm`, compiled once for each instruction set.
//
// Products are of 16-bit lanes, added in pairs into 32-bit lanes; no lane moves. Samples are brought to full scale, (sample - 2^(b-1)) *
// 2^(16-b), so that every vertical sum of scale 0 is its upper 16 bits, rounded: |sum| <= 54822 * 2^15 < 2^31. From scale 1 on an input x
// is split as x = 2^16 h + l, and with H and L the filters of h and l
//     floor((2^16 H + L + 2^15) / 2^16) = H + floor((L + 2^15) / 2^16),     floor((2^16 H + L + 2^14) / 2^15) = 2 H + floor((L + 2^14) /
//     2^15),
// where |x| < 2.11 * 2^30 (docs/metrics/adm.md, section 3) keeps H, L and the results in 32 bits.
#include "metrics/adm/adm_passes.h"
#include "metrics/adm/adm_targets.h"

#include <hwy/cache_control.h>

#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "metrics/adm/adm_transform_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "metrics/adm/adm_simd.h"

HWY_BEFORE_NAMESPACE();
namespace isometric::adm::HWY_NAMESPACE {
namespace {

// Taps 0, 1 and 2, 3 of the low and the high-pass filter, as factors for pair products. The low taps add up to 46342, the high taps to 0.
HWY_INLINE V16 low_01() { return pair(15826, 27411); }
HWY_INLINE V16 low_23() { return pair(7345, -4240); }
HWY_INLINE V16 high_01() { return pair(-4240, -7345); }
HWY_INLINE V16 high_23() { return pair(27411, -15826); }

HWY_INLINE V32 four_taps(V16 first, V16 taps_01, V16 second, V16 taps_23, V32 start) {
    return hs::AccumulatePairProducts(D32(), second, taps_23, hs::AccumulatePairProducts(D32(), first, taps_01, start));
}
// The same by other instructions: half of the sums are formed like this, which keeps all of a processor's multipliers busy.
HWY_INLINE V32 four_taps_apart(V16 first, V16 taps_01, V16 second, V16 taps_23, V32 start) {
    return hs::AccumulatePairProducts(D32(), second, taps_23, hn::Add(hs::PairProducts(D32(), first, taps_01), start));
}

// ---- Scale 0, vertical ------------------------------------------------------------------------------------------------------------------

// Columns of one block; output columns are half as many.
HWY_INLINE size_t block_columns() { return 4 * hn::Lanes(D32()); }

// A block of two rows of samples as pairs of full-scale values: lane t of pairs[m] has both rows of column 4 t + m.
HWY_INLINE void sample_pairs(const uint8_t* upper, const uint8_t* lower, int, V16 (&pairs)[4]) {
    const hn::Repartition<uint8_t, D16> d8;
    const DU16 du16;
    const D16 d16;
    const auto flip = hn::Set(d8, 0x80);  // minus 128
    const auto u = hn::BitCast(d16, hn::Xor(hn::LoadU(d8, upper), flip)), l = hn::BitCast(d16, hn::Xor(hn::LoadU(d8, lower), flip));
    const auto first = merge_low(u, l), second = merge_high(u, l);  // a lane is two columns of one row
    const auto odd_column = hn::Set(d16, int16_t(-256));
    pairs[0] = hn::BitCast(d16, hn::ShiftLeft<8>(hn::BitCast(du16, first)));
    pairs[1] = hn::And(first, odd_column);
    pairs[2] = hn::BitCast(d16, hn::ShiftLeft<8>(hn::BitCast(du16, second)));
    pairs[3] = hn::And(second, odd_column);
}

HWY_INLINE V16 full_scale(const uint16_t* from, VU16 unit) {
    const DU16 du16;
    return hn::BitCast(D16(), hn::Xor(hn::Mul(hn::LoadU(du16, from), unit), hn::Set(du16, 0x8000)));
}

HWY_INLINE void sample_pairs(const uint16_t* upper, const uint16_t* lower, int depth, V16 (&pairs)[4]) {
    const size_t lanes = hn::Lanes(D16());
    const auto unit = hn::Set(DU16(), uint16_t(1u << (16 - depth)));
    V16 u_even, u_odd, l_even, l_odd;  // 32-bit lanes, each two columns
    deal(full_scale(upper, unit), full_scale(upper + lanes, unit), u_even, u_odd);
    deal(full_scale(lower, unit), full_scale(lower + lanes, unit), l_even, l_odd);
    pairs[0] = merge_low(u_even, l_even);
    pairs[1] = merge_high(u_even, l_even);
    pairs[2] = merge_low(u_odd, l_odd);
    pairs[3] = merge_high(u_odd, l_odd);
}

// One block of both filters' outputs at column x.
HWY_INLINE void filter_block(const V16 (&first)[4], const V16 (&second)[4], V16 taps_01, V16 taps_23, FineRow out, int x) {
    const auto half = hn::Set(D32(), 1 << 15);
    V32 sums[4];
    for (int m = 0; m < 4; m += 2) {
        sums[m] = four_taps(first[m], taps_01, second[m], taps_23, half);
        sums[m + 1] = four_taps_apart(first[m + 1], taps_01, second[m + 1], taps_23, half);
    }
    hn::StoreU(merge_high(sums[0], sums[3]), D16(), out.outer + x / 2);
    hn::StoreU(merge_high(sums[1], sums[2]), D16(), out.inner + x / 2);
}

// Calls at(upper, lower, x) for every block of the columns. Nothing outside of [0, width) is read: the last block comes from a copy.
template <class T, class F>
HWY_INLINE void for_each_block(RowPair<T> rows, Interval columns, int width, F at) {
    const int block = int(block_columns());
    int x = columns.begin / block * block;
    for (; x < columns.end && x + block <= width; x += block) at(rows.upper + x, rows.lower + x, x);
    if (x >= columns.end) return;
    T copy[2][4 * hn::MaxLanes(D32())];
    memset(copy, 0, sizeof copy);
    memcpy(copy[0], rows.upper + x, size_t(width - x) * sizeof(T));
    memcpy(copy[1], rows.lower + x, size_t(width - x) * sizeof(T));
    at(copy[0], copy[1], x);
}

// Fetches some bytes to be read later. Rows of a pair are fetched in turn, one by the vertical pass, one by the horizontal one: all at once
// there would be more requests than a processor keeps open.
HWY_INLINE void fetch(const void* from, int bytes) {
    constexpr int line = 64;
    for (int i = 0; i < bytes; i += line) hwy::Prefetch(static_cast<const char*>(from) + i);
}

HWY_INLINE int32_t* block_pairs(int32_t* pairs, int x) { return pairs + x; }

// Columns of `out` outside of the picture that the horizontal filter reads: -1 mirrors 1, n and n + 1 mirror n - 1 and n - 2.
HWY_INLINE void mirror(FineRow row, Interval columns, int n) {
    if (columns.begin == 0) row.at(-1) = row.at(1);
    if (columns.end == n) {
        row.at(n) = row.at(n - 1);
        row.at(n + 1) = row.at(n - 2);
    }
}

template <class T>
void begin_fine(RowPair<T> rows, Interval columns, int width, int depth, int32_t* pairs) {
    for_each_block(rows, columns, width, [&](const T* upper, const T* lower, int x) {
        V16 second[4];
        sample_pairs(upper, lower, depth, second);
        for (size_t m = 0; m < 4; ++m)
            hn::StoreU(second[m], D16(), reinterpret_cast<int16_t*>(block_pairs(pairs, x)) + m * hn::Lanes(D16()));
    });
}

template <bool both, class T>
HWY_INLINE void filter_fine(RowPair<T> rows, const T* ahead, Interval columns, int width, int depth, int32_t* pairs,
                            Filtered<FineRow> out) {
    const auto l01 = low_01(), l23 = low_23(), h01 = high_01(), h23 = high_23();
    for_each_block(rows, columns, width, [&](const T* upper, const T* lower, int x) {
        if (ahead) fetch(ahead + x, int(block_columns() * sizeof(T)));
        int16_t* const kept = reinterpret_cast<int16_t*>(block_pairs(pairs, x));
        V16 first[4], second[4];
        for (size_t m = 0; m < 4; ++m) first[m] = hn::LoadU(D16(), kept + m * hn::Lanes(D16()));
        sample_pairs(upper, lower, depth, second);
        for (size_t m = 0; m < 4; ++m) hn::StoreU(second[m], D16(), kept + m * hn::Lanes(D16()));
        filter_block(first, second, l01, l23, out.low, x);
        if constexpr (both) filter_block(first, second, h01, h23, out.high, x);
    });
    mirror(out.low, columns, width);
    if constexpr (both) mirror(out.high, columns, width);
}

template <class T>
void next_fine(RowPair<T> rows, const T* ahead, Interval columns, int width, int depth, int32_t* pairs, Filtered<FineRow> out) {
    if (out.high.outer) filter_fine<true>(rows, ahead, columns, width, depth, pairs, out);
    else filter_fine<false>(rows, ahead, columns, width, depth, pairs, out);
}

// ---- Scale 0, horizontal ----------------------------------------------------------------------------------------------------------------

// Taps of output column 2 t are 4t - 1, 4t, 4t + 1, 4t + 2: three vectors of pairs are all that outputs 2 t and 2 t + 1 read.
struct FineTaps {
    V16 before, middle, after;

    HWY_INLINE FineTaps(FineRow in, int x)
        : before(hn::LoadU(D16(), in.outer + x - 1)), middle(hn::LoadU(D16(), in.inner + x)), after(hn::LoadU(D16(), in.outer + x + 1)) {}
    HWY_INLINE V16 filter(V16 taps_01, V16 taps_23) const {
        const auto half = hn::Set(D32(), 1 << 15);
        return merge_high(four_taps(before, taps_01, middle, taps_23, half), four_taps_apart(middle, taps_01, after, taps_23, half));
    }
};

template <bool both>
HWY_INLINE void horizontal_fine_row(Filtered<FineRow> in, Interval columns, const TransformedRow<int16_t>& out, BytesAhead ahead) {
    const D16 d16;
    const auto l01 = low_01(), l23 = low_23(), h01 = high_01(), h23 = high_23();
    int16_t *const a = out.a, *const h = out.detail[0], *const v = out.detail[1], *const d = out.detail[2];
    const int lanes = int(hn::Lanes(d16)), bytes = 2 * ahead.bytes_per_sample;
    for (int x = aligned_begin(d16, columns.begin); x < columns.end; x += lanes) {
        if (ahead.row) fetch(ahead.row + x * bytes, lanes * bytes);
        const FineTaps low(in.low, x);
        hn::StoreU(low.filter(l01, l23), d16, a + x);
        if constexpr (both) {
            const FineTaps high(in.high, x);
            hn::StoreU(high.filter(l01, l23), d16, h + x);
            hn::StoreU(low.filter(h01, h23), d16, v + x);
            hn::StoreU(high.filter(h01, h23), d16, d + x);
        }
    }
}

void horizontal_fine(Filtered<FineRow> in, Interval columns, const TransformedRow<int16_t>& out, BytesAhead ahead) {
    if (in.high.outer) horizontal_fine_row<true>(in, columns, out, ahead);
    else horizontal_fine_row<false>(in, columns, out, ahead);
}

// ---- Scales 1..3, vertical --------------------------------------------------------------------------------------------------------------

HWY_INLINE void mirror(CoarseRow row, Interval columns, int n) {
    for (int16_t* half : {row.high, row.low}) {
        if (columns.begin == 0) half[-1] = half[1];
        if (columns.end == n) {
            half[n] = half[n - 1];
            half[n + 1] = half[n - 2];
        }
    }
}

// Values of even and odd columns, 2^15 too large, as a row of halves: then the high half is the upper 16 bits, and the low one needs its
// sign back.
HWY_INLINE void store_halves(V32 even, V32 odd, CoarseRow out, int x) {
    hn::StoreU(merge_high(even, odd), D16(), out.high + x);
    hn::StoreU(hn::Xor(merge_low(even, odd), hn::Set(D16(), int16_t(-32768))), D16(), out.low + x);
}

// Input of 16 bits: lane t of pairs[m] has both rows of column 2 t + m.
struct Narrow {
    using Sample = int16_t;
    static constexpr size_t vectors = 2;

    HWY_INLINE static void pairs(RowPair<int16_t> rows, int x, V16* pairs) {
        const auto u = hn::LoadU(D16(), rows.upper + x), l = hn::LoadU(D16(), rows.lower + x);
        pairs[0] = merge_low(u, l);
        pairs[1] = merge_high(u, l);
    }
    HWY_INLINE static V32 filter(const V16* first, const V16* second, int m, V16 taps_01, V16 taps_23) {
        const auto half = hn::Set(D32(), 1 << 15);
        return m ? four_taps_apart(first[m], taps_01, second[m], taps_23, half) : four_taps(first[m], taps_01, second[m], taps_23, half);
    }
};

// Input of 32 bits: pairs[m] has high halves, pairs[m + 2] low ones.
struct Wide {
    using Sample = int32_t;
    static constexpr size_t vectors = 4;

    HWY_INLINE static void pairs(RowPair<int32_t> rows, int x, V16* pairs) {
        const D32 d32;
        const size_t lanes = hn::Lanes(d32);
        const auto half = hn::Set(d32, 1 << 15);
        V32 u[2], l[2];
        deal(hn::LoadU(d32, rows.upper + x), hn::LoadU(d32, rows.upper + x + lanes), u[0], u[1]);
        deal(hn::LoadU(d32, rows.lower + x), hn::LoadU(d32, rows.lower + x + lanes), l[0], l[1]);
        for (size_t m = 0; m < 2; ++m) {
            pairs[m] = merge_high(hn::Add(u[m], half), hn::Add(l[m], half));
            pairs[m + 2] = merge_low(u[m], l[m]);
        }
    }
    HWY_INLINE static V32 filter(const V16* first, const V16* second, int m, V16 taps_01, V16 taps_23) {
        const auto half = hn::Set(D32(), 1 << 15);
        return hn::Add(four_taps_apart(first[m], taps_01, second[m], taps_23, half),
                       hn::ShiftRight<16>(four_taps(first[m + 2], taps_01, second[m + 2], taps_23, half)));
    }
};

template <class Input>
void begin_coarse(RowPair<typename Input::Sample> rows, Interval columns, int, int, int32_t* pairs) {
    const size_t lanes = hn::Lanes(D16());
    int16_t* kept = reinterpret_cast<int16_t*>(pairs);
    for (int x = aligned_begin(D16(), columns.begin); x < columns.end; x += int(lanes), kept += Input::vectors * lanes) {
        V16 second[Input::vectors];
        Input::pairs(rows, x, second);
        for (size_t m = 0; m < Input::vectors; ++m) hn::StoreU(second[m], D16(), kept + m * lanes);
    }
}

template <class Input, bool both>
HWY_INLINE void filter_coarse(RowPair<typename Input::Sample> rows, Interval columns, int width, int32_t* pairs, Filtered<CoarseRow> out) {
    const size_t lanes = hn::Lanes(D16());
    const auto l01 = low_01(), l23 = low_23(), h01 = high_01(), h23 = high_23();
    int16_t* kept = reinterpret_cast<int16_t*>(pairs);
    for (int x = aligned_begin(D16(), columns.begin); x < columns.end; x += int(lanes), kept += Input::vectors * lanes) {
        V16 first[Input::vectors], second[Input::vectors];
        for (size_t m = 0; m < Input::vectors; ++m) first[m] = hn::LoadU(D16(), kept + m * lanes);
        Input::pairs(rows, x, second);
        for (size_t m = 0; m < Input::vectors; ++m) hn::StoreU(second[m], D16(), kept + m * lanes);
        store_halves(Input::filter(first, second, 0, l01, l23), Input::filter(first, second, 1, l01, l23), out.low, x);
        if constexpr (both) store_halves(Input::filter(first, second, 0, h01, h23), Input::filter(first, second, 1, h01, h23), out.high, x);
    }
    mirror(out.low, columns, width);
    if constexpr (both) mirror(out.high, columns, width);
}

template <class Input>
void next_coarse(RowPair<typename Input::Sample> rows, const typename Input::Sample*, Interval columns, int width, int, int32_t* pairs,
                 Filtered<CoarseRow> out) {
    if (out.high.high) filter_coarse<Input, true>(rows, columns, width, pairs, out);
    else filter_coarse<Input, false>(rows, columns, width, pairs, out);
}

// ---- Scales 1..3, horizontal ------------------------------------------------------------------------------------------------------------

// Taps of output column t are 2t - 1 .. 2t + 2.
struct CoarseTaps {
    V16 high_01, high_23, low_01, low_23;

    HWY_INLINE CoarseTaps(CoarseRow in, int x)
        : high_01(hn::LoadU(D16(), in.high + 2 * x - 1)),
          high_23(hn::LoadU(D16(), in.high + 2 * x + 1)),
          low_01(hn::LoadU(D16(), in.low + 2 * x - 1)),
          low_23(hn::LoadU(D16(), in.low + 2 * x + 1)) {}
    template <int shift>
    HWY_INLINE V32 filter(V16 taps_01, V16 taps_23) const {
        const D32 d32;
        const auto l = four_taps(low_01, taps_01, low_23, taps_23, hn::Set(d32, 1 << (shift - 1)));
        const auto h = four_taps_apart(high_01, taps_01, high_23, taps_23, hn::Zero(d32));
        return hn::Add(shift == 15 ? hn::Add(h, h) : h, hn::ShiftRight<shift>(l));
    }
};

template <int shift, bool both>
HWY_INLINE void horizontal_row(Filtered<CoarseRow> in, Interval columns, const TransformedRow<int32_t>& out) {
    const D32 d32;
    const auto l01 = low_01(), l23 = low_23(), h01 = high_01(), h23 = high_23();
    int32_t *const a = out.a, *const h = out.detail[0], *const v = out.detail[1], *const d = out.detail[2];
    for (int x = aligned_begin(d32, columns.begin); x < columns.end; x += int(hn::Lanes(d32))) {
        const CoarseTaps low(in.low, x);
        hn::StoreU(low.filter<shift>(l01, l23), d32, a + x);
        if constexpr (both) {
            const CoarseTaps high(in.high, x);
            hn::StoreU(high.filter<shift>(l01, l23), d32, h + x);
            hn::StoreU(low.filter<shift>(h01, h23), d32, v + x);
            hn::StoreU(high.filter<shift>(h01, h23), d32, d + x);
        }
    }
}

void horizontal_coarse(Filtered<CoarseRow> in, Interval columns, int scale, const TransformedRow<int32_t>& out) {
    const bool both = in.high.high != nullptr;
    if (scale == 2) both ? horizontal_row<16, true>(in, columns, out) : horizontal_row<16, false>(in, columns, out);
    else both ? horizontal_row<15, true>(in, columns, out) : horizontal_row<15, false>(in, columns, out);
}

}  // namespace

void add_transform_passes(Passes& passes) {
    passes.vertical_u8 = {begin_fine<uint8_t>, next_fine<uint8_t>};
    passes.vertical_u16 = {begin_fine<uint16_t>, next_fine<uint16_t>};
    passes.vertical_i16 = {begin_coarse<Narrow>, next_coarse<Narrow>};
    passes.vertical_i32 = {begin_coarse<Wide>, next_coarse<Wide>};
    passes.horizontal_fine = horizontal_fine;
    passes.horizontal_coarse = horizontal_coarse;
}

}  // namespace isometric::adm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
