#include "cli/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "cli/completion.h"
#include "cli/number_text.h"
#include "cli/option_list.h"
#include "cli/presets.h"
#include "cli/specifications.h"

namespace isometric::cli {
namespace {

constexpr Origin libvmaf = Origin::libvmaf;
constexpr std::array<std::string_view, 7> backends{"auto", "cpu", "emulated", "cuda", "hip", "sycl", "metal"};

// Fills a Command: one member function for each heading of --help.
class Parser {
public:
    Parser()
        : options_(
              "Video quality metrics, the same bits on every machine.\n\n  isometric -r REFERENCE.y4m -d DISTORTED.y4m [-o REPORT.json]\n",
              "isometric") {
        declare_input();
        declare_raw_video();
        declare_measurements();
        declare_running();
        declare_output();
        declare_information();
        declare_unlisted();
    }

    Result<Command> parse(std::span<const std::string> words) {
        const bool ignore =
            std::ranges::any_of(words, [](const std::string& word) { return word == "--ignore_unknown" || word == "--ignore-unknown"; });
        ISO_TRY(Arguments arguments,
                expand_arguments(words, options_.known(), ignore ? UnknownArguments::ignore : UnknownArguments::refuse));
        for (std::string& message : arguments.ignored) note("ignored: " + message);
        ISO_DO(options_.apply(std::move(arguments.words)));
        ISO_DO(unsupported_);
        if (command_.action == Command::Action::score) ISO_DO(complete(command_, given_));
        return std::move(command_);
    }

    std::string help() {
        return options_.help(
            "A number may be decimal, 0x hexadecimal or 0 octal. Long options may be shortened while they are unambiguous, and '-' and '_' "
            "are one\n"
            "in them. A backslash before ':' or '=' in a SPEC takes their meaning away.\n"
            "Exit status: 0 scored, 1 usage, 2 input, 3 model or feature, 4 computation, 5 report, 6 internal, 100 backend, 101 no "
            "frames.");
    }

private:
    using Setter = OptionList::Setter;

    static Setter text(std::string& target) {
        return [&target](const std::string& given) {
            target = given;
            return Status();
        };
    }

    template <class Number>
    static Setter count(const char* option, Number& target, std::int64_t maximum) {
        return [option, &target, maximum](const std::string& given) -> Status {
            ISO_TRY(const std::int64_t value, parse_count(option, given, maximum));
            target = Number(value);
            return {};
        };
    }

    void note(std::string message) { command_.notes.push_back(std::move(message)); }

    void declare_input() {
        constexpr std::int64_t most = INT64_MAX;
        options_.group("Input");
        options_.value({"reference", 'r', libvmaf}, "FILE", "the original video: y4m, or raw YUV; - is standard input",
                       text(command_.reference.path));
        options_.value({"distorted", 'd', libvmaf}, "FILE", "the video to judge", text(command_.distorted.path));
        options_.value({"frame_cnt", 0, libvmaf}, "N", "stop after N frame pairs (0: at the end)",
                       count("--frame_cnt", command_.frame_limit, most));
        options_.value({"frame_skip_ref", 0, libvmaf}, "N", "first drop N frames of the reference",
                       count("--frame_skip_ref", command_.reference.skip, most));
        options_.value({"frame_skip_dist", 0, libvmaf}, "N", "first drop N frames of the distorted video",
                       count("--frame_skip_dist", command_.distorted.skip, most));
        options_.flag({"strict"}, "videos of different lengths are an error", [this] { command_.strict_length = true; });
        options_.flag({"common_bitdepth"}, "compare videos of different bit depths at the larger",
                      [this] { command_.common_bit_depth = true; });
        options_.flag({"check_sample_range"}, "refuse samples above the bit depth (raw YUV: on by default)",
                      [this] { given_.check_range = true; });
        options_.flag({"no_check_sample_range"}, "take them as they are", [this] { given_.check_range = false; });
        options_.flag({"no_chroma_siting"}, "leave chroma of 8-bit 4:2:2, 4:1:1 and PAL-DV y4m where it is",
                      [this] { command_.convert_chroma_siting = false; });
    }

