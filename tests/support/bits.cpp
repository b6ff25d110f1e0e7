#include "tests/support/bits.h"

#include <fmt/format.h>

namespace isometric::test {

std::string show_bits(double value) {
    return fmt::format("{:a} ({:.17g}; bits {:#018x})", value, value, std::bit_cast<std::uint64_t>(value));
}
std::string show_bits(float value) {
    return fmt::format("{:a} ({:.9g}; bits {:#010x})", value, value, std::bit_cast<std::uint32_t>(value));
}
std::string show_bits(std::int64_t value) { return fmt::format("{}", value); }
std::string show_bits(std::uint64_t value) { return fmt::format("{} ({:#x})", value, value); }

}  // namespace isometric::test
