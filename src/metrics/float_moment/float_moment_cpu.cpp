// The passes of `float_moment`, compiled once for each instruction set. All sums are of integers, so their order is free; only the parities
// of ordered_increment() follow the raster (docs/metrics/float_moment.md, section 4).
#include "metrics/float_moment/float_moment_passes.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "metrics/float_moment/float_moment_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "base/simd_dispatch.h"
#include "numeric/ordered_sum.h"
#include "numeric/simd_supplement.h"

HWY_BEFORE_NAMESPACE();
namespace isometric::float_moment::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
namespace hs = isometric::simd::HWY_NAMESPACE;

using D8 = hn::ScalableTag<uint8_t>;
using DU16 = hn::ScalableTag<uint16_t>;
using DI16 = hn::ScalableTag<int16_t>;
using DI32 = hn::ScalableTag<int32_t>;
using DU32 = hn::ScalableTag<uint32_t>;
using DF32 = hn::ScalableTag<float>;
using DU64 = hn::ScalableTag<uint64_t>;
using D16Half = hn::Rebind<uint16_t, DU32>;  // as many 16-bit lanes as a vector has 32-bit lanes
using VI32 = hn::Vec<DI32>;
using VU32 = hn::Vec<DU32>;
using VU64 = hn::Vec<DU64>;

HWY_INLINE uint64_t sum_of(VU32 sums) {
    const DU64 d64;
    return hn::GetLane(hn::SumOfLanes(d64, hn::Add(hs::WidenFirst(d64, sums), hs::WidenSecond(d64, sums))));
}
HWY_INLINE uint64_t sum_of(VI32 sums) { return sum_of(hn::BitCast(DU32(), sums)); }

// ---- 8 bits -----------------------------------------------------------------------------------------------------------------------------

// A vector adds at most 2 * 255^2 to a lane of either second sum.
constexpr size_t vectors_until_flush_u8 = (size_t(1) << 32) / (2 * 255 * 255) - 1;

HWY_INLINE void add_bytes(hn::Vec<D8> samples, VU64& first, VI32& second_low, VI32& second_high) {
    const DU16 d16;
    const DI16 di16;
    const DI32 d32;
    const auto low = hn::BitCast(di16, hs::WidenFirst(d16, samples)), high = hn::BitCast(di16, hs::WidenSecond(d16, samples));
    first = hn::Add(first, hn::SumsOf8(samples));
    second_low = hs::AccumulatePairProducts(d32, low, low, second_low);
    second_high = hs::AccumulatePairProducts(d32, high, high, second_high);
}

Sums sums_u8(const PlaneView<const uint8_t>& plane) {
    const D8 d8;
    const size_t n = size_t(plane.width), lanes = hn::Lanes(d8), vectors = n / lanes + 1;
    auto first = hn::Zero(DU64());
    auto second_low = hn::Zero(DI32()), second_high = hn::Zero(DI32());
    uint64_t second_total = 0;
    size_t pending = 0;
    for (int y = 0; y < plane.height; ++y) {
        if ((pending += vectors) > vectors_until_flush_u8) {
            second_total += sum_of(second_low) + sum_of(second_high);
            second_low = second_high = hn::Zero(DI32());
            pending = vectors;
        }
        const uint8_t* const row = plane.row(y);
        size_t x = 0;
        for (; x + lanes <= n; x += lanes) add_bytes(hn::LoadU(d8, row + x), first, second_low, second_high);
        if (x < n) add_bytes(hs::LoadFirst(d8, row + x, n - x), first, second_low, second_high);
    }
    return {hn::GetLane(hn::SumOfLanes(DU64(), first)), second_total + sum_of(second_low) + sum_of(second_high)};
}

// ---- Samples below 2^12: pairs of 16-bit products ---------------------------------------------------------------------------------------

constexpr uint16_t small_end = 1 << 12;
constexpr size_t vectors_per_chunk = 64;  // each adds less than 2^25 to a lane

bool sums_of_small(const uint16_t* row, size_t n, Sums& sums) {
    const DU16 d16;
    const DI16 di16;
    const DI32 d32;
    const auto ones = hn::Set(di16, 1);
    sums = {};
    const size_t per_chunk = vectors_per_chunk * hn::Lanes(d16);
    for (size_t begin = 0; begin < n; begin += per_chunk) {
        const size_t end = std::min(n, begin + per_chunk);
        auto first = hn::Zero(d32), second = hn::Zero(d32);
        auto bits = hn::Zero(d16);
        const auto add = [&](hn::Vec<DU16> samples) HWY_ATTR {
            const auto v = hn::BitCast(di16, samples);
            first = hs::AccumulatePairProducts(d32, v, ones, first);
            second = hs::AccumulatePairProducts(d32, v, v, second);
            bits = hn::Or(bits, samples);
        };
        size_t x = begin;
        for (; x + hn::Lanes(d16) <= end; x += hn::Lanes(d16)) add(hn::LoadU(d16, row + x));
        if (x < end) add(hs::LoadFirst(d16, row + x, end - x));
        if (!hn::AllTrue(d16, hn::Lt(bits, hn::Set(d16, small_end)))) return false;
        sums.first += sum_of(first);
        sums.second += sum_of(second);
    }
    return true;
}

