// The CPU passes of `vif`, one table for each instruction set: plain functions on rows, no state, no allocation, no failure.
//
// Layout of rows ("lanes own segments"). A row of `width` samples is cut into as many segments of `segment` samples as a vector has 32-bit
// lanes; position p of all segments is one vector: lane l holds column l * segment + p. A horizontal neighbour is then the neighbouring
// vector in the same lane, so that both filters run along memory without a shuffle. Positions begin `reach` before a segment and end
// `reach` after it; what they repeat of the neighbouring segments, or reflect at the borders of the picture, is there before a filter runs.
// Filters multiply pairs of 16-bit values: two rows (2m, 2m + 1) or two positions (2t, 2t + 1) share a 32-bit lane.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/instruction_set.h"
#include "metrics/vif/vif.h"

namespace isometric::vif {

constexpr int band_rows = 8;          // output rows of one vertical pass
constexpr int output_pairs_step = 4;  // pairs of positions that the horizontal passes form at a time; they read as far as that takes them
constexpr int max_row_pairs = 12;     // input pairs of rows that they need: (band_rows + 2 * 8) / 2

// Filter radius rounded up to pairs.
constexpr int reach_of(int scale) { return scale == 3 ? 2 : 8 >> scale; }

// How the samples of a row pair are stored.
enum class Samples {
    byte,  // 8-bit samples: a lane is (row 2m at p, row 2m at p + 1, row 2m + 1 at p, row 2m + 1 at p + 1); a vector is two positions
    full,  // words of 16 bits, samples of a smaller depth times 2^(16 - depth): a lane is (row 2m, row 2m + 1); a vector is one position
};

// A row between the two filters: for every pair of positions this many vectors of 16-bit pairs, less 2^15 so that they are signed.
enum Half : int { mean_ref, mean_dis, ref_sq_low, ref_sq_high, dis_sq_low, dis_sq_high, ref_dis_low, ref_dis_high, half_count };

// What the horizontal filter leaves for every position: vectors of 32-bit values.
// Means as Q24; second moments as Q16, less 2^31.
enum Moment : int { ref_mean, dis_mean, ref_sq, dis_sq, ref_dis, moment_count };

using RowPairs = std::array<const std::int32_t*, max_row_pairs>;

struct BandInput {
    // Row pairs from the one with row (first row of the band - reach) on, at the first position that is to be filtered.
    RowPairs ref{}, dis{};
    int position_pairs = 0;
};

// The output of a vertical pass: row r of the band begins at lines + r * stride.
struct BandLines {
    std::int16_t* lines = nullptr;
    std::ptrdiff_t stride = 0;
};

// The samples of a row that count: those with l * segment + p < width.
struct RowShape {
    int width = 0, segment = 0;
};

struct RowSums {
    std::int64_t den_log = 0, num_flat = 0, den_flat = 0;
    std::array<std::int64_t, 2> num_log{};
};

struct Passes {
    int lanes;  // 32-bit lanes of a vector

    // Rows a and b, already extended at both ends, into a row pair: lane l of the first vector begins at byte l * lane_stride. Reads 4
    // bytes for each lane and step; writes two vectors a step, their words shifted to the left.
    void (*transpose)(const std::uint8_t* a, const std::uint8_t* b, std::ptrdiff_t lane_stride, int steps, int left_shift,
                      std::int32_t* row_pair);

    // Vertical filter of the five maps, rows 0..7 of the band, by [scale] for words, and for pictures of bytes.
    // The scratch has room for vertical_scratch_vectors vectors.
    using Vertical = void (*)(const BandInput& in, const BandLines& out, std::int32_t* scratch);
    std::array<Vertical, scale_count> moments;
    Vertical moments_byte;

    // Vertical filter of the samples for the next scale, rows 0, 2, 4, 6 of the band: two vectors (ref, dis) for a pair of positions.
    std::array<Vertical, scale_count - 1> decimate_rows;  // [scale it reads]
    Vertical decimate_rows_byte;
    // Horizontal filter of two such lines at every even position, into the row pair that they become in the next scale. Reads as if
    // positions were a multiple of output_pairs_step.
    using DecimateColumns = void (*)(const std::int16_t* even_line, const std::int16_t* odd_line, int positions, std::int32_t* ref,
                                     std::int32_t* dis);
    std::array<DecimateColumns, scale_count - 1> decimate_columns;

    // Horizontal filter of a line from its first position on: moment_count vectors for each of 2 * position_pairs outputs, this rounded up
    // to a multiple of output_pairs_step.
    using Horizontal = void (*)(const std::int16_t* line, int position_pairs, std::int32_t* moments);
    std::array<Horizontal, scale_count> horizontal;
    // The statistic of positions begin..end - 1, added to sums; one or two gain limits. The scratch has room for statistic_scratch_vectors.
    void (*statistic)(const std::int32_t* moments, int begin, int end, const RowShape& shape, std::span<const double> gain_limits,
                      std::int32_t* scratch, RowSums& sums);
};

constexpr int vertical_scratch_vectors = band_rows + 4 * max_row_pairs;
constexpr int max_statistic_vectors = 64;  // end - begin of a statistic
constexpr int statistic_scratch_vectors = 6 * (max_statistic_vectors + 1);

const Passes& passes(InstructionSet set);

}  // namespace isometric::vif
