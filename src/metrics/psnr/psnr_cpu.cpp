// The passes of `psnr`, compiled once for each instruction set: sums of squared differences in 32-bit lanes, flushed into 64 bits before
// they can overflow. All sums are integers, so their order is free (docs/metrics/psnr.md, section 3).
#include "metrics/psnr/psnr_passes.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "metrics/psnr/psnr_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "base/simd_dispatch.h"
#include "numeric/simd_supplement.h"

HWY_BEFORE_NAMESPACE();
namespace isometric::psnr::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
namespace hs = isometric::simd::HWY_NAMESPACE;

using D8 = hn::ScalableTag<uint8_t>;

using DU16 = hn::ScalableTag<uint16_t>;
using DI16 = hn::ScalableTag<int16_t>;
using DI32 = hn::ScalableTag<int32_t>;
using DU32 = hn::ScalableTag<uint32_t>;
using DU64 = hn::ScalableTag<uint64_t>;
using VI32 = hn::Vec<DI32>;
using VU32 = hn::Vec<DU32>;

template <class V>
HWY_INLINE V difference(V a, V b) {
    return hn::Or(hn::SaturatedSub(a, b), hn::SaturatedSub(b, a));
}

// Fetches the row after next: rows of large pictures meet a new page each, past which processors do not fetch ahead by themselves.
template <class T>
HWY_INLINE void fetch(const T* at, ptrdiff_t stride) {
    hwy::Prefetch(at + 2 * stride);
}

// The sum of unsigned 32-bit lanes.
HWY_INLINE uint64_t sum_of(VU32 sums) {
    const DU64 d64;
    return hn::GetLane(hn::SumOfLanes(d64, hn::Add(hs::WidenFirst(d64, sums), hs::WidenSecond(d64, sums))));
}
HWY_INLINE uint64_t sum_of(VI32 sums) { return sum_of(hn::BitCast(DU32(), sums)); }

// ---- 8 bits -----------------------------------------------------------------------------------------------------------------------------

HWY_INLINE VI32 add_squares(hn::Vec<D8> error, VI32 sums) {
    const DU16 d16;
    const DI16 di16;
    const auto low = hn::BitCast(di16, hs::WidenFirst(d16, error)), high = hn::BitCast(di16, hs::WidenSecond(d16, error));
    return hs::AccumulatePairProducts(DI32(), high, high, hs::AccumulatePairProducts(DI32(), low, low, sums));
}

// A vector adds at most 4 * 255^2 to each lane.
constexpr size_t vectors_until_flush_u8 = (size_t(1) << 32) / (4 * 255 * 255) - 1;

uint64_t squared_error_u8(const PlaneView<const uint8_t>& ref, const PlaneView<const uint8_t>& dis) {
    const D8 d8;
    const size_t n = size_t(ref.width), lanes = hn::Lanes(d8), vectors = n / lanes + 1;
    auto even = hn::Zero(DI32()), odd = hn::Zero(DI32());
    uint64_t total = 0;
    size_t pending = 0;
    for (int y = 0; y < ref.height; ++y) {
        if ((pending += vectors) > vectors_until_flush_u8) {
            total += sum_of(even) + sum_of(odd);
            even = odd = hn::Zero(DI32());
            pending = vectors;
        }
        const uint8_t *const r = ref.row(y), *const d = dis.row(y);
        size_t x = 0;
        for (; x + 2 * lanes <= n; x += 2 * lanes) {
            fetch(r + x, ref.stride);
            fetch(d + x, dis.stride);
            fetch(r + x + lanes, ref.stride);
            fetch(d + x + lanes, dis.stride);
            even = add_squares(difference(hn::LoadU(d8, r + x), hn::LoadU(d8, d + x)), even);
            odd = add_squares(difference(hn::LoadU(d8, r + x + lanes), hn::LoadU(d8, d + x + lanes)), odd);
        }
        if (x + lanes <= n) {
            even = add_squares(difference(hn::LoadU(d8, r + x), hn::LoadU(d8, d + x)), even);
            x += lanes;
        }
        if (x < n) odd = add_squares(difference(hs::LoadFirst(d8, r + x, n - x), hs::LoadFirst(d8, d + x, n - x)), odd);
    }
    return total + sum_of(even) + sum_of(odd);
}

