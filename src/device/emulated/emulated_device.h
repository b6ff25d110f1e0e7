// The emulated device: kernels as functions of this program, queues as threads. Its devices differ in how lanes and groups take their turns.
#pragma once

#include "device/backend.h"

namespace isometric {

// "forward", "reversed", "shuffled", "threads" (a group's lanes over 7 threads, for thread sanitizers) and, in builds with ISO_CHECKED_DEVICE,
// "checked" (every access looked at).
Result<Devices> emulated_devices();

}  // namespace isometric
