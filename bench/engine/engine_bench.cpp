// The whole engine with pictures in memory: CPU time a frame, over sizes, depths, instruction sets, threads and models, as ratios in one run.
//
//   engine_bench [--rounds N] [--frames N] [--section cpu|metrics|models|threads|latency|memory] [--size WxH] [--bits N]
//
// Every figure is the median over interleaved rounds; the spread is half the distance between the quartiles, over the median. Times are for
// comparing within one run: machines and runs differ.
#include <fmt/format.h>
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "base/instruction_set.h"
#include "isometric/session.h"
#include "parity/clip.h"

namespace {

using namespace isometric;

struct Time {
    double cpu_ms = 0;   // of all threads, a frame
    double wall_ms = 0;  // a frame
};

struct Setting {
    std::string name;
    PictureFormat format;
    std::string instruction_set;
    int threads = 1;
    std::vector<std::string> models;
    std::vector<std::string> metrics;
};

// Two frame pairs, used in turn: neighbours differ, and neither is in a near cache when its turn comes.
struct Pictures {
    std::vector<Picture> ref, dis;
};

Pictures make_pictures(const PictureFormat& format) {
    ClipSpec clip;
    clip.format = format;
    clip.frames = 2;
    clip.distortion = {DistortionKind::quant, 24 << (format.bit_depth - 8)};
    return {make_clip(clip.reference()), make_clip(clip)};
}

[[noreturn]] void fail(const Error& error) {
    fmt::print(stderr, "{}\n", error.message);
    std::exit(1);
}
void check(Status status) {
    if (!status) fail(status.error());
}

double cpu_seconds() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

Time run_once(const Setting& setting, const Pictures& pictures, int frames) {
    SessionConfig config;
    config.threads = setting.threads;
    config.instruction_set = setting.instruction_set;
    auto session = Session::create(std::move(config));
    if (!session) fail(session.error());
    for (const std::string& metric : setting.metrics) check(session->add_metric(metric));
    for (const std::string& version : setting.models) {
        ModelSettings settings;
        settings.name = version;
        check(session->add_model(*Model::builtin(version, settings)));
    }
    check(session->start(setting.format));
    const double cpu = cpu_seconds();
    const auto wall = std::chrono::steady_clock::now();
    for (int i = 0; i < frames; ++i) check(session->push(pictures.ref[std::size_t(i) % 2], pictures.dis[std::size_t(i) % 2]));
    check(session->finish());
    const double wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - wall).count();
    return {1e3 * (cpu_seconds() - cpu) / frames, 1e3 * wall_s / frames};
}

double quantile(std::vector<double> values, double q) {
    std::sort(values.begin(), values.end());
    return values[std::size_t(q * double(values.size() - 1) + 0.5)];
}

// Runs the settings in turn, `rounds` times, and prints a line for each: against the first.
void table(const char* title, const std::vector<Setting>& settings, int rounds, int frames) {
    fmt::print("\n{} (medians of {} interleaved rounds of {} frames)\n{:<44} {:>9} {:>9} {:>7} {:>8} {:>8}\n", title, rounds, frames, "setting",
               "cpu ms", "wall ms", "spread", "cpu x", "wall x");
    std::vector<std::vector<double>> cpu(settings.size()), wall(settings.size());
    std::vector<Pictures> pictures;
    for (const Setting& setting : settings) {
        pictures.push_back(make_pictures(setting.format));
        run_once(setting, pictures.back(), 2);
    }
    for (int r = 0; r < rounds; ++r) {
        for (std::size_t s = 0; s < settings.size(); ++s) {
            const Time time = run_once(settings[s], pictures[s], frames);
            cpu[s].push_back(time.cpu_ms);
            wall[s].push_back(time.wall_ms);
        }
    }
    for (std::size_t s = 0; s < settings.size(); ++s) {
        const double median = quantile(cpu[s], 0.5), spread = (quantile(cpu[s], 0.75) - quantile(cpu[s], 0.25)) / 2 / median;
        fmt::print("{:<44} {:>9.3f} {:>9.3f} {:>6.1f}% {:>8.3f} {:>8.3f}\n", settings[s].name, median, quantile(wall[s], 0.5), 100 * spread,
                   median / quantile(cpu[0], 0.5), quantile(wall[0], 0.5) / quantile(wall[s], 0.5));
    }
}

