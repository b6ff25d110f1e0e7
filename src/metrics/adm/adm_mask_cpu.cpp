// Contrast masking of `adm`: weighting, thresholds, and the sums of cubes of what stays above them. Compiled once for each instruction set.
// Rounding rules are docs/metrics/adm.md, sections 5 and 7.
#include "metrics/adm/adm_passes.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "metrics/adm/adm_mask_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "base/simd_dispatch.h"
#include "metrics/adm/adm_simd.h"

HWY_BEFORE_NAMESPACE();
namespace isometric::adm::HWY_NAMESPACE {
namespace {

// ---- Cubes ---------------------------------------------------------------------------------------------------------------------------------

// Sums of cubes of 32-bit lanes x >= 0: (round(x^2 >> square) * x + half) >> shift. Narrow: squares fit 31 bits. Wide: they keep 32 bits with sign.
template <int square_shift, bool wide>
class CubeSum {
public:
    explicit HWY_INLINE CubeSum(int shift) {
        const D64 d64;
        // Wide: an arithmetic shift as a logical one of the value plus 2^63.
        const uint64_t half = shift ? uint64_t(1) << (shift - 1) : 0;
        half_ = hn::Set(d64, int64_t(wide ? half + (uint64_t(1) << 63) : half));
        shift_ = hn::Set(DU64(), uint64_t(shift));
        bias_ = hn::Set(d64, int64_t((uint64_t(1) << 63) >> shift));
        sum_ = hn::Zero(d64);
    }
    HWY_INLINE void add(V32 x) {
        add_even(x);
        add_even(hn::DupOdd(x));
    }
    HWY_INLINE int64_t total() const { return hn::GetLane(hn::SumOfLanes(D64(), sum_)); }

private:
    HWY_INLINE void add_even(V32 x) {
        const D64 d64;
        const DU64 du64;
        const auto square = hn::Add(hn::MulEven(x, x), hn::Set(d64, int64_t(1) << (square_shift - 1)));
        const auto rounded = hn::BitCast(D32(), hn::ShiftRight<square_shift>(hn::BitCast(du64, square)));
        const auto cube = hn::Add(hn::MulEven(rounded, x), half_);
        const auto value = hn::BitCast(d64, hn::Shr(hn::BitCast(du64, cube), shift_));
        sum_ = hn::Add(sum_, wide ? hn::Sub(value, bias_) : value);
    }

    V64 half_, bias_, sum_;
    VU64 shift_;
};

// The cubes of one band's values above the threshold. Most values are below it: where lanes can be moved together those above are collected first
// and cubed side by side, elsewhere vectors without any are left out. finish() after every chunk of columns.
constexpr int chunk_columns = 512;

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_SVE2
template <int square_shift, bool wide>
class BandCubes {
public:
    explicit HWY_INLINE BandCubes(int shift) : sum_(shift) {}

    // The lanes of v that are above 0 and in `lanes`, if there is a mask.
    HWY_INLINE void add(V32 v) { collect(v, hn::Gt(v, hn::Zero(D32()))); }
    HWY_INLINE void add(V32 v, hn::Mask<D32> lanes) { collect(v, hn::And(lanes, hn::Gt(v, hn::Zero(D32())))); }
    template <class... Lanes>
    HWY_INLINE void add_pair(V32 a, V32 b, Lanes... lanes) {
        add_two(a, b, lanes...);
    }
    HWY_INLINE void finish() {
        const D32 d32;
        const size_t step = hn::Lanes(d32);
        size_t i = 0;
        for (; i + step <= count_; i += step) sum_.add(hn::LoadU(d32, values_ + i));
        if (i < count_) sum_.add(hn::IfThenElseZero(hn::FirstN(d32, count_ - i), hn::LoadU(d32, values_ + i)));
        count_ = 0;
    }
    HWY_INLINE int64_t total() const { return sum_.total(); }

private:
    HWY_INLINE void add_two(V32 a, V32 b) { add(a), add(b); }
    HWY_INLINE void add_two(V32 a, V32 b, hn::Mask<D32> lanes_a, hn::Mask<D32> lanes_b) { add(a, lanes_a), add(b, lanes_b); }
    HWY_INLINE void collect(V32 v, hn::Mask<D32> above) {
        const D32 d32;
        hn::StoreU(hn::Compress(v, above), d32, values_ + count_);
        count_ += hn::CountTrue(d32, above);
    }

