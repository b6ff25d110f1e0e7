// The Metal sources as kernels of the emulated device.
#pragma once

#include "device/emulated/kernels.h"

namespace isometric::test {

// A Metal kernel as the shim compiles it.
using MetalFunction = void (*)(const void* arguments, unsigned lane, unsigned group);
void run_metal_group(MetalFunction function, const void* arguments, u32 group);

template <MetalFunction function>
constexpr EmulatedKernel metal_kernel() {
    constexpr EmulatedKernel::RunGroup run = [](const void* arguments, u32 group) { run_metal_group(function, arguments, group); };
    return {run, run, run, nullptr, 0, 0};
}

}  // namespace isometric::test
