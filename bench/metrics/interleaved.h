// Timing for the metrics' benchmarks: a subject and a baseline take turns, so that both meet the same disturbances; CPU time of the thread,
// medians.
#pragma once

#include <benchmark/benchmark.h>
#include <time.h>

#include <algorithm>
#include <vector>

#include "isometric/picture.h"

namespace isometric::bench {

// What a benchmark's file provides to benchmark_main.cpp: registers its cases.
void register_cases();

inline double cpu_ns() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e9 + double(now.tv_nsec);
}

inline double median(std::vector<double> values) {
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

template <class Body>
double timed(Body body) {
    const double begin = cpu_ns();
    body();
    return cpu_ns() - begin;
}

// Counters: ms and ns_per_sample of the subject, and its time in units of the baseline's, named `ratio_name`.
template <class Subject, class Baseline>
void interleaved(benchmark::State& state, double samples, const char* ratio_name, Subject subject, Baseline baseline) {
    std::vector<double> subject_ns, baseline_ns;
    for (auto _ : state) {
        subject_ns.push_back(timed(subject));
        baseline_ns.push_back(timed(baseline));
        state.SetIterationTime(subject_ns.back() * 1e-9);
    }
    const double ns = median(subject_ns);
    state.counters["ms"] = ns * 1e-6;
    state.counters["ns_per_sample"] = ns / samples;
    state.counters[ratio_name] = ns / median(baseline_ns);
}

// The floor of every metric on one picture: each of its words read once.
inline std::uint64_t read_plane(const Picture& picture, int plane) {
    const PictureFormat& format = picture.format();
    const std::size_t words = std::size_t(format.plane_width(plane)) * std::size_t(format.bytes_per_sample()) / 8;
    std::uint64_t sum = 0;
    for (int y = 0; y < format.plane_height(plane); ++y) {
        const auto* row = reinterpret_cast<const std::uint64_t*>(picture.memory(plane).data + y * picture.memory(plane).stride_bytes);
        for (std::size_t i = 0; i < words; ++i) sum += row[i];
    }
    return sum;
}

}  // namespace isometric::bench
