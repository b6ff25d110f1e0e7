// Every kernel set of the build, the tests' included (generated list).
#pragma once

#include <span>

#include "device/kernel_set.h"

namespace isometric::test {

std::span<const KernelSet* const> all_kernel_sets();

}  // namespace isometric::test
