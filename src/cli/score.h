// One run: two videos through a session into reports and result lines.
#pragma once

#include "cli/command.h"
#include "cli/console.h"
#include "cli/exit_status.h"

namespace isometric::cli {

ExitStatus score_pair(const Command& command, Console& console);

}  // namespace isometric::cli
