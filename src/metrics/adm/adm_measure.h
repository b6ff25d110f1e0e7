// A frame pair's walk through the scales of `adm` on the CPU. Rows travel: a row of scale 0 is transformed, decoupled, weighed and summed
// as soon as its samples are there, and its band a is a row of scale 1's input, which does the same when it has enough of them. Only the
// columns and rows that a score depends on are computed, and only a few rows of each scale are ever stored
// (docs/adr/0011-adm-streaming.md).
//
// Several walks may share a frame: each takes some of the scored rows, and computes what these depend on. Rows are rounded one by one and
// the frame's totals are sums of integers, so the bits do not depend on the number of walks.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "metrics/adm/adm.h"
#include "metrics/adm/adm_passes.h"

namespace isometric::adm {

// The part of a scale that is computed for the scored rows and columns of a geometry.
struct ScaleWindow {
    Interval band_rows, band_columns;    // of the bands: the scored region and its neighbours
    Interval rows, columns;              // of the transform: also what the next scale reads
    Interval input_rows, input_columns;  // of the transform's input
};
std::array<ScaleWindow, scales> windows(const Geometry& geometry, int width, int height);

// The geometry with part `part` of `parts` of the scored rows.
Geometry share_of_rows(Geometry geometry, int part, int parts);

class Measurement {
public:
    Measurement(std::span<const Parameters> variants, const PictureFormat& format, const Passes& passes);

    Result<std::unique_ptr<Workspace>> create_workspace() const;
    // Walks into which a frame may be divided, and how many are worth while: neighbours compute some fifty rows of samples twice.
    int most_parts() const { return geometry_[scales - 1].rows.size(); }
    int useful_parts() const { return std::max(1, most_parts() / 8); }
    // Fills the records of all variants, by `parts` walks that `splitter` runs; it is not needed for one.
    Status measure(const Picture& ref, const Picture& dis, Workspace& workspace, std::span<double> record, int parts,
                   const Splitter* splitter) const;

    struct Variant {
        std::array<ScaleScore, scales> scores;
        std::array<MaskFigures, scales> figures;
    };

private:
    PictureFormat format_;
    Geometry geometry_;
    std::vector<Variant> variants_;
    const Passes& passes_;

    friend class Walk;
    friend class WalkRows;
};

}  // namespace isometric::adm
