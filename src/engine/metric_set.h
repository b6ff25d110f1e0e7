// Which metrics a session runs, and with which options.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "isometric/model.h"
#include "metrics/metric.h"

namespace isometric {

// All configurations of one metric. They are measured together.
struct MetricGroup {
    const MetricInfo* info = nullptr;
    std::vector<OptionValues> variants;
    std::unique_ptr<Metric> metric;  // after MetricSet::create()

    // Whether scores of a frame depend on other frames: then frames follow each other without gaps.
    bool ordered() const { return metric->history() > 0 || metric->last_needed(0) > 0; }
};

class MetricSet {
public:
    // A configuration as registered: group and variant.
    struct Entry {
        int group = 0;
        int variant = 0;
    };

    // Adds a configuration, or merges it into the equal one that is there.
    Result<Entry> add(const MetricInfo& info, std::span<const OptionText> options);
    // The metric of a name, or an error with the nearest.
    static Result<const MetricInfo*> find(std::string_view metric);
    // The stored name of a model's feature, after adding the metric that provides it.
    Result<std::string> add_feature(const ModelFeature& feature);
    // The same name without adding anything; the raw name for a feature that no metric provides.
    static Result<std::string> name_of(const ModelFeature& feature);

    // Sets every metric up.
    Status create(const PictureFormat& format, InstructionSet set);

    std::vector<MetricGroup>& groups() { return groups_; }
    const std::vector<MetricGroup>& groups() const { return groups_; }
    std::span<const Entry> entries() const { return entries_; }  // in order of registration
    bool reads_chroma() const;
    bool provides(std::string_view stored) const;

private:
    std::vector<MetricGroup> groups_;
    std::vector<Entry> entries_;
};

}  // namespace isometric
