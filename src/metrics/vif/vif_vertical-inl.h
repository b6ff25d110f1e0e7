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

// Emulated vectors do not get faster by unrolling, only slower to compile.
#undef ISO_VIF_INLINE
#if HWY_TARGET == HWY_EMU128
#define ISO_VIF_INLINE HWY_NOINLINE
#else
#define ISO_VIF_INLINE HWY_INLINE
#endif

// A lambda that is part of the function around it: GCC would call it once it is long.
#undef ISO_VIF_LAMBDA
#define ISO_VIF_LAMBDA HWY_ATTR __attribute__((always_inline))

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

// Both filters form four outputs at a time that are two rows (or positions) apart, so that all of them take the taps in the same pairs: an output
// at an even row begins with the pair (tap -reach, tap -reach + 1), one at an odd row (parity 1) with the pair before. at<k>() is pair k of
// reach + 1. They stay in registers, or where those are too few in memory; compilers would rather make them anew before each use.
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
        constexpr uint32_t first = TapPairs<filter, parity>::template first_tap<size_t(k)>, second = TapPairs<filter, parity>::template second_tap<size_t(k)>;
        // Kept apart from the next: GCC would add the products up in an order of its own, and spill them until then.
        if constexpr (first + second != 0) sum = hs::KeepValue(hs::AccumulatePairProducts(D32(), pairs, taps.template at<size_t(k)>(), sum));
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

template <int filter, int parity, size_t... m>
HWY_INLINE void filter_window(std::index_sequence<m...>, const TapPairs<filter, parity>& taps, const int16_t* window, size_t stride, V32& s0, V32& s1, V32& s2,
                              V32& s3) {
    (add_to_four<int(m)>(taps, hn::Load(D16(), window + m * stride), s0, s1, s2, s3), ...);
}

// Four outputs; window is where that of the first begins, a pair every `stride` words.
template <int filter, int parity>
HWY_INLINE void filter_four(const TapPairs<filter, parity>& taps, const int16_t* window, size_t stride, V32& s0, V32& s1, V32& s2, V32& s3) {
    filter_window(std::make_index_sequence<TapPairs<filter, parity>::count + 3>(), taps, window, stride, s0, s1, s2, s3);
}

// Row pairs of the window of a band; with the filter of the next scale, of its even rows.
template <int filter>
constexpr int window_pairs = band_rows / 2 + reach_of(filter);

// Samples of row pair t of positions, as words: of the first position (q = 0) or the second.
template <Samples samples>
HWY_INLINE V16 load_samples(const int32_t* rows, size_t t, size_t q) {
    const D16 d16;
    const D32 d32;
    const size_t n = hn::Lanes(d32);
    if constexpr (samples == Samples::byte) {
        const V16 bytes = hn::BitCast(d16, hn::Load(d32, rows + t * n));
        return q == 0 ? hn::And(bytes, hn::Set(d16, 0xFF)) : hn::BitCast(d16, hn::ShiftRight<8>(hn::BitCast(DU16(), bytes)));
    } else {
        return hn::BitCast(d16, hn::Load(d32, rows + (2 * t + q) * n));
    }
}

// Signed words of samples.
template <Samples samples>
HWY_INLINE V16 centred(V16 words) {
    return samples == Samples::full ? less_half(words) : words;
}

// The constants of a depth: means and second moments are brought to Q8 and Q16 of 8-bit steps, to nearest.
template <Samples samples>
struct Scaling {
    explicit Scaling(int bits) : mean_bits(samples == Samples::byte ? 8 : samples == Samples::full ? 16 : bits), square_bits(2 * (mean_bits - 8)) {}

    // Sums start from it; their bits mean_bits..mean_bits + 15 are then the mean less 2^15.
    HWY_INLINE V32 mean_start() const {
        const uint32_t lost = samples == Samples::full ? 1u << 31 : 0;
        return set_u32(lost + (1u << (mean_bits - 1)) - (1u << 15 << mean_bits));
    }
    // With A and B the sums of the high and low halves of products:
    //     (2^16 A + B + rounding) >> square_bits = (A << (16 - square_bits)) + ((B + rounding) >> square_bits).
    // Less 2^31, which makes the high word signed; at 8 bits A = 0 and nothing is shifted.
    HWY_INLINE V32 low_start() const { return samples == Samples::byte ? hn::Zero(D32()) : set_u32((1u << 31) + (1u << (square_bits - 1))); }
    HWY_INLINE V32 high_start() const { return samples == Samples::full ? hn::Zero(D32()) : set_u32(1u << (15 + square_bits)); }

    const int mean_bits, square_bits;
};

