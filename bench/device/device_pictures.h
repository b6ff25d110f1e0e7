// Pictures that are on the device before the clock starts.
#pragma once

#include <cstddef>
#include <vector>

#include "device/device_picture.h"
#include "device/queue.h"
#include "metrics/metric.h"

namespace isometric::bench {

// A copy whose rows are `padding` bytes longer than they need be, from `offset` bytes into its buffer.
Picture on_device(Device& device, const Picture& picture, std::size_t padding, std::size_t offset);

// Enough pairs that no cache holds them: noise.
struct Pool {
    Pool(Device& device, const PictureFormat& format, int count);

    std::vector<FramePair> pairs;
    std::vector<DeviceFramePair> views;  // of the same
};

}  // namespace isometric::bench
