// Where the samples of one scale lie (vif_passes.h describes the layout), and the planes of the scales that are made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/aligned_memory.h"
#include "isometric/status.h"

namespace isometric::vif {

// Reflection that does not repeat the edge sample, of period 2 (n - 1); n >= 2.
int reflected(int i, int n);

struct PlaneShape {
    int scale = 0, width = 0, height = 0;
    int lanes = 0;
    int segment = 0;  // positions of a lane: 8 >> scale times a common factor, so that every scale's is half of the one before

    PlaneShape() = default;
    PlaneShape(int scale, int picture_width, int picture_height, int lanes);

    int reach() const;
    int output_pairs() const { return (segment + 1) / 2; }           // of positions
    int position_pairs() const { return output_pairs() + reach(); }  // with those of both sides
    std::size_t vectors() const { return 2 * std::size_t(position_pairs()); }
    int bands() const;

    // The index of a column's lane in a row of vectors, from the first position of the left side on. Columns 0..width - 1.
    std::size_t lane_index(int column) const {
        return std::size_t(column % segment + reach()) * std::size_t(lanes) + std::size_t(column / segment);
    }
    // The same for lane 0 and a position of either side.
    std::size_t first_lane_index(int position) const { return std::size_t(position + reach()) * std::size_t(lanes); }
};

// The plane of one picture at a scale from 1 on: rows in pairs, and beyond the plane what filters read there.
class Plane {
public:
    static Result<Plane> create(const PlaneShape& shape);

    // Rows 2m and 2m + 1; m from -reach / 2 on.
    std::int32_t* row_pair(int m) { return samples_.get() + std::size_t(m + shape_.reach() / 2) * pair_size(); }
    const std::int32_t* row_pair(int m) const { return samples_.get() + std::size_t(m + shape_.reach() / 2) * pair_size(); }

    // After rows 0..height - 1 are written: the rows and columns beyond the borders. A plane of one row takes them from row 1 of the plane
    // it was made from (docs/metrics/vif.md, section 6).
    void extend(const Plane& from);
    // The same for planes that have more rows.
    void extend();

private:
    struct Copy {
        std::uint32_t to, from;
    };
    explicit Plane(const PlaneShape& shape) : shape_(shape) {}
    std::size_t pair_size() const { return shape_.vectors() * std::size_t(shape_.lanes); }
    std::uint16_t* row_word(int y, std::size_t lane) { return reinterpret_cast<std::uint16_t*>(row_pair(y >> 1) + lane) + (y & 1); }
    std::uint16_t sample(int x, int y) const;
    void copy_rows(int m);
    void extend_columns();

    PlaneShape shape_;
    std::vector<Copy> columns_;  // lanes beyond the plane, and the samples that they reflect
    std::vector<Copy> vectors_;  // the same for all but one lane of the vectors beyond a segment: they repeat the neighbouring lane
    AlignedArray<std::int32_t> samples_;
};

}  // namespace isometric::vif
