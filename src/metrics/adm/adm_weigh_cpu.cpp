// Gain limit and contrast sensitivity of `adm`: the parts of one configuration as sources of mask() and as masking rows. Compiled once for
// each instruction set. Rounding rules: docs/metrics/adm.md, section 5.
#include "metrics/adm/adm_passes.h"
#include "metrics/adm/adm_targets.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "metrics/adm/adm_weigh_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "metrics/adm/adm_simd.h"

HWY_BEFORE_NAMESPACE();
namespace isometric::adm::HWY_NAMESPACE {
namespace {

// ---- Gain limit -------------------------------------------------------------------------------------------------------------------------

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
    return hn::IfVecThenElse(same_way, raised, faded);
}

// ---- Scale 0 ----------------------------------------------------------------------------------------------------------------------------

// (q v + 2^14) >> 15 = v + (((q - 2^15) v + 2^14) >> 15)
HWY_INLINE V16 weighted_hv(V16 v, uint32_t q) { return hn::Add(v, hn::MulFixedPoint15(v, hn::Set(D16(), int16_t(int(q) - 32768)))); }

// (q v + 65535) >> 17, which is half of q v / 2^16 rounded up: -floor(-q v / 2^16), where q may be 2^16 less for one v.
HWY_INLINE V16 weighted_d(V16 v, uint32_t q) {
    const D16 d16;
    const auto whole = hn::Set(d16, int16_t(q > 32768 ? -1 : 0)), factor = hn::Set(d16, int16_t(q > 32768 ? 65536 - int(q) : -int(q)));
    return hn::ShiftRight<1>(hn::Sub(hn::And(v, whole), hn::MulHigh(v, factor)));
}

// |v|, or if wide -|v|, which fits for every v.
template <bool wide>
HWY_INLINE V16 fine_magnitude(V16 v) {
    return wide ? hn::Min(v, hn::Neg(v)) : hn::Abs(v);
}

// A masking row's figures for one vector of columns, negative.
template <bool wide>
class FineMasking {
public:
    HWY_INLINE FineMasking() { around_[0] = around_[1] = centre_[0] = centre_[1] = hn::Zero(D32()); }

    // Adds a band of weighted values c. |c| / 30 and |c| / 15 have five more bits than c: (4369 |c| + 2048) >> 12 = |c| + ((273 |c| + 2048)
    // >> 12), likewise 8738. Of each 16 bits are kept.
    HWY_INLINE void add(V16 c) {
        const D16 d16;
        const D32 d32;
        const auto even = pair(-1, 0), odd = pair(0, -1);
        const auto m = fine_magnitude<wide>(c), twice = hn::Add(m, m);
        const auto tail = hn::MulFixedPoint15(m, hn::Set(d16, int16_t(wide ? -273 * 8 : 273 * 8)));
        const auto own_tail = hn::MulFixedPoint15(m, hn::Set(d16, int16_t(wide ? -546 * 8 : 546 * 8)));
        const auto share = wide ? hn::Sub(tail, m) : hn::Add(tail, m);
        const auto own = wide ? hn::Sub(own_tail, twice) : hn::Add(own_tail, twice);
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

struct FineWeigh {
    template <class Gain, bool wide>
    static void run(const ConstBandRows<int16_t>& faded, const ConstBandRows<int16_t>& dis, const int16_t* same_way,
                    const MaskFigures& figures, Interval columns, const Part<int16_t>& restored, const Part<int16_t>& additive) {
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
            FineMasking<wide> by_r, by_a;
            for (size_t k = 0; k < bands; ++k) {
                by_r.add(k < 2 ? weighted_hv(r[k], q[k]) : weighted_d(r[k], q[k]));
                by_a.add(k < 2 ? weighted_hv(a[k], q[k]) : weighted_d(a[k], q[k]));
            }
            for (size_t k = 0; k < bands; ++k) {
                hn::Store(fine_magnitude<wide>(r[k]), d16, source_at<int16_t>(r_part.source, x, k));
                hn::Store(fine_magnitude<wide>(a[k]), d16, source_at<int16_t>(a_part.source, x, k));
            }
            by_r.store(r_part.masking, x);
            by_a.store(a_part.masking, x);
        }
    }

    // With every column scored, column -1 mirrors 1 and column n repeats the last.
    static void close(const MaskRow& row, int n) {
        const auto figure = [&](int column) -> int32_t& { return row.around[size_t(column & 1)][column >> 1]; };
        figure(-1) = figure(1);
        figure(n) = figure(n - 1);
    }
};

// ---- Scales 1..3 ------------------------------------------------------------------------------------------------------------------------

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

// Sums over the bands of (factor |c| - 2^31) >> 32, factor odd. With 2^31 added to |c| the product has that rounding in it, since
// factor 2^31 = (factor - 1) / 2 * 2^32 + 2^31: upper halves are (factor + 1) / 2 too large. Lower halves are never looked at.
class ShareSum {
public:
    explicit HWY_INLINE ShareSum(uint32_t factor) : factor_(hn::Set(DU32(), factor)) {
        even_ = odd_ = hn::Set(D32(), -int32_t(bands * ((factor + 1) / 2)));
    }

