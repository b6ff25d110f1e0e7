// Contents for test rows: what arithmetic likes to get wrong.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <ostream>
#include <span>
#include <type_traits>

namespace isometric::test {

enum class Fill : std::uint8_t { zeros, maximum, one_bit_noise, full_range_noise, alternating, ramp };
inline constexpr std::array all_fills{Fill::zeros,       Fill::maximum, Fill::one_bit_noise, Fill::full_range_noise,
                                      Fill::alternating, Fill::ramp};

inline std::ostream& operator<<(std::ostream& out, Fill fill) {
    constexpr const char* names[] = {"zeros", "maximum", "one_bit_noise", "full_range_noise", "alternating", "ramp"};
    return out << names[std::size_t(fill)];
}

// Sizes around every vector length in use, and some that are no multiple of anything.
inline constexpr std::array<std::size_t, 24> awkward_widths{1,  2,  3,  4,  5,  7,  8,   9,   15,  16,  17,  31,
                                                            32, 33, 47, 63, 64, 65, 100, 127, 128, 129, 200, 323};

// splitmix64: a well-mixed 64-bit sequence from any seed.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t operator()() {
        std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
        z = (z ^ z >> 27) * 0x94D049BB133111EBu;
        return z ^ z >> 31;
    }
    // Below n.
    std::uint64_t below(std::uint64_t n) { return (*this)() % n; }
    // In 0..1, 53 bits.
    double unit() { return double((*this)() >> 11) * 0x1p-53; }

private:
    std::uint64_t state_;
};

// Integers in minimum..maximum; floating point in the same interval. By default an unsigned type's whole range; for signed and floating
// types name the bounds that the code under test allows.
template <class T>
void fill(std::span<T> row, Fill how, std::uint64_t seed = 1,
          T maximum = std::is_floating_point_v<T> ? T(255) : std::numeric_limits<T>::max(),
          T minimum = std::is_floating_point_v<T> ? T(0) : std::numeric_limits<T>::min()) {
    Random random(seed * 0x100 + std::uint64_t(how));
    const auto between = [&](double t) { return T(double(minimum) + t * (double(maximum) - double(minimum))); };
    for (std::size_t i = 0; i < row.size(); ++i) {
        switch (how) {
            case Fill::zeros: row[i] = T(0); break;
            case Fill::maximum: row[i] = maximum; break;
            case Fill::one_bit_noise: row[i] = T(std::min<T>(T(random() & 1), maximum)); break;
            case Fill::alternating: row[i] = i % 2 ? maximum : minimum; break;
            case Fill::ramp: row[i] = between(double(i) / double(row.size())); break;
            case Fill::full_range_noise:
                if constexpr (std::is_floating_point_v<T>) {
                    row[i] = between(random.unit());
                } else {
                    const std::uint64_t range = std::uint64_t(maximum) - std::uint64_t(minimum);
                    row[i] = T(std::uint64_t(minimum) + (range == ~std::uint64_t(0) ? random() : random.below(range + 1)));
                }
                break;
        }
    }
}

}  // namespace isometric::test
