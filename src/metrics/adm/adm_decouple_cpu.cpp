// Decoupling of `adm`: the restored and the additive part of every distorted band; and the cubes of the reference's bands. Compiled once for each
// instruction set. Why each shortcut is exact: docs/metrics/adm.md, section 7.
#include "metrics/adm/adm_passes.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "metrics/adm/adm_decouple_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "metrics/adm/adm_simd.h"

#ifndef ISO_ADM_DECOUPLE_ONCE
#define ISO_ADM_DECOUPLE_ONCE
namespace isometric::adm {
namespace {

// cos(1 degree)^2 as the nearest float.
constexpr double cos_squared = 16772106 * 0x1p-24;

// Whether the (h, v) vectors of reference and distorted point the same way, to one degree: the definition.
// Sums fit 63 bits; lanes that no score reads may hold anything and wrap.
bool points_the_same_way(int64_t oh, int64_t ov, int64_t th, int64_t tv) {
    const auto products = [](int64_t a, int64_t b, int64_t c, int64_t d) { return float(int64_t(uint64_t(a * b) + uint64_t(c * d))); };
    const double p = double(products(oh, th, ov, tv)), m = double(products(oh, oh, ov, ov)), n = double(products(th, th, tv, tv));
    return p >= 0 && p * p >= (cos_squared * m) * n;
}

// The restored part at scale 0 before the gain limit: the definition.
int16_t faded_fine(int32_t o, int32_t t) {
    if (o == 0) return 0;
    const int64_t reciprocal = (1 << 30) / o;
    int64_t k = (reciprocal * t + 16384) >> 15;
    k = k < 0 ? 0 : k > 32768 ? 32768 : k;
    return int16_t((k * o + 16384) >> 15);
}

// The largest |reference| of scale 0 for which restoring gives the distorted value itself wherever that lies between 0 and the reference.
constexpr int16_t plain_fade_limit = 16384;

}  // namespace
}  // namespace isometric::adm
#endif

