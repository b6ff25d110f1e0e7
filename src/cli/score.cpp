#include "cli/score.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>

#include "base/error.h"
#include "cli/standard_output.h"
#include "cli/summary.h"
#include "input/input_pair.h"
#include "isometric/session.h"

namespace isometric::cli {
namespace {

// What a call with a bad argument means depends on whose argument it was.
Error of_kind(Code code, Error problem) {
    if (problem.code == Code::invalid_argument) problem.code = code;
    return problem;
}

std::string display_name(const std::string& path) { return path == "-" ? "standard input" : path; }

// A run of hours must not end at a mistyped folder.
Status check_report_folders(const Command& command) {
    for (const ReportRequest& report : command.reports) {
        if (report.to_standard_output()) continue;
        const std::filesystem::path path(report.path);
        const std::string folder = path.has_parent_path() ? path.parent_path().string() : ".";
        std::error_code code;
        if (!std::filesystem::is_directory(folder, code))
            return error(Code::output_failed, "report {}: there is no folder {}", report.path, folder);
        if (std::filesystem::is_directory(path, code)) return error(Code::output_failed, "report {}: this is a folder", report.path);
        if (std::filesystem::exists(path, code) ? access(report.path.c_str(), W_OK) != 0 : access(folder.c_str(), W_OK) != 0)
            return error(Code::output_failed, "report {}: no permission to write it", report.path);
    }
    return {};
}

class ScoreRun {
public:
    ScoreRun(const Command& command, Console& console) : command_(command), console_(console) {}

    ExitStatus run() {
        for (const std::string& note : command_.notes) console_.note(note);
        if (Status status = set_up(); !status) return failed(status.error());
        Status status = score_frames();
        // A worker's error is about a frame before the one that was being read.
        if (Status measured = session_->finish(); !measured && (status || !session_->status())) status = std::move(measured);
        const double run_s = elapsed_s();
        console_.clear_progress();
        const Status written = write_results(status, run_s);
        if (!status) return failed(status.error());
        return written ? ExitStatus::success : exit_status(written.error().code);
    }

private:
    ExitStatus failed(const Error& problem) {
        console_.error(problem.message);
        return exit_status(problem.code);
    }

    Status set_up() {
        ISO_DO(check_report_folders(command_));
        ISO_DO(create_session());
        for (const ModelRequest& request : command_.models)
            if (Status status = add_model(request); !status) return of_kind(Code::bad_model, std::move(status).error());
        for (const FeatureRequest& feature : command_.features)
            if (Status status = session_->add_metric(feature.metric, feature.options); !status)
                return of_kind(Code::bad_model, within("--feature", std::move(status).error()));
        ISO_DO(open_videos());
        if (Status status = session_->start(pair_->format()); !status) return of_kind(Code::bad_model, std::move(status).error());
        return {};
    }

    Status create_session() {
        SessionConfig config;
        config.threads = command_.threads;
        config.subsample = command_.subsample;
        config.cpu_mask = command_.cpu_mask;
        config.instruction_set = command_.instruction_set;
        config.backend = command_.backend;
        config.excluded_backends = command_.excluded_backends;
        config.device = command_.device;
        config.log = [this](LogLevel level, std::string_view message) {
            if (level == LogLevel::error || level == LogLevel::warning) console_.warning(message);
            else if (level == LogLevel::info && command_.backend != "auto") console_.note(message);  // auto has nothing to explain
        };
        ISO_TRY(session_, Session::create(std::move(config)));
        return {};
    }

    Status add_model(const ModelRequest& request) {
        const ModelSettings settings{request.name, request.disable_clip, request.enable_transform};
        ISO_TRY(Model model, request.version.empty() ? Model::load(request.path, settings) : Model::builtin(request.version, settings));
        for (const ModelOverload& overload : request.overloads) ISO_DO(model.overload(overload.metric, overload.option, overload.value));
        return command_.predict ? session_->add_model(model) : add_features_of(model);
    }

    // --no_prediction: what the model reads is measured, and nothing predicted.
    Status add_features_of(const Model& model) {
        const std::vector<MetricDescription> metrics = list_metrics();
        for (const ModelFeature& feature : model.features()) {
            const auto provides = [&](const MetricDescription& metric) { return std::ranges::count(metric.features, feature.name) > 0; };
            const auto metric = std::ranges::find_if(metrics, provides);
            if (metric == metrics.end()) return session_->add_model(model);  // its error names what is missing
            ISO_DO(session_->add_metric(metric->name, feature.options));
        }
        return {};
    }

