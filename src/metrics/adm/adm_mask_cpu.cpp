// Contrast masking of `adm`: thresholds, and the sums of cubes of what stays above them. Compiled once for each instruction set. Rounding
// rules: docs/metrics/adm.md, section 5.
#include "metrics/adm/adm_passes.h"
#include "metrics/adm/adm_targets.h"

#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "metrics/adm/adm_mask_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "base/simd_dispatch.h"
#include "metrics/adm/adm_simd.h"

HWY_BEFORE_NAMESPACE();
namespace isometric::adm::HWY_NAMESPACE {
namespace {

// ---- Cubes ------------------------------------------------------------------------------------------------------------------------------

// Sums of cubes of 32-bit lanes x >= 0: (round(x^2 >> square) * x + half) >> shift. Narrow: squares fit 31 bits. Wide: they keep 32 bits
// with sign.
template <int square_shift, bool wide>
class CubeSum {
public:
    explicit HWY_INLINE CubeSum(int shift) {
        const D64 d64;
        // Wide: an arithmetic shift as a logical one of the value plus 2^63.
        const uint64_t half = shift ? uint64_t(1) << (shift - 1) : 0;
        half_ = hn::Set(d64, int64_t(wide ? half + (uint64_t(1) << 63) : half));
        shift_ = hn::Set(DU64(), uint64_t(shift));
        bias_ = hn::Set(d64, int64_t((uint64_t(1) << 63) >> shift));
        sum_ = hn::Zero(d64);
    }
    HWY_INLINE void add(V32 x) {
        add_even(x);
        add_even(hn::DupOdd(x));
    }
    HWY_INLINE int64_t total() const { return hn::GetLane(hn::SumOfLanes(D64(), sum_)); }

private:
    HWY_INLINE void add_even(V32 x) {
        const D64 d64;
        const DU64 du64;
        const auto square = hn::Add(hn::MulEven(x, x), hn::Set(d64, int64_t(1) << (square_shift - 1)));
        const auto rounded = hn::BitCast(D32(), hn::ShiftRight<square_shift>(hn::BitCast(du64, square)));
        const auto cube = hn::Add(hn::MulEven(rounded, x), half_);
        const auto value = hn::BitCast(d64, hn::Shr(hn::BitCast(du64, cube), shift_));
        sum_ = hn::Add(sum_, wide ? hn::Sub(value, bias_) : value);
    }

    V64 half_, bias_, sum_;
    VU64 shift_;
};

// The cubes of one band's values above the threshold. Most values are below it: where lanes can be moved together those that count are
// collected first and cubed side by side in finish(), elsewhere vectors without any are left out. Loops work on a copy, so that its members
// are in registers.
constexpr int chunk_columns = 1024;

#if ISO_SIMD_STORES_SELECTED
struct Collected {
    HWY_ALIGN int32_t values[chunk_columns + 4 * hn::MaxLanes(D32())];
};

template <int square_shift, bool wide>
class BandCubes {
public:
    HWY_INLINE BandCubes(int, Collected& collected) : values_(collected.values) {}

    HWY_INLINE void add(V32 v) { collect(v, counts(v)); }
    HWY_INLINE void add(V32 v, hn::Mask<D32> lanes) { collect(v, hn::And(lanes, counts(v))); }
    HWY_INLINE void add_pair(V32 a, V32 b) { add(a), add(b); }
    HWY_INLINE void add_pair(V32 a, V32 b, hn::Mask<D32> lanes_a, hn::Mask<D32> lanes_b) { add(a, lanes_a), add(b, lanes_b); }
    HWY_INLINE int64_t finish(int shift) const {
        const D32 d32;
        const size_t step = hn::Lanes(d32);
        CubeSum<square_shift, wide> sum(shift);
        size_t i = 0;
        for (; i + step <= count_; i += step) sum.add(hn::Load(d32, values_ + i));
        if (i < count_) sum.add(hn::IfThenElseZero(hn::FirstN(d32, count_ - i), hn::Load(d32, values_ + i)));
        return sum.total();
    }

private:
    // The cube of any smaller value rounds to 0: its square is below half of 2^square_shift.
    static constexpr int32_t largest_of_no_cube = square_shift == 29 ? 16383 : 23170;
    static_assert(square_shift == 29 || square_shift == 30);

