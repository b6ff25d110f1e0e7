// The passes of `motion`, compiled once for each instruction set. One walk over the picture in column strips: a row of differences is made,
// the five rows around the present one are blurred vertically into one row, and that row is blurred horizontally and summed. Nothing but
// these few rows is ever stored.
//
// Arithmetic (docs/metrics/motion.md, section 2): products of 16-bit lanes, added in pairs into 32-bit lanes. Values of 17 bits
// (differences of 15 and 16-bit samples, vertical blurs beyond 2^15) are split as v = 2 * high + low, low 0 or 1; then with A and B the
// blurs of high and low
//     floor((2 A + B + 2^15) / 2^16) = (A + ((B + 2^15) >> 1)) >> 15,
// where -2^31 <= A, A + (2^16 + 2^15) / 2 < 2^31: all of it fits.
#include "metrics/motion/motion_passes.h"

#include <algorithm>
#include <array>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "metrics/motion/motion_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "base/simd_dispatch.h"
#include "numeric/simd_supplement.h"

HWY_BEFORE_NAMESPACE();
namespace isometric::motion::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
namespace hs = isometric::simd::HWY_NAMESPACE;

using D16 = hn::ScalableTag<int16_t>;
using D32 = hn::RepartitionToWide<D16>;
using V16 = hn::Vec<D16>;
using V32 = hn::Vec<D32>;

// Gaussian, sigma 1, radius 2, rounded to sum 2^16 (docs/metrics/motion.md, section 2).
constexpr int16_t f0 = 3571, f1 = 16004, f2 = 26386;
static_assert(2 * (f0 + f1) + f2 == 1 << 16);

// How a row of differences is stored.
enum class Depth {
    byte,    // as they are: 8-bit samples
    scaled,  // times 2^(14 - bits), so that the sum of two fits 16 bits: 9..14-bit samples
    split,   // times 2^(16 - bits), high and low: 15 and 16-bit samples
};

// 32-bit lanes of two 16-bit factors for pair products.
HWY_INLINE V16 pair(int16_t even, int16_t odd) {
    return hn::BitCast(D16(), hn::Set(D32(), int32_t((uint32_t(uint16_t(odd)) << 16) | uint16_t(even))));
}

// ---- Differences ------------------------------------------------------------------------------------------------------------------------

// One vector of samples, and what is stored of their difference.
template <Depth depth, class D, class T>
HWY_INLINE hn::Vec<D> difference_at(D d16, const T* earlier, const T* current, int shift, int16_t* high, int16_t* low) {
    const hn::RebindToUnsigned<D> du16;
    if constexpr (depth == Depth::byte) {
        const hn::Rebind<uint8_t, D> d8;
        (void)shift, (void)low, (void)du16;
        const auto difference = hn::Sub(hn::PromoteTo(d16, hn::LoadU(d8, earlier)), hn::PromoteTo(d16, hn::LoadU(d8, current)));
        hn::StoreU(difference, d16, high);
        return difference;
    } else {
        const auto p = hn::ShiftLeftSame(hn::LoadU(du16, earlier), shift), c = hn::ShiftLeftSame(hn::LoadU(du16, current), shift);
        if constexpr (depth == Depth::scaled) {
            (void)low;
            const auto difference = hn::BitCast(d16, hn::Sub(p, c));
            hn::StoreU(difference, d16, high);
            return difference;
        } else {
            // floor((p - c) / 2): the halves' difference, less one when only c is odd.
            const auto one = hn::Set(du16, 1);
            const auto borrow = hn::And(hn::AndNot(p, c), one);
            const auto halved = hn::Sub(hn::Sub(hn::ShiftRight<1>(p), hn::ShiftRight<1>(c)), borrow);
            const auto bit = hn::And(hn::Xor(p, c), one);
            hn::StoreU(hn::BitCast(d16, halved), d16, high);
            hn::StoreU(hn::BitCast(d16, bit), d16, low);
            return hn::BitCast(d16, hn::Or(halved, bit));
        }
    }
}

// A row of n differences; whether any of them is not 0.
template <Depth depth, class T>
HWY_INLINE bool difference_row(const T* earlier, const T* current, ptrdiff_t ahead, int shift, int16_t* high, int16_t* low, size_t n) {
    const D16 d16;
    const size_t lanes = hn::Lanes(d16);
    if (n < lanes) {
        const hn::CappedTag<int16_t, 1> one;
        bool any = false;
        for (size_t x = 0; x < n; ++x)
            any |= hn::GetLane(difference_at<depth>(one, earlier + x, current + x, shift, high + x, low + x)) != 0;
        return any;
    }
    auto any = hn::Zero(d16);
    size_t x = 0;
    for (; x + lanes <= n; x += lanes) {
        // Rows of large pictures meet a new page each, past which processors do not fetch ahead by themselves.
        hwy::Prefetch(earlier + x + ahead);
        hwy::Prefetch(current + x + ahead);
        any = hn::Or(any, difference_at<depth>(d16, earlier + x, current + x, shift, high + x, low + x));
    }
    if (x < n) {  // the last vector overlaps the one before: the same values again
        x = n - lanes;
        any = hn::Or(any, difference_at<depth>(d16, earlier + x, current + x, shift, high + x, low + x));
    }
    return !hn::AllTrue(d16, hn::Eq(any, hn::Zero(d16)));
}

