// The SYCL sources' kernels, compiled through the shim.
#pragma once

#include "device/kernel_set.h"
