// A frame pair's walk through the scales of `adm` on the CPU. Rows travel: a row of scale 0 is transformed, decoupled, weighed and summed as soon
// as its samples are there, and its band a is a row of scale 1's input, which does the same when it has enough of them. Only the columns and rows
// that a score depends on are computed, and only a few rows of each scale are ever stored (docs/adr/0011-adm-streaming.md).
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "metrics/adm/adm.h"
#include "metrics/adm/adm_passes.h"

namespace isometric::adm {

// The part of a scale that is computed.
struct ScaleWindow {
    Interval band_rows, band_columns;    // of the bands: the scored region and its neighbours
    Interval rows, columns;              // of the transform: also what the next scale reads
    Interval input_rows, input_columns;  // of the transform's input
};
std::array<ScaleWindow, scales> windows(const Geometry& geometry, int width, int height);

class Measurement {
public:
    Measurement(std::span<const Parameters> variants, const PictureFormat& format, const Passes& passes);

    Result<std::unique_ptr<Workspace>> create_workspace() const;
    // Fills the records of all variants.
    void measure(const Picture& ref, const Picture& dis, Workspace& workspace, std::span<double> record) const;

    struct Variant {
        std::array<ScaleScore, scales> scores;
        std::array<MaskFigures, scales> figures;
    };

private:
    PictureFormat format_;
    Geometry geometry_;
    std::array<ScaleWindow, scales> windows_;
    std::vector<Variant> variants_;
    const Passes& passes_;

    friend class Walk;
    friend class AdmWorkspace;
};

}  // namespace isometric::adm
