// CUDA: kernels as embedded PTX, run by the driver that is found at run time.
#pragma once

#include "device/backend.h"

namespace isometric {

Result<Devices> cuda_devices();

}  // namespace isometric
