// Decoupling of `adm`: the restored and the additive part of every distorted band; and the cubes of the reference's bands. Compiled once
// for each instruction set. Why each shortcut is exact: docs/metrics/adm.md, section 7.
#include "metrics/adm/adm_passes.h"
#include "metrics/adm/adm_targets.h"

#include <bit>
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

// ---- Direction --------------------------------------------------------------------------------------------------------------------------

// p^2 >= cos^2 m n with p >= 0, in floats: where `sure` and `possible` agree both are the answer, else it takes the definition.
struct Direction {
    hn::Mask<DF32> sure, possible;
};

// margin: more than all rounding errors together, in units of 2^-24: of p, m and n as floats, of three products here, and of p, m and n as
// the definition rounds them.
HWY_INLINE Direction direction(VF32 p, VF32 m, VF32 n, float margin) {
    const DF32 df;
    const auto square = hn::Mul(p, hn::Abs(p)), product = hn::Mul(m, n);
    const float c = float(cos_squared);
    return {hn::Ge(square, hn::Mul(product, hn::Set(df, c * (1 + margin)))),
            hn::Ge(square, hn::Mul(product, hn::Set(df, c * (1 - margin))))};
}

HWY_INLINE hn::Mask<DF32> undecided(Direction a) { return hn::AndNot(a.sure, a.possible); }

// By the definition, for the lanes from x whose bit is set.
template <class T>
HWY_NOINLINE void decide(const ConstBandRows<T>& ref, const ConstBandRows<T>& dis, int x, uint64_t lanes, T* same_way) {
    for (; lanes != 0; lanes &= lanes - 1) {
        const int at = x + std::countr_zero(lanes);
        same_way[at] = points_the_same_way(ref[0][at], ref[1][at], dis[0][at], dis[1][at]) ? T(-1) : T(0);
    }
}

// ---- Scale 0 ----------------------------------------------------------------------------------------------------------------------------

// Products of two bands of 16 bits fit 32 bits: |band| <= 22930.
HWY_INLINE Direction direction_of_pairs(V16 o, V16 t) {
    const DF32 df;
    const auto p = hs::PairProducts(D32(), o, t), m = hs::PairProducts(D32(), o, o), n = hs::PairProducts(D32(), t, t);
    return direction(hn::ConvertTo(df, p), hn::ConvertTo(df, m), hn::ConvertTo(df, n), 8 * 0x1p-24f);
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
    const DF32 df;
    const size_t lanes = hn::Lanes(d16);
    const auto limit = hn::Set(d16, plain_fade_limit);
    const ConstBandRows<int16_t> o_rows = ref, t_rows = dis;
    const BandRows<int16_t> r_rows = restored;
    for (int x = aligned_begin(d16, columns.begin); x < columns.end; x += int(lanes)) {
        V16 o[bands], t[bands];
        for (size_t k = 0; k < bands; ++k) o[k] = hn::LoadU(d16, o_rows[k] + x), t[k] = hn::LoadU(d16, t_rows[k] + x);
        for (size_t k = 0; k < bands; ++k) hn::StoreU(between_zero_and(d16, o[k], t[k]), d16, r_rows[k] + x);
        const auto largest = hn::Max(hn::Max(hn::Abs(o[0]), hn::Abs(o[1])), hn::Abs(o[2]));
        if (HWY_UNLIKELY(!hn::AllFalse(d16, hn::Gt(largest, limit)))) fade_large(ref, dis, x, lanes, restored);

        V16 o_first, o_second, t_first, t_second;
        hs::ZipPairs(d16, o[0], o[1], o_first, o_second);
        hs::ZipPairs(d16, t[0], t[1], t_first, t_second);
        const auto first = direction_of_pairs(o_first, t_first), second = direction_of_pairs(o_second, t_second);
        hn::StoreU(hs::MergeSaturated(d16, hn::VecFromMask(d32, hn::RebindMask(d32, first.sure)),
                                      hn::VecFromMask(d32, hn::RebindMask(d32, second.sure))),
                   d16, same_way + x);
        const auto open = hn::Or(undecided(first), undecided(second));
        if (HWY_UNLIKELY(!hn::AllFalse(df, open)))
            for (size_t i = 0; i < lanes; i += 64) decide(ref, dis, x + int(i), ~uint64_t(0) >> (64 - HWY_MIN(lanes - i, 64)), same_way);
    }
}