// ---- Vertical blur ----------------------------------------------------------------------------------------------------------------------

// The five rows that one row of the vertical blur reads.
struct Window {
    std::array<const int16_t*, 5> high, low;
};

// Sums of five products for the lanes of one vector, from `start`, as ZipPairs orders them.
HWY_INLINE void five_products(const std::array<const int16_t*, 5>& rows, size_t x, V32 start, V32& first, V32& second) {
    const D16 d16;
    const D32 d32;
    V16 a, b;
    hs::ZipPairs(d16, hn::LoadU(d16, rows[0] + x), hn::LoadU(d16, rows[1] + x), a, b);
    first = hs::AccumulatePairProducts(d32, a, pair(f0, f1), start);
    second = hs::AccumulatePairProducts(d32, b, pair(f0, f1), start);
    hs::ZipPairs(d16, hn::LoadU(d16, rows[2] + x), hn::LoadU(d16, rows[3] + x), a, b);
    first = hs::AccumulatePairProducts(d32, a, pair(f2, f1), first);
    second = hs::AccumulatePairProducts(d32, b, pair(f2, f1), second);
    hs::ZipPairs(d16, hn::LoadU(d16, rows[4] + x), hn::Zero(d16), a, b);
    first = hs::AccumulatePairProducts(d32, a, pair(f0, 0), first);
    second = hs::AccumulatePairProducts(d32, b, pair(f0, 0), second);
}

// The vertical blur at one vector, |value| < 2^16, in two vectors as ZipPairs orders them.
template <Depth depth>
HWY_INLINE void vertical_at(const Window& rows, size_t x, V32& first, V32& second) {
    const D16 d16;
    const D32 d32;
    if constexpr (depth == Depth::split) {
        V32 low_first, low_second;
        five_products(rows.high, x, hn::Zero(d32), first, second);
        five_products(rows.low, x, hn::Set(d32, 1 << 15), low_first, low_second);
        first = hn::ShiftRight<15>(hn::Add(first, hn::ShiftRight<1>(low_first)));
        second = hn::ShiftRight<15>(hn::Add(second, hn::ShiftRight<1>(low_second)));
    } else {
        constexpr int shift = depth == Depth::byte ? 8 : 14;
        constexpr int16_t half = 1 << (shift - 1);
        const auto outer = hn::Add(hn::LoadU(d16, rows.high[0] + x), hn::LoadU(d16, rows.high[4] + x));
        const auto inner = hn::Add(hn::LoadU(d16, rows.high[1] + x), hn::LoadU(d16, rows.high[3] + x));
        V16 a, b;
        hs::ZipPairs(d16, hn::LoadU(d16, rows.high[2] + x), hn::Set(d16, 1), a, b);
        first = hs::AccumulatePairProducts(d32, a, pair(f2, half), hn::Zero(d32));
        second = hs::AccumulatePairProducts(d32, b, pair(f2, half), hn::Zero(d32));
        hs::ZipPairs(d16, outer, inner, a, b);
        first = hn::ShiftRight<shift>(hs::AccumulatePairProducts(d32, a, pair(f0, f1), first));
        second = hn::ShiftRight<shift>(hs::AccumulatePairProducts(d32, b, pair(f0, f1), second));
    }
}

// A row of the vertical blur in 16 bits. False when a value does not fit: then the row is of no use.
template <Depth depth>
HWY_INLINE bool vertical_row(const Window& rows, int16_t* out, size_t n) {
    const D16 d16;
    auto lowest = hn::Zero(d16), highest = hn::Zero(d16);
    for (size_t x = 0; x < n; x += hn::Lanes(d16)) {
        V32 first, second;
        vertical_at<depth>(rows, x, first, second);
        const auto blurred = hs::MergeSaturated(d16, first, second);
        lowest = hn::Min(lowest, blurred);
        highest = hn::Max(highest, blurred);
        hn::StoreU(blurred, d16, out + x);
    }
    // Beyond +-32767 the sum is left to the split form: there also its absolute value would not fit.
    return hn::AllTrue(d16, hn::Gt(lowest, hn::Set(d16, -32768))) && hn::AllTrue(d16, hn::Lt(highest, hn::Set(d16, 32767)));
}

