#include "metrics/vif/vif_tables.h"

#include <cmath>

namespace isometric::vif {

const std::array<std::uint16_t, 32768>& log2_table() {
    static const std::array<std::uint16_t, 32768> table = [] {
        std::array<std::uint16_t, 32768> t{};
        // The argument of floor() is never within 1.5e-5 of an integer, so any double logarithm gives these values.
        for (std::uint32_t i = 0; i < t.size(); ++i)
            t[i] = std::uint16_t(std::floor(2048.0 * std::log2(double(i + 32768)) + 0.5 + 0x1p-10));
        return t;
    }();
    return table;
}

const std::array<std::int32_t, log2_blocks>& log2_steps() {
    alignas(64) static const std::array<std::int32_t, log2_blocks> steps = [] {
        std::array<std::int32_t, log2_blocks> s{};
        for (std::uint32_t block = 0; block < log2_blocks; ++block) {
            const std::uint16_t* values = log2_table().data() + 8 * block;
            std::uint32_t before = 1;  // values before the step
            while (before < 8 && values[before] == values[0]) ++before;
            const std::uint32_t fraction = values[0] - 30720u;  // 30720 = 2048 * log2(32768)
            const std::uint32_t exponent = (127 + 17) << 23;    // of 2^17
            s[block] = std::int32_t((fraction << 12) + (4096 - (before << 8)) - (block << 11) - exponent);
        }
        return s;
    }();
    return steps;
}

}  // namespace isometric::vif