// Sums of cubes: the square, below 2^29, in parts of 8, 8 and 13 bits, times the value. A pair of products of the last part is below
// 2^28.5: eight of them fit 32 bits without a sign. Then the sums go on in 64 bits.
class FineCubes {
public:
    HWY_INLINE FineCubes() { begin_part_sums(), total_ = hn::Zero(DU64()); }

    HWY_INLINE void add(V16 magnitude) {
        const D16 d16;
        const DU16 du16;
        const auto m = hn::BitCast(du16, magnitude);
        const auto low = hn::Mul(m, m), high = hn::MulHigh(m, m);
        parts_[0] = hs::AccumulatePairProducts(D32(), hn::BitCast(d16, hn::And(low, hn::Set(du16, 0xFF))), magnitude, parts_[0]);
        parts_[1] = hs::AccumulatePairProducts(D32(), hn::BitCast(d16, hn::ShiftRight<8>(low)), magnitude, parts_[1]);
        parts_[2] = hs::AccumulatePairProducts(D32(), hn::BitCast(d16, high), magnitude, parts_[2]);
    }
    // After at most eight vectors.
    HWY_INLINE void flush() {
        const DU64 du64;
        for (int part = 0; part < 3; ++part) {
            const auto s = hn::BitCast(DU32(), parts_[part]);
            const auto sum = hn::Add(hs::WidenFirst(du64, s), hs::WidenSecond(du64, s));
            total_ = hn::Add(total_, part == 0 ? sum : part == 1 ? hn::ShiftLeft<8>(sum) : hn::ShiftLeft<16>(sum));
        }
        begin_part_sums();
    }
    HWY_INLINE uint64_t total() const { return hn::GetLane(hn::SumOfLanes(DU64(), total_)); }

private:
    HWY_INLINE void begin_part_sums() { parts_[0] = parts_[1] = parts_[2] = hn::Zero(D32()); }

    V32 parts_[3];
    VU64 total_;
};

uint64_t cubes_fine(const int16_t* band, Interval columns, const ScaleShifts&) {
    const D16 d16;
    const int lanes = int(hn::Lanes(d16));
    const auto at = [&](int x) { return hn::Abs(hn::LoadU(d16, band + x)); };
    const auto scored = [&](int x) { return hn::IfThenElseZero(lanes_between(d16, columns.begin - x, columns.end - x), at(x)); };
    FineCubes cubes;
    int x = aligned_begin(d16, columns.begin);
    cubes.add(scored(x));
    x += lanes;
    while (x + lanes <= columns.end) {
        for (int i = 0; i < 7 && x + lanes <= columns.end; ++i, x += lanes) cubes.add(at(x));
        cubes.flush();
    }
    if (x < columns.end) cubes.add(scored(x));
    cubes.flush();
    return cubes.total();
}

// ---- Scales 1..3 ------------------------------------------------------------------------------------------------------------------------

HWY_INLINE Direction direction_wide(V32 o_h, V32 o_v, V32 t_h, V32 t_v) {
    const DF32 df;
    const auto oh = hn::ConvertTo(df, o_h), ov = hn::ConvertTo(df, o_v), th = hn::ConvertTo(df, t_h), tv = hn::ConvertTo(df, t_v);
    const auto p = hn::Add(hn::Mul(oh, th), hn::Mul(ov, tv)), m = hn::Add(hn::Mul(oh, oh), hn::Mul(ov, ov)),
               n = hn::Add(hn::Mul(th, th), hn::Mul(tv, tv));
    return direction(p, m, n, 32 * 0x1p-24f);
}

