// A JSON document as a tree. Numbers are read independent of the locale, and keep their text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isometric/status.h"

namespace isometric {

struct JsonValue {
    enum class Kind : std::uint8_t { null, boolean, number, string, array, object };

    Kind kind = Kind::null;
    bool boolean = false;
    double number = 0;              // always finite
    std::string text;               // the string, or the number as written
    std::vector<JsonValue> items;   // of an array or an object, in the file's order
    std::vector<std::string> keys;  // of an object: keys[i] is that of items[i]; each is there once

    const JsonValue* find(std::string_view key) const;  // nullptr when there is none, or null
};

// The first value of a text; what follows it is ignored, as libvmaf does. Strict JSON otherwise: errors (Code::bad_model) are syntax,
// invalid UTF-8, a key twice in one object, numbers beyond double, nesting deeper than 64. `origin` starts the message.
Result<JsonValue> parse_json(std::string_view text, std::string_view origin);

std::string_view kind_name(JsonValue::Kind kind);

}  // namespace isometric
