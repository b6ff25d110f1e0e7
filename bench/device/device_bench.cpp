// Devices: are psnr and float_moment the CPU's to the bit, and how long does a frame take whose pictures are on the device already?
//
//     device_bench [--backend cuda] [--device 0] [--quick] [--skip-bits] [--skip-times] [--times-of 3840x2160x16]...
//
// One table of bits (a line per picture size), one of times. Exit status 1 when any bit differs. Needs no CUDA toolkit: the kernels are embedded.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>

#include "bench/device/bench_kernels.h"
#include "device/backend.h"
#include "engine/device_runner.h"
#include "metrics/float_moment/float_moment.h"
#include "metrics/psnr/psnr.h"
#include "metrics/psnr/psnr_kernels.h"
#include "metrics/twin.h"
#include "tests/device/twin_frames.h"

namespace isometric::bench {
namespace {

using test::adversarial_frame_kinds;
using test::Random;
using test::twin_frame_kinds;
using test::twin_picture;
using test::TwinFrameKind;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

[[noreturn]] void stop(const Error& failure) {
    std::fflush(stdout);
    fmt::print(stderr, "device_bench: {}\n", failure.message);
    std::exit(3);
}
template <class T>
T take(Result<T> result) {
    if (!result) stop(result.error());
    return std::move(*result);
}
void need(const Status& status) {
    if (!status) stop(status.error());
}

// ---- Pictures on the device ----------------------------------------------------------------------------------------------------------------

// A copy whose rows are `padding` bytes longer than they need be, from `offset` bytes into its buffer.
Picture on_device(Device& device, const Picture& picture, std::size_t padding, std::size_t offset) {
    const PictureFormat& f = picture.format();
    const auto stride = [&](int p) { return (std::size_t(f.plane_width(p) * f.bytes_per_sample()) + 15) / 16 * 16 + padding; };
    std::array<std::size_t, 3> begins{};
    std::size_t size = offset;
    for (int p = 0; p < f.planes(); ++p) {
        begins[std::size_t(p)] = size;
        size += stride(p) * std::size_t(f.plane_height(p));
    }
    std::vector<std::byte> bytes(size, std::byte{0x77});
    std::array<PlaneMemory, 3> planes{};
    const Buffer buffer = take(device.allocate(size));
    for (int p = 0; p < f.planes(); ++p) {
        for (int y = 0; y < f.plane_height(p); ++y)
            std::memcpy(bytes.data() + begins[std::size_t(p)] + std::size_t(y) * stride(p), picture.memory(p).data + y * picture.memory(p).stride_bytes,
                        std::size_t(f.plane_width(p) * f.bytes_per_sample()));
        planes[std::size_t(p)] = {buffer.pointer<std::byte>(begins[std::size_t(p)]), std::ptrdiff_t(stride(p))};
    }
    const auto queue = take(device.create_queue());
    need(queue->upload(buffer, 0, bytes.data(), size));
    need(queue->finish());
    return take(Picture::wrap_device(f, planes, std::make_shared<Buffer>(buffer), device.info().backend, device.info().index));
}

// ---- Bits ----------------------------------------------------------------------------------------------------------------------------------

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
                    counts.first = fmt::format("{} {} {} place {} record[{}]: cpu {:a}, device {:a}", metrics.infos[m]->name, c.format.describe(), c.kind.name,
                                               place, i, a[i], b[i]);
            }
        }
    }
    return counts;
}