    CubeSum<square_shift, wide> sum_;
    size_t count_ = 0;
    HWY_ALIGN int32_t values_[chunk_columns + 4 * hn::MaxLanes(D32())];
};
#else
template <int square_shift, bool wide>
class BandCubes {
public:
    explicit HWY_INLINE BandCubes(int shift) : sum_(shift) {}

    HWY_INLINE void add(V32 v) { sum_.add(hn::Max(v, hn::Zero(D32()))); }
    HWY_INLINE void add(V32 v, hn::Mask<D32> lanes) { add(hn::IfThenElseZero(lanes, v)); }
    HWY_INLINE void add_pair(V32 a, V32 b) {
        const D32 d32;
        const auto zero = hn::Zero(d32);
        const auto x = hn::Max(a, zero), y = hn::Max(b, zero);
        if (hn::AllTrue(d32, hn::Eq(hn::Or(x, y), zero))) return;
        sum_.add(x);
        sum_.add(y);
    }
    HWY_INLINE void add_pair(V32 a, V32 b, hn::Mask<D32> lanes_a, hn::Mask<D32> lanes_b) {
        add_pair(hn::IfThenElseZero(lanes_a, a), hn::IfThenElseZero(lanes_b, b));
    }
    HWY_INLINE void finish() {}
    HWY_INLINE int64_t total() const { return sum_.total(); }

private:
    CubeSum<square_shift, wide> sum_;
};
#endif

// Walks the vectors of an interval: at(x) for whole ones, at_edge(x) where some lanes are outside; finish() after every chunk.
template <class D, class At, class AtEdge, class Finish>
HWY_INLINE void walk(D d, Interval columns, At at, AtEdge at_edge, Finish finish) {
    const int lanes = int(hn::Lanes(d));
    int x = aligned_begin(d, columns.begin);
    at_edge(x);
    x += lanes;
    while (x + lanes <= columns.end) {
        const int end = HWY_MIN(columns.end, x + chunk_columns);
        for (; x + lanes <= end; x += lanes) at(x);
        finish();
    }
    if (x < columns.end) at_edge(x);
    finish();
}

// ---- Gain limit ----------------------------------------------------------------------------------------------------------------------------

// trunc(value * gain), cut off at a magnitude that no band reaches: what is cut off here would be cut by the distorted band.
// A gain of 1.
struct NoGain {
    template <class T>
    HWY_INLINE static hn::Vec<hn::ScalableTag<T>> apply(hn::Vec<hn::ScalableTag<T>> v, double) {
        return v;
    }
};

// An integral gain.
struct IntegralGain {
    template <class T>
    HWY_INLINE static hn::Vec<hn::ScalableTag<T>> apply(hn::Vec<hn::ScalableTag<T>> v, double gain) {
        const hn::ScalableTag<T> d;
        const T most = T(hwy::LimitsMax<T>() / T(gain));
        return hn::Mul(hn::Min(hn::Max(v, hn::Set(d, T(-most))), hn::Set(d, most)), hn::Set(d, T(gain)));
    }
};

// Any gain, in double as the definition has it.
struct FractionalGain {
    HWY_INLINE static V32 apply_32(V32 v, double gain) {
        const hn::RepartitionToWide<DF32> df64;
        const hn::Half<D32> half;
        const auto most = hn::Set(df64, 2147483647.0), least = hn::Set(df64, -2147483647.0), factor = hn::Set(df64, gain);
        const auto product = [&](hn::Vec<hn::Half<D32>> part) {
            return hn::DemoteTo(half, hn::Min(hn::Max(hn::Mul(hn::PromoteTo(df64, part), factor), least), most));
        };
        return hn::Combine(D32(), product(hn::UpperHalf(half, v)), product(hn::LowerHalf(half, v)));
    }
    template <class T>
    HWY_INLINE static hn::Vec<hn::ScalableTag<T>> apply(hn::Vec<hn::ScalableTag<T>> v, double gain) {
        if constexpr (sizeof(T) == 4) {
            return apply_32(v, gain);
        } else {
            const D16 d16;
            const hn::Half<D16> half;
            const auto lower = apply_32(hn::PromoteTo(D32(), hn::LowerHalf(half, v)), gain);
            const auto upper = apply_32(hn::PromoteTo(D32(), hn::UpperHalf(half, v)), gain);
            return hn::Combine(d16, hn::DemoteTo(half, upper), hn::DemoteTo(half, lower));
        }
    }
};

// The restored part of one band.
template <class Gain, class T, class V>
HWY_INLINE V restored_part(V faded, V dis, V same_way, double gain) {
    const auto raised = between_zero_and(hn::ScalableTag<T>(), dis, Gain::template apply<T>(faded, gain));
    return hn::Or(hn::And(same_way, raised), hn::AndNot(same_way, faded));
}

// ---- Scale 0 -------------------------------------------------------------------------------------------------------------------------------

// (q v + 2^14) >> 15 = v + (((q - 2^15) v + 2^14) >> 15)
HWY_INLINE V16 weighted_hv(V16 v, uint32_t q) { return hn::Add(v, hn::MulFixedPoint15(v, hn::Set(D16(), int16_t(int(q) - 32768)))); }

// (q v + 65535) >> 17, which is half of q v / 2^16 rounded up: -floor(-q v / 2^16), where q may be 2^16 less for one v.
HWY_INLINE V16 weighted_d(V16 v, uint32_t q) {
    const D16 d16;
    const auto whole = hn::Set(d16, int16_t(q > 32768 ? -1 : 0)), factor = hn::Set(d16, int16_t(q > 32768 ? 65536 - int(q) : -int(q)));
    return hn::ShiftRight<1>(hn::Sub(hn::And(v, whole), hn::MulHigh(v, factor)));
}

// -|v|: unlike |v| it fits for every v.
HWY_INLINE V16 negative_magnitude(V16 v) { return hn::Min(v, hn::Neg(v)); }

// A masking row's figures for one vector of columns, negative.
class FineMasking {
public:
    HWY_INLINE FineMasking() { around_[0] = around_[1] = centre_[0] = centre_[1] = hn::Zero(D32()); }

