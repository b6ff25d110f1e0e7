#include "bench/device/bits.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "bench/device/checked_results.h"
#include "bench/device/clocks.h"
#include "bench/device/device_pictures.h"
#include "engine/device_runner.h"
#include "metrics/float_moment/float_moment.h"
#include "metrics/psnr/psnr.h"
#include "tests/device/twin_frames.h"

namespace isometric::bench {

using test::adversarial_frame_kinds;
using test::twin_frame_kinds;
using test::twin_picture;
using test::TwinFrameKind;

namespace {

// What is compared.
struct Metrics {
    explicit Metrics(const PictureFormat& format) {
        for (const MetricInfo* info : {&psnr_info(), &float_moment_info()}) {
            infos.push_back(info);
            values.emplace_back(*info);
            metrics.push_back(take(info->create({&values.back(), 1}, format, best_instruction_set())));
        }
    }
    std::vector<DeviceTask> tasks() const {
        std::vector<DeviceTask> result;
        for (std::size_t i = 0; i < metrics.size(); ++i) result.push_back({metrics[i].get(), infos[i], {&values[i], 1}});
        return result;
    }

    std::vector<const MetricInfo*> infos;
    std::vector<OptionValues> values;
    std::vector<std::unique_ptr<Metric>> metrics;
};

struct Case {
    PictureFormat format;
    TwinFrameKind kind, other;
};

struct Counts {
    int frames = 0, doubles = 0, differing = 0;
    std::string first;
};

using Record = std::vector<double>;

std::map<const Metric*, Record> device_records(const std::shared_ptr<Device>& device, const Metrics& metrics, const FramePair& pair) {
    std::map<const Metric*, Record> records;
    std::mutex mutex;
    auto runner = take(DeviceRunner::create({device}, pair.ref.format(), metrics.tasks(), {.frames_in_flight = 1},
                                            [&](const Metric& metric, std::int64_t, std::span<const double> record) {
                                                const std::lock_guard lock(mutex);
                                                records[&metric] = Record(record.begin(), record.end());
                                            }));
    need(runner->push({.index = 0, .current = pair}));
    need(runner->finish());
    return records;
}

Counts check(const std::shared_ptr<Device>& device, const Case& c) {
    const FramePair pair{twin_picture(c.format, c.kind, 1), twin_picture(c.format, c.other, 2)};
    const Metrics metrics(c.format);
    std::map<const Metric*, Record> want;
    for (const auto& metric : metrics.metrics) {
        Record record(static_cast<std::size_t>(metric->record_size()));
        const auto workspace = take(metric->create_workspace());
        need(metric->measure({.index = 0, .current = pair}, *workspace, record));
        want[metric.get()] = record;
    }
    Counts counts;
    // Uploaded; on the device; on the device with rows at odd addresses.
    for (int place = 0; place < 3; ++place) {
        FramePair placed = pair;
        const std::size_t sample = std::size_t(c.format.bytes_per_sample());
        if (place == 1) placed = {on_device(*device, pair.ref, 0, 0), on_device(*device, pair.dis, 32, 48)};
        if (place == 2) placed = {on_device(*device, pair.ref, 3 * sample, 5 * sample), on_device(*device, pair.dis, sample, 0)};
        const auto got = device_records(device, metrics, placed);
        for (std::size_t m = 0; m < metrics.metrics.size(); ++m) {
            const Record& a = want[metrics.metrics[m].get()];
            const Record& b = got.at(metrics.metrics[m].get());
            ++counts.frames;
            for (std::size_t i = 0; i < a.size(); ++i) {
                ++counts.doubles;
                if (std::memcmp(&a[i], &b[i], sizeof(double)) == 0) continue;
                if (counts.differing++ == 0)
                    counts.first = fmt::format("{} {} {} place {} record[{}]: cpu {:a}, device {:a}", metrics.infos[m]->name,
                                               c.format.describe(), c.kind.name, place, i, a[i], b[i]);
            }
        }
    }
    return counts;
}

std::vector<Case> cases(bool quick) {
    const std::pair<int, int> all[] = {{7680, 4320}, {4096, 2560}, {3840, 2160}, {2560, 1440}, {1920, 1080},
                                       {577, 323},   {65, 47},     {7, 5},       {2, 2},       {1, 1}};
    std::vector<Case> result;
    const auto kinds = twin_frame_kinds(), adversarial = adversarial_frame_kinds();
    for (const auto& [width, height] : all) {
        if (quick && width > 3840) continue;
        if (width >= 2560)
            for (const TwinFrameKind& kind : adversarial) result.push_back({{width, height, 16, ChromaFormat::yuv400}, kind, kinds[0]});
        for (const int depth : {16, 12, 10, 8})
            for (std::size_t k = 0; k < kinds.size(); ++k)
                result.push_back(
                    {{width, height, depth, k % 2 ? ChromaFormat::yuv444 : ChromaFormat::yuv420}, kinds[k], kinds[(k + 1) % kinds.size()]});
    }
    return result;
}

}  // namespace

int check_bits(const std::shared_ptr<Device>& device, bool quick) {
    const std::vector<Case> todo = cases(quick);
    std::vector<Counts> results(todo.size());
    std::atomic<std::size_t> next{0};
    const auto start = Clock::now();
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < std::max(1u, std::thread::hardware_concurrency()); ++t)
        threads.emplace_back([&] {
            for (std::size_t i = next++; i < todo.size(); i = next++) results[i] = check(device, todo[i]);
        });
    for (std::thread& thread : threads) thread.join();
    std::map<std::pair<int, int>, Counts> by_size;
    Counts all;
    for (std::size_t i = 0; i < todo.size(); ++i)
        for (Counts* sum : {&by_size[{-todo[i].format.width, -todo[i].format.height}], &all}) {
            sum->frames += results[i].frames;
            sum->doubles += results[i].doubles;
            sum->differing += results[i].differing;
            if (sum->first.empty()) sum->first = results[i].first;
        }
    fmt::print("bits: psnr and float_moment; depths 8 10 12 16; uploaded, on the device, on the device unaligned; tolerance 0\n");
    fmt::print("{:>12} {:>8} {:>8} {:>10}\n", "size", "frames", "doubles", "differing");
    for (const auto& [size, counts] : by_size)
        fmt::print("{:>12} {:>8} {:>8} {:>10}\n", fmt::format("{}x{}", -size.first, -size.second), counts.frames, counts.doubles,
                   counts.differing);
    fmt::print("{:>12} {:>8} {:>8} {:>10}   {:.0f} s\n", "all", all.frames, all.doubles, all.differing, seconds_since(start));
    if (all.differing) fmt::print("first: {}\n", all.first);
    std::fflush(stdout);
    return all.differing ? 1 : 0;
}

}  // namespace isometric::bench
