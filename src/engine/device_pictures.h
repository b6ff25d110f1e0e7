// Pictures of a run on one device: uploaded, kept for the frames that look back at them, or used where the caller has them.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "device/device_picture.h"
#include "device/queue.h"
#include "metrics/metric.h"

namespace isometric {

// A picture on the device, with what it needs to stay there.
struct HeldPicture {
    DevicePicture picture;
    Buffer memory, staging;  // its own memory, and the pinned memory it is uploaded from
    Picture source;          // the caller's picture on the device, used in place or being copied
};

// A frame pair on the device. It goes back to the pool with its last user.
struct HeldPair {
    std::int64_t index = 0;
    HeldPicture ref, dis;
    Event ready;  // for other queues than the one that uploads; recorded when frames are kept
    DeviceFramePair view() const { return {ref.picture, dis.picture}; }
};

class DevicePictures {
public:
    // `keep`: how many of the latest frames are kept for frames that look back.
    static Result<std::unique_ptr<DevicePictures>> create(std::shared_ptr<Device> device, const PictureFormat& format, int planes, int pairs, int keep);

    // The pair on the device: an upload on this queue, or the one that is there already.
    Result<std::shared_ptr<HeldPair>> hold(std::int64_t index, const FramePair& pair, Queue& queue);

private:
    DevicePictures() = default;
    Result<std::unique_ptr<HeldPair>> make_pair() const;
    std::unique_ptr<HeldPair> take_pair();
    Status place(const Picture& from, HeldPicture& to, Queue& queue) const;
    Status upload(const Picture& from, HeldPicture& to, Queue& queue) const;
    Status copy_on_device(const Picture& from, HeldPicture& to, Queue& queue) const;

    struct Pool {
        std::mutex mutex;
        std::vector<std::unique_ptr<HeldPair>> free;
    };

    std::shared_ptr<Device> device_;
    PictureFormat format_;
    int planes_ = 1;
    int keep_ = 0;
    std::size_t picture_bytes_ = 0;
    std::array<std::size_t, 3> offsets_{}, strides_{};
    std::shared_ptr<Pool> pool_ = std::make_shared<Pool>();
    std::mutex recent_mutex_;
    std::deque<std::shared_ptr<HeldPair>> recent_;
};

}  // namespace isometric