    void declare_raw_video() {
        constexpr int most = PictureFormat::max_side;
        options_.group("Raw YUV (all four are needed)");
        options_.value({"width", 'w', libvmaf}, "N", "width in samples", raw("--width", command_.raw_format.width, most));
        options_.value({"height", 'h', libvmaf}, "N", "height in samples", raw("--height", command_.raw_format.height, most));
        options_.value({"pixel_format", 'p', libvmaf}, "S", "chroma: 420, 422, 444 or 400",
                       [this](const std::string& given) { return set_chroma(given); });
        options_.value({"bitdepth", 'b', libvmaf}, "N", "bits of a sample: 8 to 16, above 8 in 16-bit little-endian words",
                       raw("--bitdepth", command_.reference.raw_bit_depth, PictureFormat::max_bit_depth));
        options_.value({"bitdepth_dist"}, "N", "bits of a sample of the distorted video, if they differ",
                       raw("--bitdepth_dist", command_.distorted.raw_bit_depth, PictureFormat::max_bit_depth));
    }

    Setter raw(const char* option, int& target, int most) {
        return [this, set = count(option, target, most)](const std::string& given) {
            command_.raw = true;
            return set(given);
        };
    }

    Status set_chroma(const std::string& given) {
        command_.raw = true;
        for (const auto& [name, chroma] : {std::pair{"420", ChromaFormat::yuv420},
                                           {"422", ChromaFormat::yuv422},
                                           {"444", ChromaFormat::yuv444},
                                           {"400", ChromaFormat::yuv400}}) {
            if (given == name) {
                given_.chroma = chroma;
                return {};
            }
        }
        return error(Code::invalid_argument, "--pixel_format: unknown format '{}'; there are 420, 422, 444 and 400", given);
    }

    void declare_measurements() {
        options_.group("What is measured");
        options_.value({"model", 'm', libvmaf}, "SPEC",
                       "a model, repeatable: VERSION or path=FILE, then :name=NAME :disable_clip\n:enable_transform :METRIC.OPTION=VALUE "
                       "(vmaf_v0.6.1)",
                       [this](const std::string& given) { return add_model(given); });
        options_.value({"feature", 0, libvmaf}, "SPEC", "a metric, repeatable: METRIC[=OPTION=VALUE[:OPTION=VALUE]...]",
                       [this](const std::string& given) { return add_feature(given); });
        options_.flag({"no_prediction", 'n', libvmaf}, "only the models' features, no scores; without --model no default model",
                      [this] { command_.predict = false; });
        options_.value({"aom_ctc", 0, libvmaf}, "V", "models and features of the AOM test conditions, v1.0 to v7.0",
                       [this](const std::string& given) { return add_aom_ctc(command_, given); });
        options_.value({"nflx_ctc", 0, libvmaf}, "V", "models and features of the Netflix test conditions, v1.0",
                       [this](const std::string& given) { return add_nflx_ctc(command_, given); });
        options_.value({"subsample", 0, libvmaf}, "N", "score every Nth frame (0 and 1: every frame)",
                       count("--subsample", command_.subsample, INT32_MAX));
    }

    Status add_model(const std::string& given) {
        ISO_TRY(ModelRequest model, parse_model(given, command_.notes));
        command_.models.push_back(std::move(model));
        return {};
    }

    Status add_feature(const std::string& given) {
        ISO_TRY(FeatureRequest feature, parse_feature(given));
        command_.features.push_back(std::move(feature));
        return {};
    }

    void declare_running() {
        options_.group("Running");
        options_.value({"threads", 0, libvmaf}, "N", "worker threads (0: one for each core); the scores are the same",
                       count("--threads", command_.threads, 1024));
        options_.value({"backend"}, "NAME", "auto, cpu, emulated, cuda, hip, sycl or metal; the scores are the same",
                       [this](const std::string& given) { return set_backend(given); });
        options_.value({"device"}, "NAME", "index of the backend's device, or a part of its name", text(command_.device));
        options_.flag({"no_cuda"}, "with --backend auto: not CUDA", [this] { exclude("--no_cuda", "cuda"); });
        options_.flag({"no_hip"}, "with --backend auto: not HIP", [this] { exclude("--no_hip", "hip"); });
        options_.flag({"no_sycl"}, "with --backend auto: not SYCL", [this] { exclude("--no_sycl", "sycl"); });
        options_.flag({"no_metal"}, "with --backend auto: not Metal", [this] { exclude("--no_metal", "metal"); });
        options_.value({"cpumask", 0, libvmaf}, "BITS",
                       "instruction sets to leave out: 8 AVX2, 16 AVX-512, 32 AVX-512 ICL; 1 NEON, 2 SVE2; -1 all",
                       [this](const std::string& given) -> Status {
                           ISO_TRY(command_.cpu_mask, parse_mask("--cpumask", given));
                           return {};
                       });
        options_.value({"instruction_set"}, "NAME", "the one to use: portable, avx2, avx512, avx512_dl, neon, sve2",
                       text(command_.instruction_set));
    }

