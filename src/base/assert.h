// ISO_ASSERT(condition): an invariant of ours. Bad input is an error instead (base/error.h).
#pragma once

#include <cassert>

#define ISO_ASSERT(condition) assert(condition)
