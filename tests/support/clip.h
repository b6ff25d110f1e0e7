// The generated clips, under the names that tests use.
#pragma once

#include "parity/clip.h"

namespace isometric::test {
using namespace isometric;  // NOLINT: for test::make_clip and the like
}  // namespace isometric::test