std::vector<Case> cases(bool quick) {
    const std::pair<int, int> all[] = {{7680, 4320}, {4096, 2560}, {3840, 2160}, {2560, 1440}, {1920, 1080}, {577, 323}, {65, 47}, {7, 5}, {2, 2}, {1, 1}};
    std::vector<Case> result;
    const auto kinds = twin_frame_kinds(), adversarial = adversarial_frame_kinds();
    for (const auto& [width, height] : all) {
        if (quick && width > 3840) continue;
        if (width >= 2560)
            for (const TwinFrameKind& kind : adversarial) result.push_back({{width, height, 16, ChromaFormat::yuv400}, kind, kinds[0]});
        for (const int depth : {16, 12, 10, 8})
            for (std::size_t k = 0; k < kinds.size(); ++k)
                result.push_back({{width, height, depth, k % 2 ? ChromaFormat::yuv444 : ChromaFormat::yuv420}, kinds[k], kinds[(k + 1) % kinds.size()]});
    }
    return result;
}

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
    for (const auto& [size, counts] : by_size) fmt::print("{:>12} {:>8} {:>8} {:>10}\n", fmt::format("{}x{}", -size.first, -size.second), counts.frames, counts.doubles, counts.differing);
    fmt::print("{:>12} {:>8} {:>8} {:>10}   {:.0f} s\n", "all", all.frames, all.doubles, all.differing, seconds_since(start));
    if (all.differing) fmt::print("first: {}\n", all.first);
    std::fflush(stdout);
    return all.differing ? 1 : 0;
}

// ---- Times ---------------------------------------------------------------------------------------------------------------------------------

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// Enough pairs that no cache holds them.
struct Pool {
    Pool(Device& device, const PictureFormat& format, int count) {
        const TwinFrameKind noise = twin_frame_kinds()[0];
        const Picture ref = twin_picture(format, noise, 1), dis = twin_picture(format, noise, 2);
        for (int i = 0; i < count; ++i) pairs.push_back({on_device(device, i % 2 ? dis : ref, 0, 0), on_device(device, i % 2 ? ref : dis, 0, 0)});
        for (const FramePair& pair : pairs) views.push_back({view(pair.ref), view(pair.dis)});
    }
    static DevicePicture view(const Picture& picture) {
        DevicePicture result{picture.format(), {}};
        for (int p = 0; p < picture.format().planes(); ++p)
            result.planes[std::size_t(p)] = {reinterpret_cast<std::uint64_t>(picture.memory(p).data), picture.memory(p).stride_bytes};
        return result;
    }
    std::vector<FramePair> pairs;
    std::vector<DeviceFramePair> views;
};

// What a frame launches; `concludes` on the host as the runner does.
struct Work {
    std::string name;
    std::function<Status(Queue&, const DeviceFramePair&, int slot)> enqueue;
    std::function<Status(Queue&, const DeviceFramePair&, int slot)> conclude;
};

// Microseconds per frame with so many in flight, each on a queue of its own; median of five rounds.
double time_frames(Device& device, const Pool& pool, const Work& work, int in_flight, int frames) {
    struct Flying {
        std::unique_ptr<Queue> queue;
        Event done;
        std::size_t pair = 0;
    };
    std::vector<Flying> flying(static_cast<std::size_t>(in_flight));
    for (Flying& f : flying) f.queue = take(device.create_queue());
    const auto land = [&](std::size_t slot) {
        if (!flying[slot].done) return;
        need(flying[slot].done.wait());
        if (work.conclude) need(work.conclude(*flying[slot].queue, pool.views[flying[slot].pair], int(slot)));
        flying[slot].done = Event();
    };
    std::vector<double> rounds;
    for (int round = 0; round < 6; ++round) {  // the first one warms up
        const auto start = Clock::now();
        for (int i = 0; i < frames; ++i) {
            const std::size_t slot = std::size_t(i % in_flight);
            land(slot);
            flying[slot].pair = std::size_t(i) % pool.pairs.size();
            need(work.enqueue(*flying[slot].queue, pool.views[flying[slot].pair], int(slot)));
            flying[slot].done = take(flying[slot].queue->record());
        }
        for (std::size_t slot = 0; slot < flying.size(); ++slot) land(slot);
        if (round > 0) rounds.push_back(seconds_since(start) / frames * 1e6);
    }
    return median(rounds);
}