    HWY_INLINE static hn::Mask<D32> counts(V32 v) { return hn::Gt(v, hn::Set(D32(), largest_of_no_cube)); }
    HWY_INLINE void collect(V32 v, hn::Mask<D32> above) { count_ += hs::StoreSelected(D32(), v, above, values_ + count_); }

    int32_t* values_;
    size_t count_ = 0;
};
#else
struct Collected {};

template <int square_shift, bool wide>
class BandCubes {
public:
    HWY_INLINE BandCubes(int shift, Collected&) : sum_(shift) {}

    HWY_INLINE void add(V32 v) { sum_.add(hn::Max(v, hn::Zero(D32()))); }
    HWY_INLINE void add(V32 v, hn::Mask<D32> lanes) { add(hn::IfThenElseZero(lanes, v)); }
    HWY_INLINE void add_pair(V32 a, V32 b) {
        const D32 d32;
        const auto zero = hn::Zero(d32);
        const auto x = hn::Max(a, zero), y = hn::Max(b, zero);
        if (hn::AllTrue(d32, hn::Eq(hn::Or(x, y), zero))) return;
        sum_.add(x);
        sum_.add(y);
    }
    HWY_INLINE void add_pair(V32 a, V32 b, hn::Mask<D32> lanes_a, hn::Mask<D32> lanes_b) {
        add_pair(hn::IfThenElseZero(lanes_a, a), hn::IfThenElseZero(lanes_b, b));
    }
    HWY_INLINE int64_t finish(int) const { return sum_.total(); }

private:
    CubeSum<square_shift, wide> sum_;
};
#endif

template <int square_shift_hv, bool wide>
struct Cubes {
    BandCubes<square_shift_hv, wide> h, v;
    BandCubes<30, wide> d;

