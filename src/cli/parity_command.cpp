#include "cli/parity_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <bit>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "isometric/session.h"
#include "parity/compare.h"

namespace isometric::cli {
namespace {

struct Settings {
    std::string reference;
    std::vector<std::string> paths, clips, features;
    std::string json;
    bool full = false;
    bool quick = false;
};

// What to compare: the given paths, clips and features, or all there are.
struct Plan {
    std::vector<ExecutionPath> paths;  // the reference first
    std::vector<ClipSpec> clips;
    std::vector<MetricRequest> requests;
};

ExitStatus complain(const Error& error) {
    fmt::print(stderr, "isometric: error: {}\n", error.message);
    return exit_status(error.code);
}

Result<Plan> make_plan(const Settings& settings) {
    const Extent extent = settings.full ? Extent::full : Extent::quick;
    Plan plan;
    plan.paths = available_paths();
    if (!settings.paths.empty()) plan.paths.resize(1);
    if (!settings.reference.empty()) {
        auto reference = ExecutionPath::parse(settings.reference);
        if (!reference) return std::move(reference).error();
        plan.paths[0] = std::move(*reference);
    }
    for (const std::string& text : settings.paths) {
        auto path = ExecutionPath::parse(text);
        if (!path) return std::move(path).error();
        plan.paths.push_back(std::move(*path));
    }
    plan.clips = settings.clips.empty() ? matrix_clips(extent) : std::vector<ClipSpec>();
    for (const std::string& text : settings.clips) {
        auto clip = ClipSpec::parse(text);
        if (!clip) return std::move(clip).error();
        plan.clips.push_back(std::move(*clip));
    }
    if (settings.features.empty()) plan.requests = matrix_requests(extent);
    for (const std::string& text : settings.features) {
        auto request = MetricRequest::parse(text);
        if (!request) return std::move(request).error();
        // A metric's name alone stands for all its configurations.
        const std::size_t before = plan.requests.size();
        if (request->options.empty())
            for (MetricRequest& r : matrix_requests(extent))
                if (r.metric == request->metric) plan.requests.push_back(std::move(r));
        if (plan.requests.size() == before) plan.requests.push_back(std::move(*request));
    }
    return plan;
}

std::string bits(double value) { return fmt::format("{:a} (0x{:016x})", value, std::bit_cast<std::uint64_t>(value)); }

void print_comparison(const Comparison& comparison) {
    fmt::print("{:<28} = {:<20} {:>9} values, {} differing, {} configurations refused by both\n", comparison.other.describe(),
               comparison.reference.describe(), comparison.values, comparison.differing, comparison.refused);
    for (const Difference& d : comparison.differences)
        fmt::print("  {} {} frame {} of '{}'\n    {}: {}\n    {}: {}\n    {}\n", d.metric, d.feature, d.frame, d.clip.describe(),
                   comparison.reference.describe(), bits(d.reference), comparison.other.describe(), bits(d.other), d.command);
}

nlohmann::ordered_json to_json(const Comparison& comparison) {
    nlohmann::ordered_json differences = nlohmann::ordered_json::array();
    for (const Difference& d : comparison.differences)
        differences.push_back({{"clip", d.clip.describe()},
                               {"metric", d.metric},
                               {"feature", d.feature},
                               {"frame", d.frame},
                               {"reference_bits", fmt::format("0x{:016x}", std::bit_cast<std::uint64_t>(d.reference))},
                               {"other_bits", fmt::format("0x{:016x}", std::bit_cast<std::uint64_t>(d.other))},
                               {"command", d.command}});
    return {{"reference", comparison.reference.describe()}, {"path", comparison.other.describe()},  {"values", comparison.values},
            {"differing", comparison.differing},            {"refused", comparison.refused},        {"differences", std::move(differences)}};
}

Status write_json(const std::string& file, const Plan& plan, const std::vector<Comparison>& comparisons) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Comparison& comparison : comparisons) list.push_back(to_json(comparison));
    const nlohmann::ordered_json report = {{"schema", 1},
                                           {"version", version()},
                                           {"clips", plan.clips.size()},
                                           {"configurations", plan.requests.size()},
                                           {"comparisons", std::move(list)}};
    std::ofstream out(file, std::ios::trunc);
    out << report.dump(2) << '\n';
    out.close();
    if (!out) return Error{Code::output_failed, "cannot write '" + file + "'"};
    return {};
}

