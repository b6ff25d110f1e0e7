#include "model/number.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <system_error>

namespace isometric {
namespace {

// Whether a number that from_chars calls out of range is below it: the power of ten of its first non-zero digit is negative.
bool below_range(std::string_view text) {
    const std::size_t exponent_mark = std::min(text.find_first_of("eE"), text.size());
    const std::string_view digits = text.substr(0, exponent_mark);
    std::int64_t exponent = 0;
    if (exponent_mark < text.size()) {
        std::string_view written = text.substr(exponent_mark + 1);
        if (written.starts_with('+')) written.remove_prefix(1);
        const bool negative = written.starts_with('-');
        const auto code = std::from_chars(written.data(), written.data() + written.size(), exponent).ec;
        if (code == std::errc::result_out_of_range) return negative;
    }
    const std::size_t point = std::min(digits.find('.'), digits.size());
    const std::size_t first = std::min(digits.find_first_of("123456789"), digits.size());
    const std::int64_t power = first < point ? std::int64_t(point - first) - 1 : std::int64_t(point) - std::int64_t(first);
    return exponent < -power;  // exponent + power < 0, without overflow
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
    if (text.starts_with('+')) {
        text.remove_prefix(1);
        if (text.starts_with('-')) return std::nullopt;
    }
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data(), end, value);
    if (stop != end || code == std::errc::invalid_argument) return std::nullopt;
    if (code == std::errc::result_out_of_range) {
        if (!below_range(text)) return std::nullopt;
        value = text.starts_with('-') ? -0.0 : 0.0;
    }
    if (!std::isfinite(value)) return std::nullopt;
    return value;
}

std::optional<int> parse_integer(std::string_view text, int minimum, int maximum) {
    int value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data(), end, value);
    if (stop != end || code != std::errc() || value < minimum || value > maximum) return std::nullopt;
    return value;
}

}  // namespace isometric
