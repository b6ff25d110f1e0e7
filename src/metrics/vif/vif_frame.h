// The frame flow of `vif` on the CPU: both lumas through all scales, on one thread or several.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "base/instruction_set.h"
#include "isometric/picture.h"
#include "isometric/status.h"
#include "metrics/metric.h"
#include "metrics/vif/vif.h"
#include "metrics/vif/vif_bands.h"

namespace isometric::vif {

// Scratch memory for one frame at a time, of one format: the planes of scales 1 to 3, and what each thread needs for its bands.
class FrameScratch {
public:
    static Result<FrameScratch> create(const PictureFormat& format, const RecordLayout& layout, InstructionSet set);

    // The sums of every scale from layout.first_scale() on; those of a scale that is left out are 0. With a splitter the bands of a scale
    // are spread over as many threads as it offers when they begin, but no part is made that has fewer samples than `min_part_samples`. The
    // first such frame takes memory for the other threads.
    Result<std::span<const Sums, scale_count>> measure(const Picture& ref, const Picture& dis, const Splitter* splitter = nullptr,
                                                       int min_part_samples = 1 << 16);

    static constexpr int max_parts = 8;

private:
    explicit FrameScratch(FramePlanes frame) : frame_(std::move(frame)) {}
    Status add_parts(int parts);
    Status measure_scale(int scale, const Picture& ref, const Picture& dis, const Splitter* splitter, int min_part_samples);
    void measure_bands(std::size_t part, int scale, const Picture& ref, const Picture& dis, int begin, int end);

    FramePlanes frame_;
    std::vector<Bands> parts_;
    std::array<Sums, scale_count> sums_;
};

}  // namespace isometric::vif
