// In builds whose compiler does not know SYCL.
#include "base/error.h"
#include "device/sycl/sycl_backend.h"

namespace isometric {

Result<Devices> sycl_devices() {
    return error(Code::backend_unavailable, "sycl: this build has no SYCL (it needs a SYCL 2020 compiler, ISO_SYCL)");
}

}  // namespace isometric
