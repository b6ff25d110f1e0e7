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
// and cubed side by side in finish(), elsewhere vectors without any are left out. Loops work on a copy, so that its members are in registers.
constexpr int chunk_columns = 1024;

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_SVE2
struct Collected {
    HWY_ALIGN int32_t values[chunk_columns + 4 * hn::MaxLanes(D32())];
};

template <int square_shift, bool wide>
class BandCubes {
public:
    HWY_INLINE BandCubes(int, Collected& collected) : values_(collected.values) {}

    HWY_INLINE void add(V32 v) { collect(v, hn::Gt(v, hn::Zero(D32()))); }
    HWY_INLINE void add(V32 v, hn::Mask<D32> lanes) { collect(v, hn::And(lanes, hn::Gt(v, hn::Zero(D32())))); }
    HWY_INLINE void add_pair(V32 a, V32 b) { add(a), add(b); }
    HWY_INLINE void add_pair(V32 a, V32 b, hn::Mask<D32> lanes_a, hn::Mask<D32> lanes_b) { add(a, lanes_a), add(b, lanes_b); }
    HWY_INLINE int64_t finish(int shift) const {
        const D32 d32;
        const size_t step = hn::Lanes(d32);
        CubeSum<square_shift, wide> sum(shift);
        size_t i = 0;
        for (; i + step <= count_; i += step) sum.add(hn::Load(d32, values_ + i));
        if (i < count_) sum.add(hn::IfThenElseZero(hn::FirstN(d32, count_ - i), hn::Load(d32, values_ + i)));
        return sum.total();
    }

private:
    HWY_INLINE void collect(V32 v, hn::Mask<D32> above) {
        const D32 d32;
        hn::StoreU(hn::Compress(v, above), d32, values_ + count_);
        count_ += hn::CountTrue(d32, above);
    }

    int32_t* values_;
    size_t count_ = 0;
};
#else
struct Collected {};

template <int square_shift, bool wide>
class BandCubes {
public:
    HWY_INLINE BandCubes(int shift, Collected&) : sum_(shift) {}

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
    HWY_INLINE int64_t finish(int) const { return sum_.total(); }

private:
    CubeSum<square_shift, wide> sum_;
};
#endif

template <int square_shift_hv, bool wide>
struct Cubes {
    BandCubes<square_shift_hv, wide> h, v;
    BandCubes<30, wide> d;

    HWY_INLINE Cubes(const std::array<int, bands>& shift, Collected (&collected)[bands])
        : h(shift[0], collected[0]), v(shift[1], collected[1]), d(shift[2], collected[2]) {}
    HWY_NOINLINE void add_to(std::array<int64_t, bands>& totals, const std::array<int, bands>& shift) const {
        const int64_t sums[bands] = {h.finish(shift[0]), v.finish(shift[1]), d.finish(shift[2])};
        for (size_t k = 0; k < bands; ++k) totals[k] = int64_t(uint64_t(totals[k]) + uint64_t(sums[k]));
    }
};

// What mask() is given.
template <class T>
struct MaskInput {
    const T* source;
    MaskRow above, here, below;
    Interval columns;
    const MaskFigures& figures;
};

// Runs a pass over the vectors of the scored columns: pass.template run<edge>(input, x, end, cubes), with edge where some lanes are outside.
template <class Pass, int square_shift_hv, bool wide, class T>
HWY_INLINE std::array<int64_t, bands> masked_cubes(const MaskInput<T>& in) {
    const hn::ScalableTag<T> d;
    const int lanes = int(hn::Lanes(d));
    std::array<int64_t, bands> totals{};
    for (int x = aligned_begin(d, in.columns.begin); x < in.columns.end;) {
        const int stop = HWY_MIN(in.columns.end, x + chunk_columns);
        Collected collected[bands];
        Cubes<square_shift_hv, wide> cubes(in.figures.cube_shift, collected);
        if (x < in.columns.begin) {
            Pass::template run<true>(in, x, x + lanes, cubes);
            x += lanes;
        }
        const int whole = HWY_MAX(x, stop & ~(lanes - 1));
        Pass::template run<false>(in, x, whole, cubes);
        if (whole < stop) Pass::template run<true>(in, whole, whole + lanes, cubes);
        x = HWY_MAX(x, stop);
        cubes.add_to(totals, in.figures.cube_shift);
    }
    return totals;
}

