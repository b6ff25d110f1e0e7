// The score table of a run, and pooling over it.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isometric/picture.h"
#include "isometric/status.h"

namespace [[gnu::visibility("default")]] isometric {

enum class Pooling : std::uint8_t { min, max, mean, harmonic_mean };

// One feature or model score over the frames of a run.
struct ScoreColumn {
    std::string name;         // as stored: "VMAF_integer_feature_adm2_score"
    std::string report_name;  // as reports print it: "integer_adm2"
    bool is_model = false;
    std::vector<std::optional<double>> values;  // by frame index; frames that were left out or failed hold nothing
};

struct NamedScore {
    std::string name;
    double value = 0;
};

// What a session found. Columns stand in libvmaf's order whatever the number of threads.
struct Scores {
    std::vector<ScoreColumn> columns;
    std::vector<NamedScore> aggregates;  // values for the whole stream: apsnr_y, ...
    std::int64_t frames = 0;             // frame pairs read; rows are 0 .. frames-1
    int subsample = 1;                   // rows whose index is a multiple were scored
    PictureFormat format;                // of the reference; width 0 when no picture was read
    bool complete = true;                // false when an error ended the run: rows before it are whole
    std::string error;                   // the error, when not complete
    std::string backend;                 // "cpu"
    std::string device;                  // what it ran on: the instruction set, or the GPU's name

    const ScoreColumn* find(std::string_view name) const;  // by stored or report name; nullptr when there is none
};

// Pools the frames first..last (inclusive) of a column, leaving out those that subsampling left out: means are sums in frame order, the
// harmonic mean is n / sum(1 / (score + 1)) - 1 (docs/reports.md). Errors: an empty interval, an interval with a missing score.
Result<double> pool(const ScoreColumn& column, Pooling method, std::int64_t first, std::int64_t last, int subsample = 1);

}  // namespace isometric