    Status open_videos() {
        InputPairOptions options;
        options.reference = input(command_.reference);
        options.distorted = input(command_.distorted);
        options.common_bit_depth = command_.common_bit_depth;
        ISO_TRY(pair_, InputPair::open(options));
        pair_->set_luma_only(!session_->needs_chroma());
        for (const std::string& warning : pair_->warnings()) console_.warning(warning);
        return {};
    }

    PairInput input(const InputRequest& request) const {
        PairInput input{request.path, {}, request.skip};
        input.options.raw = command_.raw;
        input.options.raw_format = command_.raw_format;
        input.options.raw_format.bit_depth = command_.raw ? request.raw_bit_depth : input.options.raw_format.bit_depth;
        input.options.check_sample_range = command_.check_sample_range;
        input.options.convert_chroma_siting = command_.convert_chroma_siting;
        return input;
    }

    // Reads while the workers measure what was read before.
    Status score_frames() {
        const int pictures = 2 * (session_->frames_held() + 1);
        ISO_TRY(PicturePool pool, PicturePool::create(pair_->format(), pictures));
        std::optional<std::int64_t> expected = pair_->pairs_left();
        if (command_.frame_limit > 0) expected = std::min(expected.value_or(INT64_MAX), command_.frame_limit);
        start_ = Clock::now();
        while (command_.frame_limit == 0 || pair_->frames_read() < command_.frame_limit) {
            Picture reference = pool.acquire();
            Picture distorted = pool.acquire();
            ISO_TRY(const bool more, pair_->read(reference, distorted));
            if (!more) return check_ends();
            ISO_DO(session_->push(std::move(reference), std::move(distorted)));
            console_.progress({session_->frames_scored(), expected, elapsed_s()});
        }
        return {};
    }

    Status check_ends() {
        const bool reference_first = pair_->reference_ended_first(), distorted_first = pair_->distorted_ended_first();
        const std::string reference = display_name(command_.reference.path), distorted = display_name(command_.distorted.path);
        if (pair_->frames_read() == 0) {
            const std::string empty = reference_first   ? reference
                                      : distorted_first ? distorted
                                                        : fmt::format("{} and {}", reference, distorted);
            return error(Code::no_frames, "nothing to score: {} {} no frames", empty, reference_first || distorted_first ? "has" : "have");
        }
        if (!reference_first && !distorted_first) return {};
        // Files are read to their ends, so that the message can say both lengths; the rest of a pipe may never come.
        std::error_code code;
        const bool is_file = std::filesystem::is_regular_file(reference_first ? command_.distorted.path : command_.reference.path, code);
        const std::string text = is_file
                                     ? pair_->lengths().describe(*pair_)
                                     : fmt::format("{} ended before {}: {} frames were compared", reference_first ? reference : distorted,
                                                   reference_first ? distorted : reference, pair_->frames_read());
        if (command_.strict_length) return Error{Code::bad_input, text};
        console_.warning(text);
        return {};
    }

    double elapsed_s() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

    // What is there after the run, whole or not.
    Status write_results(const Status& run, double run_s) {
        Scores scores = session_->scores();
        if (scores.frames == 0) return {};
        if (!run && scores.complete) {
            scores.complete = false;
            scores.error = run.error().message;
        }
        Status result;
        for (const ReportRequest& report : command_.reports) {
            const ReportSettings settings{report.format, command_.numbers, std::string(version()),
                                          run_s > 0 ? double(scores.frames) / run_s : 0};
            keep_first(result, write_report(scores, settings, report.path));
        }
        if (!command_.quiet) keep_first(result, print_summary(scores));
        return result;
    }

    Status print_summary(const Scores& scores) {
        const std::string text = summary_text(command_, scores);
        if (!command_.report_on_standard_output()) return write_standard_output(text);
        std::fputs(text.c_str(), stderr);
        return {};
    }

    void keep_first(Status& first, Status next) {
        if (next) return;
        console_.error(next.error().message);
        if (first) first = std::move(next);
    }

    using Clock = std::chrono::steady_clock;

    const Command& command_;
    Console& console_;
    std::optional<Session> session_;
    std::optional<InputPair> pair_;
    Clock::time_point start_ = Clock::now();
};

}  // namespace

ExitStatus score_pair(const Command& command, Console& console) { return ScoreRun(command, console).run(); }

}  // namespace isometric::cli
