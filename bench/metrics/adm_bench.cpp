// The passes of `adm` in place: every entry of a pass table is timed while whole frames are measured, so caches and contents are those of a
// score run.
//
//   adm_bench [--frames N] [--size WxH] [--bits N] [--set NAME] [--gain X]
//
// For each pass and scale, the lower quartile over frames, which other work on the machine disturbs least: ms a frame, ns and core cycles
// an element (a column of the pass's interval), bytes moved an element, and on AVX-512 with VNNI the fraction of the arithmetic floor: the
// pass's vector operations over the two ports that execute them (docs/measurements/adm.md). Then a frame without timers, and frames divided
// into parts: the CPU time of all parts and of the longest, which is the latency with as many idle cores.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "bench/metrics/interleaved.h"
#include "metrics/adm/adm_measure.h"
#include "parity/clip.h"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace isometric {
namespace {

using adm::Interval;

// What a pass costs at least on AVX-512 with VNNI: vector operations for each of its elements, and the bytes that it loads and stores.
struct Cost {
    const char* name;
    double operations, bytes;
};
enum Pass {
    vertical_u8,
    vertical_u16,
    vertical_i16,
    vertical_i32,
    horizontal_fine,
    horizontal_coarse,
    restore_fine,
    restore_coarse,
    weigh_fine,
    weigh_coarse,
    mask_fine,
    mask_coarse,
    cubes_fine,
    cubes_coarse,
    passes_timed
};
constexpr Cost costs[passes_timed] = {
    {"vertical, 8-bit samples", 38.0 / 64, 2 + 8 + 4},
    {"vertical, 16-bit samples", 48.0 / 64, 4 + 8 + 4},
    {"vertical, 16-bit bands", 24.0 / 32, 4 + 8 + 8},
    {"vertical, 32-bit bands", 54.0 / 32, 8 + 16 + 8},
    {"horizontal, scale 0", 28.0 / 32, 12 + 8},
    {"horizontal", 28.0 / 16, 32 + 16},
    {"restore, scale 0", 53.0 / 32, 12 + 8},
    {"restore", 140.0 / 16, 24 + 16},
    {"weigh, scale 0", 112.0 / 32, 14 + 28},
    {"weigh", 145.0 / 16, 28 + 40},
    {"mask, scale 0", (54 + 0.4 * 90) / 32, 22},
    {"mask", (24 + 0.4 * 48) / 16, 28},
    {"cubes of reference, scale 0", 10.0 / 32, 2},
    {"cubes of reference", 16.0 / 16, 4},
};

std::uint64_t ticks() {
#if defined(__x86_64__)
    return __rdtsc();
#elif defined(__aarch64__)
    std::uint64_t t;
    asm volatile("mrs %0, cntvct_el0" : "=r"(t));
    return t;
#else
    return std::uint64_t(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

double ticks_per_ns() {
    std::vector<double> tries;
    for (int i = 0; i < 9; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        const std::uint64_t first = ticks();
        std::uint64_t last = first;
        while (last - first < 2'000'000) last = ticks();
        tries.push_back(double(last - first) / std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count());
    }
    return bench::median(tries);
}

// Additions that wait for each other take a cycle each. Right after vector code, as processors lower their clock for it.
double cycles_per_tick() {
    constexpr int n = 10'000;
    std::uint64_t x = 1;
    const std::uint64_t begin = ticks();
    for (int i = 0; i < n; ++i) {
        x += std::uint64_t(i);
        asm volatile("" : "+r"(x));
    }
    return n / double(ticks() - begin);
}

double lower_quartile(std::vector<double> values) {
    const auto quarter = values.begin() + std::ptrdiff_t(values.size() / 4);
    std::nth_element(values.begin(), quarter, values.end());
    return *quarter;
}

struct Spent {
    double ticks = 0, elements = 0;
    int calls = 0;
};
using Key = std::pair<int, int>;  // pass, scale
std::map<Key, Spent> spent;
int picture_width = 0;
double timer_ticks = 0;

// The scale whose rows are so long.
int scale_of(Interval columns, bool input) {
    const double full = 0.82 * picture_width / std::max(1, columns.size());
    return std::clamp(int(std::lround(std::log2(full))) - (input ? 0 : 1), 0, adm::scales - 1);
}

// A pass that counts its time; `F` is its type in the table.
template <int pass, int variant, class F>
struct Timed;
template <int pass, int variant, class R, class... A>
struct Timed<pass, variant, R (*)(A...)> {
    static inline R (*inner)(A...) = nullptr;

    static R call(A... arguments) {
        Interval columns;
        ((void)[&](const auto& argument) {
            if constexpr (std::is_same_v<std::decay_t<decltype(argument)>, Interval>) columns = argument;
        }(arguments), ...);
        const Stop stop{columns, ticks()};
        return inner(arguments...);
    }

private:
    struct Stop {
        Interval columns;
        std::uint64_t begin;
        ~Stop() {
            const std::uint64_t end = ticks();
            Spent& s = spent[{pass, scale_of(columns, pass <= vertical_i32)}];
            s.ticks += double(end - begin) - timer_ticks;
            s.elements += columns.size();
            ++s.calls;
        }
    };
};

template <int pass, int variant = 0, class F>
void time_pass(F& entry) {
    Timed<pass, variant, F>::inner = entry;
    entry = Timed<pass, variant, F>::call;
}

adm::Passes timed_passes(adm::Passes passes) {
    time_pass<vertical_u8>(passes.vertical_u8.next);
    time_pass<vertical_u16>(passes.vertical_u16.next);
    time_pass<vertical_i16>(passes.vertical_i16.next);
    time_pass<vertical_i32>(passes.vertical_i32.next);
    time_pass<horizontal_fine>(passes.horizontal_fine);
    time_pass<horizontal_coarse>(passes.horizontal_coarse);
    time_pass<restore_fine>(passes.fine.restore);
    time_pass<restore_coarse>(passes.coarse.restore);
    time_pass<weigh_fine>(passes.fine.weigh);
    time_pass<weigh_coarse>(passes.coarse.weigh);
    time_pass<mask_fine>(passes.fine.mask);
    time_pass<mask_coarse>(passes.coarse.mask);
    time_pass<cubes_fine>(passes.fine.cubes);
    time_pass<cubes_coarse>(passes.coarse.cubes);
    return passes;
}

// Runs parts in turn, and keeps their times.
class TurnSplitter final : public Splitter {
public:
    int ways() const override { return 1; }
    void run(int parts, const std::function<void(int)>& body) const override {
        part_ns.clear();
        for (int part = 0; part < parts; ++part) part_ns.push_back(bench::timed([&] { body(part); }));
    }
    mutable std::vector<double> part_ns;
};

void bench_parts(const adm::Measurement& measurement, const std::vector<FramePair>& pairs, int frames) {
    const auto workspace = *measurement.create_workspace();
    std::vector<double> record(adm::record_doubles);
    const TurnSplitter splitter;
    for (int parts : {2, 4, 8}) {
        if (parts > measurement.useful_parts()) return;
        std::vector<double> sums, longest;
        for (int i = 0; i < frames; ++i) {
            const FramePair& pair = pairs[std::size_t(i) % pairs.size()];
            (void)measurement.measure(pair.ref, pair.dis, *workspace, record, parts, &splitter);
            sums.push_back(std::accumulate(splitter.part_ns.begin(), splitter.part_ns.end(), 0.0));
            longest.push_back(*std::max_element(splitter.part_ns.begin(), splitter.part_ns.end()));
        }
        fmt::print("in {} parts{:<32}{:>9.4f}  the longest {:.4f}\n", parts, "", lower_quartile(sums) * 1e-6,
                   lower_quartile(longest) * 1e-6);
    }
}

struct Options {
    int frames = 60;
    PictureFormat format{1920, 1080, 8, ChromaFormat::yuv400};
    std::string set;
    double gain = 100;
};

std::vector<FramePair> make_pairs(const PictureFormat& format) {
    ClipSpec clip;
    clip.format = format;
    clip.frames = 2;
    clip.distortion = {DistortionKind::quant, 24 << (format.bit_depth - 8)};
    const std::vector<Picture> ref = make_clip(clip.reference()), dis = make_clip(clip);
    return {{ref[0], dis[0]}, {ref[1], dis[1]}};
}

void bench_set(InstructionSet set, const Options& o, const std::vector<FramePair>& pairs) {
    const adm::Parameters parameters{.gain_limit = o.gain};
    const adm::Passes timed = timed_passes(adm::passes(set));
    const adm::Measurement plain(std::span(&parameters, 1), o.format, adm::passes(set)),
        measured(std::span(&parameters, 1), o.format, timed);
    const auto workspace = *plain.create_workspace();
    std::vector<double> record(adm::record_doubles), frame_ns, clocks;
    std::map<Key, std::vector<double>> pass_ticks;
    const double tick_rate = ticks_per_ns();
    for (int i = 0; i < o.frames; ++i) {
        // Neither finds its pictures in a near cache.
        const FramePair &pair = pairs[std::size_t(i) % 2], &other = pairs[std::size_t(i + 1) % 2];
        frame_ns.push_back(bench::timed([&] { (void)plain.measure(other.ref, other.dis, *workspace, record, 1, nullptr); }));
        clocks.push_back(cycles_per_tick() * tick_rate);
        spent.clear();
        (void)measured.measure(pair.ref, pair.dis, *workspace, record, 1, nullptr);
        for (const auto& [key, s] : spent) pass_ticks[key].push_back(s.ticks);
    }
    const double cycle_rate = bench::median(clocks), frame_ms = lower_quartile(frame_ns) * 1e-6;
    fmt::print("\n{}, {}, gain limit {} (lower quartiles of {} frames, {:.2f} GHz)\n{:<30}{:>6}{:>7}{:>9}{:>7}{:>9}{:>9}{:>8}{:>8}{:>7}\n",
               to_string(set), o.format.describe(), o.gain, o.frames, cycle_rate, "pass", "scale", "calls", "ms", "share", "ns", "cycles",
               "bytes", "floor", "of it");
    double sum = 0;
    for (const auto& [key, values] : pass_ticks) {
        const Spent& s = spent[key];
        const Cost& cost = costs[key.first];
        const double ns = lower_quartile(values) / tick_rate, cycles = ns * cycle_rate / s.elements, floor = cost.operations / 2;
        sum += ns * 1e-6;
        fmt::print("{:<30}{:>6}{:>7}{:>9.4f}{:>6.1f}%{:>9.3f}{:>9.3f}{:>8.1f}", cost.name, key.second, s.calls, ns * 1e-6,
                   ns * 1e-4 / frame_ms, ns / s.elements, cycles, cost.bytes);
        if (set == InstructionSet::avx512_dl) fmt::print("{:>8.3f}{:>6.0f}%", floor, 100 * floor / cycles);
        fmt::print("\n");
    }
    fmt::print("{:<43}{:>9.4f}\n{:<43}{:>9.4f}  {:.2f} million cycles\n", "all passes", sum, "a frame without timers", frame_ms,
               frame_ms * cycle_rate);
    bench_parts(plain, pairs, o.frames);
}

}  // namespace
}  // namespace isometric

int main(int argc, char** argv) {
    using namespace isometric;
    Options options;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string_view name = argv[i];
        const std::string value = argv[i + 1];
        if (name == "--frames") options.frames = std::max(2, std::atoi(value.c_str()));
        else if (name == "--bits") options.format.bit_depth = std::atoi(value.c_str());
        else if (name == "--size") std::sscanf(value.c_str(), "%dx%d", &options.format.width, &options.format.height);
        else if (name == "--set") options.set = value;
        else if (name == "--gain") options.gain = std::atof(value.c_str());
        else {
            fmt::print(stderr, "unknown option {}\n", name);
            return 1;
        }
    }
    picture_width = options.format.width;
    // What two readings of the clock take with nothing between them.
    std::vector<double> empty;
    for (int i = 0; i < 1001; ++i) {
        const std::uint64_t begin = ticks();
        empty.push_back(double(ticks() - begin));
    }
    timer_ticks = bench::median(empty);
    const std::vector<FramePair> pairs = make_pairs(options.format);
    const std::vector<InstructionSet> sets = available_instruction_sets();
    for (auto set = sets.rbegin(); set != sets.rend(); ++set)
        if (options.set.empty() ? *set != InstructionSet::portable : to_string(*set) == options.set) bench_set(*set, options, pairs);
}
