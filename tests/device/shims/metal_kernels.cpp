// The Metal sources as kernels of the emulated device: what the entries of the generated kernel sets (metal_sets.cpp) point to.
#include "tests/device/shims/metal_kernels.h"

#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "tests/device/shims/fibers.h"

void iso_shim_barrier() { isometric::test::lane_barrier(); }

namespace isometric::test {

void run_metal_group(MetalFunction function, const void* arguments, u32 group) {
    static std::mutex one_group;
    const std::lock_guard lock(one_group);
    if (!run_lanes(kLanes, [&](int lane) { function(arguments, unsigned(lane), group); })) {
        std::fprintf(stderr, "a barrier that not all lanes reach\n");
        std::abort();
    }
}

}  // namespace isometric::test
