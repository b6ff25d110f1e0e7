#include "cli/number_text.h"

#include <charconv>
#include <optional>

#include "base/error.h"

namespace isometric::cli {
namespace {

// nullopt: not a number; a number that does not fit becomes the largest.
std::optional<std::uint64_t> parse_unsigned(std::string_view text) {
    int base = 10;
    if (text.starts_with("0x") || text.starts_with("0X")) {
        base = 16;
        text.remove_prefix(2);
    } else if (text.size() > 1 && text.front() == '0') {
        base = 8;
        text.remove_prefix(1);
    }
    std::uint64_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (text.empty() || code == std::errc::invalid_argument || end != text.data() + text.size()) return std::nullopt;
    return code == std::errc::result_out_of_range ? UINT64_MAX : value;
}

}  // namespace

Result<std::int64_t> parse_count(std::string_view what, std::string_view text, std::int64_t maximum) {
    const auto value = parse_unsigned(text);
    if (!value) return error(Code::invalid_argument, "{}: '{}' is not a whole number from 0 to {}", what, text, maximum);
    if (*value > std::uint64_t(maximum))
        return error(Code::invalid_argument, "{}: {} is too large; it may be 0 to {}", what, text, maximum);
    return std::int64_t(*value);
}

Result<std::uint64_t> parse_mask(std::string_view what, std::string_view text) {
    if (text == "-1") return UINT64_MAX;
    const auto value = parse_unsigned(text);
    if (!value) return error(Code::invalid_argument, "{}: '{}' is not a set of bits, such as 48, 0x30 or -1 for all", what, text);
    return *value;
}

}  // namespace isometric::cli