HWY_BEFORE_NAMESPACE();
namespace isometric::adm::HWY_NAMESPACE {
namespace {

// ---- Direction -----------------------------------------------------------------------------------------------------------------------------

// p^2 >= cos^2 m n with p >= 0, in floats: where `sure` and `possible` agree both are the answer, else it takes the definition.
struct Direction {
    hn::Mask<DF32> sure, possible;
};

// margin: more than all rounding errors together.
HWY_INLINE Direction direction(VF32 p, VF32 m, VF32 n, float margin) {
    const DF32 df;
    const auto square = hn::Mul(p, hn::Abs(p)), product = hn::Mul(m, n);
    const float c = float(cos_squared);
    return {hn::Ge(square, hn::Mul(product, hn::Set(df, c * (1 + margin)))), hn::Ge(square, hn::Mul(product, hn::Set(df, c * (1 - margin))))};
}

HWY_INLINE bool undecided(Direction a) { return !hn::AllFalse(DF32(), hn::AndNot(a.sure, a.possible)); }

template <class T>
HWY_NOINLINE void decide(const ConstBandRows<T>& ref, const ConstBandRows<T>& dis, int x, size_t lanes, T* same_way) {
    for (size_t i = size_t(0); i < lanes; ++i) {
        const int at = x + int(i);
        same_way[at] = points_the_same_way(ref[0][at], ref[1][at], dis[0][at], dis[1][at]) ? T(-1) : T(0);
    }
}

// ---- Scale 0 -------------------------------------------------------------------------------------------------------------------------------

// What lies between 0 and `limit`, inclusive, next to v.
template <class D, class V>
HWY_INLINE V between_zero_and(D d, V limit, V v) {
    const auto zero = hn::Zero(d);
    return hn::Min(hn::Max(v, hn::Min(limit, zero)), hn::Max(limit, zero));
}

// Products of two bands of 16 bits fit 32 bits: |band| <= 22930.
HWY_INLINE Direction direction_of_pairs(V16 o, V16 t) {
    const DF32 df;
    const auto zero = hn::Zero(D32());
    const auto p = hs::AccumulatePairProducts(D32(), o, t, zero), m = hs::AccumulatePairProducts(D32(), o, o, zero),
               n = hs::AccumulatePairProducts(D32(), t, t, zero);
    return direction(hn::ConvertTo(df, p), hn::ConvertTo(df, m), hn::ConvertTo(df, n), 0x1p-20f);
}

HWY_NOINLINE void fade_large(const ConstBandRows<int16_t>& ref, const ConstBandRows<int16_t>& dis, int x, size_t lanes,
                             const BandRows<int16_t>& restored) {
    for (size_t k = 0; k < bands; ++k)
        for (size_t i = 0; i < lanes; ++i) {
            const int at = x + int(i);
            if (std::abs(ref[k][at]) > plain_fade_limit) restored[k][at] = faded_fine(ref[k][at], dis[k][at]);
        }
}

void restore_fine(const ConstBandRows<int16_t>& ref, const ConstBandRows<int16_t>& dis, Interval columns, const BandRows<int16_t>& restored,
                  int16_t* same_way) {
    const D16 d16;
    const D32 d32;
    const size_t lanes = hn::Lanes(d16);
    const auto limit = hn::Set(d16, plain_fade_limit);
    for (int x = columns.begin; x < columns.end; x += int(lanes)) {
        V16 o[bands], t[bands];
        for (size_t k = 0; k < bands; ++k) {
            o[k] = hn::LoadU(d16, ref[k] + x);
            t[k] = hn::LoadU(d16, dis[k] + x);
            hn::StoreU(between_zero_and(d16, o[k], t[k]), d16, restored[k] + x);
        }
        const auto largest = hn::Max(hn::Max(hn::Abs(o[0]), hn::Abs(o[1])), hn::Abs(o[2]));
        if (HWY_UNLIKELY(!hn::AllFalse(d16, hn::Gt(largest, limit)))) fade_large(ref, dis, x, lanes, restored);

        const auto even = direction_of_pairs(merge_low(o[0], o[1]), merge_low(t[0], t[1]));
        const auto odd = direction_of_pairs(merge_high(o[0], o[1]), merge_high(t[0], t[1]));
        const auto e = hn::VecFromMask(d32, hn::RebindMask(d32, even.sure)), u = hn::VecFromMask(d32, hn::RebindMask(d32, odd.sure));
        hn::StoreU(hn::OddEven(hn::BitCast(d16, u), hn::BitCast(d16, e)), d16, same_way + x);
        if (HWY_UNLIKELY(undecided(even) || undecided(odd))) decide(ref, dis, x, lanes, same_way);
    }
}

// Sums of cubes: the square, below 2^29, in three parts of 10 bits, times the value. A pair of products is below 2^25.5; after 32 of them the
// 32-bit sums are added up.
struct CubeSums {
    V32 part[3];
};

HWY_INLINE void add_cubes(V16 magnitude, CubeSums& sums) {
    const D16 d16;
    const DU16 du16;
    const auto m = hn::BitCast(du16, magnitude);
    const auto low = hn::Mul(m, m), high = hn::MulHigh(m, m), ten_bits = hn::Set(du16, 0x3FF);
    const auto middle = hn::Or(hn::ShiftRight<10>(low), hn::ShiftLeft<6>(high));
    sums.part[0] = hs::AccumulatePairProducts(D32(), hn::BitCast(d16, hn::And(low, ten_bits)), magnitude, sums.part[0]);
    sums.part[1] = hs::AccumulatePairProducts(D32(), hn::BitCast(d16, hn::And(middle, ten_bits)), magnitude, sums.part[1]);
    sums.part[2] = hs::AccumulatePairProducts(D32(), hn::BitCast(d16, hn::ShiftRight<4>(high)), magnitude, sums.part[2]);
}

HWY_INLINE uint64_t total(const CubeSums& sums) {
    const DU64 du64;
    VU64 result = hn::Zero(du64);
    for (int part = 2; part >= 0; --part) {
        const auto s = hn::BitCast(DU32(), sums.part[part]);
        result = hn::Add(hn::ShiftLeft<10>(result), hn::Add(hs::WidenFirst(du64, s), hs::WidenSecond(du64, s)));
    }
    return hn::GetLane(hn::SumOfLanes(du64, result));
}

uint64_t cubes_fine(const int16_t* band, Interval columns, const ScaleShifts&) {
    const D16 d16;
    const int lanes = int(hn::Lanes(d16));
    uint64_t result = 0;
    for (int x = columns.begin; x < columns.end;) {
        const int end = HWY_MIN(columns.end, x + 32 * lanes);
        CubeSums sums = {{hn::Zero(D32()), hn::Zero(D32()), hn::Zero(D32())}};
        for (; x + lanes <= end; x += lanes) add_cubes(hn::Abs(hn::LoadU(d16, band + x)), sums);
        if (x < end) {
            add_cubes(hn::IfThenElseZero(hn::FirstN(d16, size_t(end - x)), hn::Abs(hn::LoadU(d16, band + x))), sums);
            x = end;
        }
        result += total(sums);
    }
    return result;
}

// ---- Scales 1..3 ---------------------------------------------------------------------------------------------------------------------------

HWY_INLINE Direction direction_wide(V32 o_h, V32 o_v, V32 t_h, V32 t_v) {
    const DF32 df;
    const auto oh = hn::ConvertTo(df, o_h), ov = hn::ConvertTo(df, o_v), th = hn::ConvertTo(df, t_h), tv = hn::ConvertTo(df, t_v);
    const auto p = hn::Add(hn::Mul(oh, th), hn::Mul(ov, tv)), m = hn::Add(hn::Mul(oh, oh), hn::Mul(ov, ov)),
               n = hn::Add(hn::Mul(th, th), hn::Mul(tv, tv));
    return direction(p, m, n, 0x1p-17f);
}

// floor(2^30 / m) for m >= 64 and m <= 32768; for smaller m near enough to leave the restored part as it is; anything for 0.
HWY_INLINE VU32 reciprocal(VU32 m) {
    const D32 d32;
    const DU32 du32;
    const DF32 df;
    const auto value = hn::ConvertTo(df, hn::BitCast(d32, m)), unit = hn::Set(df, 0x1p30f);
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    const auto quotient = hn::Vec<DF32>{_mm512_div_round_ps(unit.raw, value.raw, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC)};
    (void)du32;
    return hn::Vec<DU32>{_mm512_cvttps_epi32(quotient.raw)};
#else
    const auto quotient = hn::ConvertTo(d32, hn::Div(unit, value));
    const auto product = hn::Mul(quotient, hn::BitCast(d32, m));
    const auto above = hn::VecFromMask(d32, hn::Gt(product, hn::Set(d32, 1 << 30)));
    return hn::BitCast(du32, hn::Add(quotient, above));
#endif
}

// How far a magnitude has to be shifted right to have 15 bits: floor(log2 m) - 14, or 0.
HWY_INLINE VU32 excess_bits(VU32 m) {
    const D32 d32;
    const DU32 du32;
    const DF32 df;
    // The top bit and what does not follow it: no rounding of the float reaches the next power of two.
    const auto top = hn::AndNot(hn::ShiftRight<1>(m), m);
    const auto exponent = hn::ShiftRight<23>(hn::BitCast(d32, hn::ConvertTo(df, hn::BitCast(d32, top))));
    return hn::BitCast(du32, hn::Max(hn::Sub(exponent, hn::Set(d32, 127 + 14)), hn::Zero(d32)));
}

// Reference o and distorted t to the restored part before the gain limit.
HWY_INLINE V32 fade_coarse(V32 o, V32 t) {
    const D32 d32;
    const DU32 du32;
    const D16 d16;
    const auto one = hn::Set(du32, 1);
    const auto magnitude = hn::Abs(o);
    const auto m = hn::BitCast(du32, magnitude);
    const auto z = excess_bits(m);
    const auto rounded = hn::Shr(hn::Add(m, hn::ShiftRight<1>(hn::Shl(one, z))), z);
    const auto r = reciprocal(rounded);

    // t with o's sign taken off, between 0 and a little more than |o|, where the ratio is 1 for certain.
    const auto sign = hn::BroadcastSignBit(o);
    const auto toward = hn::Sub(hn::Xor(t, sign), sign);
    const auto most = hn::Add(magnitude, hn::ShiftRight<13>(magnitude));
    const auto u = hn::BitCast(du32, hn::Min(hn::Max(toward, hn::Zero(d32)), most));
    const auto high = hn::Shr(u, z), low = hn::Sub(u, hn::Shl(high, z));
    // (r u + 2^(14+z)) >> (15+z), without 64 bits
    const auto sum = hn::Add(hn::Add(hn::Mul(r, high), hn::Shr(hn::Mul(r, low), z)), hn::Set(du32, 16384));
    const auto k = hn::BitCast(d32, hn::Min(hn::ShiftRight<15>(sum), hn::Set(du32, 32768)));

    // (k o + 2^14) >> 15 with o = 2^15 h + l; the product with l by 16-bit lanes, negative since 32768 is one too many.
    const auto h = hn::ShiftRight<15>(o), l = hn::And(o, hn::Set(d32, 0x7FFF));
    const auto product = hn::MulFixedPoint15(hn::BitCast(d16, hn::Neg(k)), hn::BitCast(d16, hn::Neg(l)));
    return hn::Add(hn::Mul(k, h), hn::BitCast(d32, product));
}

void restore_coarse(const ConstBandRows<int32_t>& ref, const ConstBandRows<int32_t>& dis, Interval columns, const BandRows<int32_t>& restored,
                    int32_t* same_way) {
    const D32 d32;
    const size_t lanes = hn::Lanes(d32);
    for (int x = columns.begin; x < columns.end; x += int(lanes)) {
        V32 o[bands], t[bands];
        for (size_t k = 0; k < bands; ++k) {
            o[k] = hn::LoadU(d32, ref[k] + x);
            t[k] = hn::LoadU(d32, dis[k] + x);
            hn::StoreU(fade_coarse(o[k], t[k]), d32, restored[k] + x);
        }
        const auto same = direction_wide(o[0], o[1], t[0], t[1]);
        hn::StoreU(hn::VecFromMask(d32, hn::RebindMask(d32, same.sure)), d32, same_way + x);
        if (HWY_UNLIKELY(undecided(same))) decide(ref, dis, x, lanes, same_way);
    }
}

// m^3 of 32-bit magnitudes in the even lanes, rounded twice.
HWY_INLINE VU64 cube_even(VU32 m, VU64 square_unit, VU64 square_shift, VU64 cube_half, VU64 cube_shift) {
    const DU32 du32;
    const auto square = hn::Shr(hn::Add(hn::MulEven(m, m), square_unit), square_shift);
    return hn::Shr(hn::Add(hn::MulEven(hn::BitCast(du32, square), m), cube_half), cube_shift);
}

uint64_t cubes_coarse(const int32_t* band, Interval columns, const ScaleShifts& shifts) {
    const D32 d32;
    const DU32 du32;
    const DU64 du64;
    const auto square_unit = hn::Set(du64, uint64_t(1) << shifts.reference_square), square_shift = hn::Set(du64, uint64_t(shifts.reference_square));
    const auto cube_half = hn::Set(du64, shifts.reference_cube ? uint64_t(1) << (shifts.reference_cube - 1) : 0);
    const auto cube_shift = hn::Set(du64, uint64_t(shifts.reference_cube));
    const int lanes = int(hn::Lanes(d32));
    VU64 sum = hn::Zero(du64);
    const auto add = [&](V32 magnitude) {
        const auto even = hn::BitCast(du32, magnitude), odd = hn::BitCast(du32, hn::ShiftRight<32>(hn::BitCast(du64, magnitude)));
        sum = hn::Add(sum, hn::Add(cube_even(even, square_unit, square_shift, cube_half, cube_shift),
                                   cube_even(odd, square_unit, square_shift, cube_half, cube_shift)));
    };
    int x = columns.begin;
    for (; x + lanes <= columns.end; x += lanes) add(hn::Abs(hn::LoadU(d32, band + x)));
    if (x < columns.end) add(hn::IfThenElseZero(hn::FirstN(d32, size_t(columns.end - x)), hn::Abs(hn::LoadU(d32, band + x))));
    return hn::GetLane(hn::SumOfLanes(du64, sum));
}

// ---- Gain limit ----------------------------------------------------------------------------------------------------------------------------

// trunc(value * gain), of magnitude `most` where it is more. `most` is no less than any |band|, so what is cut off would be cut by the band.
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

// A gain of 1.
struct NoGain {
    template <class T>
    HWY_INLINE static hn::Vec<hn::ScalableTag<T>> apply(hn::Vec<hn::ScalableTag<T>> v, double) {
        return v;
    }
};

template <class Gain, class T>
HWY_INLINE void limit_row(const ConstBandRows<T>& faded, const ConstBandRows<T>& dis, const T* same_way, double gain, Interval columns,
                          const BandRows<T>& restored, const BandRows<T>& additive) {
    const hn::ScalableTag<T> d;
    for (int x = columns.begin; x < columns.end; x += int(hn::Lanes(d))) {
        const auto same = hn::LoadU(d, same_way + x);
        for (size_t k = 0; k < bands; ++k) {
            const auto r = hn::LoadU(d, faded[k] + x), t = hn::LoadU(d, dis[k] + x);
            const auto raised = between_zero_and(d, t, Gain::template apply<T>(r, gain));
            const auto result = hn::Or(hn::And(same, raised), hn::AndNot(same, r));
            hn::StoreU(result, d, restored[k] + x);
            hn::StoreU(hn::Sub(t, result), d, additive[k] + x);
        }
    }
}

template <class T>
void limit(const ConstBandRows<T>& faded, const ConstBandRows<T>& dis, const T* same_way, double gain, Interval columns,
           const BandRows<T>& restored, const BandRows<T>& additive) {
    if (gain == 1) limit_row<NoGain>(faded, dis, same_way, gain, columns, restored, additive);
    else if (gain == std::floor(gain)) limit_row<IntegralGain>(faded, dis, same_way, gain, columns, restored, additive);
    else limit_row<FractionalGain>(faded, dis, same_way, gain, columns, restored, additive);
}

}  // namespace

void add_decouple_passes(Passes& passes) {
    passes.fine.restore = restore_fine;
    passes.fine.limit = limit<int16_t>;
    passes.fine.cubes = cubes_fine;
    passes.coarse.restore = restore_coarse;
    passes.coarse.limit = limit<int32_t>;
    passes.coarse.cubes = cubes_coarse;
}

}  // namespace isometric::adm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
