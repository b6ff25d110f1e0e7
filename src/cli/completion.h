// What of a command depends on several options.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "isometric/status.h"

namespace isometric::cli {

// What was given, where a Command's member cannot tell whether it was.
struct GivenOptions {
    struct Exclusion {
        std::string option;
        std::string backend;
    };
    std::optional<bool> check_range;
    std::optional<ChromaFormat> chroma;
    std::optional<ReportFormat> report_format;
    std::vector<Exclusion> excluded_backends;
};

// Fills in defaults, checks that options go together, and notes what has no effect.
Status complete(Command& command, const GivenOptions& given);

}  // namespace isometric::cli
