// Vector operations that Highway 1.0.3 lacks, or whose lane order it leaves open. Included by the parts of a file that are compiled once
// per instruction set; there `namespace hs = isometric::simd::HWY_NAMESPACE;` stands beside `hn`.
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
    // One instruction. Written as assembly since Highway 1.0.3 does not name avx512vnni among the target's features, so compilers refuse
    // the intrinsic; the target is only chosen on processors that have it.
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

// a[2i] * b[2i] + a[2i+1] * b[2i+1]. Where AccumulatePairProducts is one instruction, this and an addition may still be faster: on Intel they run on
// more ports.
template <class D32, class V16>
HWY_INLINE hn::Vec<D32> PairProducts(D32 d32, V16 a, V16 b) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    if constexpr (hn::MaxLanes(d32) == 16) return hn::Vec<D32>{_mm512_madd_epi16(a.raw, b.raw)};
#endif
    return AccumulatePairProducts(d32, a, b, hn::Zero(d32));
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

// A mask of at most 64 lanes as bits, the first lane's in the lowest.
template <class D>
HWY_INLINE uint64_t MaskBits(D d, hn::Mask<D> mask) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    (void)d;
    return uint64_t(mask.raw);
#else
    uint64_t bits = 0;
    hn::StoreMaskBits(d, mask, reinterpret_cast<uint8_t*>(&bits));
    return bits;
#endif
}

// Where StoreSelected is fast.
#undef ISO_SIMD_STORES_SELECTED
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_SVE2
#define ISO_SIMD_STORES_SELECTED 1
#else
#define ISO_SIMD_STORES_SELECTED 0
#endif

#if HWY_TARGET == HWY_AVX2
// For every mask of eight lanes the selected lanes' numbers, a byte each.
struct SelectedLanes {
    uint64_t numbers[256] = {};
    constexpr SelectedLanes() {
        for (unsigned mask = 0; mask < 256; ++mask)
            for (unsigned lane = 0, at = 0; lane < 8; ++lane)
                if (mask >> lane & 1) numbers[mask] |= uint64_t(lane) << (8 * at++);
    }
};
inline constexpr SelectedLanes selected_lanes;
#endif

// Stores the selected 32-bit lanes side by side; how many. The rest of a vector after them is written too, with anything.
template <class D32, class V32>
HWY_INLINE size_t StoreSelected(D32 d32, V32 v, hn::Mask<D32> mask, hn::TFromD<D32>* to) {
#if HWY_TARGET == HWY_AVX2
    if constexpr (hn::MaxLanes(d32) == 8) {
        const unsigned bits = unsigned(_mm256_movemask_ps(_mm256_castsi256_ps(mask.raw)));
        const __m256i lanes = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(&selected_lanes.numbers[bits])));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm256_permutevar8x32_epi32(v.raw, lanes));
        return size_t(__builtin_popcount(bits));
    }
#endif
    hn::StoreU(hn::Compress(v, mask), d32, to);
    return hn::CountTrue(d32, mask);
}

// Floats of 0..2^32-256 as integers, towards zero.
template <class DU32, class VF>
HWY_INLINE hn::Vec<DU32> UnsignedFromFloat(DU32 d32, VF v) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    if constexpr (hn::MaxLanes(d32) == 16) return hn::Vec<DU32>{_mm512_cvttps_epu32(v.raw)};
    else if constexpr (hn::MaxLanes(d32) == 8) return hn::Vec<DU32>{_mm256_cvttps_epu32(v.raw)};
    else return hn::Vec<DU32>{_mm_cvttps_epu32(v.raw)};
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

// v itself, of which compilers no longer know that it is a constant: they keep it in a register or in memory and do not make it anew, which
// for a broadcast takes the port that shuffles use.
template <class V>
HWY_INLINE V KeepValue(V v) {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    asm("" : "+v"(v.raw));
#endif
    return v;
}

// The bits of the float that an integer of 1..2^31-1 becomes when it is cut off, not rounded, to 24 bits.
template <class D32, class V32>
HWY_INLINE hn::Vec<D32> FloatBitsTowardsZero(D32 d32, V32 v) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    if constexpr (hn::MaxLanes(d32) == 16)
        return hn::Vec<D32>{_mm512_castps_si512(_mm512_cvt_roundepi32_ps(v.raw, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC))};
    else
#endif
    {
        // Clears the bit below the 24 leading ones, so that the conversion rounds down; what else this clears is below it.
        const hn::RebindToFloat<D32> df;
        return hn::BitCast(d32, hn::ConvertTo(df, hn::AndNot(hn::ShiftRight<24>(v), v)));
    }
}

// Two vectors of doubles within the range of i32, towards zero, as one vector, in an order that is left open but always the same.
template <class D32, class V64>
HWY_INLINE hn::Vec<D32> TruncateTwo(D32 d32, V64 a, V64 b) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    if constexpr (hn::MaxLanes(d32) == 16) {
        // The low halves of 64-bit integers, in one permutation.
        alignas(64) static constexpr int32_t low_halves[16] = {0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30};
        return hn::Vec<D32>{_mm512_permutex2var_epi32(_mm512_cvttpd_epi64(a.raw), _mm512_load_si512(low_halves), _mm512_cvttpd_epi64(b.raw))};
    } else
#endif
    {
        const hn::Half<D32> half;
#if HWY_TARGET == HWY_AVX2
        const hn::Vec<decltype(half)> lower{_mm256_cvttpd_epi32(a.raw)}, upper{_mm256_cvttpd_epi32(b.raw)};
#else
        const auto lower = hn::DemoteTo(half, a), upper = hn::DemoteTo(half, b);
#endif
        return hn::Combine(d32, upper, lower);
    }
}

// The upper halves of 64-bit lanes: those of `even` in the even 32-bit lanes, those of `odd` in the odd ones.
template <class D32, class VU64>
HWY_INLINE hn::Vec<D32> UpperHalves(D32 d32, VU64 even, VU64 odd) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    if constexpr (hn::MaxLanes(d32) == 16) return hn::Vec<D32>{_mm512_mask_shuffle_epi32(odd.raw, 0x5555, even.raw, _MM_PERM_DDBB)};
    else
#endif
        return hn::OddEven(hn::BitCast(d32, odd), hn::BitCast(d32, hn::ShiftRight<32>(even)));
}

// sum + v in the lanes of the mask, sum in the others.
template <class M, class V>
HWY_INLINE V AddWhere(M mask, V sum, V v) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    if constexpr (sizeof(sum.raw) == 64 && sizeof(hn::TFromV<V>) == 4) return V{_mm512_mask_add_epi32(sum.raw, mask.raw, sum.raw, v.raw)};
    else
#endif
        return hn::Add(sum, hn::IfThenElseZero(mask, v));
}

}  // namespace isometric::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