    // `even` and `odd` have 2^31 + |c| in even lanes.
    HWY_INLINE void add(VU32 even, VU32 odd) {
        even_ = hn::Add(even_, hn::BitCast(D32(), hn::MulEven(even, factor_)));
        odd_ = hn::Add(odd_, hn::BitCast(D32(), hn::MulEven(odd, factor_)));
    }
    HWY_INLINE V32 total() const { return hn::OddEven(odd_, hn::DupOdd(even_)); }

private:
    VU32 factor_;
    V32 even_, odd_;
};

// Weighs the bands of one part for one vector of columns from x.
template <bool wide>
HWY_INLINE void weigh_coarse_part(const V32 (&v)[bands], const V32 (&q)[bands], const V32 (&whole)[bands], int x,
                                  const Part<int32_t>& part) {
    const D32 d32;
    ShareSum around(143165577), centre(286331153);  // 2^32 / 30, 2^32 / 15
    for (size_t k = 0; k < bands; ++k) {
        const auto magnitude = hn::Abs(weighted_coarse<wide>(v[k], q[k], whole[k]));
        hn::Store(magnitude, d32, source_at<int32_t>(part.source, x, k));
        const auto even = hn::Xor(hn::BitCast(DU32(), magnitude), hn::Set(DU32(), 0x80000000u)), odd = hn::DupOdd(even);
        around.add(even, odd);
        centre.add(even, odd);
    }
    hn::StoreU(around.total(), d32, part.masking.around[0] + x);
    hn::StoreU(centre.total(), d32, part.masking.centre + x);
}

struct CoarseWeigh {
    template <class Gain, bool wide>
    static void run(const ConstBandRows<int32_t>& faded, const ConstBandRows<int32_t>& dis, const int32_t* same_way,
                    const MaskFigures& figures, Interval columns, const Part<int32_t>& restored, const Part<int32_t>& additive) {
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

    static void close(const MaskRow& row, int n) {
        row.around[0][-1] = row.around[0][1];
        row.around[0][n] = row.around[0][n - 1];
    }
};

// ---- Passes -----------------------------------------------------------------------------------------------------------------------------

template <class Weigh, bool wide, class T>
HWY_INLINE void weigh_by_gain(const ConstBandRows<T>& faded, const ConstBandRows<T>& dis, const T* same_way, const MaskFigures& figures,
                              Interval columns, const Part<T>& restored, const Part<T>& additive) {
    const double gain = figures.gain;
    if (gain == 1) Weigh::template run<NoGain, wide>(faded, dis, same_way, figures, columns, restored, additive);
    else if (gain == std::floor(gain)) Weigh::template run<IntegralGain, wide>(faded, dis, same_way, figures, columns, restored, additive);
    else Weigh::template run<FractionalGain, wide>(faded, dis, same_way, figures, columns, restored, additive);
}

template <class Weigh, class T>
void weigh(const ConstBandRows<T>& faded, const ConstBandRows<T>& dis, const T* same_way, const MaskFigures& figures, Interval columns,
           int width, const Part<T>& restored, const Part<T>& additive) {
    if (figures.wide) weigh_by_gain<Weigh, true>(faded, dis, same_way, figures, columns, restored, additive);
    else weigh_by_gain<Weigh, false>(faded, dis, same_way, figures, columns, restored, additive);
    if (columns.begin > 0) return;
    Weigh::close(restored.masking, width);
    Weigh::close(additive.masking, width);
}

}  // namespace

void add_weigh_passes(Passes& passes) {
    passes.fine.weigh = weigh<FineWeigh, int16_t>;
    passes.coarse.weigh = weigh<CoarseWeigh, int32_t>;
}

}  // namespace isometric::adm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
