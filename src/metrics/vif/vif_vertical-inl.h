// The vertical filters of `vif`: part of vif_cpu.cpp, compiled once for each instruction set.
//
// Sums of 16 taps are formed from signed 16-bit pairs. A value v of 16 bits enters as v - 2^15; since the taps sum to 2^16, that takes 2^31
// from the sum, and all sums are modulo 2^32. A product of samples enters as its two halves, each a value of 16 bits.
#if defined(ISO_METRICS_VIF_VERTICAL_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ISO_METRICS_VIF_VERTICAL_INL_H
#undef ISO_METRICS_VIF_VERTICAL_INL_H
#else
#define ISO_METRICS_VIF_VERTICAL_INL_H
#endif

#include <hwy/highway.h>

#include <utility>

#include "metrics/vif/vif_passes.h"
#include "metrics/vif/vif_tables.h"
#include "numeric/simd_supplement.h"

// Emulated vectors do not get faster by unrolling, only slower to compile. A lambda is part of the function around it: GCC would call it
// once it is long.
#undef ISO_VIF_INLINE
#undef ISO_VIF_LAMBDA
#if HWY_TARGET == HWY_EMU128
#define ISO_VIF_INLINE HWY_NOINLINE
#define ISO_VIF_LAMBDA
#else
#define ISO_VIF_INLINE HWY_INLINE
#define ISO_VIF_LAMBDA HWY_ATTR __attribute__((always_inline))
#endif

HWY_BEFORE_NAMESPACE();
namespace isometric::vif::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
namespace hs = isometric::simd::HWY_NAMESPACE;

using D16 = hn::ScalableTag<int16_t>;
using DU16 = hn::RebindToUnsigned<D16>;
using D32 = hn::RepartitionToWide<D16>;
using DU32 = hn::RebindToUnsigned<D32>;
using V16 = hn::Vec<D16>;
using V32 = hn::Vec<D32>;

// Words with the top bit flipped: unsigned values less 2^15.
HWY_INLINE V16 less_half(V16 v) { return hn::Xor(v, hn::Set(D16(), int16_t(-32768))); }

HWY_INLINE V32 set_u32(uint32_t value) { return hn::Set(D32(), int32_t(value)); }

HWY_INLINE V32 upper_word(V32 v) { return hn::BitCast(D32(), hn::ShiftRight<16>(hn::BitCast(DU32(), v))); }

// Both filters form four outputs at a time that are two rows (or positions) apart, so that all of them take the taps in the same pairs: an
// output at an even row begins with the pair (tap -reach, tap -reach + 1), one at an odd row (parity 1) with the pair before. at<k>() is
// pair k of reach + 1. They stay in registers, or where those are too few in memory; compilers would rather make them anew before each use.
template <int filter, int parity>
class TapPairs {
public:
    static constexpr size_t count = size_t(reach_of(filter)) + 1;

    TapPairs() { load(std::make_index_sequence<count>()); }

    template <size_t k>
    static constexpr uint32_t first_tap = tap<filter>(2 * int(k) - reach_of(filter) - parity);
    template <size_t k>
    static constexpr uint32_t second_tap = tap<filter>(2 * int(k) - reach_of(filter) - parity + 1);

    template <size_t k>
    HWY_INLINE V16 at() const {
#if HWY_HAVE_SCALABLE
        return make<k>();
#else
        return pairs_[k];
#endif
    }

private:
    // A tap that does not fit a signed word is added in two parts; this is the first.
    static constexpr uint32_t fitting(uint32_t value) { return value > 32767 ? value - value / 2 : value; }
    template <size_t k>
    static HWY_INLINE V16 make() {
        return hn::BitCast(D16(), set_u32(fitting(first_tap<k>) | fitting(second_tap<k>) << 16));
    }
    template <size_t... k>
    HWY_INLINE void load(std::index_sequence<k...>) {
#if !HWY_HAVE_SCALABLE
        ((pairs_[k] = hs::KeepValue(make<k>())), ...);
#endif
    }

#if !HWY_HAVE_SCALABLE
    V16 pairs_[count];
#endif
};

// sum += first tap * first word + second tap * second word of every lane, if k is a pair of the filter.
template <int k, int filter, int parity>
HWY_INLINE void add_taps(const TapPairs<filter, parity>& taps, V16 pairs, V32& sum) {
    if constexpr (k >= 0 && k < int(TapPairs<filter, parity>::count)) {
        constexpr uint32_t first = TapPairs<filter, parity>::template first_tap<size_t(k)>,
                           second = TapPairs<filter, parity>::template second_tap<size_t(k)>;
        // Kept apart from the next: GCC would add the products up in an order of its own, and spill them until then.
        if constexpr (first + second != 0)
            sum = hs::KeepValue(hs::AccumulatePairProducts(D32(), pairs, taps.template at<size_t(k)>(), sum));
        constexpr uint32_t first_rest = first > 32767 ? first / 2 : 0, second_rest = second > 32767 ? second / 2 : 0;
        if constexpr (first_rest + second_rest != 0)
            sum = hs::AccumulatePairProducts(D32(), pairs, hn::BitCast(D16(), set_u32(first_rest | second_rest << 16)), sum);
    }
}

