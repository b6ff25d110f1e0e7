// How long a frame takes: four ways to look at the same work.
#pragma once

#include <chrono>
#include <memory>

#include "bench/device/device_pictures.h"
#include "bench/device/work.h"
#include "device/queue.h"
#include "metrics/metric.h"

namespace isometric::bench {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Microseconds per frame with so many in flight, each on a queue of its own; median of five rounds.
double time_frames(Device& device, const Pool& pool, const Work& work, int in_flight, int frames);

// Microseconds on the device's own clock, frames back to back on one queue: no gaps of the host, but also no overlap of frames.
double time_on_device(Device& device, const Pool& pool, const Work& work, int frames);

// Microseconds on the device's own clock, frames on eight queues, all of them queued before the first begins: nothing of the host is in it,
// and frames fill each other's gaps.
double time_overlapped(Device& device, const Pool& pool, const Work& work, const Work& gate, int frames);

// Microseconds per frame of luma through a DeviceRunner, wall clock.
double time_runner(const std::shared_ptr<Device>& device, const Pool& pool, const MetricInfo& info, int in_flight, int frames);

}  // namespace isometric::bench
