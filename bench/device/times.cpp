#include "bench/device/times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "bench/device/clocks.h"
#include "bench/device/device_pictures.h"
#include "bench/device/loops.h"
#include "metrics/float_moment/float_moment.h"
#include "metrics/psnr/psnr.h"

namespace isometric::bench {

namespace {

struct Baselines {
    double read_us = 0, plain_us = 0;  // overlapped; 0: there is none
};

// What a frame costs, and where: `overlap`, which is returned, is the device's share.
double print_times(Device& device, const Pool& pool, const Work& work, const Work& gate, const std::string& label, double bytes,
                   Baselines baselines, int frames, const std::string& runner) {
    const double queue = time_on_device(device, pool, work, frames),
                 overlap = time_overlapped(device, pool, work, gate, std::min(frames, 200));
    double flights[3];
    for (int i = 0; const int in_flight : {1, 8, 16}) flights[i++] = time_frames(device, pool, work, in_flight, frames);
    const auto ratio = [&](double to) { return to > 0 ? fmt::format("{:.3f}", overlap / to) : std::string("-"); };
    fmt::print("{:<34} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} {:>8} {:>7.2f} {:>7} {:>7}\n", label, queue, overlap, flights[0],
               flights[1], flights[2], runner, bytes / overlap * 1e-6, ratio(baselines.read_us), ratio(baselines.plain_us));
    std::fflush(stdout);
    return overlap;
}

void print_heading() {
    fmt::print("\ntimes: us per frame, luma, pictures on the device (noise; more of them than caches hold); medians\n");
    fmt::print("queue: frames back to back on one queue, device clock. overlap: on eight queues, all queued before the first begins, ");
    fmt::print("device clock.\n");
    fmt::print("flight n: n frames in flight on n queues, wall clock, concluded on the host. runner: DeviceRunner, 8 in flight.\n");
    fmt::print("TB/s and ratios from overlap; plain: sums that do not handle rounding, the faster of two ways\n");
    fmt::print("{:<34} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>7} {:>7} {:>7}\n", "", "queue", "overlap", "flight1", "flight8", "flight16",
               "runner", "TB/s", "/read", "/plain");
}

void measure_format(const std::shared_ptr<Device>& device, const PictureFormat& format, bool quick) {
    const double bytes = 2.0 * format.width * format.height * format.bytes_per_sample();
    const int frames = quick ? 16 : format.width > 3840 ? 200 : 600;
    const Pool pool(*device, format, quick ? 3 : std::clamp(int(600e6 / bytes), 6, 64));
    const Loops loops(*device, format, pool);
    const Work& gate = loops.works()[0];
    const std::string size = fmt::format("{}x{} {:>2}b ", format.width, format.height, format.bit_depth);
    Baselines baselines;
    for (const Work& loop : loops.works()) {
        const double overlap = print_times(*device, pool, loop, gate, size + loop.name, bytes, baselines, frames, "-");
        if (loop.name == "read once") baselines.read_us = overlap;
        if (loop.name == "plain sums") baselines.plain_us = overlap;
        if (loop.name == "plain sums, added") baselines.plain_us = std::min(baselines.plain_us, overlap);
    }
    for (const MetricInfo* info : {&psnr_info(), &float_moment_info()}) {
        TwinWork twin(*device, *info, format, Loops::slots);
        const Work work = twin.work(std::string(info->name));
        print_times(*device, pool, work, gate, size + std::string(info->name), bytes,
                    {baselines.read_us, info == &float_moment_info() ? baselines.plain_us : 0}, frames,
                    fmt::format("{:.2f}", time_runner(device, pool, *info, 8, frames)));
    }
}

}  // namespace

void measure_times(const std::shared_ptr<Device>& device, bool quick, const std::vector<std::string>& chosen) {
    print_heading();
    for (const auto& [width, height] : {std::pair{1920, 1080}, {3840, 2160}, {7680, 4320}}) {
        if (quick && width > 1920) continue;
        for (const int depth : {8, 10, 16}) {
            const std::string name = fmt::format("{}x{}x{}", width, height, depth);
            if (chosen.empty() || std::find(chosen.begin(), chosen.end(), name) != chosen.end())
                measure_format(device, {width, height, depth, ChromaFormat::yuv400}, quick);
        }
    }
}

}  // namespace isometric::bench