// ---- More than 8 bits -------------------------------------------------------------------------------------------------------------------

// Errors below 2^12 are squared in pairs: a vector adds less than 2^25 to each lane, so this many fit.
constexpr size_t vectors_per_chunk = 64;
constexpr uint16_t small_error_end = 1 << 12;

// The vectors of a chunk are whole but for the last of a row.
struct Chunk {
    const uint16_t *ref, *dis;
    ptrdiff_t ref_stride, dis_stride;
    size_t n;

    template <class F>
    HWY_INLINE void for_each_error(F f) const {
        const DU16 d16;
        size_t x = 0;
        for (; x + hn::Lanes(d16) <= n; x += hn::Lanes(d16)) {
            fetch(ref + x, ref_stride);
            fetch(dis + x, dis_stride);
            f(difference(hn::LoadU(d16, ref + x), hn::LoadU(d16, dis + x)));
        }
        if (x < n) f(difference(hs::LoadFirst(d16, ref + x, n - x), hs::LoadFirst(d16, dis + x, n - x)));
    }
};

// The sum of squares of a chunk if all errors are small; false, and nothing of use, if one is not.
HWY_INLINE bool sum_small_errors(const Chunk& chunk, uint64_t& total) {
    const DI16 di16;
    const DU16 du16;
    auto sums = hn::Zero(DI32());
    auto bits = hn::Zero(du16);
    chunk.for_each_error([&](hn::Vec<DU16> error) HWY_ATTR {
        const auto signed_error = hn::BitCast(di16, error);
        sums = hs::AccumulatePairProducts(DI32(), signed_error, signed_error, sums);
        bits = hn::Or(bits, error);
    });
    total = sum_of(sums);
    return hn::AllTrue(du16, hn::Lt(bits, hn::Set(du16, small_error_end)));
}

// Any errors: the halves of each square in sums of their own, at most 2^17 for each vector of a chunk.
HWY_INLINE uint64_t sum_any_errors(const Chunk& chunk) {
    const DU32 d32;
    auto low = hn::Zero(d32), high = hn::Zero(d32);
    const auto low_half = hn::Set(d32, 0xFFFF);
    chunk.for_each_error([&](hn::Vec<DU16> error) HWY_ATTR {
        const auto low_halves = hn::BitCast(d32, hn::Mul(error, error)), high_halves = hn::BitCast(d32, hn::MulHigh(error, error));
        low = hn::Add(low, hn::Add(hn::And(low_halves, low_half), hn::ShiftRight<16>(low_halves)));
        high = hn::Add(high, hn::Add(hn::And(high_halves, low_half), hn::ShiftRight<16>(high_halves)));
    });
    return sum_of(low) + (sum_of(high) << 16);
}

uint64_t squared_error_u16(const PlaneView<const uint16_t>& ref, const PlaneView<const uint16_t>& dis) {
    const size_t n = size_t(ref.width), per_chunk = vectors_per_chunk * hn::Lanes(DU16());
    uint64_t total = 0;
    for (int y = 0; y < ref.height; ++y) {
        bool small = true;  // until the row shows otherwise: large errors seldom stand alone
        for (size_t x = 0; x < n; x += per_chunk) {
            const Chunk chunk{ref.row(y) + x, dis.row(y) + x, ref.stride, dis.stride, std::min(per_chunk, n - x)};
            uint64_t sum = 0;
            small = small && sum_small_errors(chunk, sum);
            total += small ? sum : sum_any_errors(chunk);
        }
    }
    return total;
}

const Passes& make_passes() {
    static constexpr Passes table{.squared_error_u8 = squared_error_u8, .squared_error_u16 = squared_error_u16};
    return table;
}

}  // namespace isometric::psnr::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isometric::psnr {

const Passes& passes(InstructionSet set) { ISO_SELECT_PASSES(set, make_passes); }

}  // namespace isometric::psnr
#endif
