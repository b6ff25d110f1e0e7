#include "parity/execution_path.h"

#include <charconv>

#include "base/error.h"
#include "base/instruction_set.h"

namespace isometric {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (std::size_t end; (end = text.find(separator)) != std::string_view::npos; text.remove_prefix(end + 1)) parts.push_back(text.substr(0, end));
    parts.push_back(text);
    return parts;
}

}  // namespace

Result<ExecutionPath> ExecutionPath::parse(std::string_view text) {
    ExecutionPath path;
    const std::vector<std::string_view> parts = split(text, ':');
    path.backend = parts[0];
    for (std::size_t i = 1; i < parts.size(); ++i) {
        std::string_view part = parts[i];
        if (part.starts_with("threads=")) {
            part.remove_prefix(8);
            const auto [end, code] = std::from_chars(part.data(), part.data() + part.size(), path.threads);
            if (code != std::errc{} || end != part.data() + part.size() || path.threads < 1)
                return error(Code::invalid_argument, "path '{}': '{}' is not a number of threads", text, part);
        } else if (part.starts_with("device=")) {
            path.device = part.substr(7);
        } else if (path.backend == "cpu") {
            ISO_TRY([[maybe_unused]] const InstructionSet set, instruction_set_from_name(part));
            path.instruction_set = part;
        } else {
            return error(Code::invalid_argument, "path '{}': '{}' is neither threads=N nor device=NAME", text, part);
        }
    }
    if (path.backend.empty()) return error(Code::invalid_argument, "an execution path is BACKEND[:INSTRUCTION_SET][:threads=N][:device=NAME]");
    return path;
}

std::string ExecutionPath::describe() const {
    std::string text = backend;
    if (!instruction_set.empty()) text += ":" + instruction_set;
    if (!device.empty()) text += ":device=" + device;
    if (threads != 1) text += fmt::format(":threads={}", threads);
    return text;
}

SessionConfig ExecutionPath::config() const {
    SessionConfig config;
    config.threads = threads;
    config.instruction_set = instruction_set;
    config.backend = backend;
    config.device = device;
    return config;
}

std::vector<ExecutionPath> available_paths() {
    std::vector<ExecutionPath> paths;
    const std::vector<InstructionSet> sets = available_instruction_sets();
    for (InstructionSet set : sets) paths.push_back({"cpu", std::string(to_string(set)), "", 1});
    for (const int threads : {2, 7}) paths.push_back({"cpu", std::string(to_string(sets.back())), "", threads});
    for (const char* backend : {"emulated", "cuda", "hip", "sycl", "metal"}) {
        ExecutionPath path{backend, "", "", 2};
        if (Session::create(path.config())) paths.push_back(path);
    }
    return paths;
}

}  // namespace isometric
