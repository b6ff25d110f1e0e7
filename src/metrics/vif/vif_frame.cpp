#include "metrics/vif/vif_frame.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace isometric::vif {

Result<FrameScratch> FrameScratch::create(const PictureFormat& format, const RecordLayout& layout, InstructionSet set) {
    ISO_TRY(FramePlanes frame, FramePlanes::create(format, layout, set));
    FrameScratch scratch(std::move(frame));
    scratch.parts_.reserve(max_parts);
    ISO_DO(scratch.add_parts(1));
    for (Sums& sums : scratch.sums_) sums.num_log.resize(layout.gain_limits().size());
    return scratch;
}

Status FrameScratch::add_parts(int parts) {
    while (int(parts_.size()) < parts) {
        ISO_TRY(Bands part, Bands::create(frame_));
        part.begin_frame();
        parts_.push_back(std::move(part));
    }
    return {};
}

void FrameScratch::measure_bands(std::size_t part, int scale, const Picture& ref, const Picture& dis, int begin, int end) {
    if (scale == 0) parts_[part].measure_picture(frame_, ref, dis, begin, end);
    else parts_[part].measure_plane(frame_, scale, begin, end);
}

// Threads may become idle at any time, when other metrics are done with the frame: whoever works alone asks again after every band, and
// what is spread is a part of the rest at most.
Status FrameScratch::measure_scale(int scale, const Picture& ref, const Picture& dis, const Splitter* splitter, int min_part_samples) {
    constexpr int max_part_bands = 32;
    const PlaneShape& shape = frame_.shapes[std::size_t(scale)];
    const int bands = shape.width > 0 ? shape.bands() : 0;
    const int min_part_bands = std::max(1, min_part_samples / (band_rows * std::max(1, shape.width)));
    for (int begin = 0; begin < bands;) {
        const int useful = std::min(max_parts, (bands - begin) / min_part_bands);
        const int parts = splitter && useful > 1 ? std::min(useful, splitter->ways()) : 1;
        if (parts <= 1) {
            const int end = splitter ? begin + 1 : bands;
            measure_bands(0, scale, ref, dis, begin, end);
            begin = end;
            continue;
        }
        ISO_DO(add_parts(parts));
        const int end = std::min(bands, begin + parts * max_part_bands);
        const auto border = [&](int part) { return begin + (end - begin) * part / parts; };
        splitter->run(parts, [&](int part) { measure_bands(std::size_t(part), scale, ref, dis, border(part), border(part + 1)); });
        begin = end;
    }
    return {};
}

Result<std::span<const Sums, scale_count>> FrameScratch::measure(const Picture& ref, const Picture& dis, const Splitter* splitter,
                                                                 int min_part_samples) {
    for (Bands& part : parts_) part.begin_frame();
    for (int scale = 0; scale < scale_count; ++scale) {
        if (scale > 0)
            for (auto& planes : frame_.planes)
                scale == 1 ? planes[0].extend() : planes[std::size_t(scale) - 1].extend(planes[std::size_t(scale) - 2]);
        ISO_DO(measure_scale(scale, ref, dis, splitter, min_part_samples));
    }
    for (std::size_t scale = 0; scale < scale_count; ++scale) {
        sums_[scale].clear();
        for (const Bands& part : parts_) sums_[scale].add(part.sums()[scale]);
    }
    return std::span<const Sums, scale_count>(sums_);
}

}  // namespace isometric::vif
