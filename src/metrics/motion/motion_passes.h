// The CPU passes of `motion`, one table for each instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/aligned_memory.h"
#include "base/instruction_set.h"
#include "isometric/picture.h"
#include "isometric/status.h"

namespace isometric::motion {

// Rows of one column strip, so that all of them stay in the first-level cache: five rows of differences, and one row of the vertical blur.
// The low-bit rows are used where values have 17 bits (motion_cpu.cpp).
class Scratch {
public:
    static constexpr int max_strip = 2048;  // columns
    static constexpr int padding = 192;     // two columns of border at each side, and what a vector may overrun

    static Result<Scratch> create();

    std::int16_t* difference(int row) const { return row_at(row % 5); }
    std::int16_t* difference_low(int row) const { return row_at(5 + row % 5); }
    std::int16_t* vertical() const { return row_at(10); }
    std::int16_t* vertical_low() const { return row_at(11); }

private:
    static constexpr std::size_t row_size = max_strip + padding;
    static constexpr std::size_t rows = 12;

    std::int16_t* row_at(int index) const { return memory_.get() + row_size * std::size_t(index); }

    AlignedArray<std::int16_t> memory_;
};

// begin <= row < end
struct Rows {
    int begin = 0, end = 0;
};

// The sum of absolute values of the blurred difference, earlier minus current, over some rows; planes of one size, 3x3 or more. The sum of
// a picture may be made in parts, each with a scratch of its own.
struct Passes {
    std::uint64_t (*sad_u8)(const PlaneView<const std::uint8_t>& earlier, const PlaneView<const std::uint8_t>& current, Rows rows,
                            const Scratch& scratch);
    // bits: 9..16; samples are at most 2^bits - 1.
    std::uint64_t (*sad_u16)(const PlaneView<const std::uint16_t>& earlier, const PlaneView<const std::uint16_t>& current, int bits,
                             Rows rows, const Scratch& scratch);
};

const Passes& passes(InstructionSet set);

}  // namespace isometric::motion