    // Adds a band of weighted values c. |c| / 30 and |c| / 15 have five more bits than c: (4369 |c| + 2048) >> 12 = |c| + ((273 |c| + 2048) >> 12),
    // likewise 8738. Of each 16 bits are kept.
    HWY_INLINE void add(V16 c) {
        const D16 d16;
        const D32 d32;
        const auto even = pair(-1, 0), odd = pair(0, -1);
        const auto n = negative_magnitude(c);
        const auto share = hn::Sub(hn::MulFixedPoint15(n, hn::Set(d16, -273 * 8)), n);
        const auto own = hn::Sub(hn::MulFixedPoint15(n, hn::Set(d16, -546 * 8)), hn::Add(n, n));
        around_[0] = hs::AccumulatePairProducts(d32, share, even, around_[0]);
        around_[1] = hs::AccumulatePairProducts(d32, share, odd, around_[1]);
        centre_[0] = hs::AccumulatePairProducts(d32, own, even, centre_[0]);
        centre_[1] = hs::AccumulatePairProducts(d32, own, odd, centre_[1]);
    }
    HWY_INLINE void store(const MaskRow& row, int i) const {
        for (size_t parity = 0; parity < 2; ++parity) {
            hn::StoreU(around_[parity], D32(), row.around[parity] + i);
            hn::StoreU(centre_[parity], D32(), row.centre[parity] + i);
        }
    }

private:
    V32 around_[2], centre_[2];
};

// With every column scored, column -1 mirrors 1 and column n repeats the last.
void close_fine(const MaskRow& row, int n) {
    const auto figure = [&](int column) -> int32_t& { return row.around[size_t(column & 1)][column >> 1]; };
    figure(-1) = figure(1);
    figure(n) = figure(n - 1);
}

template <class Gain>
HWY_INLINE void weigh_row(const ConstBandRows<int16_t>& faded, const ConstBandRows<int16_t>& dis, const int16_t* same_way, const MaskFigures& figures,
                          Interval columns, const Part<int16_t>& restored, const Part<int16_t>& additive) {
    const D16 d16;
    const ConstBandRows<int16_t> f_rows = faded, t_rows = dis;
    const Part<int16_t> r_part = restored, a_part = additive;
    const double gain = figures.gain;
    const auto q = figures.weights;
    for (int x = aligned_begin(d16, columns.begin - 1); x <= columns.end; x += int(hn::Lanes(d16))) {
        const auto same = hn::LoadU(d16, same_way + x);
        V16 r[bands], a[bands];
        for (size_t k = 0; k < bands; ++k) {
            const auto t = hn::LoadU(d16, t_rows[k] + x);
            r[k] = restored_part<Gain, int16_t>(hn::LoadU(d16, f_rows[k] + x), t, same, gain);
            a[k] = hn::Sub(t, r[k]);
        }
        FineMasking by_r, by_a;
        for (size_t k = 0; k < bands; ++k) {
            by_r.add(k < 2 ? weighted_hv(r[k], q[k]) : weighted_d(r[k], q[k]));
            by_a.add(k < 2 ? weighted_hv(a[k], q[k]) : weighted_d(a[k], q[k]));
        }
        for (size_t k = 0; k < bands; ++k) {
            hn::StoreU(negative_magnitude(r[k]), d16, r_part.source[k] + x);
            hn::StoreU(negative_magnitude(a[k]), d16, a_part.source[k] + x);
        }
        by_r.store(r_part.masking, x / 2);
        by_a.store(a_part.masking, x / 2);
    }
}

void weigh_fine(const ConstBandRows<int16_t>& faded, const ConstBandRows<int16_t>& dis, const int16_t* same_way, const MaskFigures& figures,
                Interval columns, int width, const Part<int16_t>& restored, const Part<int16_t>& additive) {
    if (figures.gain == 1) weigh_row<NoGain>(faded, dis, same_way, figures, columns, restored, additive);
    else if (figures.gain == std::floor(figures.gain)) weigh_row<IntegralGain>(faded, dis, same_way, figures, columns, restored, additive);
    else weigh_row<FractionalGain>(faded, dis, same_way, figures, columns, restored, additive);
    if (columns.begin > 0) return;
    close_fine(restored.masking, width);
    close_fine(additive.masking, width);
}

// Neighbours' figures around one vector of even and one of odd columns, and their own.
HWY_INLINE void ring_fine(const MaskRow& above, const MaskRow& here, const MaskRow& below, int i, V32& even, V32& odd) {
    const D32 d32;
    const auto load = [&](const MaskRow& row, size_t parity, int at) { return hn::LoadU(d32, row.around[parity] + at); };
    const auto sides_even = hn::Add(load(above, 0, i), load(below, 0, i)), sides_odd = hn::Add(load(above, 1, i), load(below, 1, i));
    const auto column_even = hn::Add(sides_even, load(here, 0, i)), column_odd = hn::Add(sides_odd, load(here, 1, i));
    const auto before = hn::Add(hn::Add(load(above, 1, i - 1), load(below, 1, i - 1)), load(here, 1, i - 1));
    const auto after = hn::Add(hn::Add(load(above, 0, i + 1), load(below, 0, i + 1)), load(here, 0, i + 1));
    even = hn::Add(hn::Add(sides_even, column_odd), hn::Add(before, hn::LoadU(d32, here.centre[0] + i)));
    odd = hn::Add(hn::Add(sides_odd, column_even), hn::Add(after, hn::LoadU(d32, here.centre[1] + i)));
}

template <bool wide>
HWY_INLINE std::array<int64_t, bands> mask_fine(const ConstBandRows<int16_t>& source, const MaskRow& above, const MaskRow& here,
                                                const MaskRow& below, const MaskFigures& figures, Interval columns) {
    const D16 d16;
    const D32 d32;
    BandCubes<29, wide> h(figures.cube_shift[0]), v(figures.cube_shift[1]);
    BandCubes<30, wide> d(figures.cube_shift[2]);
    const MaskRow rows[3] = {above, here, below};
    const ConstBandRows<int16_t> sources = source;
    // -|v| q as two products of 16-bit lanes, q = q1 + q2
    const auto factors = [&](size_t k) { return pair(int16_t(-int(figures.weights[k] / 2)), int16_t(-int(figures.weights[k] - figures.weights[k] / 2))); };
    const V16 q[bands] = {factors(0), factors(1), factors(2)};

    // `lanes`: masks of the scored lanes of even and odd columns, or nothing.
    const auto add = [&](int x, auto... lanes) {
        V32 even, odd;  // minus the threshold
        ring_fine(rows[0], rows[1], rows[2], x / 2, even, odd);
        const auto excess = [&](size_t k, V16 twice, V32 threshold) { return hs::AccumulatePairProducts(d32, twice, q[k], threshold); };
        const auto even_hv = hn::ShiftLeft<10>(even), odd_hv = hn::ShiftLeft<10>(odd);
        const auto s_h = hn::LoadU(d16, sources[0] + x), s_v = hn::LoadU(d16, sources[1] + x), s_d = hn::LoadU(d16, sources[2] + x);
        h.add_pair(excess(0, twice_even(s_h), even_hv), excess(0, twice_odd(s_h), odd_hv), lanes...);
        v.add_pair(excess(1, twice_even(s_v), even_hv), excess(1, twice_odd(s_v), odd_hv), lanes...);
        d.add_pair(excess(2, twice_even(s_d), hn::ShiftLeft<12>(even)), excess(2, twice_odd(s_d), hn::ShiftLeft<12>(odd)), lanes...);
    };
    // Lane i of parity p is column x + 2 i + p.
    const auto scored = [&](int x, int parity) {
        return lanes_between(d32, (columns.begin - x + 1 - parity) / 2, (columns.end - x + 1 - parity) / 2);
    };
    walk(
        d16, columns, [&](int x) { add(x); }, [&](int x) { add(x, scored(x, 0), scored(x, 1)); }, [&] { h.finish(), v.finish(), d.finish(); });
    return {h.total(), v.total(), d.total()};
}

std::array<int64_t, bands> mask_fine_any(const ConstBandRows<int16_t>& source, const MaskRow& above, const MaskRow& here, const MaskRow& below,
                                         const MaskFigures& figures, Interval columns) {
    return figures.wide ? mask_fine<true>(source, above, here, below, figures, columns) : mask_fine<false>(source, above, here, below, figures, columns);
}

// ---- Scales 1..3 ---------------------------------------------------------------------------------------------------------------------------

// (q v + 2^27) >> 28, 32 bits kept. Wide: q of 2^31 and more, of which 2^31 are 8 v.
template <bool wide>
HWY_INLINE V32 weighted_coarse(V32 v, V32 q, V32 whole) {
    const D32 d32;
    const D64 d64;
    const auto half = hn::Set(d64, 1 << 27);
    const auto even = hn::Add(hn::MulEven(v, q), half), odd = hn::Add(hn::MulEven(hn::DupOdd(v), q), half);
    const auto c = hn::OddEven(hn::BitCast(d32, hn::ShiftLeft<4>(odd)), hn::BitCast(d32, hn::ShiftRight<28>(hn::BitCast(DU64(), even))));
    return wide ? hn::Add(c, hn::And(hn::ShiftLeft<3>(v), whole)) : c;
}

// Sums over the bands of (factor |c| - 2^31) >> 32. The upper halves of the 64-bit lanes count; the lower ones are never looked at.
class ShareSum {
public:
    explicit HWY_INLINE ShareSum(int32_t factor)
        : factor_(hn::Set(D32(), factor)), minus_half_(hn::Set(D64(), -(int64_t(1) << 31))), even_(hn::Zero(D32())), odd_(hn::Zero(D32())) {}