// A magnitude m of 31 bits rounded to its upper 15, half up, as m' * 2^z, where z is 0 below 2^15.
struct Normalised {
    // Written out, to be compiled for the target as the rest.
    HWY_INLINE Normalised() {}
    HWY_INLINE Normalised(VU32 shift, VU32 r) : z(shift), reciprocal(r) {}

    VU32 z;
    VU32 reciprocal;  // floor(2^30 / m') for m' >= 64; for smaller ones near enough to leave the restored part as it is; anything for 0
};

HWY_INLINE Normalised normalised(V32 m) {
    const D32 d32;
    const DU32 du32;
    const DF32 df;
    // On the bits of m as a float of 24: rounding adds half of the lowest bit kept, a carry goes into the exponent, and m' < 2^15 is left
    // alone.
    const auto bits = hs::FloatBitsTowardsZero(d32, m);
    const auto rounded = hn::And(hn::Add(bits, hn::Set(d32, 0x100)), hn::Set(d32, ~0x1FF));
    const auto exponent = hn::Max(hn::Sub(hn::And(bits, hn::Set(d32, 0x7F800000)), hn::Set(d32, (127 + 14) << 23)), hn::Zero(d32));
    const auto divisor = hn::BitCast(df, hn::Sub(rounded, exponent)), unit = hn::Set(df, 0x1p30f);  // m' as a float
    const auto z = hn::BitCast(du32, hn::ShiftRight<23>(exponent));
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    const auto quotient = hn::Vec<DF32>{_mm512_div_round_ps(unit.raw, divisor.raw, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC)};
    return {z, hn::Vec<DU32>{_mm512_cvttps_epi32(quotient.raw)}};
#else
    const auto quotient = hn::ConvertTo(d32, hn::Div(unit, divisor));
    const auto above = hn::Gt(hn::Mul(quotient, hn::ConvertTo(d32, divisor)), hn::Set(d32, 1 << 30));
    return {z, hn::BitCast(du32, hn::Add(quotient, hn::VecFromMask(d32, above)))};
#endif
}

// One vector of all bands: references o and distorted t to the restored part before the gain limit. The bands go side by side through the
// stages, since each stage waits for the one before it.
struct CoarseFade {
    V32 o[bands], t[bands], magnitude[bands], r[bands];

    HWY_INLINE CoarseFade() {}
    HWY_INLINE void run() {
        Normalised n[bands];
        VU32 u[bands], high[bands], k[bands];
        for (size_t b = 0; b < bands; ++b) n[b] = normalised(magnitude[b] = hn::Abs(o[b]));
        for (size_t b = 0; b < bands; ++b) {
            u[b] = toward(b);
            high[b] = hn::Shr(u[b], n[b].z);
        }
        for (size_t b = 0; b < bands; ++b) k[b] = ratio(u[b], high[b], n[b]);
        for (size_t b = 0; b < bands; ++b) r[b] = scaled(o[b], hn::BitCast(D32(), k[b]));
    }

private:
    // t with o's sign taken off, between 0 and a little more than |o|, where the ratio is 1 for certain.
    HWY_INLINE VU32 toward(size_t b) const {
        const D32 d32;
        const auto sign = hn::BroadcastSignBit(o[b]);
        const auto most = hn::Add(magnitude[b], hn::ShiftRight<13>(magnitude[b]));
        return hn::BitCast(DU32(), hn::Min(hn::Max(hn::Sub(hn::Xor(t[b], sign), sign), hn::Zero(d32)), most));
    }
    // (r u + 2^(14+z)) >> (15+z), at most 2^15, without 64 bits.
    HWY_INLINE static VU32 ratio(VU32 u, VU32 high, Normalised n) {
        const DU32 du32;
        const auto low = hn::Sub(u, hn::Shl(high, n.z));
        const auto sum = hn::Add(hn::Add(hn::Mul(n.reciprocal, high), hn::Set(du32, 16384)), hn::Shr(hn::Mul(n.reciprocal, low), n.z));
        return hn::Min(hn::ShiftRight<15>(sum), hn::Set(du32, 32768));
    }
    // (k o + 2^14) >> 15 with o = 2^15 h + l; the product with l by 16-bit lanes, negative since 32768 is one too many.
    HWY_INLINE static V32 scaled(V32 o, V32 k) {
        const D16 d16;
        const auto h = hn::ShiftRight<15>(o), l = hn::And(o, hn::Set(D32(), 0x7FFF));
        const auto product = hn::MulFixedPoint15(hn::BitCast(d16, hn::Neg(k)), hn::BitCast(d16, hn::Neg(l)));
        return hn::Add(hn::Mul(k, h), hn::BitCast(D32(), product));
    }
};

