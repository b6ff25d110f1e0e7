// Numbers in model files, independent of the process's locale.
#pragma once

#include <optional>
#include <string_view>

namespace isometric {

// The whole of a decimal number as the nearest double, a leading '+' allowed; nothing for other text, for infinities, NaN, and numbers
// beyond the range of double. Numbers below its range are zero.
std::optional<double> parse_number(std::string_view text);

// The whole of a decimal integer from minimum to maximum.
std::optional<int> parse_integer(std::string_view text, int minimum, int maximum);

}  // namespace isometric
