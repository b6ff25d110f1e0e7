// Names inside the report formats. Names of features need nothing of this; a model's name is the user's and may hold anything.
#pragma once

#include <string>
#include <string_view>

namespace isometric {

// For an attribute's value, without the quotes. What XML cannot hold (control characters, bytes that are no UTF-8) becomes U+FFFD.
std::string xml_text(std::string_view text);

// As an attribute's name. A character that XML does not allow there is written _xHHHH_ (its code point in hexadecimal), as is an
// underscore that would be read as the start of that, so different names stay different. Bytes that are no UTF-8 are _xDCHH_.
std::string xml_attribute_name(std::string_view name);

// A JSON string with its quotes. Bytes that are no UTF-8 become U+FFFD.
std::string json_text(std::string_view text);

// A CSV cell, in quotes when it needs them (RFC 4180).
std::string csv_text(std::string_view text);

// For a subtitle line, which has no escapes: '|' and line ends become '_'.
std::string sub_text(std::string_view text);

}  // namespace isometric
