// What a file that cannot be read seems to be, for messages.
#pragma once

#include <string>
#include <string_view>

#include "isometric/status.h"

namespace isometric {

// `start` are the file's first bytes (12 are enough), `why` is why containers cannot be read ("FFmpeg's libraries are missing").
Error not_readable(const std::string& name, std::string_view start, std::string_view why);

}  // namespace isometric
