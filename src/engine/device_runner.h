// Scores frames on devices: uploads pictures, keeps several frames in flight, hands out records.
//
//     auto runner = DeviceRunner::create(devices, format, tasks, settings, on_record);
//     for each frame pair: runner->push(frame);      // waits while every slot of the frame's device is taken; any thread
//     runner->finish();                              // every record was handed out, or the error
//
// While frame n uploads, n-1 computes and n-2 is concluded on a thread of the runner. Frames may be pushed in any order; records come in any
// order and do not depend on it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "device/backend.h"
#include "metrics/metric.h"

namespace isometric {

// A metric of the session, and what its twin is made from.
struct DeviceTask {
    const Metric* metric = nullptr;  // outlives the runner
    const MetricInfo* info = nullptr;
    std::span<const OptionValues> variants;  // read by create() only
};

class DeviceRunner {
public:
    struct Settings {
        int frames_in_flight = 4;  // on each device
    };
    // Called from threads of the runner, for one frame at a time on each device.
    using OnRecord = std::function<void(const Metric& metric, std::int64_t frame, std::span<const double> record)>;

    // Whether a metric can run on a device.
    static bool has_twin(const MetricInfo& info) { return info.create_twin != nullptr; }

    // Makes the twins and takes all memory. Frames are dealt to the devices in turn.
    static Result<std::unique_ptr<DeviceRunner>> create(const Devices& devices, const PictureFormat& format, std::span<const DeviceTask> tasks,
                                                        const Settings& settings, OnRecord on_record);
    ~DeviceRunner();  // waits for frames in flight

    // Whether any twin reads chroma; else chroma planes of pushed pictures are never looked at.
    bool reads_chroma() const;
    // Frame pairs whose pictures the runner may hold at once: only those on a device; host pictures are copied by push().
    int frames_held() const;

    // Measures a frame. `left_out`: subsampling skips it, and only metrics with every_frame() measure it. Host pictures are free to change
    // when it returns; pictures on a device (Picture::wrap_device) are used in place, on the device that has them.
    // An error names the frame. It is the error of this frame, or of an earlier one; after an error nothing more is taken.
    Status push(const FrameInput& frame, bool left_out = false);

    // Waits until every frame pushed is done. The first error, by frame.
    Status finish();

private:
    class Impl;
    explicit DeviceRunner(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace isometric
