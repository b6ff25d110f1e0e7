// `isometric parity` compares execution paths; `isometric selftest` checks this build and machine against built-in figures (docs/parity.md).
#pragma once

#include <span>
#include <string>

#include "cli/exit_status.h"

namespace isometric::cli {

// The words after the command's name. Results on standard output, progress and errors on standard error.
ExitStatus run_parity(std::span<const std::string> words);
ExitStatus run_selftest(std::span<const std::string> words);

}  // namespace isometric::cli
