// The lines that say what a run found.
#pragma once

#include <string>

#include "cli/command.h"
#include "isometric/scores.h"

namespace isometric::cli {

// One line for each model: "vmaf: 91.443781 (vmaf_v0.6.1, mean of 48 frames, lowest 81.319877 at frame 0)"; after it the lowest frames
// that --worst asks for. Features have a line each where no report and no model would show them.
std::string summary_text(const Command& command, const Scores& scores);

}  // namespace isometric::cli
