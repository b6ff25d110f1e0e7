#include "metrics/vif/vif.h"

#include <array>
#include <utility>

#include "base/error.h"
#include "metrics/vif/vif_frame.h"

namespace isometric {
namespace vif {
namespace {

constexpr std::array<OptionSpec, 3> options = {{
    flag("debug", {}, false, Naming::unnamed, "also emit the score over all scales, and the sums behind the scores"),
    real("vif_enhn_gain_limit", "egl", 100.0, 1, 100, Naming::named,
         "cap on the gain over the reference; 1 gives no credit for enhancement"),
    flag("vif_skip_scale0", "ssclz", false, Naming::named, "leave scale 0 out; its score is 0"),
}};

constexpr std::array<FeatureSpec, 15> features = {{
    {"VMAF_integer_feature_vif_scale0_score", "integer_vif_scale0"},
    {"VMAF_integer_feature_vif_scale1_score", "integer_vif_scale1"},
    {"VMAF_integer_feature_vif_scale2_score", "integer_vif_scale2"},
    {"VMAF_integer_feature_vif_scale3_score", "integer_vif_scale3"},
    {"integer_vif", "integer_vif"},
    {"integer_vif_num", "integer_vif_num"},
    {"integer_vif_den", "integer_vif_den"},
    {"integer_vif_num_scale0", "integer_vif_num_scale0"},
    {"integer_vif_den_scale0", "integer_vif_den_scale0"},
    {"integer_vif_num_scale1", "integer_vif_num_scale1"},
    {"integer_vif_den_scale1", "integer_vif_den_scale1"},
    {"integer_vif_num_scale2", "integer_vif_num_scale2"},
    {"integer_vif_den_scale2", "integer_vif_den_scale2"},
    {"integer_vif_num_scale3", "integer_vif_num_scale3"},
    {"integer_vif_den_scale3", "integer_vif_den_scale3"},
}};

class VifWorkspace final : public Workspace {
public:
    explicit VifWorkspace(FrameScratch frame_scratch) : scratch(std::move(frame_scratch)) {}
    FrameScratch scratch;
};

class Vif final : public Metric {
public:
    Vif(std::vector<Parameters> variants, const PictureFormat& format, InstructionSet set)
        : variants_(std::move(variants)), layout_(variants_), format_(format), set_(set) {}

    Result<std::unique_ptr<Workspace>> create_workspace() const override {
        ISO_TRY(FrameScratch scratch, FrameScratch::create(format_, layout_, set_));
        return std::unique_ptr<Workspace>(std::make_unique<VifWorkspace>(std::move(scratch)));
    }

    int record_size() const override { return layout_.size(); }

    Status measure(const FrameInput& frame, Workspace& workspace, std::span<double> record) const override {
        FrameScratch& scratch = static_cast<VifWorkspace&>(workspace).scratch;
        ISO_TRY(const auto sums, scratch.measure(frame.current.ref, frame.current.dis, frame.splitter));
        layout_.write(sums, record);
        return {};
    }

    std::span<const EmittedFeature> emitted(int variant) const override { return vif::emitted(variants_[std::size_t(variant)]); }
    void conclude(const RecordTable& records, std::int64_t frame, int variant, std::span<double> scores) const override {
        vif::conclude(layout_.variant(records.record(frame), variant), variants_[std::size_t(variant)], scores);
    }

private:
    std::vector<Parameters> variants_;
    RecordLayout layout_;
    PictureFormat format_;
    InstructionSet set_;
};

Result<std::unique_ptr<Metric>> create(std::span<const OptionValues> values, const PictureFormat& format, InstructionSet set) {
    ISO_DO(check_format(format));
    std::vector<Parameters> variants;
    for (const OptionValues& value : values) variants.push_back(Parameters::from(value));
    return std::unique_ptr<Metric>(std::make_unique<Vif>(std::move(variants), format, set));
}

}  // namespace
}  // namespace vif

const MetricInfo& vif_info() {
    static constexpr MetricInfo info = {.name = "vif",
                                        .summary = "visual information fidelity at four scales, fixed point",
                                        .options = vif::options,
                                        .features = vif::features,
                                        .reads_chroma = false,
                                        .create = vif::create};
    return info;
}

}  // namespace isometric
