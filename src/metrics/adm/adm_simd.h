// Tags and lane arrangements that the pass files of `adm` share. Included by the parts that are compiled once per instruction set.
#if defined(ISO_METRICS_ADM_SIMD_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ISO_METRICS_ADM_SIMD_H
#undef ISO_METRICS_ADM_SIMD_H
#else
#define ISO_METRICS_ADM_SIMD_H
#endif

#include <hwy/highway.h>

#undef ISO_INLINE_LAMBDA
#define ISO_INLINE_LAMBDA __attribute__((always_inline))

#include "metrics/adm/adm_passes.h"
#include "numeric/simd_supplement.h"

HWY_BEFORE_NAMESPACE();
namespace isometric::adm::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
namespace hs = isometric::simd::HWY_NAMESPACE;

// Each pass file fills its part of the target's table.
void add_transform_passes(Passes& passes);
void add_decouple_passes(Passes& passes);
void add_weigh_passes(Passes& passes);
void add_mask_passes(Passes& passes);

using D16 = hn::ScalableTag<int16_t>;
using DU16 = hn::RebindToUnsigned<D16>;
using D32 = hn::RepartitionToWide<D16>;
using DU32 = hn::RebindToUnsigned<D32>;
using DF32 = hn::Rebind<float, D32>;
using D64 = hn::RepartitionToWide<D32>;
using DU64 = hn::RebindToUnsigned<D64>;
using V16 = hn::Vec<D16>;
using VU16 = hn::Vec<DU16>;
using V32 = hn::Vec<D32>;
using VU32 = hn::Vec<DU32>;
using VF32 = hn::Vec<DF32>;
using V64 = hn::Vec<D64>;
using VU64 = hn::Vec<DU64>;

// 32-bit lanes of two 16-bit factors for pair products.
HWY_INLINE V16 pair(int16_t even, int16_t odd) {
    return hn::BitCast(D16(), hn::Set(D32(), int32_t((uint32_t(uint16_t(odd)) << 16) | uint16_t(even))));
}

// The lower halves of the 32-bit lanes of `even` and `odd` side by side; the upper halves.
template <class V>
HWY_INLINE V16 merge_low(V even, V odd) {
    const auto shifted = hn::ShiftLeft<16>(hn::BitCast(DU32(), odd));
    return hn::OddEven(hn::BitCast(D16(), shifted), hn::BitCast(D16(), even));
}
template <class V>
HWY_INLINE V16 merge_high(V even, V odd) {
    const auto shifted = hn::ShiftRight<16>(hn::BitCast(DU32(), even));
    return hn::OddEven(hn::BitCast(D16(), odd), hn::BitCast(D16(), shifted));
}

// Every even 16-bit lane twice; every odd one.
HWY_INLINE V16 twice_even(V16 v) {
    HWY_ALIGN static constexpr uint8_t bytes[16] = {0, 1, 0, 1, 4, 5, 4, 5, 8, 9, 8, 9, 12, 13, 12, 13};
    return hn::BitCast(D16(), hn::TableLookupBytes(v, hn::LoadDup128(hn::Repartition<uint8_t, D16>(), bytes)));
}
HWY_INLINE V16 twice_odd(V16 v) {
    HWY_ALIGN static constexpr uint8_t bytes[16] = {2, 3, 2, 3, 6, 7, 6, 7, 10, 11, 10, 11, 14, 15, 14, 15};
    return hn::BitCast(D16(), hn::TableLookupBytes(v, hn::LoadDup128(hn::Repartition<uint8_t, D16>(), bytes)));
}

// What lies between 0 and `limit`, inclusive, next to v.
template <class D, class V>
HWY_INLINE V between_zero_and(D d, V limit, V v) {
    const auto zero = hn::Zero(d);
    return hn::Min(hn::Max(v, hn::Min(limit, zero)), hn::Max(limit, zero));
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

// Passes begin at a multiple of the vector's length, so that rows, which are aligned at column 0, are loaded and stored aligned.
template <class D>
HWY_INLINE int aligned_begin(D d, int column) {
    return column & ~(int(hn::Lanes(d)) - 1);
}

// Lanes first <= i < end.
template <class D>
HWY_INLINE hn::Mask<D> lanes_between(D d, int first, int end) {
    const auto i = hn::Iota(d, hn::TFromD<D>(0));
    return hn::And(hn::Gt(i, hn::Set(d, hn::TFromD<D>(first - 1))), hn::Gt(hn::Set(d, hn::TFromD<D>(end)), i));
}

// The even and the odd 32-bit lanes of two vectors.
template <class V>
HWY_INLINE void deal(V first, V second, V& even, V& odd) {
    const hn::DFromV<V> d;
    const D32 d32;
    const auto a = hn::BitCast(d32, first), b = hn::BitCast(d32, second);
    even = hn::BitCast(d, hn::ConcatEven(d32, b, a));
    odd = hn::BitCast(d, hn::ConcatOdd(d32, b, a));
}

}  // namespace isometric::adm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
