#include "metrics/vif/vif_plane.h"

#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/assert.h"
#include "base/error.h"
#include "metrics/vif/vif_passes.h"
#include "metrics/vif/vif_tables.h"

namespace isometric::vif {

int reflected(int i, int n) {
    const int period = 2 * (n - 1);
    i = std::abs(i) % period;
    return i < n ? i : period - i;
}

PlaneShape::PlaneShape(int of_scale, int picture_width, int picture_height, int vector_lanes)
    : scale(of_scale), width(picture_width >> of_scale), height(picture_height >> of_scale), lanes(vector_lanes) {
    const int unit = 8 * lanes;  // three halvings
    segment = (8 * ((picture_width + unit - 1) / unit)) >> scale;
}

int PlaneShape::reach() const { return reach_of(scale); }
int PlaneShape::bands() const { return (height + band_rows - 1) / band_rows; }

Result<Plane> Plane::create(const PlaneShape& shape) {
    Plane plane(shape);
    // The last band's window ends reach rows after the band.
    const std::size_t pairs = std::size_t(shape.bands()) * (band_rows / 2) + std::size_t(shape.reach());
    ISO_TRY(plane.samples_, make_aligned<std::int32_t>(pairs * plane.pair_size(), "a plane of vif"));
    if (shape.width < 2) return plane;
    const auto is_inside = [&](int x) { return x >= 0 && x < shape.width; };
    for (int position = -shape.reach(); position < 2 * shape.output_pairs() + shape.reach(); ++position) {
        const bool before = position < 0, after = position >= shape.segment;
        const int neighbour = before ? position + shape.segment : position - shape.segment;
        // Segments may be shorter than what filters read beside them: then lane for lane.
        const bool shifted = (before || after) && neighbour >= 0 && neighbour < shape.segment;
        if (shifted)
            plane.vectors_.push_back({std::uint32_t(shape.first_lane_index(position) + (before ? 1 : 0)),
                                      std::uint32_t(shape.first_lane_index(neighbour) + (before ? 0 : 1))});
        for (int lane = 0; lane < shape.lanes; ++lane) {
            const int x = lane * shape.segment + position;
            if (is_inside(x) ? shifted || (!before && !after) : x < -shape.reach() || x >= shape.width + shape.reach()) continue;
            plane.columns_.push_back({std::uint32_t(shape.first_lane_index(position) + std::size_t(lane)),
                                      std::uint32_t(shape.lane_index(is_inside(x) ? x : reflected(x, shape.width)))});
        }
    }
    return plane;
}

std::uint16_t Plane::sample(int x, int y) const {
    return std::uint16_t(std::uint32_t(row_pair(y >> 1)[shape_.lane_index(x)]) >> (y & 1 ? 16 : 0));
}

// Those rows of a pair that are beyond the plane.
void Plane::copy_rows(int m) {
    for (const int y : {2 * m, 2 * m + 1}) {
        if (y >= 0 && y < shape_.height) continue;
        const std::uint16_t* from = row_word(reflected(y, shape_.height), 0);
        std::uint16_t* to = row_word(y, 0);
        for (std::size_t i = 0; i < pair_size(); ++i) to[2 * i] = from[2 * i];
    }
}

void Plane::extend_columns() {
    for (int m = -shape_.reach() / 2; 2 * m < shape_.height + shape_.reach(); ++m) {
        std::int32_t* row = row_pair(m);
        for (const Copy& copy : vectors_) std::memcpy(row + copy.to, row + copy.from, std::size_t(shape_.lanes - 1) * sizeof *row);
        for (const Copy& copy : columns_) row[copy.to] = row[copy.from];
    }
}

void Plane::extend() {
    ISO_ASSERT(shape_.height > 1);
    for (int m = -shape_.reach() / 2; m < 0; ++m) copy_rows(m);
    for (int m = shape_.height / 2; 2 * m < shape_.height + shape_.reach(); ++m) copy_rows(m);
    extend_columns();
}

void Plane::extend(const Plane& from) {
    if (shape_.height > 1) return extend();
    for (const int y : {-1, 1})
        for (int x = 0; x < shape_.width; ++x) *row_word(y, shape_.lane_index(x)) = from.sample(x, 1);
    extend_columns();
}

}  // namespace isometric::vif