// Microseconds on the device's own clock, frames back to back on one queue: no gaps of the host, but also no overlap of frames.
double time_on_device(Device& device, const Pool& pool, const Work& work, int frames) {
    const auto queue = take(device.create_queue());
    std::vector<double> rounds;
    for (int round = 0; round < 4; ++round) {
        const Event begin = take(queue->record());
        for (int i = 0; i < frames; ++i) need(work.enqueue(*queue, pool.views[std::size_t(i) % pool.views.size()], 0));
        const Event end = take(queue->record());
        need(end.wait());
        if (round > 0) rounds.push_back(take(end.milliseconds_since(begin)) / frames * 1e3);
    }
    return median(rounds);
}

// Microseconds on the device's own clock, frames on eight queues, all of them queued before the first begins: nothing of the host is in it, and
// frames fill each other's gaps.
double time_overlapped(Device& device, const Pool& pool, const Work& work, const Work& gate, int frames) {
    constexpr int count = 8;
    std::vector<std::unique_ptr<Queue>> queues;
    for (int i = 0; i < count; ++i) queues.push_back(take(device.create_queue()));
    std::vector<double> rounds;
    for (int round = 0; round < 6; ++round) {
        for (int i = 0; i < frames; ++i) need(gate.enqueue(*queues[0], pool.views[std::size_t(i) % pool.views.size()], 0));
        const Event begin = take(queues[0]->record());
        for (int i = 1; i < count; ++i) need(queues[std::size_t(i)]->wait(begin));
        for (int i = 0; i < frames; ++i) need(work.enqueue(*queues[std::size_t(i % count)], pool.views[std::size_t(i) % pool.views.size()], i % count));
        for (int i = 1; i < count; ++i) need(queues[0]->wait(take(queues[std::size_t(i)]->record())));
        const Event end = take(queues[0]->record());
        need(end.wait());
        if (round > 0) rounds.push_back(take(end.milliseconds_since(begin)) / frames * 1e3);
    }
    return median(rounds);
}

double time_runner(const std::shared_ptr<Device>& device, const Pool& pool, const MetricInfo& info, int in_flight, int frames) {
    const PictureFormat& format = pool.pairs[0].ref.format();
    const OptionValues values = info.options.empty() ? OptionValues(info) : take(OptionValues::parse(info, std::vector<OptionText>{{"enable_chroma", "false"}}));
    const auto metric = take(info.create({&values, 1}, format, best_instruction_set()));
    const DeviceTask task{metric.get(), &info, {&values, 1}};
    auto runner = take(DeviceRunner::create({device}, format, {&task, 1}, {.frames_in_flight = in_flight}, [](const Metric&, std::int64_t, std::span<const double>) {}));
    std::vector<double> rounds;
    std::int64_t index = 0;
    for (int round = 0; round < 4; ++round) {
        const auto start = Clock::now();
        for (int i = 0; i < frames; ++i) need(runner->push({.index = index++, .current = pool.pairs[std::size_t(i) % pool.pairs.size()]}));
        need(runner->finish());
        if (round > 0) rounds.push_back(seconds_since(start) / frames * 1e6);
    }
    return median(rounds);
}

struct TwinWork {
    TwinWork(Device& device, const MetricInfo& info, const PictureFormat& format, int slots_count) {
        const OptionValues values = info.options.empty() ? OptionValues(info) : take(OptionValues::parse(info, std::vector<OptionText>{{"enable_chroma", "false"}}));
        metric = take(info.create({&values, 1}, format, best_instruction_set()));
        twin = take(info.create_twin({&values, 1}, format, device));
        for (int i = 0; i < slots_count; ++i) slots.push_back(take(twin->create_slot(device)));
        record.resize(std::size_t(metric->record_size()));
    }
    Work work(std::string name) {
        return {std::move(name), [this](Queue& queue, const DeviceFramePair& pair, int slot) { return twin->enqueue(queue, {0, pair, {}}, *slots[std::size_t(slot)]); },
                [this](Queue& queue, const DeviceFramePair& pair, int slot) { return twin->conclude(queue, {0, pair, {}}, *slots[std::size_t(slot)], record); }};
    }
    std::unique_ptr<Metric> metric;
    std::unique_ptr<Twin> twin;
    std::vector<std::unique_ptr<TwinSlot>> slots;
    std::vector<double> record;
};

