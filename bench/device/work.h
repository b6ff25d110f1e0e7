// What is timed.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "device/device_picture.h"
#include "device/queue.h"
#include "metrics/metric.h"
#include "metrics/twin.h"

namespace isometric::bench {

// What a frame launches; `concludes` on the host as the runner does.
struct Work {
    std::string name;
    std::function<Status(Queue&, const DeviceFramePair&, int slot)> enqueue;
    std::function<Status(Queue&, const DeviceFramePair&, int slot)> conclude;
};

// The options of a metric that reads no chroma.
OptionValues luma_only(const MetricInfo& info);

// A metric's twin, as the runner calls it.
class TwinWork {
public:
    TwinWork(Device& device, const MetricInfo& info, const PictureFormat& format, int slots);
    // Of this object, which outlives it.
    Work work(std::string name);

private:
    std::unique_ptr<Metric> metric_;
    std::unique_ptr<Twin> twin_;
    std::vector<std::unique_ptr<TwinSlot>> slots_;
    std::vector<double> record_;
};

}  // namespace isometric::bench
