// Comparing execution paths bit by bit.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "parity/execution_path.h"
#include "parity/matrix.h"

namespace isometric {

// One score that two paths disagree on.
struct Difference {
    ClipSpec clip;
    std::string metric;   // "adm:debug=true"
    std::string feature;  // as stored
    std::int64_t frame = 0;
    double reference = 0, other = 0;
    std::string command;  // runs this comparison alone
};

struct Comparison {
    ExecutionPath reference, other;
    std::int64_t values = 0;     // scores compared
    std::int64_t differing = 0;  // of them
    std::int64_t refused = 0;    // configurations that both paths refuse for a format, with the same words
    std::vector<Difference> differences;  // the first few
    bool equal() const { return differing == 0; }
};

// Scores every clip with every request on all paths and compares each with the first. Requests that a format refuses must be refused by
// all. An error is a run that failed otherwise. `progress` is told the clips done and their number.
Result<std::vector<Comparison>> compare(const std::vector<ExecutionPath>& paths, const std::vector<ClipSpec>& clips,
                                        const std::vector<MetricRequest>& requests, const std::function<void(std::size_t, std::size_t)>& progress = {});

// One number for all scores of a path over clips and requests: equal numbers, equal bits. Self-tests compare it with the built-in one.
struct Digest {
    std::uint64_t value = 0;
    std::int64_t scores = 0;
};
Result<Digest> digest(const ExecutionPath& path, const std::vector<ClipSpec>& clips, const std::vector<MetricRequest>& requests);

// The digest of the quick matrix for a metric: what the reference gives on every machine; nothing for a metric that is not in the table.
struct KnownDigest {
    std::string_view metric;
    Digest digest;
};
std::span<const KnownDigest> known_digests();

}  // namespace isometric