// The frame kernel of float_moment with another loop, into memory of the device.
template <class Args>
Work loop_work(std::string name, Device& device, const Kernel<Args>& kernel, const PictureFormat& format, std::vector<Buffer>& buffers, int slots) {
    using T = std::conditional_t<std::is_same_v<Args, float_moment::ByteArgs>, u8, u16>;
    const int rows = float_moment::rows_per_block(format.height), groups = (format.height + rows - 1) / rows;
    const std::size_t first = buffers.size();
    for (int i = 0; i < slots; ++i) buffers.push_back(take(device.allocate(2 * std::size_t(groups) * sizeof(float_moment::ExactSums))));
    return {std::move(name),
            [&kernel, &buffers, first, rows, groups](Queue& queue, const DeviceFramePair& pair, int slot) {
                return queue.launch(kernel, 2 * u32(groups),
                                    {.ref = pair.ref.plane<T>(0),
                                     .dis = pair.dis.plane<T>(0),
                                     .blocks = buffers[first + std::size_t(slot)].template pointer<float_moment::ExactSums>(),
                                     .rows_per_block = rows,
                                     .blocks_per_picture = groups});
            },
            {}};
}

// The first `steps` of the launches of a frame that may round: what a step costs is the difference to the step before. 0: plain sums of parts.
Work steps_work(std::string name, Device& device, const PictureFormat& format, int steps, std::vector<Buffer>& buffers, int slots) {
    namespace fm = float_moment;
    const fm::Division division = fm::divide(format.width, format.height);
    const std::size_t first = buffers.size();
    for (int i = 0; i < slots; ++i)
        for (const std::size_t bytes : {2 * std::size_t(division.parts) * sizeof(fm::ExactSums), 2 * std::size_t(division.parts) * sizeof(fm::OrderedPart), 2 * sizeof(fm::Walked),
                                        4 * sizeof(u64)})
            buffers.push_back(take(device.allocate(bytes)));
    return {std::move(name),
            [&buffers, first, steps, division](Queue& queue, const DeviceFramePair& pair, int slot) -> Status {
                const Buffer* const own = &buffers[first + 4 * std::size_t(slot)];
                const fm::PartArgs args{.ref = pair.ref.plane<u16>(0),
                                        .dis = pair.dis.plane<u16>(0),
                                        .parts = own[0].pointer<fm::ExactSums>(),
                                        .ordered = own[1].pointer<fm::OrderedPart>(),
                                        .walked = own[2].pointer<fm::Walked>(),
                                        .sums = own[3].pointer<u64>(),
                                        .start = 0,
                                        .division = division};
                const u32 groups = 2 * u32(division.groups);
                Status status = queue.launch(steps == 0 ? kernel::bench_plain_parts : kernel::float_moment_sum_parts, groups, args);
                if (status && steps > 1) status = queue.launch(kernel::float_moment_walk_squares, 2, args);
                if (status && steps > 2) status = queue.launch(kernel::float_moment_order_parts, groups, args);
                if (status && steps > 3) status = queue.launch(kernel::float_moment_walk_ordered, 2, args);
                return status;
            },
            {}};
}

