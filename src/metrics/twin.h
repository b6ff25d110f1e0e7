// A metric's path on a device. It fills the record that Metric::measure() fills, with the same bits; everything else of a metric (features,
// conclusion, aggregates) is there once, in the metric.
//
// The engine does not call twins: it gives a session's metrics and frames to a DeviceRunner (engine/device_runner.h), which does, for every frame:
//
//     slot = a slot of this twin that is free              create_slot() was called once for each frame that may be in flight
//     twin.enqueue(queue, frame, slot)                     launches kernels and returns; nothing waits
//     event = queue.record()                               ... other frames are enqueued meanwhile, on other queues
//     event.wait(); twin.conclude(queue, frame, slot, record)   on a host thread, once the device is done with the frame
//
// A twin is immutable after creation: any thread may call it, with a slot of its own. One twin is made for each device of a run.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "device/device_picture.h"
#include "device/queue.h"
#include "isometric/status.h"

namespace isometric {

struct TwinFrame {
    std::int64_t index = 0;
    const DeviceFramePair& current;
    std::span<const DeviceFramePair> earlier;  // earlier[k] is frame index-1-k; shorter than the metric's history() at the start of a stream
};

// What a twin needs for one frame in flight: its results in pinned memory, and buffers that no other frame may touch meanwhile.
class TwinSlot {
public:
    virtual ~TwinSlot() = default;
};

class Twin {
public:
    virtual ~Twin() = default;

    // Planes that are read: when no twin of a run reads chroma, only luma is uploaded.
    virtual bool reads_chroma() const { return false; }

    virtual Result<std::unique_ptr<TwinSlot>> create_slot(Device& device) const = 0;
    virtual Status enqueue(Queue& queue, const TwinFrame& frame, TwinSlot& slot) const = 0;
    // The pictures are still there: a twin that finds in its results that a frame is one in a million may do more work on the queue, and wait.
    virtual Status conclude(Queue& queue, const TwinFrame& frame, TwinSlot& slot, std::span<double> record) const = 0;
};

}  // namespace isometric
