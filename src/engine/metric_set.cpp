#include "engine/metric_set.h"

#include <algorithm>

#include "base/error.h"
#include "metrics/registry.h"

namespace isometric {

Result<const MetricInfo*> MetricSet::find(std::string_view metric) {
    if (const MetricInfo* info = find_metric(metric)) return info;
    std::vector<std::string_view> names;
    std::string known;
    for (const MetricInfo* info : all_metrics()) {
        names.push_back(info->name);
        known += known.empty() ? "" : ", ";
        known += info->name;
    }
    const std::string_view near = nearest_name(metric, names);
    if (!near.empty()) return error(Code::invalid_argument, "there is no metric '{}'; did you mean '{}'?", metric, near);
    return error(Code::invalid_argument, "there is no metric '{}': there are {}", metric, known);
}

Result<MetricSet::Entry> MetricSet::add(const MetricInfo& info, std::span<const OptionText> options) {
    ISO_TRY(OptionValues values, OptionValues::parse(info, options));
    auto group = std::find_if(groups_.begin(), groups_.end(), [&](const MetricGroup& g) { return g.info == &info; });
    if (group == groups_.end()) {
        groups_.push_back({&info, {}, nullptr});
        group = std::prev(groups_.end());
    }
    // Configurations with equal names are one: names carry every option that changes the scores of provided features.
    const std::string suffix = values.name_suffix();
    const auto same = std::find_if(group->variants.begin(), group->variants.end(), [&](const OptionValues& v) { return v.name_suffix() == suffix; });
    const Entry entry{int(group - groups_.begin()), int(same - group->variants.begin())};
    if (same != group->variants.end()) {
        ISO_DO(same->merge(values));
        return entry;
    }
    group->variants.push_back(std::move(values));
    entries_.push_back(entry);
    return entry;
}

Result<std::string> MetricSet::add_feature(const ModelFeature& feature) {
    const MetricInfo* info = find_metric_of_feature(feature.name);
    if (!info) {
        const std::string_view missing = missing_metric_of_feature(feature.name);
        if (missing.empty()) return error(Code::bad_model, "no metric provides feature '{}'", feature.name);
        return error(Code::bad_model, "feature '{}' needs metric '{}', which this version does not have", feature.name, missing);
    }
    ISO_TRY([[maybe_unused]] const Entry entry, add(*info, feature.options));
    return name_of(feature);
}

Result<std::string> MetricSet::name_of(const ModelFeature& feature) {
    const MetricInfo* info = find_metric_of_feature(feature.name);
    if (!info) return feature.name;
    ISO_TRY(const OptionValues values, OptionValues::parse(*info, feature.options));
    const auto spec = std::find_if(info->features.begin(), info->features.end(), [&](const FeatureSpec& f) { return f.name == feature.name; });
    return stored_name(values, *spec);
}

Status MetricSet::create(const PictureFormat& format, InstructionSet set) {
    for (MetricGroup& group : groups_) {
        auto metric = group.info->create(group.variants, format, set);
        if (!metric) return within(fmt::format("metric {}", group.info->name), std::move(metric).error());
        group.metric = std::move(*metric);
    }
    return {};
}

bool MetricSet::reads_chroma() const {
    return std::any_of(groups_.begin(), groups_.end(), [](const MetricGroup& group) { return group.info->reads_chroma; });
}

bool MetricSet::provides(std::string_view stored) const {
    for (const Entry& entry : entries_) {
        const MetricGroup& group = groups_[std::size_t(entry.group)];
        for (const FeatureSpec& feature : group.info->features)
            if (stored_name(group.variants[std::size_t(entry.variant)], feature) == stored) return true;
    }
    return false;
}

}  // namespace isometric
