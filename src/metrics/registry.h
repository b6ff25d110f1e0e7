// All metrics, in the order in which models look for the one that provides a feature.
#pragma once

#include <span>
#include <string_view>

#include "metrics/metric.h"

namespace isometric {

std::span<const MetricInfo* const> all_metrics();

// nullptr when there is none.
const MetricInfo* find_metric(std::string_view name);
const MetricInfo* find_metric_of_feature(std::string_view raw_feature_name);

// For an error message: the metric of libvmaf that provides a feature which no metric here provides yet; empty when unknown.
std::string_view missing_metric_of_feature(std::string_view raw_feature_name);

}  // namespace isometric
