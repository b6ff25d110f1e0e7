#include "bench/device/clocks.h"

#include <algorithm>
#include <vector>

#include "bench/device/checked_results.h"
#include "engine/device_runner.h"

namespace isometric::bench {

namespace {

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

}  // namespace

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

double time_overlapped(Device& device, const Pool& pool, const Work& work, const Work& gate, int frames) {
    constexpr int count = 8;
    std::vector<std::unique_ptr<Queue>> queues;
    for (int i = 0; i < count; ++i) queues.push_back(take(device.create_queue()));
    std::vector<double> rounds;
    for (int round = 0; round < 6; ++round) {
        for (int i = 0; i < frames; ++i) need(gate.enqueue(*queues[0], pool.views[std::size_t(i) % pool.views.size()], 0));
        const Event begin = take(queues[0]->record());
        for (int i = 1; i < count; ++i) need(queues[std::size_t(i)]->wait(begin));
        for (int i = 0; i < frames; ++i)
            need(work.enqueue(*queues[std::size_t(i % count)], pool.views[std::size_t(i) % pool.views.size()], i % count));
        for (int i = 1; i < count; ++i) need(queues[0]->wait(take(queues[std::size_t(i)]->record())));
        const Event end = take(queues[0]->record());
        need(end.wait());
        if (round > 0) rounds.push_back(take(end.milliseconds_since(begin)) / frames * 1e3);
    }
    return median(rounds);
}

double time_runner(const std::shared_ptr<Device>& device, const Pool& pool, const MetricInfo& info, int in_flight, int frames) {
    const PictureFormat& format = pool.pairs[0].ref.format();
    const OptionValues values = luma_only(info);
    const auto metric = take(info.create({&values, 1}, format, best_instruction_set()));
    const DeviceTask task{metric.get(), &info, {&values, 1}};
    auto runner = take(DeviceRunner::create({device}, format, {&task, 1}, {.frames_in_flight = in_flight},
                                            [](const Metric&, std::int64_t, std::span<const double>) {}));
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

}  // namespace isometric::bench
