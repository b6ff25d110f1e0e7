#include "metrics/registry.h"

#include <array>
#include <utility>

#include "metrics/adm/adm.h"
#include "metrics/float_moment/float_moment.h"
#include "metrics/motion/motion.h"
#include "metrics/psnr/psnr.h"
#include "metrics/vif/vif.h"

namespace isometric {
namespace {

// Metrics of the published models that are not here yet, by the start of their features' names.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> elsewhere = {{
    {"Cambi_feature_", "cambi"},
    {"Speed_chroma_feature_", "speed_chroma"},
    {"Speed_temporal_feature_", "speed_temporal"},
    {"VMAF_feature_adm", "float_adm"},
    {"VMAF_feature_aim", "float_adm"},
    {"VMAF_feature_vif", "float_vif"},
    {"VMAF_feature_motion", "float_motion"},
    {"float_ssim", "float_ssim"},
    {"float_ms_ssim", "float_ms_ssim"},
}};

}  // namespace

std::span<const MetricInfo* const> all_metrics() {
    // The order of docs/metrics/names.md: the first metric that lists a feature provides it.
    static const std::array metrics = {
        &float_moment_info(),
        &psnr_info(),
        &adm_info(),
        &motion_info(),
        &vif_info(),
    };
    return metrics;
}

const MetricInfo* find_metric(std::string_view name) {
    for (const MetricInfo* metric : all_metrics())
        if (metric->name == name) return metric;
    return nullptr;
}

const MetricInfo* find_metric_of_feature(std::string_view raw_feature_name) {
    for (const MetricInfo* metric : all_metrics())
        for (const FeatureSpec& feature : metric->features)
            if (feature.provided && feature.name == raw_feature_name) return metric;
    return nullptr;
}

std::string_view missing_metric_of_feature(std::string_view raw_feature_name) {
    for (const auto& [prefix, metric] : elsewhere)
        if (raw_feature_name.starts_with(prefix)) return metric;
    return {};
}

}  // namespace isometric
