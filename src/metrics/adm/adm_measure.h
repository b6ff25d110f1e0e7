// A frame pair's walk through the scales of `adm` on the CPU.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "metrics/adm/adm.h"

namespace isometric::adm {

class Measurement {
public:
    Measurement(std::span<const Parameters> variants, const PictureFormat& format, InstructionSet set);

    Result<std::unique_ptr<Workspace>> create_workspace() const;
    // Fills the records of all variants.
    void measure(const Picture& ref, const Picture& dis, Workspace& workspace, std::span<double> record) const;

private:
    PictureFormat format_;
    Geometry geometry_;
    std::vector<double> gains_;                             // [variant]
    std::vector<std::array<ScaleScore, scales>> scores_;    // [variant][scale]
};

}  // namespace isometric::adm
