#include <fmt/format.h>

#include "isometric/session.h"
#include "metrics/registry.h"

namespace isometric {
namespace {

OptionDescription describe(const OptionSpec& option) {
    OptionDescription d;
    d.name = option.name;
    d.alias = option.alias.empty() ? option.name : option.alias;
    d.help = option.help;
    d.in_feature_names = option.in_name;
    switch (option.type) {
        case OptionType::boolean:
            d.type = "bool";
            d.default_value = option.default_number != 0 ? "true" : "false";
            d.range = "true, false";
            break;
        case OptionType::integer:
        case OptionType::real:
            d.type = option.type == OptionType::integer ? "integer" : "number";
            d.default_value = fmt::format("{}", option.default_number);
            d.range = fmt::format("{}..{}", option.minimum, option.maximum);
            break;
        case OptionType::text:
            d.type = "text";
            d.default_value = option.default_text;
            break;
    }
    return d;
}

}  // namespace

std::vector<MetricDescription> list_metrics() {
    std::vector<MetricDescription> list;
    for (const MetricInfo* info : all_metrics()) {
        MetricDescription& metric = list.emplace_back(MetricDescription{std::string(info->name), std::string(info->summary), {}, {}});
        for (const OptionSpec& option : info->options) metric.options.push_back(describe(option));
        for (const FeatureSpec& feature : info->features) metric.features.emplace_back(feature.name);
    }
    return list;
}

std::string_view version() { return ISO_VERSION; }

}  // namespace isometric
