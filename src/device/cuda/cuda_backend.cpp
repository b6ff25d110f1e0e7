#include "device/cuda/cuda_backend.h"

#include "base/error.h"
#include "device/driver/driver_device.h"

namespace isometric {

Result<Devices> cuda_devices() {
    if (!ISO_HAVE_PTX) return error(Code::backend_unavailable, "cuda: built without device code (ISO_DEVICE_CODE)");
    return driver_devices(Vendor::cuda);
}

}  // namespace isometric
