// Sets of models and features that test conditions prescribe.
#pragma once

#include <string_view>

#include "cli/command.h"
#include "isometric/status.h"

namespace isometric::cli {

// Each appends to what the command has. Errors name the versions that exist.
Status add_aom_ctc(Command& command, std::string_view version);
Status add_nflx_ctc(Command& command, std::string_view version);

}  // namespace isometric::cli