std::function<void(std::size_t, std::size_t)> progress_on_terminal() {
    if (!isatty(STDERR_FILENO)) return {};
    return [](std::size_t done, std::size_t all) {
        fmt::print(stderr, "\r{}/{} clips{}", done, all, done == all ? "\n" : "");
        std::fflush(stderr);
    };
}

ExitStatus run_plan(const Plan& plan, const std::string& json) {
    const auto started = std::chrono::steady_clock::now();
    auto comparisons = compare(plan.paths, plan.clips, plan.requests, progress_on_terminal());
    if (!comparisons) return complain(comparisons.error());
    bool equal = true;
    std::int64_t values = 0, differing = 0;
    for (const Comparison& comparison : *comparisons) {
        print_comparison(comparison);
        values += comparison.values;
        differing += comparison.differing;
        equal &= comparison.equal();
    }
    const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    fmt::print("{} values compared on {} clips with {} configurations, {} differing, {:.1f} s\n", values, plan.clips.size(), plan.requests.size(),
               differing, elapsed);
    if (!json.empty())
        if (Status status = write_json(json, plan, *comparisons); !status) return complain(status.error());
    return equal ? ExitStatus::success : ExitStatus::compute;
}

void add_common_options(CLI::App& app, Settings& settings) {
    app.add_option("--feature", settings.features, "Only this metric, NAME[:OPTION=VALUE...]; repeatable. A name alone: all its configurations");
    auto* full = app.add_flag("--full", settings.full, "Every format, width and content; large pictures. Takes long");
    app.add_flag("--quick", settings.quick, "The default extent: every kind once, under a minute")->excludes(full);
    app.add_option("--json", settings.json, "Also write the results to a file");
}

// CLI11's exceptions end here. False: the status says how to exit.
bool parse(CLI::App& app, std::span<const std::string> words, ExitStatus& status) {
    std::vector<std::string> reversed(words.rbegin(), words.rend());
    try {
        app.parse(reversed);
        return true;
    } catch (const CLI::CallForHelp&) {
        fmt::print("{}", app.help());
        status = ExitStatus::success;
    } catch (const CLI::ParseError& e) {
        fmt::print(stderr, "isometric: error: {}\n", e.what());
        status = ExitStatus::usage;
    }
    return false;
}

}  // namespace

ExitStatus run_parity(std::span<const std::string> words) {
    CLI::App app("Compares execution paths bit by bit over generated clips. Exit status 0: no difference; 4: some.", "isometric parity");
    Settings settings;
    app.add_option("--reference", settings.reference, "The path that the others are compared with (default: cpu:portable)");
    app.add_option("--path", settings.paths, "BACKEND[:INSTRUCTION_SET][:threads=N][:device=NAME]; repeatable (default: all there are)");
    app.add_option("--clip", settings.clips, "Only this clip, \"WIDTHxHEIGHT BITS CHROMA FRAMES SOURCE DISTORTION SEED\"; repeatable");
    add_common_options(app, settings);
    ExitStatus status{};
    if (!parse(app, words, status)) return status;
    const auto plan = make_plan(settings);
    return plan ? run_plan(*plan, settings.json) : complain(plan.error());
}

ExitStatus run_selftest(std::span<const std::string> words) {
    CLI::App app("Checks this build on this machine: every execution path against the others, and all against built-in figures.", "isometric selftest");
    Settings settings;
    add_common_options(app, settings);
    ExitStatus status{};
    if (!parse(app, words, status)) return status;
    const auto plan = make_plan(settings);
    if (!plan) return complain(plan.error());
    status = run_plan(*plan, settings.json);
    for (const KnownDigest& known : known_digests()) {
        std::vector<MetricRequest> requests;
        for (MetricRequest& request : matrix_requests(Extent::quick))
            if (request.metric == known.metric) requests.push_back(std::move(request));
        const auto found = digest(plan->paths.back(), matrix_clips(Extent::quick), requests);
        if (!found) return complain(found.error());
        const bool right = found->value == known.digest.value && found->scores == known.digest.scores;
        fmt::print("{:<28} {} scores, digest {:016x}: {}\n", known.metric, found->scores, found->value, right ? "right" : "WRONG");
        if (!right) status = ExitStatus::compute;
    }
    fmt::print("{}\n", status == ExitStatus::success ? "this build gives the reference's bits" : "this build does NOT give the reference's bits");
    return status;
}

}  // namespace isometric::cli