// The candidates' sums must be the product's.
void compare_loops(Device& device, const Pool& pool, const PictureFormat& format, std::vector<Work>& works, std::vector<Buffer>& buffers, int slots) {
    const auto queue = take(device.create_queue());
    std::vector<float_moment::ExactSums> product, other;
    for (std::size_t w = 0; w < works.size(); ++w) {
        need(works[w].enqueue(*queue, pool.views[0], 0));
        const Buffer& buffer = buffers[w * std::size_t(slots)];
        std::vector<float_moment::ExactSums> blocks(buffer.size() / sizeof(float_moment::ExactSums));
        need(queue->read_back(blocks.data(), buffer, 0, buffer.size()));
        need(queue->finish());
        if (works[w].name == "sum_words") product = blocks;
        else if (works[w].name != "read once" && works[w].name != "plain sums")
            for (std::size_t i = 0; i < blocks.size(); ++i)
                if (blocks[i].first != product[i].first || blocks[i].second.total != product[i].second.total || blocks[i].second.odd_terms != product[i].second.odd_terms) {
                    fmt::print("loop {} differs from the product's at {} block {}\n", works[w].name, format.describe(), i);
                    break;
                }
    }
}

// What a frame costs, and where: `overlap` is the device's share.
struct Baselines {
    double read_us = 0, plain_us = 0;  // overlapped; 0: there is none
};

double print_times(Device& device, const Pool& pool, const Work& work, const Work& gate, const std::string& label, double bytes, Baselines baselines, int frames,
                   const std::string& runner) {
    const double queue = time_on_device(device, pool, work, frames), overlap = time_overlapped(device, pool, work, gate, std::min(frames, 200));
    double flights[3];
    for (int i = 0; const int in_flight : {1, 8, 16}) flights[i++] = time_frames(device, pool, work, in_flight, frames);
    const auto ratio = [&](double to) { return to > 0 ? fmt::format("{:.3f}", overlap / to) : std::string("-"); };
    fmt::print("{:<34} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} {:>8} {:>7.2f} {:>7} {:>7}\n", label, queue, overlap, flights[0], flights[1], flights[2], runner,
               bytes / overlap * 1e-6, ratio(baselines.read_us), ratio(baselines.plain_us));
    std::fflush(stdout);
    return overlap;
}

