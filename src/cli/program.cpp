#include "cli/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

#include "cli/command_line.h"
#include "cli/console.h"
#include "cli/exit_status.h"
#include "cli/listing.h"
#include "cli/score.h"
#include "cli/standard_output.h"
#include "cli/subcommand.h"
#include "isometric/session.h"

namespace isometric::cli {
namespace {

constexpr const char* program_name = "isometric";

std::string help_text() {
    std::string text = command_line_help();
    for (const Subcommand& subcommand : subcommands()) text += fmt::format("\n  isometric {:10} {}", subcommand.name, subcommand.summary);
    return text + "\n";
}

ExitStatus print(std::string_view text, Console& console) {
    const Status printed = write_standard_output(text);
    if (printed) return ExitStatus::success;
    console.error(printed.error().message);
    return exit_status(printed.error().code);
}

ExitStatus run_command(const Command& command) {
    Console console(program_name, command.quiet);
    switch (command.action) {
        case Command::Action::help: return print(help_text(), console);
        case Command::Action::version: return print(fmt::format("{} {}\n", program_name, version()), console);
        case Command::Action::list_models: return print(models_listing(), console);
        case Command::Action::list_metrics: return print(metrics_listing(), console);
        case Command::Action::score: return score_pair(command, console);
    }
    return ExitStatus::internal;
}

int run(std::span<const std::string> arguments) {
    if (!arguments.empty()) {
        const auto subcommand = std::ranges::find(subcommands(), std::string_view(arguments.front()), &Subcommand::name);
        if (subcommand != subcommands().end()) return subcommand->run(arguments.subspan(1));
    }
    const Result<Command> command = parse_command_line(arguments);
    if (command) return int(run_command(*command));
    Console console(program_name, false);
    console.error(command.error().message);
    std::fputs("Try 'isometric --help'.\n", stderr);
    return int(exit_status(command.error().code));
}

}  // namespace

int run_program(std::span<const std::string> arguments) {
    std::signal(SIGPIPE, SIG_IGN);  // a reader that went away is an error of the report, not the end of the program
    try {
        return run(arguments);
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "%s: error: out of memory\n", program_name);
    } catch (const std::exception& problem) {
        std::fprintf(stderr, "%s: error: internal: %s\n", program_name, problem.what());
    }
    return int(ExitStatus::internal);
}

}  // namespace isometric::cli