    HWY_INLINE Cubes(const std::array<int, bands>& shift, Collected (&collected)[bands])
        : h(shift[0], collected[0]), v(shift[1], collected[1]), d(shift[2], collected[2]) {}
    HWY_NOINLINE void add_to(std::array<int64_t, bands>& totals, const std::array<int, bands>& shift) const {
        const int64_t sums[bands] = {h.finish(shift[0]), v.finish(shift[1]), d.finish(shift[2])};
        for (size_t k = 0; k < bands; ++k) totals[k] = int64_t(uint64_t(totals[k]) + uint64_t(sums[k]));
    }
};

// What mask() is given.
template <class T>
struct MaskInput {
    const T* source;
    MaskRow above, here, below;
    Interval columns;
    const MaskFigures& figures;
};

// Adds the cubes of the scored columns, a chunk after the other.
template <class Pass, int square_shift_hv, bool wide, class T>
HWY_INLINE std::array<int64_t, bands> masked_cubes(const MaskInput<T>& in) {
    std::array<int64_t, bands> totals{};
    for (int x = aligned_begin(hn::ScalableTag<T>(), in.columns.begin); x < in.columns.end; x += chunk_columns) {
        Collected collected[bands];
        Cubes<square_shift_hv, wide> cubes(in.figures.cube_shift, collected);
        Pass::run(in, x, HWY_MIN(in.columns.end, x + chunk_columns), cubes);
        cubes.add_to(totals, in.figures.cube_shift);
    }
    return totals;
}

// Calls at(x, edge) for every vector that has columns of [begin, end), from x on, a multiple of its length; edge is true where it has
// others too.
template <class F>
HWY_INLINE void for_each_vector(int x, Interval columns, int end, int lanes, F at) {
    if (x < columns.begin) {
        at(x, std::true_type());
        x += lanes;
    }
    for (; x + lanes <= end; x += lanes) at(x, std::false_type());
    if (x < end) at(x, std::true_type());
}

// ---- Scale 0 ----------------------------------------------------------------------------------------------------------------------------

// Neighbours' figures around one vector of even and one of odd columns, and their own.
HWY_INLINE void ring_fine(const MaskRow& above, const MaskRow& here, const MaskRow& below, int x, V32& even, V32& odd) {
    const D32 d32;
    const int i = x >> 1;
    const auto load = [&](const MaskRow& row, size_t parity, int at) { return hn::LoadU(d32, row.around[parity] + at); };
    const auto sides_even = hn::Add(load(above, 0, i), load(below, 0, i)), sides_odd = hn::Add(load(above, 1, i), load(below, 1, i));
    const auto column_even = hn::Add(sides_even, load(here, 0, i)), column_odd = hn::Add(sides_odd, load(here, 1, i));
    const auto before = hn::Add(hn::Add(load(above, 1, i - 1), load(below, 1, i - 1)), load(here, 1, i - 1));
    const auto after = hn::Add(hn::Add(load(above, 0, i + 1), load(below, 0, i + 1)), load(here, 0, i + 1));
    even = hn::Add(hn::Add(sides_even, column_odd), hn::Add(before, hn::Load(d32, here.centre + x)));
    odd = hn::Add(hn::Add(sides_odd, column_even), hn::Add(after, hn::Load(d32, here.centre + x + hn::Lanes(d32))));
}

struct FineMask {
    template <class Sums>
    HWY_NOINLINE static void run(const MaskInput<int16_t>& in, int begin, int end, Sums& sums) {
        const D32 d32;
        Sums local = sums;
        const MaskRow above = in.above, here = in.here, below = in.below;
        const int16_t* const source = in.source;
        // |v| q as two products of 16-bit lanes, q = q1 + q2; if wide the source is negative
        const int sign = in.figures.wide ? -1 : 1;
        const auto factors = [&](uint32_t q) { return pair(int16_t(sign * int(q / 2)), int16_t(sign * int(q - q / 2))); };
        const auto q_h = factors(in.figures.weights[0]), q_v = factors(in.figures.weights[1]), q_d = factors(in.figures.weights[2]);
        const auto excess = [&](V16 twice, V16 q, V32 threshold)
                                ISO_INLINE_LAMBDA { return hs::AccumulatePairProducts(d32, twice, q, threshold); };
        for_each_vector(begin, in.columns, end, int(hn::Lanes(D16())), [&](int x, auto edge) ISO_INLINE_LAMBDA {
            V32 even, odd;  // minus the threshold
            ring_fine(above, here, below, x, even, odd);
            const auto even_hv = hn::ShiftLeft<10>(even), odd_hv = hn::ShiftLeft<10>(odd);
            const auto even_d = hn::ShiftLeft<12>(even), odd_d = hn::ShiftLeft<12>(odd);
            const auto h = load_source(source, x, 0), v = load_source(source, x, 1), d = load_source(source, x, 2);
            const auto add = [&](auto... lanes) ISO_INLINE_LAMBDA {
                local.h.add_pair(excess(twice_even(h), q_h, even_hv), excess(twice_odd(h), q_h, odd_hv), lanes...);
                local.v.add_pair(excess(twice_even(v), q_v, even_hv), excess(twice_odd(v), q_v, odd_hv), lanes...);
                local.d.add_pair(excess(twice_even(d), q_d, even_d), excess(twice_odd(d), q_d, odd_d), lanes...);
            };
            // Lane i of parity p is column x + 2 i + p.
            const auto scored = [&](int parity) {
                return lanes_between(d32, (in.columns.begin - x + 1 - parity) / 2, (in.columns.end - x + 1 - parity) / 2);
            };
            if constexpr (edge) add(scored(0), scored(1));
            else add();
        });
        sums = local;
    }
};

std::array<int64_t, bands> mask_fine(const int16_t* source, const MaskRow& above, const MaskRow& here, const MaskRow& below,
                                     const MaskFigures& figures, Interval columns) {
    const MaskInput<int16_t> in{source, above, here, below, columns, figures};
    return figures.wide ? masked_cubes<FineMask, 29, true>(in) : masked_cubes<FineMask, 29, false>(in);
}

// ---- Scales 1..3 ------------------------------------------------------------------------------------------------------------------------

struct CoarseMask {
    template <class Sums>
    HWY_NOINLINE static void run(const MaskInput<int32_t>& in, int begin, int end, Sums& sums) {
        const D32 d32;
        Sums local = sums;
        const int32_t *const up = in.above.around[0], *const at = in.here.around[0], *const down = in.below.around[0],
                             *const centre = in.here.centre;
        const int32_t* const source = in.source;
        const auto sides = [&](int column)
                               ISO_INLINE_LAMBDA { return hn::Add(hn::LoadU(d32, up + column), hn::LoadU(d32, down + column)); };
        for_each_vector(begin, in.columns, end, int(hn::Lanes(d32)), [&](int x, auto edge) ISO_INLINE_LAMBDA {
            const auto corners = hn::Add(hn::Add(sides(x - 1), sides(x)), sides(x + 1));
            const auto beside = hn::Add(hn::LoadU(d32, at + x - 1), hn::LoadU(d32, at + x + 1));
            const auto threshold = hn::Add(hn::Add(corners, beside), hn::Load(d32, centre + x));
            const auto add = [&](auto... lanes) ISO_INLINE_LAMBDA {
                local.h.add(hn::Sub(load_source(source, x, 0), threshold), lanes...);
                local.v.add(hn::Sub(load_source(source, x, 1), threshold), lanes...);
                local.d.add(hn::Sub(load_source(source, x, 2), threshold), lanes...);
            };
            if constexpr (edge) add(lanes_between(d32, in.columns.begin - x, in.columns.end - x));
            else add();
        });
        sums = local;
    }
};

std::array<int64_t, bands> mask_coarse(const int32_t* source, const MaskRow& above, const MaskRow& here, const MaskRow& below,
                                       const MaskFigures& figures, Interval columns) {
    const MaskInput<int32_t> in{source, above, here, below, columns, figures};
    return figures.wide ? masked_cubes<CoarseMask, 30, true>(in) : masked_cubes<CoarseMask, 30, false>(in);
}

}  // namespace

void add_mask_passes(Passes& passes) {
    passes.fine.mask = mask_fine;
    passes.coarse.mask = mask_coarse;
}

const Passes& make_passes() {
    static const Passes table = [] {
        Passes all{};
        add_transform_passes(all);
        add_decouple_passes(all);
        add_weigh_passes(all);
        add_mask_passes(all);
        return all;
    }();
    return table;
}

}  // namespace isometric::adm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isometric::adm {

bool wide_weights(const Weights& weights, int scale) {
    const std::int64_t largest = largest_coefficient[std::size_t(scale)];
    // The largest x for which x^2, rounded and shifted by 29 and by 30, has 31 bits.
    constexpr std::int64_t root_29 = 1073741823, root_30 = 1518500249;
    for (std::size_t k = 0; k < bands; ++k) {
        const std::int64_t q = weights.fixed[k];
        if (scale > 0) {
            if (q >> 31 || ((q * largest) >> 28) + 1 > root_30) return true;
        } else {
            const std::int64_t weighted = k < 2 ? (q * largest + 16384) >> 15 : (q * largest + 65535) >> 17;
            // Two factors of 15 bits make q; |weighted| has 15 bits.
            if (q > 2 * 32767 || weighted > 32767 || q * largest > (k < 2 ? root_29 : root_30)) return true;
        }
    }
    return false;
}

const Passes& passes(InstructionSet set) {
    if (set == InstructionSet::sve2) set = InstructionSet::neon;
    ISO_SELECT_PASSES(set, make_passes);
}

}  // namespace isometric::adm
#endif