// Pair m of rows onto all rows of a band.
template <int m, int filter>
HWY_INLINE void add_to_band(const TapPairs<filter, 0>& even_taps, const TapPairs<filter, 1>& odd_taps, V16 pair, V32& s0, V32& s1, V32& s2, V32& s3, V32& s4,
                            V32& s5, V32& s6, V32& s7) {
    add_to_four<m>(even_taps, pair, s0, s2, s4, s6);
    add_to_four<m>(odd_taps, pair, s1, s3, s5, s7);
}

// The eight rows of a band; pairs(m) gives row pair m of the window.
template <int filter, class Pairs, size_t... m>
HWY_INLINE void filter_band(std::index_sequence<m...>, const TapPairs<filter, 0>& even_taps, const TapPairs<filter, 1>& odd_taps, Pairs pairs, V32& s0, V32& s1,
                            V32& s2, V32& s3, V32& s4, V32& s5, V32& s6, V32& s7) {
    (add_to_band<int(m)>(even_taps, odd_taps, pairs(m), s0, s1, s2, s3, s4, s5, s6, s7), ...);
}

// The pair of means that the sums at two positions give.
template <Samples samples>
HWY_INLINE V16 mean_pair(V32 first, V32 second, const Scaling<samples>& scaling) {
    const D16 d16;
    const DU32 du32;
    const auto low = hn::Shr(hn::BitCast(du32, first), hn::Set(du32, uint32_t(scaling.mean_bits)));
    const auto high = hn::Shl(hn::BitCast(du32, second), hn::Set(du32, uint32_t(16 - scaling.mean_bits)));
    return hn::OddEven(hn::BitCast(d16, high), hn::BitCast(d16, low));
}

// The lines of a band at a pair of positions. `first_sums` keeps those of the first position, a vector for each row.
template <Samples samples, int scale>
class BandFilter {
public:
    BandFilter(const BandInput& in, const BandLines& out, int32_t* first_sums) : in_(in), out_(out), first_sums_(first_sums), scaling_(in.bits) {}

    HWY_INLINE void lines_at(size_t t) {
        mean_line(in_.ref, t, mean_ref);
        mean_line(in_.dis, t, mean_dis);
        product_line(in_.ref, in_.ref, t, ref_sq_low);
        product_line(in_.dis, in_.dis, t, dis_sq_low);
        product_line(in_.ref, in_.dis, t, ref_dis_low);
    }

private:
    using Window = std::make_index_sequence<size_t(window_pairs<scale>)>;

    template <class Pairs>
    HWY_INLINE void filter(Pairs pairs, V32& s0, V32& s1, V32& s2, V32& s3, V32& s4, V32& s5, V32& s6, V32& s7) const {
        filter_band(Window(), even_taps_, odd_taps_, pairs, s0, s1, s2, s3, s4, s5, s6, s7);
    }

    template <class Store>
    static HWY_INLINE void for_rows(Store store, V32 s0, V32 s1, V32 s2, V32 s3, V32 s4, V32 s5, V32 s6, V32 s7) {
        store(0, s0), store(1, s1), store(2, s2), store(3, s3), store(4, s4), store(5, s5), store(6, s6), store(7, s7);
    }

    HWY_INLINE void mean_line(const RowPairs& rows, size_t t, Half half) {
        const D16 d16;
        const D32 d32;
        const size_t n = hn::Lanes(d32);
        int16_t* const to = out_.lines + (t * half_count + half) * 2 * n;
        const auto sums_at = [&](size_t q, auto store) ISO_VIF_LAMBDA {
            V32 s0 = scaling_.mean_start(), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
            filter([&](size_t m) ISO_VIF_LAMBDA { return centred<samples>(load_samples<samples>(rows[m], t, q)); }, s0, s1, s2, s3, s4, s5, s6, s7);
            for_rows(store, s0, s1, s2, s3, s4, s5, s6, s7);
        };
        sums_at(0, [&](size_t row, V32 sum) ISO_VIF_LAMBDA { hn::Store(sum, d32, first_sums_ + row * n); });
        sums_at(1, [&](size_t row, V32 sum) ISO_VIF_LAMBDA {
            hn::Store(mean_pair(hn::Load(d32, first_sums_ + row * n), sum, scaling_), d16, to + ptrdiff_t(row) * out_.stride);
        });
    }

