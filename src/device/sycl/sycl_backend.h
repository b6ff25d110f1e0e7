// SYCL 2020 devices, in builds made by a SYCL compiler.
#pragma once

#include "device/backend.h"

namespace isometric {

Result<Devices> sycl_devices();

}  // namespace isometric
