// The specification of `float_moment` (docs/metrics/float_moment.md) as naive scalar C++: what every path must equal, in every bit.
#pragma once

#include <cstdint>
#include <cstring>

#include "isometric/picture.h"

namespace isometric::test::float_moment_reference {

struct Moments {
    double first = 0.0, second = 0.0;
};

inline int scale(int bits) { return bits == 10 ? 4 : bits == 12 ? 16 : bits == 16 ? 256 : 1; }

// Depths without a scale read bytes, whatever the memory holds.
inline float sample(const Picture& picture, int x, int y) {
    const PlaneMemory memory = picture.memory(0);
    const std::byte* row = memory.data + y * memory.stride_bytes;
    const int s = scale(picture.format().bit_depth);
    if (s == 1) return float(std::to_integer<int>(row[x]));
    std::uint16_t word = 0;
    std::memcpy(&word, row + 2 * x, sizeof word);
    return float(word) / float(s);
}

// One double accumulator for each moment, in raster order; a square is a float before it is added.
inline Moments sums(const Picture& picture) {
    Moments sums;
    for (int y = 0; y < picture.format().height; ++y)
        for (int x = 0; x < picture.format().width; ++x) {
            const float value = sample(picture, x, y), square = value * value;
            sums.first += double(value);
            sums.second += double(square);
        }
    return sums;
}

inline Moments moments(const Picture& picture) {
    const Moments total = sums(picture);
    const double samples = double(picture.format().width * picture.format().height);
    return {total.first / samples, total.second / samples};
}

}  // namespace isometric::test::float_moment_reference
