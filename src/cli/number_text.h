// Numbers on the command line: decimal, 0x hexadecimal or 0 octal, nothing before or after.
#pragma once

#include <cstdint>
#include <string_view>

#include "isometric/status.h"

namespace isometric::cli {

// `what` names the option in the error.
Result<std::int64_t> parse_count(std::string_view what, std::string_view text, std::int64_t maximum);

// A set of bits; "-1" is all of them.
Result<std::uint64_t> parse_mask(std::string_view what, std::string_view text);

}  // namespace isometric::cli