struct Options {
    int rounds = 9, frames = 12;
    std::string section;
    PictureFormat format{1920, 1080, 8, ChromaFormat::yuv420};
};

const std::vector<std::string> default_model = {"vmaf_v0.6.1"};

void cpu_section(const Options& o) {
    std::vector<Setting> settings;
    for (auto set : available_instruction_sets()) settings.push_back({std::string(to_string(set)), o.format, std::string(to_string(set)), 1, default_model, {}});
    std::reverse(settings.begin(), settings.end());
    table("instruction sets, default model", settings, o.rounds, o.frames);
    settings.clear();
    for (const PictureFormat& format : {PictureFormat{1920, 1080, 8}, PictureFormat{1920, 1080, 10}, PictureFormat{3840, 2160, 8}, PictureFormat{3840, 2160, 10},
                                        PictureFormat{1280, 720, 8}, PictureFormat{640, 360, 8}})
        settings.push_back({format.describe(), format, "", 1, default_model, {}});
    table("sizes and depths, default model", settings, std::max(3, o.rounds / 2), std::max(3, o.frames / 2));
}

void metrics_section(const Options& o) {
    std::vector<Setting> settings;
    for (const char* metric : {"vif", "adm", "motion", "psnr", "float_moment"}) settings.push_back({metric, o.format, "", 1, {}, {metric}});
    table("metrics alone", settings, o.rounds, o.frames);
}

void threads_section(const Options& o) {
    std::vector<Setting> settings;
    for (int threads = 1; threads <= int(std::thread::hardware_concurrency()); threads *= 2)
        settings.push_back({fmt::format("{} threads", threads), o.format, "", threads, default_model, {}});
    table("threads, default model", settings, o.rounds, 2 * o.frames);
}

void models_section(const Options& o) {
    table("models",
          {{"vmaf_v0.6.1", o.format, "", 1, default_model, {}},
           {"vmaf_v0.6.1 and vmaf_v0.6.1neg", o.format, "", 1, {"vmaf_v0.6.1", "vmaf_v0.6.1neg"}, {}},
           {"vmaf_v0.6.1 and vmaf_4k_v0.6.1", o.format, "", 1, {"vmaf_v0.6.1", "vmaf_4k_v0.6.1"}, {}},
           {"vmaf_b_v0.6.3 (21 models)", o.format, "", 1, {"vmaf_b_v0.6.3"}, {}}},
          o.rounds, o.frames);
}

void latency_section(const Options& o) {
    std::vector<Setting> settings;
    for (const PictureFormat& format : {o.format, PictureFormat{3840, 2160, 8}})
        for (int threads = 1; threads <= int(std::thread::hardware_concurrency()); threads *= 2)
            settings.push_back({fmt::format("one pair, {}, {} threads", format.describe(), threads), format, "", threads, default_model, {}});
    table("latency of a single pair", settings, o.rounds, 1);
}

void memory_section(const Options& o) {
    Setting setting{"", o.format, "", 2, default_model, {}};
    run_once(setting, make_pictures(o.format), 30);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    fmt::print("peak resident memory, {}, 2 threads, two pairs of the caller's pictures included: {:.1f} MiB\n", o.format.describe(),
               double(usage.ru_maxrss) / 1024);
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string_view name = argv[i];
        const std::string value = argv[i + 1];
        if (name == "--rounds") options.rounds = std::max(1, std::atoi(value.c_str()));
        else if (name == "--frames") options.frames = std::max(1, std::atoi(value.c_str()));
        else if (name == "--section") options.section = value;
        else if (name == "--bits") options.format.bit_depth = std::atoi(value.c_str());
        else if (name == "--size") std::sscanf(value.c_str(), "%dx%d", &options.format.width, &options.format.height);
        else {
            fmt::print(stderr, "unknown option {}\n", name);
            return 1;
        }
    }
    const std::vector<std::pair<std::string, std::function<void(const Options&)>>> sections = {
        {"cpu", cpu_section}, {"metrics", metrics_section}, {"models", models_section}, {"threads", threads_section}, {"latency", latency_section}, {"memory", memory_section}};
    for (const auto& [name, run] : sections)
        if (options.section.empty() ? name != "memory" : options.section == name) run(options);
}
