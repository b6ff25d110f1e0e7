// The program isometric, also installed as vmaf.
#pragma once

#include <span>
#include <string>

namespace isometric::cli {

// The exit status (docs/errors.md). `arguments` are those after the program's name.
int run_program(std::span<const std::string> arguments);

}  // namespace isometric::cli
