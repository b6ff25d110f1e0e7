#include "cli/subcommand.h"

#include <array>

#include "cli/parity_command.h"

namespace isometric::cli {
namespace {

constexpr std::array<Subcommand, 2> all = {{
    {"parity", "compares execution paths bit by bit over generated clips",
     [](std::span<const std::string> words) { return int(run_parity(words)); }},
    {"selftest", "checks this build on this machine", [](std::span<const std::string> words) { return int(run_selftest(words)); }},
}};

}  // namespace

std::span<const Subcommand> subcommands() { return all; }

}  // namespace isometric::cli