// ---- Any samples ------------------------------------------------------------------------------------------------------------------------

HWY_INLINE VU32 samples_at(const uint16_t* row) { return hn::PromoteTo(DU32(), hn::LoadU(D16Half(), row)); }
HWY_INLINE VU32 first_samples_at(const uint16_t* row, size_t n) { return hn::PromoteTo(DU32(), hs::LoadFirst(D16Half(), row, n)); }

// Samples to the row after next, or so: processors do not fetch ahead past the end of a page, and rows of large pictures meet a page each.
constexpr size_t prefetch_distance = 2048;

// ordered_sum::square_term() of each lane.
HWY_INLINE VU32 square_terms(VU32 samples) {
    const DF32 df;
    const auto v = hn::ConvertTo(df, hn::BitCast(DI32(), samples));
    return hs::UnsignedFromFloat(DU32(), hn::Mul(v, v));
}

// Adds 32-bit lanes to sums of their halves, which hold 2^16 of them.
HWY_INLINE void add_halves(VU32 terms, VU32 low_half, VU32& low, VU32& high) {
    low = hn::Add(low, hn::And(terms, low_half));
    high = hn::Add(high, hn::ShiftRight<16>(terms));
}

Sums sums_of_cleared(const uint16_t* row, size_t n, int cleared_bits) {
    const DU32 d32;
    const size_t lanes = hn::Lanes(d32);
    const auto low_half = hn::Set(d32, 0xFFFFu & ~((1u << cleared_bits) - 1));
    auto first_a = hn::Zero(d32), first_b = hn::Zero(d32);
    auto low_a = hn::Zero(d32), low_b = hn::Zero(d32), high_a = hn::Zero(d32), high_b = hn::Zero(d32);
    size_t x = 0;
    for (; x + 2 * lanes <= n; x += 2 * lanes) {
        hwy::Prefetch(row + x + prefetch_distance);
        const auto samples_a = samples_at(row + x), samples_b = samples_at(row + x + lanes);
        first_a = hn::Add(first_a, samples_a);
        first_b = hn::Add(first_b, samples_b);
        add_halves(square_terms(samples_a), low_half, low_a, high_a);
        add_halves(square_terms(samples_b), low_half, low_b, high_b);
    }
    for (; x < n; x += lanes) {
        const auto samples = first_samples_at(row + x, std::min(lanes, n - x));
        first_a = hn::Add(first_a, samples);
        add_halves(square_terms(samples), low_half, low_a, high_a);
    }
    return {sum_of(first_a) + sum_of(first_b), sum_of(low_a) + sum_of(low_b) + ((sum_of(high_a) + sum_of(high_b)) << 16)};
}

// Odd terms are those of odd samples below 2^12: larger squares are rounded to even numbers.
bool any_odd_term(const uint16_t* row, size_t n) {
    const DU16 d16;
    const auto bits = hn::Set(d16, 0xF001), one = hn::Set(d16, 1);
    const auto is_odd = [&](hn::Vec<DU16> samples) HWY_ATTR { return hn::Eq(hn::And(samples, bits), one); };
    size_t x = 0;
    for (; x + hn::Lanes(d16) <= n; x += hn::Lanes(d16))
        if (!hn::AllFalse(d16, is_odd(hn::LoadU(d16, row + x)))) return true;
    return x < n && !hn::AllFalse(d16, is_odd(hs::LoadFirst(d16, row + x, n - x)));
}

// The parity of m through a row, and how many ties have gone up.
class Parity {
public:
    explicit Parity(uint32_t m_is_odd) : m_is_odd_(m_is_odd) {}

    // Consecutive terms as bits, the first in the lowest: ordered_sum::resolve_ties(), without its loop where the processor can gather
    // bits.
    HWY_INLINE void add(uint64_t odd_bases, uint64_t ties) {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
        const uint64_t parities = ordered_sum::running_parity(odd_bases), at_ties = _pext_u64(parities, ties);
        const uint32_t count = uint32_t(hwy::PopCount(ties));
        // A tie goes up when the parity has changed since the tie before, which left m even.
        const uint64_t changes = at_ties ^ (at_ties << 1 | m_is_odd_);
        rounded_up_ += hwy::PopCount(_bzhi_u64(changes, count));
        const uint32_t even = count == 0 ? m_is_odd_ : uint32_t(at_ties >> (count - 1) & 1);
        m_is_odd_ = uint32_t(parities >> 63) ^ even;
#else
        const auto resolved = ordered_sum::resolve_ties(odd_bases, ties, m_is_odd_);
        rounded_up_ += resolved.rounded_up;
        m_is_odd_ = resolved.m_is_odd;
#endif
    }
    // Terms without a tie: their order does not matter.
    HWY_INLINE void flip_by(uint64_t odd_bases) { m_is_odd_ ^= uint32_t(hwy::PopCount(odd_bases) & 1); }
    uint64_t rounded_up() const { return rounded_up_; }

private:
    uint32_t m_is_odd_;
    uint64_t rounded_up_ = 0;
};