// The same row in halves and low bits, for any values.
template <Depth depth>
HWY_NOINLINE void split_vertical_row(const Window& rows, int16_t* high, int16_t* low, size_t n) {
    const D16 d16;
    const auto one = hn::Set(D32(), 1);
    for (size_t x = 0; x < n; x += hn::Lanes(d16)) {
        V32 first, second;
        vertical_at<depth>(rows, x, first, second);
        hn::StoreU(hs::MergeSaturated(d16, hn::ShiftRight<1>(first), hn::ShiftRight<1>(second)), d16, high + x);
        hn::StoreU(hs::MergeSaturated(d16, hn::And(first, one), hn::And(second, one)), d16, low + x);
    }
}

// ---- Horizontal blur --------------------------------------------------------------------------------------------------------------------

// Sums of src[x .. x + 4] times the taps, from `start`, for even and for odd x.
HWY_INLINE void five_taps(const int16_t* src, V32 start, V32& even, V32& odd) {
    const D16 d16;
    const D32 d32;
    const auto a = hn::LoadU(d16, src), b = hn::LoadU(d16, src + 2), c = hn::LoadU(d16, src + 4);
    even = hs::AccumulatePairProducts(d32, a, pair(f0, f1), start);
    odd = hs::AccumulatePairProducts(d32, a, pair(0, f0), start);
    even = hs::AccumulatePairProducts(d32, b, pair(f2, f1), even);
    odd = hs::AccumulatePairProducts(d32, b, pair(f1, f2), odd);
    even = hs::AccumulatePairProducts(d32, c, pair(f0, 0), even);
    odd = hs::AccumulatePairProducts(d32, c, pair(f1, f0), odd);
}

// |blur| at one vector, at most 32767.
HWY_INLINE V16 magnitude_at(const int16_t* vertical) {
    const D16 d16;
    V32 even, odd;
    five_taps(vertical, hn::Set(D32(), 1 << 15), even, odd);
    return hn::Abs(hn::OddEven(hn::BitCast(d16, odd), hn::BitCast(d16, hn::ShiftRight<16>(even))));
}

// The sum of |blur| over n columns; a column reads vertical[x .. x + 4].
HWY_INLINE uint64_t horizontal_row(const int16_t* vertical, size_t n) {
    const D16 d16;
    const D32 d32;
    const auto ones = hn::Set(d16, 1);
    auto sum = hn::Zero(d32);
    size_t x = 0;
    for (; x + hn::Lanes(d16) <= n; x += hn::Lanes(d16)) sum = hs::AccumulatePairProducts(d32, magnitude_at(vertical + x), ones, sum);
    if (x < n) {
        const auto last = hn::IfThenElseZero(hn::FirstN(d16, n - x), magnitude_at(vertical + x));
        sum = hs::AccumulatePairProducts(d32, last, ones, sum);
    }
    return uint32_t(hn::GetLane(hn::SumOfLanes(d32, sum)));
}

// |blur| of a split row at one vector, at most 65535, in unsigned lanes.
HWY_INLINE hn::Vec<hn::RebindToUnsigned<D16>> split_magnitude_at(const int16_t* high, const int16_t* low) {
    const D32 d32;
    const hn::RebindToUnsigned<D16> du16;
    V32 even, odd, low_even, low_odd;
    five_taps(high, hn::Zero(d32), even, odd);
    five_taps(low, hn::Set(d32, 1 << 15), low_even, low_odd);
    even = hn::Abs(hn::ShiftRight<15>(hn::Add(even, hn::ShiftRight<1>(low_even))));
    odd = hn::Abs(hn::ShiftRight<15>(hn::Add(odd, hn::ShiftRight<1>(low_odd))));
    return hn::BitCast(du16, hn::Or(even, hn::ShiftLeft<16>(odd)));
}

HWY_NOINLINE uint64_t split_horizontal_row(const int16_t* high, const int16_t* low, size_t n) {
    const hn::RebindToUnsigned<D16> du16;
    const hn::RepartitionToWide<decltype(du16)> du32;
    auto sum = hn::Zero(du32);  // a lane adds at most 2 * 65535 for each vector of a strip
    for (size_t x = 0; x < n; x += hn::Lanes(du16)) {
        const auto kept = hn::IfThenElseZero(hn::FirstN(du16, n - x), split_magnitude_at(high + x, low + x));
        const auto pairs = hn::BitCast(du32, kept);
        sum = hn::Add(sum, hn::Add(hn::And(pairs, hn::Set(du32, 0xFFFF)), hn::ShiftRight<16>(pairs)));
    }
    return hn::GetLane(hn::SumOfLanes(du32, sum));
}

// ---- Pictures ---------------------------------------------------------------------------------------------------------------------------

