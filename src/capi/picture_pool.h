// The pool of pictures of a context.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "capi/picture.h"

namespace isometric::capi {

// Bounds the pictures in the caller's hands and in the engine together. Pictures may outlive their pool's context: their memory is freed
// when they come back.
class PicturePool : public std::enable_shared_from_this<PicturePool> {
public:
    static Result<std::shared_ptr<PicturePool>> create(const PictureFormat& format, unsigned count);

    // Waits for a free picture; with a timeout, at most that long. `alone` tells whether the calling thread is the only one that uses the
    // context: when it also holds every picture nobody can give one back, and after a while that is an error instead of a hang.
    Result<VmafPicture> fetch(std::optional<std::chrono::milliseconds> timeout, const std::function<bool()>& alone);

    // The fewest pictures with which the engine and a caller that holds a pair do not wait for each other.
    void require(int pictures);
    // Pictures that are in the caller's hands.
    int with_caller() const;
    // Those who wait get an error.
    void close();

    void left_caller();

private:
    PicturePool(const PictureFormat& format, int count) : format_(format), count_(count) {}
    void give_back(PictureMemory memory);
    // A lease on memory that is free now.
    VmafPicture lend(PictureMemory memory);

    const PictureFormat format_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    int count_;          // pictures there may be
    int allocated_ = 0;  // pictures there are
    int with_caller_ = 0;
    bool closed_ = false;
    std::vector<PictureMemory> free_;
};

}  // namespace isometric::capi
