// Apple devices through Metal 3.
#pragma once

#include "device/backend.h"

namespace isometric {

Result<Devices> metal_devices();

}  // namespace isometric