// How far ahead of a row its successors are fetched.
constexpr ptrdiff_t rows_ahead = 2;

// Columns [begin, begin + n) of the picture, by rows.
template <Depth depth, class T>
class Strip {
public:
    Strip(const PlaneView<const T>& earlier, const PlaneView<const T>& current, int shift, const Scratch& scratch, int begin, int n)
        : earlier_(earlier), current_(current), scratch_(scratch), shift_(shift), begin_(begin), n_(n) {}

    uint64_t sad(Rows rows) {
        uint64_t sum = 0;
        int made = std::max(rows.begin - 2, 0);
        for (int y = rows.begin; y < rows.end; ++y) {
            for (; made <= std::min(y + 2, current_.height - 1); ++made) differs_[size_t(made % 5)] = make_difference(made);
            // Five rows without any difference blur to nothing: still pictures cost little more than a comparison.
            if (differs_[0] || differs_[1] || differs_[2] || differs_[3] || differs_[4]) sum += row_sad(window(y));
        }
        return sum;
    }

private:
    static int reflected(int i, int n) {
        if (i < 0) return -i;
        return i < n ? i : 2 * (n - 1) - i;
    }

    // Difference rows begin two columns left of the strip and end two columns right of it.
    bool make_difference(int y) {
        const int first = std::max(begin_ - 2, 0), last = std::min(begin_ + n_ + 2, current_.width);
        const int offset = first - (begin_ - 2);
        int16_t *const high = scratch_.difference(y), *const low = scratch_.difference_low(y);
        const bool any = difference_row<depth>(earlier_.row(y) + first, current_.row(y) + first, rows_ahead * current_.stride, shift_,
                                               high + offset, low + offset, size_t(last - first));
        reflect(high);
        if constexpr (depth == Depth::split) reflect(low);
        return any;
    }

    void reflect(int16_t* row) const {
        if (begin_ == 0) {
            row[0] = row[4];
            row[1] = row[3];
        }
        if (begin_ + n_ == current_.width) {
            row[n_ + 2] = row[n_];
            row[n_ + 3] = row[n_ - 1];
        }
    }

    Window window(int y) const {
        Window rows;
        for (int k = 0; k < 5; ++k) {
            const int row = reflected(y - 2 + k, current_.height);
            rows.high[size_t(k)] = scratch_.difference(row);
            rows.low[size_t(k)] = scratch_.difference_low(row);
        }
        return rows;
    }

    uint64_t row_sad(const Window& rows) const {
        const size_t columns = size_t(n_);
        if (HWY_LIKELY(vertical_row<depth>(rows, scratch_.vertical(), columns + 4))) return horizontal_row(scratch_.vertical(), columns);
        split_vertical_row<depth>(rows, scratch_.vertical(), scratch_.vertical_low(), columns + 4);
        return split_horizontal_row(scratch_.vertical(), scratch_.vertical_low(), columns);
    }

    const PlaneView<const T>& earlier_;
    const PlaneView<const T>& current_;
    const Scratch& scratch_;
    int shift_, begin_, n_;
    std::array<bool, 5> differs_{};
};

template <Depth depth, class T>
uint64_t picture_sad(const PlaneView<const T>& earlier, const PlaneView<const T>& current, int shift, Rows rows, const Scratch& scratch) {
    uint64_t sum = 0;
    const int strips = (current.width + Scratch::max_strip - 1) / Scratch::max_strip;
    for (int strip = 0; strip < strips; ++strip) {
        const int begin = int(int64_t(current.width) * strip / strips), end = int(int64_t(current.width) * (strip + 1) / strips);
        sum += Strip<depth, T>(earlier, current, shift, scratch, begin, end - begin).sad(rows);
    }
    return sum;
}

uint64_t sad_u8(const PlaneView<const uint8_t>& earlier, const PlaneView<const uint8_t>& current, Rows rows, const Scratch& scratch) {
    return picture_sad<Depth::byte>(earlier, current, 0, rows, scratch);
}

uint64_t sad_u16(const PlaneView<const uint16_t>& earlier, const PlaneView<const uint16_t>& current, int bits, Rows rows,
                 const Scratch& scratch) {
    if (bits <= 14) return picture_sad<Depth::scaled>(earlier, current, 14 - bits, rows, scratch);
    return picture_sad<Depth::split>(earlier, current, 16 - bits, rows, scratch);
}

const Passes& make_passes() {
    static constexpr Passes table{.sad_u8 = sad_u8, .sad_u16 = sad_u16};
    return table;
}

}  // namespace isometric::motion::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isometric::motion {

const Passes& passes(InstructionSet set) { ISO_SELECT_PASSES(set, make_passes); }

}  // namespace isometric::motion
#endif