template <int m, int filter, int parity>
ISO_VIF_INLINE void add_to_four(const TapPairs<filter, parity>& taps, V16 pair, V32& s0, V32& s1, V32& s2, V32& s3) {
    add_taps<m>(taps, pair, s0);
    add_taps<m - 1>(taps, pair, s1);
    add_taps<m - 2>(taps, pair, s2);
    add_taps<m - 3>(taps, pair, s3);
}

template <int filter, int parity, class Pairs, size_t... m>
HWY_INLINE void filter_window(std::index_sequence<m...>, const TapPairs<filter, parity>& taps, Pairs pairs, V32& s0, V32& s1, V32& s2,
                              V32& s3) {
    (add_to_four<int(m)>(taps, pairs(m), s0, s1, s2, s3), ...);
}

// Four outputs; pairs(m) gives the pairs from the one on where the window of the first begins.
template <int filter, int parity, class Pairs>
HWY_INLINE void filter_four(const TapPairs<filter, parity>& taps, Pairs pairs, V32& s0, V32& s1, V32& s2, V32& s3) {
    filter_window(std::make_index_sequence<TapPairs<filter, parity>::count + 3>(), taps, pairs, s0, s1, s2, s3);
}

// Two maps at once: eight sums take turns, where four would wait for themselves.
template <int filter, int parity, class Pairs, class OtherPairs, size_t... m>
HWY_INLINE void filter_windows(std::index_sequence<m...>, const TapPairs<filter, parity>& taps, Pairs pairs, V32& s0, V32& s1, V32& s2,
                               V32& s3, OtherPairs other_pairs, V32& r0, V32& r1, V32& r2, V32& r3) {
    ((add_to_four<int(m)>(taps, pairs(m), s0, s1, s2, s3), add_to_four<int(m)>(taps, other_pairs(m), r0, r1, r2, r3)), ...);
}

// Row pairs of the window of a band; with the filter of the next scale, of its even rows.
template <int filter>
constexpr int window_pairs = band_rows / 2 + reach_of(filter);

// Row pair m's samples at position q (0 or 1) of a pair of positions, as words: bytes are taken apart once for all maps.
template <Samples samples>
class WindowWords {
public:
    static constexpr size_t max_vectors = 2 * max_row_pairs;

    explicit WindowWords(int16_t* room) : room_(room) {}

    HWY_INLINE void load(const RowPairs& rows, size_t t, size_t pairs) {
        const D16 d16;
        const size_t n = hn::Lanes(d16);
        if constexpr (samples == Samples::byte) {
            for (size_t m = 0; m < pairs; ++m) {
                const V16 bytes = hn::Load(d16, reinterpret_cast<const int16_t*>(rows[m]) + t * n);
                hn::Store(hn::And(bytes, hn::Set(d16, 0xFF)), d16, room_ + 2 * m * n);
                hn::Store(hn::BitCast(d16, hn::ShiftRight<8>(hn::BitCast(DU16(), bytes))), d16, room_ + (2 * m + 1) * n);
            }
        } else {
            rows_ = &rows;
            offset_ = 2 * t * n;
        }
    }
    HWY_INLINE V16 at(size_t m, size_t q) const {
        const D16 d16;
        const size_t n = hn::Lanes(d16);
        if constexpr (samples == Samples::byte) return hn::Load(d16, room_ + (2 * m + q) * n);
        else return hn::Load(d16, reinterpret_cast<const int16_t*>((*rows_)[m]) + offset_ + q * n);
    }
    // Less 2^15 where they need all 16 bits.
    HWY_INLINE V16 signed_at(size_t m, size_t q) const { return samples == Samples::byte ? at(m, q) : less_half(at(m, q)); }

private:
    int16_t* room_;
    const RowPairs* rows_ = nullptr;
    size_t offset_ = 0;
};

// Means come to Q8 of 8-bit steps, to nearest; sums of them start here and are then 2^15 short in the word from bit mean_bits on.
template <Samples samples>
constexpr int mean_bits = samples == Samples::byte ? 8 : 16;
template <Samples samples>
constexpr uint32_t mean_start = samples == Samples::byte ? (1u << 7) - (1u << 23) : 1u << 15;

