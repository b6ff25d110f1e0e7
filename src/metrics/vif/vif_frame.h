// The frame flow of `vif` on the CPU: both lumas through all scales, from rows to sums.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/instruction_set.h"
#include "isometric/picture.h"
#include "isometric/status.h"
#include "metrics/vif/vif.h"

namespace isometric::vif {

// Scratch memory of one measuring thread, for pictures of one format.
class FrameScratch {
public:
    static Result<FrameScratch> create(const PictureFormat& format, const RecordLayout& layout, InstructionSet set);

    // The sums of every scale from layout.first_scale() on; those of a scale that is left out are 0.
    std::span<const Sums, scale_count> measure(const Picture& ref, const Picture& dis);

private:
    // One column of the five lines between the vertical and the horizontal filter.
    struct Moments {
        std::uint32_t mean_ref = 0, mean_dis = 0, ref_sq = 0, dis_sq = 0, ref_dis = 0;
    };
    struct Plane {
        int width = 0, height = 0;
        std::vector<std::uint16_t> samples;  // [y][x]
        std::vector<std::uint16_t> beyond;   // [x] of a plane of one row: rows -1 and +1
        std::uint16_t at(int x, int y) const;
    };

    void load(const Picture& picture, Plane& plane) const;
    template <int scale>
    void downsample(const Plane& in, Plane& out) const;
    template <int scale>
    void statistic(const Plane& ref, const Plane& dis);

    PictureFormat format_;
    std::vector<double> gain_limits_;
    int first_scale_ = 0;
    std::array<Sums, scale_count> sums_;
    std::array<Plane, 2> planes_[scale_count];
    std::vector<Moments> line_;
    std::array<Moments, 9> beyond_{};
};

}  // namespace isometric::vif
