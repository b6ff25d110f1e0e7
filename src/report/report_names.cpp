#include "report/report_names.h"

#include <fmt/format.h>

#include <cstdint>

namespace isometric {
namespace {

// One character of a text: its code point, or what stands for a byte that starts none.
struct Character {
    std::uint32_t code = 0;
    bool valid = false;      // false: `code` is the byte
    std::string_view bytes;  // as they stand in the text
};

// Decodes one character of UTF-8; overlong forms, surrogates and codes past U+10FFFF are no characters (Unicode 15, table 3-7).
Character take_character(std::string_view& rest) {
    const auto byte = [&](std::size_t i) { return std::uint32_t(std::uint8_t(rest[i])); };
    const std::uint32_t first = byte(0);
    const std::size_t length = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
    Character result{first, length == 1, rest.substr(0, 1)};
    if (length > 1 && rest.size() >= length) {
        std::uint32_t code = first & (0xFFu >> (length + 1));
        bool continued = true;
        for (std::size_t i = 1; i < length; ++i) {
            continued = continued && (byte(i) & 0xC0) == 0x80;
            code = code << 6 | (byte(i) & 0x3F);
        }
        const bool shortest = code >= (length == 2 ? 0x80u : length == 3 ? 0x800u : 0x10000u);
        const bool surrogate = code >= 0xD800 && code < 0xE000;
        if (continued && shortest && !surrogate && code <= 0x10FFFF) result = {code, true, rest.substr(0, length)};
    }
    rest.remove_prefix(result.bytes.size());
    return result;
}

template <class F>
void for_each_character(std::string_view text, F f) {
    while (!text.empty()) f(take_character(text));
}

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

bool is_xml_character(std::uint32_t code) {  // XML 1.0, production 2
    return code == 0x9 || code == 0xA || code == 0xD || (code >= 0x20 && code <= 0xD7FF) || (code >= 0xE000 && code <= 0xFFFD) ||
           (code >= 0x10000 && code <= 0x10FFFF);
}

// XML 1.0, productions 4 and 4a for ASCII; beyond it only what is a letter for certain is not worth a table: those are escaped. The colon
// is a namespace's mark and is escaped too.
bool is_xml_name_character(std::uint32_t code, bool first) {
    const bool letter = (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z') || code == '_';
    return letter || (!first && ((code >= '0' && code <= '9') || code == '-' || code == '.'));
}

// Whether the text starts like an escape of ours: _xHHHH_ with four or more digits.
bool starts_escape(std::string_view text) {
    if (!text.starts_with("_x")) return false;
    std::size_t digits = 0;
    for (std::size_t i = 2; i < text.size() && digits <= 6; ++i, ++digits) {
        const char c = text[i];
        if (c == '_') return digits >= 4;
        if (!((c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f'))) return false;
    }
    return false;
}

}  // namespace

std::string xml_text(std::string_view text) {
    std::string out;
    for_each_character(text, [&](const Character& c) {
        if (!c.valid || !is_xml_character(c.code)) out += replacement;
        else if (c.code == '&') out += "&amp;";
        else if (c.code == '<') out += "&lt;";
        else if (c.code == '>') out += "&gt;";
        else if (c.code == '"') out += "&quot;";
        else if (c.code < 0x20) out += fmt::format("&#{};", c.code);  // a parser would turn a bare line end into a blank
        else out += c.bytes;
    });
    return out;
}

std::string xml_attribute_name(std::string_view name) {
    // "frameNum" is the report's own attribute, and "xmlns..." is not an ordinary name.
    const bool taken = name == "frameNum" || name.starts_with("xml") || name.empty();
    std::string out = name.empty() ? "_x0000_" : "";
    std::string_view rest = name;
    bool first = true;
    while (!rest.empty()) {
        const bool escape_like = starts_escape(rest);
        const Character c = take_character(rest);
        if (!c.valid) out += fmt::format("_xDC{:02X}_", c.code);
        else if (!is_xml_name_character(c.code, first) || (first && taken) || escape_like) out += fmt::format("_x{:04X}_", c.code);
        else out += c.bytes;
        first = false;
    }
    return out;
}

std::string json_text(std::string_view text) {
    std::string out = "\"";
    for_each_character(text, [&](const Character& c) {
        if (!c.valid) out += replacement;
        else if (c.code == '"' || c.code == '\\') out.append("\\").append(c.bytes);
        else if (c.code < 0x20) out += fmt::format("\\u{:04x}", c.code);
        else out += c.bytes;
    });
    return out += '"';
}

std::string csv_text(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
    std::string out = "\"";
    for (const char c : text) out.append(c == '"' ? 2 : 1, c);
    return out += '"';
}

std::string sub_text(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c == '|' || c == '\n' || c == '\r') c = '_';
    return out;
}

}  // namespace isometric