// Lanes as bits: whether the base is odd, `unit` = 2^k, and whether the term ties, `rest` = 2^k - 1.
HWY_INLINE uint64_t odd_bits(VU32 base, VU32 unit) { return hs::MaskBits(DU32(), hn::TestBit(base, unit)); }
HWY_INLINE uint64_t tie_bits(VU32 base, VU32 rest) { return hs::MaskBits(DU32(), hn::Eq(hn::And(base, rest), rest)); }

// The bases of four vectors of consecutive terms.
HWY_INLINE void add_block(VU32 a, VU32 b, VU32 c, VU32 d, VU32 unit, VU32 rest, Parity& parity) {
    const size_t lanes = hn::Lanes(DU32());
    if (4 * lanes <= 64) {
        parity.add(odd_bits(a, unit) | odd_bits(b, unit) << lanes | odd_bits(c, unit) << 2 * lanes | odd_bits(d, unit) << 3 * lanes,
                   tie_bits(a, rest) | tie_bits(b, rest) << lanes | tie_bits(c, rest) << 2 * lanes | tie_bits(d, rest) << 3 * lanes);
    } else {
        parity.add(odd_bits(a, unit), tie_bits(a, rest));
        parity.add(odd_bits(b, unit), tie_bits(b, rest));
        parity.add(odd_bits(c, unit), tie_bits(c, rest));
        parity.add(odd_bits(d, unit), tie_bits(d, rest));
    }
}

// Where no term of a block has the bit of half a unit, bases round down and nothing ties: then the block costs little more than an exact
// sum. Else `rounding` = 2^(k-1) - 1 is added, so that a base is what stands above the lowest k bits and a tie has all of those set.
RowIncrement ordered_increment(const uint16_t* row, size_t n, uint32_t k, uint32_t m_is_odd) {
    const DU32 d32;
    const size_t lanes = hn::Lanes(d32);
    const uint32_t rest_bits = (1u << k) - 1;
    const auto rounding = hn::Set(d32, rest_bits >> 1), rest = hn::Set(d32, rest_bits);
    const auto unit = hn::Set(d32, rest_bits + 1), half_unit = hn::Set(d32, 1u << (k - 1));
    const auto low_half = hn::Set(d32, 0xFFFFu & ~rest_bits);
    auto first = hn::Zero(d32), low = hn::Zero(d32), high = hn::Zero(d32), parities = hn::Zero(d32);
    Parity parity(m_is_odd);
    const auto terms_of = [&](VU32 samples) HWY_ATTR {
        first = hn::Add(first, samples);
        return square_terms(samples);
    };
    bool settled = true;  // whether `parities` are in `parity`
    const auto settle = [&]() HWY_ATTR {
        if (settled) return;
        parity.flip_by(odd_bits(parities, unit));
        parities = hn::Zero(d32);
        settled = true;
    };
    size_t x = 0;
    for (; x + 4 * lanes <= n; x += 4 * lanes) {
        hwy::Prefetch(row + x + prefetch_distance);
        hwy::Prefetch(row + x + 2 * lanes + prefetch_distance);
        auto a = terms_of(samples_at(row + x)), b = terms_of(samples_at(row + x + lanes));
        auto c = terms_of(samples_at(row + x + 2 * lanes)), d = terms_of(samples_at(row + x + 3 * lanes));
        if (hn::AllFalse(d32, hn::TestBit(hn::Or(hn::Or3(a, b, c), d), half_unit))) {
            parities = hn::Xor3(parities, hn::Xor(a, b), hn::Xor(c, d));
            settled = false;
        } else {
            settle();
            a = hn::Add(a, rounding), b = hn::Add(b, rounding), c = hn::Add(c, rounding), d = hn::Add(d, rounding);
            add_block(a, b, c, d, unit, rest, parity);
        }
        add_halves(a, low_half, low, high);
        add_halves(b, low_half, low, high);
        add_halves(c, low_half, low, high);
        add_halves(d, low_half, low, high);
    }
    settle();
    for (; x < n; x += lanes) {  // lanes past the row hold a term of 0, which is no tie and has an even base
        const auto base = hn::Add(terms_of(first_samples_at(row + x, std::min(lanes, n - x))), rounding);
        parity.add(odd_bits(base, unit), tie_bits(base, rest));
        add_halves(base, low_half, low, high);
    }
    return {sum_of(first), ((sum_of(low) + (sum_of(high) << 16)) >> k) + parity.rounded_up()};
}

const Passes& make_passes() {
    static constexpr Passes table{.sums_u8 = sums_u8,
                                  .sums_of_small = sums_of_small,
                                  .sums_of_cleared = sums_of_cleared,
                                  .any_odd_term = any_odd_term,
                                  .ordered_increment = ordered_increment};
    return table;
}

}  // namespace isometric::float_moment::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isometric::float_moment {

const Passes& passes(InstructionSet set) { ISO_SELECT_PASSES(set, make_passes); }

}  // namespace isometric::float_moment
#endif
