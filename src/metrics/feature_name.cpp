#include "metrics/metric.h"

namespace isometric {
namespace {

// libvmaf keeps at most this many bytes of a name (docs/metrics/names.md).
constexpr std::size_t max_name_bytes = 255;

std::string with_suffix(const OptionValues& options, const FeatureSpec& feature, std::string_view without_options) {
    if (!feature.provided) return std::string(without_options);
    const std::string suffix = options.name_suffix();
    if (suffix.empty()) return std::string(without_options);
    return (std::string(feature.alias) + suffix).substr(0, max_name_bytes);
}

}  // namespace

std::string stored_name(const OptionValues& options, const FeatureSpec& feature) {
    return with_suffix(options, feature, feature.name);
}

std::string report_name(const OptionValues& options, const FeatureSpec& feature) {
    return with_suffix(options, feature, feature.alias);
}

}  // namespace isometric
