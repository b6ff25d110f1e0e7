#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <system_error>

#include "base/assert.h"
#include "base/error.h"
#include "isometric/report.h"

namespace isometric {
namespace {

// std::to_chars prints as printf does in the C locale, whatever the process's locale is.
template <class... How>
std::string to_text(double value, How... how) {
    char text[384];  // -DBL_MAX with 16 decimals has 327 characters
    const auto [end, code] = std::to_chars(text, text + sizeof text, value, how...);
    ISO_ASSERT(code == std::errc());
    return code == std::errc() ? std::string(text, end) : std::string();
}

std::string not_finite(double value) {
    std::string text = std::signbit(value) ? "-" : "";
    return text += std::isnan(value) ? "nan" : "inf";
}

// libvmaf's rule (docs/reports.md, numbers): six decimals, or sixteen when the fractional part starts with six zeros or more. From 2^31
// on, where the reference's conversion to int overflows, six.
int standard_decimals(double value) {
    const double magnitude = std::fabs(value);
    if (magnitude >= 0x1p31) return 6;
    double fraction = magnitude - double(std::int32_t(magnitude));
    int shifts = 0;
    for (; fraction < 1 && fraction != 0; ++shifts) fraction *= 10;
    return shifts <= 6 ? 6 : 16;
}

}  // namespace

Result<NumberFormat> NumberFormat::parse(std::string_view text) {
    if (text == "max" || text == "full") return NumberFormat{Kind::round_trip, 0};
    if (text == "legacy") return NumberFormat{Kind::legacy, 0};
    int digits = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), digits);
    if (code != std::errc() || end != text.data() + text.size() || digits < 1 || digits > 17)
        return error(Code::invalid_argument, "precision '{}': 1 to 17 significant digits, max, full or legacy", text);
    return NumberFormat{Kind::digits, digits};
}

std::string NumberFormat::print(double value) const {
    if (!std::isfinite(value)) return not_finite(value);
    switch (kind) {
        case Kind::standard: return to_text(value, std::chars_format::fixed, standard_decimals(value));
        case Kind::digits: return to_text(value, std::chars_format::general, digits);
        case Kind::round_trip: return to_text(value, std::chars_format::general, 17);
        case Kind::legacy: break;
    }
    return to_text(value, std::chars_format::fixed, 6);
}

}  // namespace isometric
