// In builds whose compiler does not know Metal.
#include "base/error.h"
#include "device/metal/metal_backend.h"

namespace isometric {

Result<Devices> metal_devices() {
    return error(Code::backend_unavailable, "metal: this build has no Metal (it needs Apple's system)");
}

}  // namespace isometric
