// Vector operations that Highway 1.0.3 lacks, or whose lane order it leaves open. Included by the parts of a file that are compiled once per
// instruction set; there `namespace hs = isometric::simd::HWY_NAMESPACE;` stands beside `hn`.
#if defined(ISO_NUMERIC_SIMD_SUPPLEMENT_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ISO_NUMERIC_SIMD_SUPPLEMENT_H
#undef ISO_NUMERIC_SIMD_SUPPLEMENT_H
#else
#define ISO_NUMERIC_SIMD_SUPPLEMENT_H
#endif

#include <string.h>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace isometric::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// sum[i] + a[2i] * b[2i] + a[2i+1] * b[2i+1] for i16 lanes. Wraps; a pair of products must not be 2 * (-2^15)^2.
template <class D32, class V16>
HWY_INLINE hn::Vec<D32> AccumulatePairProducts(D32 d32, V16 a, V16 b, hn::Vec<D32> sum) {
#if HWY_TARGET == HWY_AVX3_DL
    // One instruction. Written as assembly since Highway 1.0.3 does not name avx512vnni among the target's features, so compilers refuse the
    // intrinsic; the target is only chosen on processors that have it.
    (void)d32;
    asm("vpdpwssd %2, %1, %0" : "+v"(sum.raw) : "v"(a.raw), "v"(b.raw));
    return sum;
#elif HWY_TARGET == HWY_NEON
    (void)d32;
    return hn::Vec<D32>(vaddq_s32(sum.raw, vpaddq_s32(vmull_s16(vget_low_s16(a.raw), vget_low_s16(b.raw)), vmull_high_s16(a.raw, b.raw))));
#else
    // Highway's form: x86 adds the pair into the first sum, the others keep even lanes in the first and odd lanes in the second.
    auto odd = hn::Zero(d32);
    const auto even = hn::ReorderWidenMulAccumulate(d32, a, b, sum, odd);
#if HWY_ARCH_X86 && HWY_TARGET != HWY_EMU128
    return even;
#else
    return hn::Add(even, odd);
#endif
#endif
}

// Two vectors of 16-bit lanes as pairs (a[i], b[i]), in an order that only MergeSaturated knows how to undo: lane i of `first` and `second`
// as 32-bit lanes belongs to one i.
template <class D16, class V16>
HWY_INLINE void ZipPairs(D16 d16, V16 a, V16 b, V16& first, V16& second) {
#if HWY_TARGET == HWY_SVE2
    (void)d16;
    first = svtrn1_s16(a, b);
    second = svtrn2_s16(a, b);
#else
    first = hn::InterleaveLower(d16, a, b);
    second = hn::InterleaveUpper(d16, a, b);
#endif
}

// One 16-bit lane for each pair of ZipPairs, in the original order, saturated.
template <class D16, class V32>
HWY_INLINE hn::Vec<D16> MergeSaturated(D16 d16, V32 first, V32 second) {
    return hn::ReorderDemote2To(d16, first, second);
}

// The first n lanes from memory (n less than a vector), zeros after them; nothing past the n is read.
template <class D, class T>
HWY_INLINE hn::Vec<D> LoadFirst(D d, const T* from, size_t n) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_SVE2
    return hn::MaskedLoad(hn::FirstN(d, n), d, from);
#else
    HWY_ALIGN T lanes[hn::MaxLanes(d)] = {};
    memcpy(lanes, from, n * sizeof(T));
    return hn::Load(d, lanes);
#endif
}

// Lanes as numbers of twice the width, in two vectors, in an order that is left open: for sums.
template <class DWide, class V>
HWY_INLINE hn::Vec<DWide> WidenFirst(DWide wide, V v) {
    const hn::RepartitionToNarrow<DWide> narrow;
    return hn::BitCast(wide, hn::InterleaveLower(narrow, v, hn::Zero(narrow)));
}
template <class DWide, class V>
HWY_INLINE hn::Vec<DWide> WidenSecond(DWide wide, V v) {
    const hn::RepartitionToNarrow<DWide> narrow;
    return hn::BitCast(wide, hn::InterleaveUpper(narrow, v, hn::Zero(narrow)));
}

// Floats of 0..2^32-256 as integers, towards zero.
template <class DU32, class VF>
HWY_INLINE hn::Vec<DU32> UnsignedFromFloat(DU32 d32, VF v) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    if constexpr (hn::MaxLanes(d32) == 16)
        return hn::Vec<DU32>{_mm512_cvttps_epu32(v.raw)};
    else if constexpr (hn::MaxLanes(d32) == 8)
        return hn::Vec<DU32>{_mm256_cvttps_epu32(v.raw)};
    else
        return hn::Vec<DU32>{_mm_cvttps_epu32(v.raw)};
#elif HWY_TARGET == HWY_NEON
    (void)d32;
    return hn::Vec<DU32>(vcvtq_u32_f32(v.raw));
#elif HWY_TARGET == HWY_SVE2
    (void)d32;
    return svcvt_u32_f32_x(svptrue_b32(), v);
#else
    // Signed conversion of what remains below 2^31; the subtraction is exact.
    const hn::RebindToFloat<DU32> df;
    const hn::RebindToSigned<DU32> di;
    const auto top = hn::Set(df, 2147483648.0f);
    const auto is_large = hn::Ge(v, top);
    const auto rest = hn::BitCast(d32, hn::ConvertTo(di, hn::Sub(v, hn::IfThenElseZero(is_large, top))));
    return hn::Xor(rest, hn::IfThenElseZero(hn::RebindMask(d32, is_large), hn::Set(d32, 0x80000000u)));
#endif
}

}  // namespace isometric::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
