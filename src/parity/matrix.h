// What is scored to compare two execution paths: generated clips, and every metric with options at their ends.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "isometric/option.h"
#include "parity/clip.h"

namespace isometric {

// A metric with one configuration, as `--feature` takes it.
struct MetricRequest {
    std::string metric;
    std::vector<OptionText> options;
    std::string describe() const;  // "adm:debug=true:adm_csf_mode=1"
    static Result<MetricRequest> parse(std::string_view text);
};

enum class Extent : std::uint8_t {
    quick,  // every kind of format, size class and content once: under a minute on one core
    full,   // all of them with each other, every width where vectors end, large pictures
};
std::vector<ClipSpec> matrix_clips(Extent extent);

// For every metric: the defaults, and each option by itself at its least, its greatest and a middle value (flags: the other one). Debug
// outputs are on.
std::vector<MetricRequest> matrix_requests(Extent extent);

}  // namespace isometric
