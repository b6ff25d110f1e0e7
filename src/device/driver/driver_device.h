// A GPU behind a driver's table of functions.
#pragma once

#include "device/backend.h"
#include "device/driver/driver_api.h"

namespace isometric {

// All devices of the vendor that this build's kernels run on.
Result<Devices> driver_devices(Vendor vendor);

}  // namespace isometric
