// The C interface as the library's own sources see it.
#pragma once

#include "libvmaf/isometric.h"

// Around definitions of the interface's functions: they alone are visible outside (exports.txt lists them).
#define ISO_C_INTERFACE_BEGIN _Pragma("GCC visibility push(default)") extern "C" {
#define ISO_C_INTERFACE_END \
    }                       \
    _Pragma("GCC visibility pop")
