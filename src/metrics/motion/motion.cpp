#include "metrics/motion/motion.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/error.h"
#include "metrics/motion/motion_passes.h"

namespace isometric {
namespace motion {
namespace {

constexpr std::array<OptionSpec, 8> options = {{
    flag("debug", {}, false, Naming::unnamed, "also emit the frame distance under the name motion"),
    real("motion_blend_factor", "mbf", 1.0, 0, 1, Naming::named, "motion3: weight of motion above the blend offset; 1 leaves it alone"),
    real("motion_blend_offset", "mbo", 40.0, 0, 1000, Naming::named, "motion3: motion from which the blend factor applies"),
    flag("motion_five_frame_window", "mffw", false, Naming::named, "compare pictures two frames apart instead of neighbours"),
    flag("motion_force_zero", "force_0", false, Naming::named, "all scores are 0"),
    real("motion_fps_weight", "mfw", 1.0, 0, 5, Naming::named, "factor on the frame distance, for the frame rate"),
    real("motion_max_val", "mmxv", 10000.0, 0, 10000, Naming::named, "cap on the frame distance and on motion3"),
    flag("motion_moving_average", "mma", false, Naming::named, "motion3: average of the frame and the one before"),
}};

constexpr std::array<FeatureSpec, 4> features = {{
    {"VMAF_integer_feature_motion_sad_score", "VMAF_integer_feature_motion_sad_score"},
    {"VMAF_integer_feature_motion_score", "integer_motion"},
    {"VMAF_integer_feature_motion2_score", "integer_motion2"},
    {"VMAF_integer_feature_motion3_score", "integer_motion3"},
}};

// Scratch for as many parts as a picture was ever divided into.
class MotionWorkspace final : public Workspace {
public:
    Status provide(int parts) {
        while (scratch.size() < std::size_t(parts)) {
            ISO_TRY(Scratch rows, Scratch::create());
            scratch.push_back(std::move(rows));
        }
        sums.resize(scratch.size());
        return {};
    }

    std::vector<Scratch> scratch;
    std::vector<std::uint64_t> sums;
};

// Parts of a picture have so many rows or more: neighbours make four rows of differences twice.
constexpr int least_rows = 64;

class Motion final : public Metric {
public:
    Motion(std::vector<Parameters> variants, const PictureFormat& format, InstructionSet set)
        : variants_(std::move(variants)), layout_(variants_), format_(format), passes_(passes(set)) {}

    int history() const override { return layout_.size() == 0 ? 0 : layout_.distance(layout_.size() - 1); }
    // Also when every variant is forced to zero: frames that subsampling leaves out have scores, as in libvmaf.
    bool every_frame() const override { return true; }

    Result<std::unique_ptr<Workspace>> create_workspace() const override {
        auto workspace = std::make_unique<MotionWorkspace>();
        ISO_DO(workspace->provide(1));
        return std::unique_ptr<Workspace>(std::move(workspace));
    }

    int record_size() const override { return layout_.size(); }

    Status measure(const FrameInput& frame, Workspace& workspace, std::span<double> record) const override {
        const int parts = frame.splitter ? std::clamp(format_.height / least_rows, 1, frame.splitter->ways()) : 1;
        auto& parted = static_cast<MotionWorkspace&>(workspace);
        ISO_DO(parted.provide(parts));
        for (int slot = 0; slot < layout_.size(); ++slot) {
            const int distance = layout_.distance(slot);
            double& sum = record[std::size_t(slot)];
            sum = 0.0;
            if (frame.index < distance) continue;
            if (frame.earlier.size() < std::size_t(distance))
                return error(Code::metric_failed, "metric motion needs frame {} to measure frame {}", frame.index - distance, frame.index);
            sum = double(sad(frame.earlier[std::size_t(distance - 1)].ref, frame.current.ref, parts, frame.splitter, parted));
        }
        return {};
    }

    std::span<const EmittedFeature> emitted(int variant) const override { return motion::emitted(variants_[std::size_t(variant)]); }
    std::int64_t last_needed(std::int64_t frame) const override {
        std::int64_t last = frame;
        for (const Parameters& variant : variants_) last = std::max(last, motion::last_needed(variant, frame));
        return last;
    }
    void conclude(const RecordTable& records, std::int64_t frame, int variant, std::span<double> scores) const override {
        motion::conclude(records, layout_, variants_[std::size_t(variant)], format_, frame, scores);
    }

private:
    std::uint64_t sad(const Picture& earlier, const Picture& current, int parts, const Splitter* splitter,
                      MotionWorkspace& workspace) const {
        const auto part_sad = [&](int part) {
            const Rows rows{int(std::int64_t(format_.height) * part / parts), int(std::int64_t(format_.height) * (part + 1) / parts)};
            workspace.sums[std::size_t(part)] = sad_of_rows(earlier, current, rows, workspace.scratch[std::size_t(part)]);
        };
        if (parts == 1) part_sad(0);
        else splitter->run(parts, part_sad);
        return std::accumulate(workspace.sums.begin(), workspace.sums.begin() + parts, std::uint64_t{0});
    }

    std::uint64_t sad_of_rows(const Picture& earlier, const Picture& current, Rows rows, const Scratch& scratch) const {
        if (format_.bit_depth == 8) return passes_.sad_u8(earlier.plane<std::uint8_t>(0), current.plane<std::uint8_t>(0), rows, scratch);
        return passes_.sad_u16(earlier.plane<std::uint16_t>(0), current.plane<std::uint16_t>(0), format_.bit_depth, rows, scratch);
    }

    std::vector<Parameters> variants_;
    RecordLayout layout_;
    PictureFormat format_;
    const Passes& passes_;
};

Result<std::unique_ptr<Metric>> create(std::span<const OptionValues> values, const PictureFormat& format, InstructionSet set) {
    ISO_DO(check_format(format));
    std::vector<Parameters> variants;
    for (const OptionValues& value : values) variants.push_back(Parameters::from(value));
    return std::unique_ptr<Metric>(std::make_unique<Motion>(std::move(variants), format, set));
}

}  // namespace

Parameters Parameters::from(const OptionValues& values) {
    return {.force_zero = values.flag("motion_force_zero"),
            .blend_factor = values.real("motion_blend_factor"),
            .blend_offset = values.real("motion_blend_offset"),
            .fps_weight = values.real("motion_fps_weight"),
            .max_val = values.real("motion_max_val"),
            .five_frame_window = values.flag("motion_five_frame_window"),
            .moving_average = values.flag("motion_moving_average"),
            .debug = values.flag("debug")};
}

}  // namespace motion

const MetricInfo& motion_info() {
    static constexpr MetricInfo info = {.name = "motion",
                                        .summary = "temporal change of the reference, fixed point",
                                        .options = motion::options,
                                        .features = motion::features,
                                        .reads_chroma = false,
                                        .create = motion::create};
    return info;
}

}  // namespace isometric