    // Sums of products at position q, Q16 less 2^31.
    template <class Store>
    HWY_INLINE void product_sums(const RowPairs& left, const RowPairs& right, size_t t, size_t q, Store store) {
        const D16 d16;
        const DU16 du16;
        const DU32 du32;
        const auto factor = [&](const RowPairs& rows, size_t m) ISO_VIF_LAMBDA { return hn::BitCast(du16, load_samples<samples>(rows[m], t, q)); };
        const auto low = [&](size_t m) ISO_VIF_LAMBDA { return less_half(hn::BitCast(d16, hn::Mul(factor(left, m), factor(right, m)))); };
        V32 s0 = scaling_.low_start(), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
        filter(low, s0, s1, s2, s3, s4, s5, s6, s7);
        if constexpr (samples != Samples::byte) {
            const auto high = [&](size_t m) ISO_VIF_LAMBDA { return centred<samples>(hn::BitCast(d16, hn::MulHigh(factor(left, m), factor(right, m)))); };
            const auto right_shift = hn::Set(du32, uint32_t(scaling_.square_bits)), left_shift = hn::Set(du32, uint32_t(16 - scaling_.square_bits));
            const auto shift = [&](V32& s) ISO_VIF_LAMBDA { s = hn::BitCast(D32(), hn::Shr(hn::BitCast(du32, s), right_shift)); };
            shift(s0), shift(s1), shift(s2), shift(s3), shift(s4), shift(s5), shift(s6), shift(s7);
            if constexpr (samples == Samples::full) {  // no shift to the left
                filter(high, s0, s1, s2, s3, s4, s5, s6, s7);
            } else {
                V32 a0 = scaling_.high_start(), a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0, a6 = a0, a7 = a0;
                filter(high, a0, a1, a2, a3, a4, a5, a6, a7);
                const auto add = [&](V32& s, V32 a) ISO_VIF_LAMBDA { s = hn::Add(s, hn::BitCast(D32(), hn::Shl(hn::BitCast(du32, a), left_shift))); };
                add(s0, a0), add(s1, a1), add(s2, a2), add(s3, a3), add(s4, a4), add(s5, a5), add(s6, a6), add(s7, a7);
            }
        }
        for_rows(store, s0, s1, s2, s3, s4, s5, s6, s7);
    }

    HWY_INLINE void product_line(const RowPairs& left, const RowPairs& right, size_t t, Half low_half) {
        const D16 d16;
        const D32 d32;
        const size_t n = hn::Lanes(d32);
        int16_t* const line = out_.lines + (t * half_count + low_half) * 2 * n;
        product_sums(left, right, t, 0, [&](size_t row, V32 sum) ISO_VIF_LAMBDA { hn::Store(sum, d32, first_sums_ + row * n); });
        product_sums(left, right, t, 1, [&](size_t row, V32 second) ISO_VIF_LAMBDA {
            const V32 first = hn::Load(d32, first_sums_ + row * n);
            int16_t* const to = line + ptrdiff_t(row) * out_.stride;
            hn::Store(less_half(hn::OddEven(hn::BitCast(d16, hn::ShiftLeft<16>(second)), hn::BitCast(d16, first))), d16, to);
            hn::Store(hn::OddEven(hn::BitCast(d16, second), hn::BitCast(d16, hn::ShiftRight<16>(first))), d16, to + 2 * n);
        });
    }

    const BandInput& in_;
    const BandLines& out_;
    int32_t* const first_sums_;
    const Scaling<samples> scaling_;
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
    const D32 d32;
    const size_t n = hn::Lanes(d32), stride = 2 * n;
    const Scaling<samples> scaling(in.bits);
    const TapPairs<filter, 0> taps;
    int16_t* const rows = reinterpret_cast<int16_t*>(scratch);  // [position][row pair]
    const auto filter_picture = [&](const auto& row_pairs, size_t t, int16_t* to) ISO_VIF_LAMBDA {
        for (size_t m = 0; m < pairs; ++m) {
            hn::Store(centred<samples>(load_samples<samples>(row_pairs[m], t, 0)), d16, rows + m * stride);
            hn::Store(centred<samples>(load_samples<samples>(row_pairs[m], t, 1)), d16, rows + (pairs + m) * stride);
        }
        const V32 start = scaling.mean_start();
        V32 a0 = start, a1 = start, a2 = start, a3 = start, b0 = start, b1 = start, b2 = start, b3 = start;
        filter_four(taps, rows, stride, a0, a1, a2, a3);
        filter_four(taps, rows + pairs * stride, stride, b0, b1, b2, b3);
        hn::Store(mean_pair(a0, b0, scaling), d16, to);
        hn::Store(mean_pair(a1, b1, scaling), d16, to + out.stride);
        hn::Store(mean_pair(a2, b2, scaling), d16, to + 2 * out.stride);
        hn::Store(mean_pair(a3, b3, scaling), d16, to + 3 * out.stride);
    };
    for (size_t t = 0; t < size_t(in.position_pairs); ++t) {
        filter_picture(in.ref, t, out.lines + t * 4 * n);
        filter_picture(in.dis, t, out.lines + t * 4 * n + 2 * n);
    }
}

}  // namespace isometric::vif::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
