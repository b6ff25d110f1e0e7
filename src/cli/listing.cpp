#include "cli/listing.h"

#include <fmt/format.h>

#include <algorithm>

#include "isometric/model.h"
#include "isometric/session.h"

namespace isometric::cli {

std::string models_listing() {
    std::size_t width = 0;
    for (const BuiltinModel& model : builtin_models()) width = std::max(width, model.version.size());
    std::string text;
    for (const BuiltinModel& model : builtin_models()) text += fmt::format("{:{}}  {}\n", model.version, width, model.summary);
    return text;
}

std::string metrics_listing() {
    std::string text;
    for (const MetricDescription& metric : list_metrics()) {
        text += fmt::format("{}{}: {}\n  features: {}\n", text.empty() ? "" : "\n", metric.name, metric.summary,
                            fmt::join(metric.features, ", "));
        for (const OptionDescription& option : metric.options) {
            text += fmt::format("  {}={}  {}", option.name, option.default_value, option.type);
            if (!option.range.empty()) text += fmt::format(" {}", option.range);
            if (option.in_feature_names) text += fmt::format(", in names as {}", option.alias);
            text += fmt::format("\n      {}\n", option.help);
        }
    }
    return text;
}

}  // namespace isometric::cli
