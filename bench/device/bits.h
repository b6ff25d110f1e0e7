// Whether psnr and float_moment have the CPU's bits on a device.
#pragma once

#include <memory>

#include "device/queue.h"

namespace isometric::bench {

// Prints a table, a line for each picture size. 1 when any bit differs, else 0. `quick`: the largest sizes are left out.
int check_bits(const std::shared_ptr<Device>& device, bool quick);

}  // namespace isometric::bench