// Where a part keeps the vector of band k that begins with column x.
template <class T>
HWY_INLINE T* source_at(T* source, int x, size_t k) {
    return source + ptrdiff_t(bands) * x + ptrdiff_t(k * hn::Lanes(hn::ScalableTag<T>()));
}
template <class T>
HWY_INLINE hn::Vec<hn::ScalableTag<T>> load_source(const T* source, int x, size_t k) {
    return hn::Load(hn::ScalableTag<T>(), source_at(const_cast<T*>(source), x, k));
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
    HWY_INLINE void store(const MaskRow& row, int x) const {
        const D32 d32;
        hn::Store(around_[0], d32, row.around[0] + (x >> 1));
        hn::Store(around_[1], d32, row.around[1] + (x >> 1));
        hn::Store(centre_[0], d32, row.centre + x);
        hn::Store(centre_[1], d32, row.centre + x + hn::Lanes(d32));
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
            hn::Store(negative_magnitude(r[k]), d16, source_at<int16_t>(r_part.source, x, k));
            hn::Store(negative_magnitude(a[k]), d16, source_at<int16_t>(a_part.source, x, k));
        }
        by_r.store(r_part.masking, x);
        by_a.store(a_part.masking, x);
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
HWY_INLINE void ring_fine(const MaskRow& above, const MaskRow& here, const MaskRow& below, int x, V32& even, V32& odd) {
    const D32 d32;
    const int i = x >> 1;
    const auto load = [&](const MaskRow& row, size_t parity, int at) { return hn::LoadU(d32, row.around[parity] + at); };
    const auto sides_even = hn::Add(load(above, 0, i), load(below, 0, i)), sides_odd = hn::Add(load(above, 1, i), load(below, 1, i));
    const auto column_even = hn::Add(sides_even, load(here, 0, i)), column_odd = hn::Add(sides_odd, load(here, 1, i));
    const auto before = hn::Add(hn::Add(load(above, 1, i - 1), load(below, 1, i - 1)), load(here, 1, i - 1));
    const auto after = hn::Add(hn::Add(load(above, 0, i + 1), load(below, 0, i + 1)), load(here, 0, i + 1));
    even = hn::Add(hn::Add(sides_even, column_odd), hn::Add(before, hn::Load(d32, here.centre + x)));
    odd = hn::Add(hn::Add(sides_odd, column_even), hn::Add(after, hn::Load(d32, here.centre + x + hn::Lanes(d32))));
}

struct FineMask {
    template <bool edge, class Sums>
    HWY_NOINLINE static void run(const MaskInput<int16_t>& in, int x, int end, Sums& sums) {
        const D32 d32;
        Sums local = sums;
        const MaskRow above = in.above, here = in.here, below = in.below;
        const int16_t* const source = in.source;
        // -|v| q as two products of 16-bit lanes, q = q1 + q2
        const auto factors = [&](uint32_t q) { return pair(int16_t(-int(q / 2)), int16_t(-int(q - q / 2))); };
        const auto q_h = factors(in.figures.weights[0]), q_v = factors(in.figures.weights[1]), q_d = factors(in.figures.weights[2]);
        const auto excess = [&](V16 twice, V16 q, V32 threshold) { return hs::AccumulatePairProducts(d32, twice, q, threshold); };
        for (; x < end; x += int(hn::Lanes(D16()))) {
            V32 even, odd;  // minus the threshold
            ring_fine(above, here, below, x, even, odd);
            const auto even_hv = hn::ShiftLeft<10>(even), odd_hv = hn::ShiftLeft<10>(odd);
            const auto even_d = hn::ShiftLeft<12>(even), odd_d = hn::ShiftLeft<12>(odd);
            const auto h = load_source(source, x, 0), v = load_source(source, x, 1), d = load_source(source, x, 2);
            const auto add = [&](auto... lanes) {
                local.h.add_pair(excess(twice_even(h), q_h, even_hv), excess(twice_odd(h), q_h, odd_hv), lanes...);
                local.v.add_pair(excess(twice_even(v), q_v, even_hv), excess(twice_odd(v), q_v, odd_hv), lanes...);
                local.d.add_pair(excess(twice_even(d), q_d, even_d), excess(twice_odd(d), q_d, odd_d), lanes...);
            };
            // Lane i of parity p is column x + 2 i + p.
            const auto scored = [&](int parity) {
                return lanes_between(d32, (in.columns.begin - x + 1 - parity) / 2, (in.columns.end - x + 1 - parity) / 2);
            };
            if constexpr (edge) add(scored(0), scored(1));
            else add();
        }
        sums = local;
    }
};

std::array<int64_t, bands> mask_fine(const int16_t* source, const MaskRow& above, const MaskRow& here, const MaskRow& below,
                                     const MaskFigures& figures, Interval columns) {
    const MaskInput<int16_t> in{source, above, here, below, columns, figures};
    return figures.wide ? masked_cubes<FineMask, 29, true>(in) : masked_cubes<FineMask, 29, false>(in);
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
        hn::Store(magnitude, d32, source_at<int32_t>(part.source, x, k));
        const auto odd = hn::DupOdd(magnitude);
        around.add(magnitude, odd);
        centre.add(magnitude, odd);
    }
    hn::StoreU(around.total(), d32, part.masking.around[0] + x);
    hn::StoreU(centre.total(), d32, part.masking.centre + x);
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

struct CoarseMask {
    template <bool edge, class Sums>
    HWY_NOINLINE static void run(const MaskInput<int32_t>& in, int x, int end, Sums& sums) {
        const D32 d32;
        Sums local = sums;
        const int32_t *const up = in.above.around[0], *const at = in.here.around[0], *const down = in.below.around[0], *const centre = in.here.centre;
        const int32_t* const source = in.source;
        const auto sides = [&](int column) { return hn::Add(hn::LoadU(d32, up + column), hn::LoadU(d32, down + column)); };
        for (; x < end; x += int(hn::Lanes(d32))) {
            const auto corners = hn::Add(hn::Add(sides(x - 1), sides(x)), sides(x + 1));
            const auto beside = hn::Add(hn::LoadU(d32, at + x - 1), hn::LoadU(d32, at + x + 1));
            const auto threshold = hn::Add(hn::Add(corners, beside), hn::Load(d32, centre + x));
            const auto add = [&](auto... lanes) {
                local.h.add(hn::Sub(load_source(source, x, 0), threshold), lanes...);
                local.v.add(hn::Sub(load_source(source, x, 1), threshold), lanes...);
                local.d.add(hn::Sub(load_source(source, x, 2), threshold), lanes...);
            };
            if constexpr (edge) add(lanes_between(d32, in.columns.begin - x, in.columns.end - x));
            else add();
        }
        sums = local;
    }
};

std::array<int64_t, bands> mask_coarse(const int32_t* source, const MaskRow& above, const MaskRow& here, const MaskRow& below,
                                       const MaskFigures& figures, Interval columns) {
    const MaskInput<int32_t> in{source, above, here, below, columns, figures};
    return figures.wide ? masked_cubes<CoarseMask, 30, true>(in) : masked_cubes<CoarseMask, 30, false>(in);
}

}  // namespace

void add_mask_passes(Passes& passes) {
    passes.fine.weigh = weigh_fine;
    passes.fine.mask = mask_fine;
    passes.coarse.weigh = weigh_coarse;
    passes.coarse.mask = mask_coarse;
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
