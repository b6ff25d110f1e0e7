// float_moment's frames beside what they are compared with, and step by step.
#pragma once

#include <string>
#include <vector>

#include "bench/device/bench_kernels.h"
#include "bench/device/device_pictures.h"
#include "bench/device/work.h"

namespace isometric::bench {

class Loops {
public:
    // Frames of a format that may be in flight, each with memory of its own.
    static constexpr int slots = 16;

    // Prints where a loop that should give the product's sums does not.
    Loops(Device& device, const PictureFormat& format, const Pool& pool);
    Loops(const Loops&) = delete;
    Loops& operator=(const Loops&) = delete;

    // Of this object, which outlives them. The first reads the planes once.
    const std::vector<Work>& works() const { return works_; }

private:
    template <class Args>
    void add_loop(std::string name, const Kernel<Args>& kernel);
    void add_parts(std::string name, std::vector<const Kernel<float_moment::PartArgs>*> launches);
    void compare(const Pool& pool) const;

    Device& device_;
    PictureFormat format_;
    std::vector<Buffer> buffers_;
    std::vector<Work> works_;
};

}  // namespace isometric::bench
