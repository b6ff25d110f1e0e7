#pragma once

#include <string_view>

#include "isometric/status.h"

namespace isometric::cli {

// Written and flushed; a full disk or a closed pipe is an error.
Status write_standard_output(std::string_view text);

}  // namespace isometric::cli