// Pair m of rows onto all rows of a band.
template <int m, int filter>
HWY_INLINE void add_to_band(const TapPairs<filter, 0>& even_taps, const TapPairs<filter, 1>& odd_taps, V16 pair, V32& s0, V32& s1, V32& s2,
                            V32& s3, V32& s4, V32& s5, V32& s6, V32& s7) {
    add_to_four<m>(even_taps, pair, s0, s2, s4, s6);
    add_to_four<m>(odd_taps, pair, s1, s3, s5, s7);
}

// The eight rows of a band; pairs(m) gives row pair m of the window.
template <int filter, class Pairs, size_t... m>
HWY_INLINE void filter_band(std::index_sequence<m...>, const TapPairs<filter, 0>& even_taps, const TapPairs<filter, 1>& odd_taps,
                            Pairs pairs, V32& s0, V32& s1, V32& s2, V32& s3, V32& s4, V32& s5, V32& s6, V32& s7) {
    (add_to_band<int(m)>(even_taps, odd_taps, pairs(m), s0, s1, s2, s3, s4, s5, s6, s7), ...);
}

// The pair of means that the sums at two positions give.
template <Samples samples>
HWY_INLINE V16 mean_pair(V32 first, V32 second) {
    const D16 d16;
    const V32 low = hn::ShiftRight<mean_bits<samples>>(first);
    const V32 high = samples == Samples::byte ? hn::ShiftLeft<16 - mean_bits<samples>>(second) : second;
    return hn::OddEven(hn::BitCast(d16, high), hn::BitCast(d16, low));
}

// The lines of a band at a pair of positions. The scratch keeps the sums of the first position, a vector for each row, and the window's
// words.
template <Samples samples, int scale>
class BandFilter {
public:
    BandFilter(const BandInput& in, const BandLines& out, int32_t* scratch)
        : in_(in), out_(out), first_sums_(scratch), ref_(words_room(scratch, 0)), dis_(words_room(scratch, 1)) {}

    HWY_INLINE void lines_at(size_t t) {
        ref_.load(in_.ref, t, size_t(window_pairs<scale>));
        dis_.load(in_.dis, t, size_t(window_pairs<scale>));
        mean_line(ref_, t, mean_ref);
        mean_line(dis_, t, mean_dis);
        product_line(ref_, ref_, t, ref_sq_low);
        product_line(dis_, dis_, t, dis_sq_low);
        product_line(ref_, dis_, t, ref_dis_low);
    }

private:
    using Words = WindowWords<samples>;
    using Window = std::make_index_sequence<size_t(window_pairs<scale>)>;

    static int16_t* words_room(int32_t* scratch, size_t picture) {
        return reinterpret_cast<int16_t*>(scratch + (band_rows + picture * Words::max_vectors) * hn::Lanes(D32()));
    }

    template <class Pairs>
    HWY_INLINE void filter(Pairs pairs, V32& s0, V32& s1, V32& s2, V32& s3, V32& s4, V32& s5, V32& s6, V32& s7) const {
        filter_band(Window(), even_taps_, odd_taps_, pairs, s0, s1, s2, s3, s4, s5, s6, s7);
    }

    template <class Store>
    static HWY_INLINE void for_rows(Store store, V32 s0, V32 s1, V32 s2, V32 s3, V32 s4, V32 s5, V32 s6, V32 s7) {
        store(0, s0), store(1, s1), store(2, s2), store(3, s3), store(4, s4), store(5, s5), store(6, s6), store(7, s7);
    }

    HWY_INLINE void mean_line(const Words& words, size_t t, Half half) {
        const D16 d16;
        const D32 d32;
        const size_t n = hn::Lanes(d32);
        int16_t* const to = out_.lines + (t * half_count + half) * 2 * n;
        const auto sums_at = [&](size_t q, auto store) ISO_VIF_LAMBDA {
            V32 s0 = set_u32(mean_start<samples>), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
            filter([&](size_t m) ISO_VIF_LAMBDA { return words.signed_at(m, q); }, s0, s1, s2, s3, s4, s5, s6, s7);
            for_rows(store, s0, s1, s2, s3, s4, s5, s6, s7);
        };
        sums_at(0, [&](size_t row, V32 sum) ISO_VIF_LAMBDA { hn::Store(sum, d32, first_sums_ + row * n); });
        sums_at(1, [&](size_t row, V32 sum) ISO_VIF_LAMBDA {
            hn::Store(mean_pair<samples>(hn::Load(d32, first_sums_ + row * n), sum), d16, to + ptrdiff_t(row) * out_.stride);
        });
    }