void restore_coarse(const ConstBandRows<int32_t>& ref, const ConstBandRows<int32_t>& dis, Interval columns,
                    const BandRows<int32_t>& restored, int32_t* same_way) {
    const D32 d32;
    const DF32 df;
    const size_t lanes = hn::Lanes(d32);
    const ConstBandRows<int32_t> o_rows = ref, t_rows = dis;
    const BandRows<int32_t> r_rows = restored;
    for (int x = aligned_begin(d32, columns.begin); x < columns.end; x += int(lanes)) {
        CoarseFade fade;
        for (size_t k = 0; k < bands; ++k) {
            fade.o[k] = hn::LoadU(d32, o_rows[k] + x);
            fade.t[k] = hn::LoadU(d32, t_rows[k] + x);
        }
        fade.run();
        const auto same = direction_wide(fade.o[0], fade.o[1], fade.t[0], fade.t[1]);
        for (size_t k = 0; k < bands; ++k) hn::StoreU(fade.r[k], d32, r_rows[k] + x);
        hn::StoreU(hn::VecFromMask(d32, hn::RebindMask(d32, same.sure)), d32, same_way + x);
        const auto open = undecided(same);
        if (HWY_UNLIKELY(!hn::AllFalse(df, open))) decide(ref, dis, x, hs::MaskBits(df, open), same_way);
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
    const auto square_unit = hn::Set(du64, uint64_t(1) << shifts.reference_square),
               square_shift = hn::Set(du64, uint64_t(shifts.reference_square));
    const auto cube_half = hn::Set(du64, shifts.reference_cube ? uint64_t(1) << (shifts.reference_cube - 1) : 0);
    const auto cube_shift = hn::Set(du64, uint64_t(shifts.reference_cube));
    const int lanes = int(hn::Lanes(d32));
    VU64 sum = hn::Zero(du64);
    const auto add = [&](V32 magnitude) {
        const auto even = hn::BitCast(du32, magnitude), odd = hn::BitCast(du32, hn::DupOdd(magnitude));
        sum = hn::Add(sum, hn::Add(cube_even(even, square_unit, square_shift, cube_half, cube_shift),
                                   cube_even(odd, square_unit, square_shift, cube_half, cube_shift)));
    };
    const auto at = [&](int x) { return hn::Abs(hn::LoadU(d32, band + x)); };
    const auto scored = [&](int x) { return hn::IfThenElseZero(lanes_between(d32, columns.begin - x, columns.end - x), at(x)); };
    int x = aligned_begin(d32, columns.begin);
    add(scored(x));
    for (x += lanes; x + lanes <= columns.end; x += lanes) add(at(x));
    if (x < columns.end) add(scored(x));
    return hn::GetLane(hn::SumOfLanes(du64, sum));
}

}  // namespace

void add_decouple_passes(Passes& passes) {
    passes.fine.restore = restore_fine;
    passes.fine.cubes = cubes_fine;
    passes.coarse.restore = restore_coarse;
    passes.coarse.cubes = cubes_coarse;
}

}  // namespace isometric::adm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
