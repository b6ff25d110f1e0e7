// HIP: kernels as embedded AMD code objects, run by the driver that is found at run time.
#pragma once

#include "device/backend.h"

namespace isometric {

Result<Devices> hip_devices();

}  // namespace isometric
