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

}  // namespace isometric::vif
