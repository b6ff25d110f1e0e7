// The CPU passes of `float_moment`, one table for each instruction set, and the sums of pictures that are made of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/instruction_set.h"
#include "isometric/picture.h"
#include "metrics/float_moment/float_moment.h"

namespace isometric::float_moment {

// What a row adds to m under a binade (numeric/ordered_sum.h).
struct RowIncrement {
    std::uint64_t first;  // sum of the samples
    std::uint64_t increment;
};

// Rows of at most 2^16 samples. A term is ordered_sum::square_term() of a sample.
struct Passes {
    Sums (*sums_u8)(const PlaneView<const std::uint8_t>& plane);

    // For samples below 2^12: false, and nothing of use, if one is not.
    bool (*sums_of_small)(const std::uint16_t* row, std::size_t n, Sums& sums);
    // The exact sums of the samples and of the terms without their lowest `cleared_bits` bits, at most 8.
    Sums (*sums_of_cleared)(const std::uint16_t* row, std::size_t n, int cleared_bits);
    // Whether any term is odd.
    bool (*any_odd_term)(const std::uint16_t* row, std::size_t n);
    // Under any binade k = 1..10, from an even or an odd m.
    RowIncrement (*ordered_increment)(const std::uint16_t* row, std::size_t n, std::uint32_t k, std::uint32_t m_is_odd);
};

const Passes& passes(InstructionSet set);

// The serial sums of a plane of words; `bit_depth` only chooses the faster way.
Sums sums_u16(const Passes& passes, const PlaneView<const std::uint16_t>& plane, int bit_depth);

// One row of terms, and its samples, added to serial sums.
void add_row(const Passes& passes, const std::uint16_t* row, std::size_t n, Sums& sums);

}  // namespace isometric::float_moment
