#include "metrics/adm/adm.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "metrics/adm/adm_measure.h"

namespace isometric {
namespace adm {
namespace {

constexpr std::array<OptionSpec, 12> options = {{
    flag("debug", {}, false, Naming::unnamed, "also emit the sums that the scores are made of"),
    real("adm_csf_scale", "scf", 1.0, 0, 50, Naming::named, "adm_csf_mode 1: factor on the weights of bands h and v"),
    real("adm_csf_diag_scale", "scfd", 1.0, 0, 50, Naming::named, "adm_csf_mode 1: factor on the weights of band d"),
    real("adm_dlm_weight", "dlmw", 0.5, 0, 1, Naming::named, "adm3: weight of adm2 against 1 - aim"),
    real("adm_enhn_gain_limit", "egl", 100.0, 1, 100, Naming::named,
         "how much contrast may be raised and still count as detail; 1 gives no credit"),
    real("adm_norm_view_dist", "nvd", 3.0, 0.75, 24, Naming::named, "viewing distance in display heights"),
    integer("adm_ref_display_height", "rdh", 1080, 1, 4320, Naming::named, "display height in samples"),
    integer("adm_csf_mode", "csf", 0, 0, 3, Naming::named, "contrast sensitivity: 0 Watson, 1 Barten, 2 and 3 fitted tables"),
    real("adm_noise_weight", "nw", 0.03125, 0, 1500, Naming::named, "noise added to numerator and denominator, per scored sample"),
    flag("adm_skip_aim", {}, false, Naming::unnamed, "leave out the additive impairment: aim is 0"),
    flag("adm_skip_scale0", "ssz", false, Naming::named, "leave out scale 0"),
    real("adm_min_val", "min", 0.0, 0, 1, Naming::named, "adm3: lower bound"),
}};

constexpr std::array<FeatureSpec, 18> features = {{
    {"VMAF_integer_feature_adm2_score", "integer_adm2"},
    {"VMAF_integer_feature_aim_score", "integer_aim"},
    {"VMAF_integer_feature_adm3_score", "integer_adm3"},
    {"integer_adm_scale0", "integer_adm_scale0"},
    {"integer_adm_scale1", "integer_adm_scale1"},
    {"integer_adm_scale2", "integer_adm_scale2"},
    {"integer_adm_scale3", "integer_adm_scale3"},
    {"integer_adm", "integer_adm"},  // from here on with debug
    {"integer_adm_num", "integer_adm_num"},
    {"integer_adm_den", "integer_adm_den"},
    {"integer_adm_num_scale0", "integer_adm_num_scale0"},
    {"integer_adm_den_scale0", "integer_adm_den_scale0"},
    {"integer_adm_num_scale1", "integer_adm_num_scale1"},
    {"integer_adm_den_scale1", "integer_adm_den_scale1"},
    {"integer_adm_num_scale2", "integer_adm_num_scale2"},
    {"integer_adm_den_scale2", "integer_adm_den_scale2"},
    {"integer_adm_num_scale3", "integer_adm_num_scale3"},
    {"integer_adm_den_scale3", "integer_adm_den_scale3"},
}};
constexpr std::size_t features_without_debug = 7;

class Adm final : public Metric {
public:
    Adm(std::vector<Parameters> variants, const PictureFormat& format, InstructionSet set)
        : variants_(std::move(variants)), format_(format), measurement_(variants_, format, passes(set)) {}

    Result<std::unique_ptr<Workspace>> create_workspace() const override { return measurement_.create_workspace(); }
    int record_size() const override { return int(variants_.size()) * record_doubles; }

    Status measure(const FrameInput& frame, Workspace& workspace, std::span<double> record) const override {
        const int parts = frame.splitter ? std::min(frame.splitter->ways(), measurement_.useful_parts()) : 1;
        return measurement_.measure(frame.current.ref, frame.current.dis, workspace, record, parts, frame.splitter);
    }

    std::span<const EmittedFeature> emitted(int variant) const override { return adm::emitted(variants_[std::size_t(variant)]); }
    void conclude(const RecordTable& records, std::int64_t frame, int variant, std::span<double> scores) const override {
        adm::conclude(records.record(frame).subspan(std::size_t(variant) * record_doubles, record_doubles), variants_[std::size_t(variant)],
                      format_, scores);
    }

private:
    std::vector<Parameters> variants_;
    PictureFormat format_;
    Measurement measurement_;
};

Result<std::unique_ptr<Metric>> create(std::span<const OptionValues> values, const PictureFormat& format, InstructionSet set) {
    ISO_DO(check_format(format));
    std::vector<Parameters> variants;
    for (const OptionValues& value : values) {
        variants.push_back(Parameters::from(value));
        ISO_DO(variants.back().check());
    }
    return std::unique_ptr<Metric>(std::make_unique<Adm>(std::move(variants), format, set));
}

}  // namespace

Parameters Parameters::from(const OptionValues& values) {
    return {.debug = values.flag("debug"),
            .skip_aim = values.flag("adm_skip_aim"),
            .skip_scale0 = values.flag("adm_skip_scale0"),
            .csf_scale = values.real("adm_csf_scale"),
            .csf_diag_scale = values.real("adm_csf_diag_scale"),
            .dlm_weight = values.real("adm_dlm_weight"),
            .gain_limit = values.real("adm_enhn_gain_limit"),
            .view_distance = values.real("adm_norm_view_dist"),
            .display_height = values.integer("adm_ref_display_height"),
            .csf_mode = values.integer("adm_csf_mode"),
            .noise_weight = values.real("adm_noise_weight"),
            .min_val = values.real("adm_min_val")};
}

std::span<const EmittedFeature> emitted(const Parameters& parameters) {
    static constexpr auto all = [] {
        std::array<EmittedFeature, features.size()> list{};
        for (std::size_t i = 0; i < list.size(); ++i) list[i] = {int(i)};
        return list;
    }();
    return std::span(all).first(parameters.debug ? all.size() : features_without_debug);
}

}  // namespace adm

const MetricInfo& adm_info() {
    static constexpr MetricInfo info = {.name = "adm",
                                        .summary = "detail loss and additive impairment, fixed point",
                                        .options = adm::options,
                                        .features = adm::features,
                                        .reads_chroma = false,
                                        .create = adm::create};
    return info;
}

}  // namespace isometric
