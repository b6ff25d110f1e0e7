// From the words of a command line to a Command (docs/command_line.md).
#pragma once

#include <span>
#include <string>

#include "cli/command.h"
#include "isometric/status.h"

namespace isometric::cli {

Result<Command> parse_command_line(std::span<const std::string> words);

// The text of --help.
std::string command_line_help();

}  // namespace isometric::cli
