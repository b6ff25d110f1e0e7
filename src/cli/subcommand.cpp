#include "cli/subcommand.h"

namespace isometric::cli {

std::span<const Subcommand> subcommands() { return {}; }

}  // namespace isometric::cli