void measure_times(const std::shared_ptr<Device>& device, bool quick, const std::vector<std::string>& chosen) {
    constexpr int slots = 16;
    fmt::print("\ntimes: us per frame, luma, pictures on the device (noise; more of them than caches hold); medians\n");
    fmt::print("queue: frames back to back on one queue, device clock. overlap: on eight queues, all queued before the first begins, device clock.\n");
    fmt::print("flight n: n frames in flight on n queues, wall clock, concluded on the host. runner: DeviceRunner, 8 in flight.\n");
    fmt::print("TB/s and ratios from overlap; plain: sums that do not handle rounding, the faster of two ways\n");
    fmt::print("{:<34} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>7} {:>7} {:>7}\n", "", "queue", "overlap", "flight1", "flight8", "flight16", "runner", "TB/s", "/read", "/plain");
    for (const auto& [width, height] : {std::pair{1920, 1080}, {3840, 2160}, {7680, 4320}}) {
        if (quick && width > 1920) continue;
        for (const int depth : {8, 10, 16}) {
            if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), fmt::format("{}x{}x{}", width, height, depth)) == chosen.end()) continue;
            const PictureFormat format{width, height, depth, ChromaFormat::yuv400};
            const double bytes = 2.0 * width * height * format.bytes_per_sample();
            const int frames = quick ? 16 : width > 3840 ? 200 : 600;
            const Pool pool(*device, format, quick ? 3 : std::clamp(int(600e6 / bytes), 6, 64));
            std::vector<Buffer> buffers;
            std::vector<Work> loops;
            if (depth == 8) {
                loops.push_back(loop_work("read once", *device, kernel::bench_read_bytes, format, buffers, slots));
            } else {
                loops.push_back(loop_work("read once", *device, kernel::bench_read_words, format, buffers, slots));
                loops.push_back(loop_work("plain sums", *device, kernel::bench_plain_moments, format, buffers, slots));
                if (depth == 16) {
                    loops.push_back(loop_work("sum_words", *device, kernel::float_moment_sum_words, format, buffers, slots));
                    loops.push_back(loop_work("loop: packed odd", *device, kernel::bench_packed_odd, format, buffers, slots));
                    loops.push_back(loop_work("loop: errors", *device, kernel::bench_errors, format, buffers, slots));
                    loops.push_back(loop_work("loop: halves", *device, kernel::bench_halves, format, buffers, slots));
                    compare_loops(*device, pool, format, loops, buffers, slots);
                    loops.push_back(steps_work("plain sums of parts", *device, format, 0, buffers, slots));
                    loops.push_back(steps_work("sum parts", *device, format, 1, buffers, slots));
                    if (width > 1920) loops.push_back(steps_work("sum, walk", *device, format, 2, buffers, slots));
                    if (width > 3840) {
                        loops.push_back(steps_work("sum, walk, order", *device, format, 3, buffers, slots));
                        loops.push_back(steps_work("sum, walk, order, walk", *device, format, 4, buffers, slots));
                    }
                }
            }
            const std::string size = fmt::format("{}x{} {:>2}b ", width, height, depth);
            Baselines baselines;
            for (const Work& loop : loops) {
                const double overlap = print_times(*device, pool, loop, loops[0], size + loop.name, bytes, baselines, frames, "-");
                if (loop.name == "read once") baselines.read_us = overlap;
                if (loop.name == "plain sums") baselines.plain_us = overlap;
                if (loop.name == "plain sums of parts") baselines.plain_us = std::min(baselines.plain_us, overlap);  // the best there is
            }
            for (const MetricInfo* info : {&psnr_info(), &float_moment_info()}) {
                TwinWork twin(*device, *info, format, slots);
                Work work = twin.work(std::string(info->name));
                print_times(*device, pool, work, loops[0], size + std::string(info->name), bytes, {baselines.read_us, info == &float_moment_info() ? baselines.plain_us : 0}, frames,
                            fmt::format("{:.2f}", time_runner(device, pool, *info, 8, frames)));
            }
        }
    }
}

int main_of_bench(int argc, char** argv) {
    std::string backend = "cuda", selection;
    bool quick = false, bits = true, times = true;
    std::vector<std::string> chosen;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--backend" && i + 1 < argc) backend = argv[++i];
        else if (argument == "--device" && i + 1 < argc) selection = argv[++i];
        else if (argument == "--quick") quick = true;
        else if (argument == "--skip-bits") bits = false;
        else if (argument == "--skip-times") times = false;
        else if (argument == "--times-of" && i + 1 < argc) chosen.push_back(argv[++i]);
        else return fmt::print(stderr, "usage: device_bench [--backend NAME] [--device N] [--quick] [--skip-bits] [--skip-times] [--times-of WIDTHxHEIGHTxDEPTH]...\n"), 2;
    }
    const std::shared_ptr<Device> device = take(select_devices(backend, selection)).front();
    const DeviceInfo& info = device->info();
    fmt::print("device: {} {} {} ({}), {} compute units, {:.0f} GiB\n", info.backend, info.index, info.name, info.architecture, info.compute_units,
               double(info.memory_bytes) / (1 << 30));
    const auto start = Clock::now();
    for (const KernelSet* set : {&psnr_kernel_set, &float_moment_kernel_set, &bench_kernel_set}) need(device->prepare(*set));
    fmt::print("kernels loaded in {:.0f} ms\n", seconds_since(start) * 1e3);
    const int status = bits ? check_bits(device, quick) : 0;
    if (times) measure_times(device, quick, chosen);
    return status;
}

}  // namespace
}  // namespace isometric::bench

int main(int argc, char** argv) { return isometric::bench::main_of_bench(argc, argv); }
