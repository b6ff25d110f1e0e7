#include "cli/completion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/error.h"
#include "base/instruction_set.h"

namespace isometric::cli {
namespace {

void note(Command& command, std::string message) { command.notes.push_back(std::move(message)); }

Status complete_inputs(Command& command) {
    if (command.reference.path.empty()) return error(Code::invalid_argument, "no reference video: give it with --reference FILE");
    if (command.distorted.path.empty()) return error(Code::invalid_argument, "no distorted video: give it with --distorted FILE");
    if (command.reference.path == "-" && command.distorted.path == "-")
        return error(Code::invalid_argument, "only one of the two videos can be standard input");
    return {};
}

Status complete_raw_format(Command& command, const GivenOptions& given) {
    command.check_sample_range = given.check_range.value_or(command.raw);
    if (!command.raw) return {};
    std::vector<std::string_view> missing;
    if (command.raw_format.width == 0) missing.push_back("--width");
    if (command.raw_format.height == 0) missing.push_back("--height");
    if (!given.chroma) missing.push_back("--pixel_format");
    if (command.reference.raw_bit_depth == 0) missing.push_back("--bitdepth");
    if (!missing.empty())
        return error(Code::invalid_argument, "raw YUV needs --width, --height, --pixel_format and --bitdepth; missing: {}",
                     fmt::join(missing, ", "));

    command.raw_format.chroma = *given.chroma;
    if (command.distorted.raw_bit_depth == 0) command.distorted.raw_bit_depth = command.reference.raw_bit_depth;
    for (const InputRequest* input : {&command.reference, &command.distorted}) {
        PictureFormat format = command.raw_format;
        format.bit_depth = input->raw_bit_depth;
        ISO_DO(format.check());
    }
    return {};
}

Status complete_models(Command& command) {
    if (command.models.empty() && command.predict) {
        ModelRequest model;
        model.version = "vmaf_v0.6.1";
        command.models.push_back(std::move(model));
    }
    for (auto model = command.models.begin(); model != command.models.end(); ++model) {
        const auto same = std::find_if(command.models.begin(), model, [&](const ModelRequest& other) { return other.name == model->name; });
        if (same != model)
            return error(Code::invalid_argument, "models {} and {} have the same name '{}': give one another, as in --model {}:name=other",
                         same->label(), model->label(), model->name, model->label());
    }
    if (command.models.empty() && command.features.empty())
        note(command, "nothing is measured: --no_prediction without --model and --feature");
    return {};
}

Status complete_backend(Command& command, const GivenOptions& given) {
    for (const FeatureRequest& feature : command.features) {
        if (feature.backend.empty()) continue;
        if (command.backend != "auto" && command.backend != feature.backend)
            return error(Code::invalid_argument, "--feature {}_{} needs the backend {}, but {} is chosen", feature.metric, feature.backend,
                         feature.backend, command.backend);
        command.backend = feature.backend;
    }
    for (const auto& [option, backend] : given.excluded_backends) {
        if (command.backend == backend)
            return error(Code::invalid_argument, "{} contradicts the choice of the backend {}", option, backend);
        if (command.backend != "auto") note(command, fmt::format("{} has no effect with the backend {}", option, command.backend));
        else command.excluded_backends.push_back(backend);
    }
    return {};
}

Status complete_instruction_set(const Command& command, std::vector<std::string>& notes) {
    if (const char* name = std::getenv("ISOMETRIC_CPU"); name && *name) {
        if (const auto set = instruction_set_from_name(name); !set) return within("environment variable ISOMETRIC_CPU", set.error());
    }
    if (command.instruction_set.empty()) return {};
    if (const auto set = instruction_set_from_name(command.instruction_set); !set) return within("--instruction_set", set.error());
    if (command.cpu_mask != 0) notes.push_back("--cpumask has no effect with --instruction_set");
    return {};
}

void complete_reports(Command& command, const GivenOptions& given) {
    for (ReportRequest& report : command.reports) {
        const auto by_extension = report_format_from_path(report.path);
        if (given.report_format) report.format = *given.report_format;
        else if (by_extension) report.format = *by_extension;
    }
    if (given.report_format && command.reports.empty()) note(command, "a report format has no effect without --output");
    if (command.worst > 0 && command.quiet) note(command, "--worst has no effect with --quiet");
    if (command.numbers_given && command.quiet && command.reports.empty())
        note(command, "--precision has no effect with --quiet and without --output");
}

}  // namespace

Status complete(Command& command, const GivenOptions& given) {
    ISO_DO(complete_inputs(command));
    ISO_DO(complete_raw_format(command, given));
    command.subsample = std::max(command.subsample, 1);
    ISO_DO(complete_models(command));
    ISO_DO(complete_backend(command, given));
    ISO_DO(complete_instruction_set(command, command.notes));
    complete_reports(command, given);
    return {};
}

bool ReportRequest::to_standard_output() const {
    return path == "-" || path == "/dev/stdout" || path == "/dev/fd/1" || path == "/proc/self/fd/1";
}

bool Command::report_on_standard_output() const { return std::ranges::any_of(reports, &ReportRequest::to_standard_output); }

}  // namespace isometric::cli
