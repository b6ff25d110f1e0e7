// The CPU passes of `adm`, one table for each instruction set: plain functions on rows. Pointers to rows point at column 0; a pass works on
// the columns of an interval, may write what it likes up to `row_padding` elements outside of it, and may read (and not use) as far.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/instruction_set.h"
#include "metrics/adm/adm.h"

namespace isometric::adm {

// Elements before and after every row of a workspace: more than the longest vector of any target.
constexpr int row_padding = 256;

// ---- Transform --------------------------------------------------------------------------------------------------------------------------

// A row of the vertical filter's output at scale 0, in columns of four: outer has columns 4t and 4t + 3 side by side, inner 4t + 1 and 4t
// + 2. So the horizontal filter finds the pairs it multiplies in neighbouring lanes, and no lane ever moves.
struct FineRow {
    std::int16_t* outer = nullptr;
    std::int16_t* inner = nullptr;

    std::int16_t& at(int column) const {
        std::int16_t* const half = (column & 3) == 0 || (column & 3) == 3 ? outer : inner;
        return half[2 * (column >> 2) + ((column & 3) > 1)];
    }
};

// The same at scales 1..3, 32-bit values as two 16-bit ones: value = high * 2^16 + low, both signed.
struct CoarseRow {
    std::int16_t* high = nullptr;
    std::int16_t* low = nullptr;
};

// Both outputs of a vertical filter.
template <class Row>
struct Filtered {
    Row low, high;
};

// Two neighbouring rows of a filter's input.
template <class T>
struct RowPair {
    const T* upper = nullptr;
    const T* lower = nullptr;
};

// The vertical filter reads four rows, the second two of which are the first two of the next output. `pairs` keeps them as they are
// multiplied, in a layout of the pass's own: pair_words() elements. begin() starts with the first two rows, next() takes the second two and
// filters; without out.high only the low-pass filter. `ahead` is a row that a later call will take, to be fetched from memory meanwhile, or
// null. `columns` are of the input, `width` its width: columns beyond it are mirrored.
template <class T, class Row>
struct VerticalPasses {
    // `depth` is the samples' bit depth, at scale 0.
    void (*begin)(RowPair<T> rows, Interval columns, int width, int depth, std::int32_t* pairs);
    void (*next)(RowPair<T> rows, const T* ahead, Interval columns, int width, int depth, std::int32_t* pairs, Filtered<Row> out);
};
constexpr std::size_t pair_words(int width) { return 2 * (std::size_t(width) + 2 * row_padding); }

// A row of samples to be fetched, the input of a transform.
struct BytesAhead {
    const std::byte* row = nullptr;
    int bytes_per_sample = 1;
};

// One row of a transform's output.
template <class T>
struct TransformedRow {
    T* a = nullptr;  // the next scale's input
    std::array<T*, bands> detail{};
};

// ---- Bands to sums ----------------------------------------------------------------------------------------------------------------------

template <class T>
using BandRows = std::array<T*, bands>;
template <class T>
using ConstBandRows = std::array<const T*, bands>;

template <class T>
ConstBandRows<T> read_only(const BandRows<T>& rows) {
    return {rows[0], rows[1], rows[2]};
}

// What one row of a masking part adds to thresholds, summed over the bands: `around` to its eight neighbours', `centre` to its own. At
// scale 0 the figures are negative, around[0] has the even columns and [1] the odd ones, column j at j >> 1, and `centre` has a vector of
// even columns and one of odd columns in turn. At scales 1..3 around[0] and centre have all columns.
struct MaskRow {
    std::array<std::int32_t*, 2> around{};
    std::int32_t* centre = nullptr;
};

// Fixed-point figures of one scale of one configuration, as the passes take them.
struct MaskFigures {
    double gain = 1;
    std::array<std::uint32_t, bands> weights{};
    std::array<int, bands> cube_shift{};
    // Whether weights are so large that intermediate values leave their range and wrap, as the reference's do (wide_weights()).
    bool wide = false;
};
bool wide_weights(const Weights& weights, int scale);

// One part of a row: a source of mask(), with a vector of each band in turn, and a masking row.
template <class T>
struct Part {
    T* source = nullptr;
    MaskRow masking;
};

// T is int16_t at scale 0 and int32_t at scales 1..3.
template <class T>
struct BandPasses {
    // Fades the reference's bands to the distorted ones': `restored` before the gain limit, and where both point the same way, all bits
    // set.
    void (*restore)(const ConstBandRows<T>& ref, const ConstBandRows<T>& dis, Interval columns, const BandRows<T>& restored, T* same_way);

    // The gain limit and the weights of one configuration: where both point the same way the restored part may be raised by the gain, up to
    // the distorted band; additive = distorted - restored. Each part is left as what mask() takes as a source, |value| at scale 0 (if wide
    // -|value|) and |weighted value| at scales 1..3, and as a masking row. `columns` are the scored ones of `width`; their neighbours are
    // provided too.
    void (*weigh)(const ConstBandRows<T>& faded, const ConstBandRows<T>& dis, const T* same_way, const MaskFigures& figures,
                  Interval columns, int width, const Part<T>& restored, const Part<T>& additive);

    // Cubes of what remains of a source's row above the thresholds of the masking part's rows, summed over the scored columns.
    std::array<std::int64_t, bands> (*mask)(const T* source, const MaskRow& above, const MaskRow& here, const MaskRow& below,
                                            const MaskFigures& figures, Interval columns);

    // Cubes of one band of the reference over the scored columns.
    std::uint64_t (*cubes)(const T* band, Interval columns, const ScaleShifts& shifts);
};

struct Passes {
    VerticalPasses<std::uint8_t, FineRow> vertical_u8;
    VerticalPasses<std::uint16_t, FineRow> vertical_u16;
    VerticalPasses<std::int16_t, CoarseRow> vertical_i16;  // scale 1
    VerticalPasses<std::int32_t, CoarseRow> vertical_i32;  // scales 2 and 3

    // `columns` are of the output. Without in.high only `a` is made. ahead: bytes that a later call will read, of this call's share of the
    // columns.
    void (*horizontal_fine)(Filtered<FineRow> in, Interval columns, const TransformedRow<std::int16_t>& out, BytesAhead ahead);
    void (*horizontal_coarse)(Filtered<CoarseRow> in, Interval columns, int scale, const TransformedRow<std::int32_t>& out);

    BandPasses<std::int16_t> fine;
    BandPasses<std::int32_t> coarse;
};

const Passes& passes(InstructionSet set);

}  // namespace isometric::adm
