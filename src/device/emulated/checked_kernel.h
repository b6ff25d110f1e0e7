// A kernel compiled with checked pointers (context/checked.h).
#pragma once

#include "device/emulated/checker.h"

namespace isometric {

struct CheckedKernel {
    void (*run_group)(const void* arguments, u32 group);
};

}  // namespace isometric