    Status set_backend(const std::string& given) {
        if (std::ranges::find(backends, given) == backends.end())
            return error(Code::invalid_argument, "--backend: unknown backend '{}'; there are {}", given, fmt::join(backends, ", "));
        command_.backend = given;
        return {};
    }

    void exclude(const char* option, const char* backend) { given_.excluded_backends.push_back({option, backend}); }

    void declare_output() {
        options_.group("Output");
        options_.value({"output", 'o', libvmaf}, "FILE",
                       "write a report, repeatable; - is standard output. Its format is the extension's, else xml",
                       [this](const std::string& given) { return add_report(given); });
        for (const auto& [name, format] :
             {std::pair{"xml", ReportFormat::xml}, {"json", ReportFormat::json}, {"csv", ReportFormat::csv}, {"sub", ReportFormat::sub}})
            options_.flag({name, 0, libvmaf}, fmt::format("{} reports, whatever the extension", name),
                          [this, format = format] { given_.report_format = format; });
        options_.value({"precision"}, "N", "digits of scores: 1 to 17, max (every bit), legacy (%.6f)",
                       [this](const std::string& given) -> Status {
                           ISO_TRY(command_.numbers, NumberFormat::parse(given));
                           command_.numbers_given = true;
                           return {};
                       });
        options_.value({"worst"}, "N", "also print the N lowest frames of each model", count("--worst", command_.worst, INT32_MAX));
        options_.flag({"quiet", 'q', libvmaf}, "no result lines, progress or notes", [this] { command_.quiet = true; });
    }

    Status add_report(const std::string& given) {
        if (given.empty()) return error(Code::invalid_argument, "--output: the file name is empty");
        if (std::ranges::find(command_.reports, given, &ReportRequest::path) != command_.reports.end())
            return error(Code::invalid_argument, "--output {} is given twice", given);
        command_.reports.push_back({given});
        return {};
    }

    void declare_information() {
        options_.group("Information");
        options_.flag({"help"}, "this text", [this] { command_.action = Command::Action::help; });
        options_.flag({"version", 'v', libvmaf}, "the version", [this] { command_.action = Command::Action::version; });
        options_.flag({"list_models"}, "the built-in models", [this] { command_.action = Command::Action::list_models; });
        options_.flag({"list_metrics"}, "the metrics with their options, ranges and defaults",
                      [this] { command_.action = Command::Action::list_metrics; });
        options_.flag({"ignore_unknown"}, "unknown options and stray arguments are ignored, with a note", [] {});
    }

    // Accepted for the sake of command lines written for other tools.
    void declare_unlisted() {
        options_.group("");
        options_.flag({"list_features"}, "", [this] { command_.action = Command::Action::list_metrics; });
        options_.value({"gpumask", 0, libvmaf}, "BITS", "", [this](const std::string& given) -> Status {
            ISO_TRY(const std::uint64_t mask, parse_mask("--gpumask", given));
            if (mask != 0) exclude("--gpumask", "cuda");
            return {};
        });
        options_.value({"", 'c', libvmaf}, "X", "", [this](const std::string& given) {
            note(fmt::format("-c {} has no effect", given));
            return Status();
        });
        for (const char* backend : {"sycl", "hip", "metal"}) {
            const std::string name = std::string(backend) + "_device";
            options_.value({name.c_str()}, "N", "",
                           [this, backend](const std::string& given) { return set_backend_device(backend, given); });
        }
        for (const char* name :
             {"tiny_model", "tiny_device", "dnn_ep", "tiny_threads", "tiny_codec", "tiny_preset", "tiny_crf", "tiny_resize"})
            options_.value({name}, "X", "", [name](const std::string&) { return unsupported(name); });
        for (const char* name : {"tiny_fp16", "tiny_model_verify", "no_reference"})
            options_.flag({name}, "", [this, name] {
                if (unsupported_) unsupported_ = unsupported(name);
            });
    }

    static Status unsupported(const std::string& name) {
        return error(Code::invalid_argument, "--{} is not supported: isometric has no neural-network and no no-reference metrics", name);
    }

    Status set_backend_device(const char* backend, const std::string& given) {
        ISO_TRY(const std::int64_t device, parse_count(fmt::format("--{}_device", backend), given, INT32_MAX));
        command_.backend = backend;
        command_.device = std::to_string(device);
        return {};
    }

    Command command_;
    GivenOptions given_;
    Status unsupported_;
    OptionList options_;
};

}  // namespace

Result<Command> parse_command_line(std::span<const std::string> words) { return Parser().parse(words); }

std::string command_line_help() { return Parser().help(); }

}  // namespace isometric::cli
