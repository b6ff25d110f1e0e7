#include "device/hip/hip_backend.h"

#include "base/error.h"
#include "device/driver/driver_device.h"

namespace isometric {

Result<Devices> hip_devices() {
    if (!ISO_HAVE_AMDGPU) return error(Code::backend_unavailable, "hip: built without device code (ISO_DEVICE_CODE)");
    return driver_devices(Vendor::hip);
}

}  // namespace isometric
