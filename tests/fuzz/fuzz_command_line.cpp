// A command line, one word a line: it is parsed into a command or refused with a usage error, and parsing what is understood again gives
// the same. What every option takes (numbers, model and feature specifications) is reached through it.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.h"

using namespace isometric;

namespace {

std::vector<std::string> lines(std::string_view text) {
    std::vector<std::string> words;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        words.emplace_back(text.substr(0, end));
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    return words;
}

void require(bool condition) {
    if (!condition) std::abort();
}

void check_scored(const cli::Command& command) {
    require(!command.reference.path.empty() && !command.distorted.path.empty());
    require(command.subsample >= 1 && command.threads >= 0 && command.threads <= 1024 && command.frame_limit >= 0 && command.worst >= 0);
    require(command.reference.skip >= 0 && command.distorted.skip >= 0);
    require(!command.raw || (command.raw_format.width > 0 && command.raw_format.height > 0 && command.reference.raw_bit_depth >= 8));
    for (const cli::ModelRequest& model : command.models) {
        require(model.version.empty() != model.path.empty() && !model.name.empty());
        for (const cli::ModelOverload& overload : model.overloads)
            require(!overload.metric.empty() && !overload.option.empty() && !overload.value.empty());
    }
    for (const cli::FeatureRequest& feature : command.features) {
        require(!feature.metric.empty());
        for (const OptionText& option : feature.options) require(!option.name.empty() && !option.value.empty());
    }
    for (const cli::ReportRequest& report : command.reports) require(!report.path.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::vector<std::string> words = lines({reinterpret_cast<const char*>(data), size});
    const auto command = cli::parse_command_line(words);
    if (!command) {
        require(command.error().code == Code::invalid_argument && !command.error().message.empty());
        return 0;
    }
    if (command->action == cli::Command::Action::score) check_scored(*command);
    const auto again = cli::parse_command_line(words);
    require(again && again->action == command->action && again->notes == command->notes);
    return 0;
}
