// Programs that share the executable, chosen by its first argument; without one it scores a pair.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace isometric::cli {

struct Subcommand {
    std::string_view name;
    std::string_view summary;                            // for --help
    int (*run)(std::span<const std::string> arguments);  // those after the name; the exit status
};

std::span<const Subcommand> subcommands();

}  // namespace isometric::cli