    HWY_INLINE void add(V32 even, V32 odd) {
        even_ = hn::Add(even_, hn::BitCast(D32(), hn::Add(hn::MulEven(even, factor_), minus_half_)));
        odd_ = hn::Add(odd_, hn::BitCast(D32(), hn::Add(hn::MulEven(odd, factor_), minus_half_)));
    }
    HWY_INLINE V32 total() const { return hn::OddEven(odd_, hn::DupOdd(even_)); }

private:
    V32 factor_;
    V64 minus_half_;
    V32 even_, odd_;
};

// Weighs the bands of one part for one vector of columns from x.
template <bool wide>
HWY_INLINE void weigh_coarse_part(const V32 (&v)[bands], const V32 (&q)[bands], const V32 (&whole)[bands], int x, const Part<int32_t>& part) {
    const D32 d32;
    ShareSum around(143165577), centre(286331153);  // 2^32 / 30, 2^32 / 15
    for (size_t k = 0; k < bands; ++k) {
        const auto magnitude = hn::Abs(weighted_coarse<wide>(v[k], q[k], whole[k]));
        hn::StoreU(magnitude, d32, part.source[k] + x);
        const auto odd = hn::DupOdd(magnitude);
        around.add(magnitude, odd);
        centre.add(magnitude, odd);
    }
    hn::StoreU(around.total(), d32, part.masking.around[0] + x);
    hn::StoreU(centre.total(), d32, part.masking.centre[0] + x);
}

template <class Gain, bool wide>
HWY_INLINE void weigh_row(const ConstBandRows<int32_t>& faded, const ConstBandRows<int32_t>& dis, const int32_t* same_way, const MaskFigures& figures,
                          Interval columns, const Part<int32_t>& restored, const Part<int32_t>& additive) {
    const D32 d32;
    const ConstBandRows<int32_t> f_rows = faded, t_rows = dis;
    const Part<int32_t> r_part = restored, a_part = additive;
    V32 q[bands], whole[bands];
    for (size_t k = 0; k < bands; ++k) {
        q[k] = hn::Set(d32, int32_t(figures.weights[k] & 0x7FFFFFFFu));
        whole[k] = hn::Set(d32, figures.weights[k] >> 31 ? -1 : 0);
    }
    const double gain = figures.gain;
    for (int x = aligned_begin(d32, columns.begin - 1); x <= columns.end; x += int(hn::Lanes(d32))) {
        const auto same = hn::LoadU(d32, same_way + x);
        V32 r[bands], a[bands];
        for (size_t k = 0; k < bands; ++k) {
            const auto t = hn::LoadU(d32, t_rows[k] + x);
            r[k] = restored_part<Gain, int32_t>(hn::LoadU(d32, f_rows[k] + x), t, same, gain);
            a[k] = hn::Sub(t, r[k]);
        }
        weigh_coarse_part<wide>(r, q, whole, x, r_part);
        weigh_coarse_part<wide>(a, q, whole, x, a_part);
    }
}

template <bool wide>
HWY_INLINE void weigh_coarse_of(const ConstBandRows<int32_t>& faded, const ConstBandRows<int32_t>& dis, const int32_t* same_way,
                                const MaskFigures& figures, Interval columns, const Part<int32_t>& restored, const Part<int32_t>& additive) {
    if (figures.gain == 1) weigh_row<NoGain, wide>(faded, dis, same_way, figures, columns, restored, additive);
    else if (figures.gain == std::floor(figures.gain)) weigh_row<IntegralGain, wide>(faded, dis, same_way, figures, columns, restored, additive);
    else weigh_row<FractionalGain, wide>(faded, dis, same_way, figures, columns, restored, additive);
}

void close_coarse(const MaskRow& row, int n) {
    row.around[0][-1] = row.around[0][1];
    row.around[0][n] = row.around[0][n - 1];
}

void weigh_coarse(const ConstBandRows<int32_t>& faded, const ConstBandRows<int32_t>& dis, const int32_t* same_way, const MaskFigures& figures,
                  Interval columns, int width, const Part<int32_t>& restored, const Part<int32_t>& additive) {
    if (figures.wide) weigh_coarse_of<true>(faded, dis, same_way, figures, columns, restored, additive);
    else weigh_coarse_of<false>(faded, dis, same_way, figures, columns, restored, additive);
    if (columns.begin > 0) return;
    close_coarse(restored.masking, width);
    close_coarse(additive.masking, width);
}

template <bool wide>
HWY_INLINE std::array<int64_t, bands> mask_coarse(const ConstBandRows<int32_t>& source, const MaskRow& above, const MaskRow& here,
                                                  const MaskRow& below, const MaskFigures& figures, Interval columns) {
    const D32 d32;
    BandCubes<30, wide> h(figures.cube_shift[0]), v(figures.cube_shift[1]), d(figures.cube_shift[2]);
    const int32_t *const up = above.around[0], *const at = here.around[0], *const down = below.around[0], *const centre = here.centre[0];
    const ConstBandRows<int32_t> sources = source;
    const auto sides = [&](int x) { return hn::Add(hn::LoadU(d32, up + x), hn::LoadU(d32, down + x)); };
    // `lanes`: a mask of the scored lanes, or nothing.
    const auto add = [&](int x, auto... lanes) {
        const auto corners = hn::Add(hn::Add(sides(x - 1), sides(x)), sides(x + 1));
        const auto beside = hn::Add(hn::LoadU(d32, at + x - 1), hn::LoadU(d32, at + x + 1));
        const auto threshold = hn::Add(hn::Add(corners, beside), hn::LoadU(d32, centre + x));
        h.add(hn::Sub(hn::LoadU(d32, sources[0] + x), threshold), lanes...);
        v.add(hn::Sub(hn::LoadU(d32, sources[1] + x), threshold), lanes...);
        d.add(hn::Sub(hn::LoadU(d32, sources[2] + x), threshold), lanes...);
    };
    walk(
        d32, columns, [&](int x) { add(x); }, [&](int x) { add(x, lanes_between(d32, columns.begin - x, columns.end - x)); },
        [&] { h.finish(), v.finish(), d.finish(); });
    return {h.total(), v.total(), d.total()};
}

std::array<int64_t, bands> mask_coarse_any(const ConstBandRows<int32_t>& source, const MaskRow& above, const MaskRow& here, const MaskRow& below,
                                           const MaskFigures& figures, Interval columns) {
    return figures.wide ? mask_coarse<true>(source, above, here, below, figures, columns)
                        : mask_coarse<false>(source, above, here, below, figures, columns);
}

}  // namespace

void add_mask_passes(Passes& passes) {
    passes.fine.weigh = weigh_fine;
    passes.fine.mask = mask_fine_any;
    passes.coarse.weigh = weigh_coarse;
    passes.coarse.mask = mask_coarse_any;
}

const Passes& make_passes() {
    static const Passes table = [] {
        Passes all{};
        add_transform_passes(all);
        add_decouple_passes(all);
        add_mask_passes(all);
        return all;
    }();
    return table;
}

}  // namespace isometric::adm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isometric::adm {

// Bounds of section 3: beyond them squares leave 31 bits, or weights do.
bool wide_weights(const Weights& weights, int scale) {
    for (std::size_t k = 0; k < bands; ++k) {
        if (scale == 0 && weights.fixed[k] > 46800) return true;
        if (scale > 0 && double(weights.fixed[k]) * 0x1p-28 * 2.11e9 > 1.5e9) return true;
    }
    return false;
}

const Passes& passes(InstructionSet set) { ISO_SELECT_PASSES(set, make_passes); }

}  // namespace isometric::adm
#endif