    // Sums of products at position q, Q16 less 2^31. With A and B the sums of their high and low halves,
    //     (2^16 A + B + 2^15) >> 16 = A + ((B + 2^15) >> 16);
    // products of bytes have no high half, and are not rounded.
    template <class Store>
    HWY_INLINE void product_sums(const Words& left, const Words& right, size_t q, Store store) {
        const D16 d16;
        const DU16 du16;
        const auto factor = [&](const Words& words, size_t m) ISO_VIF_LAMBDA { return hn::BitCast(du16, words.at(m, q)); };
        const auto low = [&](size_t m) ISO_VIF_LAMBDA { return less_half(hn::BitCast(d16, hn::Mul(factor(left, m), factor(right, m)))); };
        V32 s0 = set_u32(samples == Samples::byte ? 0 : (1u << 31) + (1u << 15)), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0,
            s7 = s0;
        filter(low, s0, s1, s2, s3, s4, s5, s6, s7);
        if constexpr (samples == Samples::full) {
            const auto high = [&](size_t m)
                                  ISO_VIF_LAMBDA { return less_half(hn::BitCast(d16, hn::MulHigh(factor(left, m), factor(right, m)))); };
            s0 = upper_word(s0), s1 = upper_word(s1), s2 = upper_word(s2), s3 = upper_word(s3);
            s4 = upper_word(s4), s5 = upper_word(s5), s6 = upper_word(s6), s7 = upper_word(s7);
            filter(high, s0, s1, s2, s3, s4, s5, s6, s7);
        }
        for_rows(store, s0, s1, s2, s3, s4, s5, s6, s7);
    }

    HWY_INLINE void product_line(const Words& left, const Words& right, size_t t, Half low_half) {
        const D16 d16;
        const D32 d32;
        const size_t n = hn::Lanes(d32);
        int16_t* const line = out_.lines + (t * half_count + low_half) * 2 * n;
        product_sums(left, right, 0, [&](size_t row, V32 sum) ISO_VIF_LAMBDA { hn::Store(sum, d32, first_sums_ + row * n); });
        product_sums(left, right, 1, [&](size_t row, V32 second) ISO_VIF_LAMBDA {
            const V32 first = hn::Load(d32, first_sums_ + row * n);
            int16_t* const to = line + ptrdiff_t(row) * out_.stride;
            hn::Store(less_half(hn::OddEven(hn::BitCast(d16, hn::ShiftLeft<16>(second)), hn::BitCast(d16, first))), d16, to);
            hn::Store(hn::OddEven(hn::BitCast(d16, second), hn::BitCast(d16, hn::ShiftRight<16>(first))), d16, to + 2 * n);
        });
    }

    const BandInput& in_;
    const BandLines& out_;
    int32_t* const first_sums_;
    Words ref_, dis_;
    const TapPairs<scale, 0> even_taps_;
    const TapPairs<scale, 1> odd_taps_;
};

template <Samples samples, int scale>
void moments(const BandInput& in, const BandLines& out, int32_t* scratch) {
    BandFilter<samples, scale> band(in, out, scratch);
    for (size_t t = 0; t < size_t(in.position_pairs); ++t) band.lines_at(t);
}

template <Samples samples, int filter>
void decimate_rows(const BandInput& in, const BandLines& out, int32_t* scratch) {
    constexpr size_t pairs = size_t(window_pairs<filter>);
    const D16 d16;
    const size_t n = hn::Lanes(D32());
    const TapPairs<filter, 0> taps;
    WindowWords<samples> words(reinterpret_cast<int16_t*>(scratch));
    const auto filter_picture = [&](const RowPairs& rows, size_t t, int16_t* to) ISO_VIF_LAMBDA {
        words.load(rows, t, pairs);
        const V32 start = set_u32(mean_start<samples>);
        V32 a0 = start, a1 = start, a2 = start, a3 = start, b0 = start, b1 = start, b2 = start, b3 = start;
        filter_four(
            taps, [&](size_t m) ISO_VIF_LAMBDA { return words.signed_at(m, 0); }, a0, a1, a2, a3);
        filter_four(
            taps, [&](size_t m) ISO_VIF_LAMBDA { return words.signed_at(m, 1); }, b0, b1, b2, b3);
        hn::Store(mean_pair<samples>(a0, b0), d16, to);
        hn::Store(mean_pair<samples>(a1, b1), d16, to + out.stride);
        hn::Store(mean_pair<samples>(a2, b2), d16, to + 2 * out.stride);
        hn::Store(mean_pair<samples>(a3, b3), d16, to + 3 * out.stride);
    };
    for (size_t t = 0; t < size_t(in.position_pairs); ++t) {
        filter_picture(in.ref, t, out.lines + t * 4 * n);
        filter_picture(in.dis, t, out.lines + t * 4 * n + 2 * n);
    }
}

}  // namespace isometric::vif::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
