// The CPU passes of `psnr`, one table for each instruction set.
#pragma once

#include <cstdint>

#include "base/instruction_set.h"
#include "isometric/picture.h"

namespace isometric::psnr {

// The exact sum of squared differences of two planes of one size, which may be empty.
struct Passes {
    std::uint64_t (*squared_error_u8)(const PlaneView<const std::uint8_t>& ref, const PlaneView<const std::uint8_t>& dis);
    std::uint64_t (*squared_error_u16)(const PlaneView<const std::uint16_t>& ref, const PlaneView<const std::uint16_t>& dis);
};

const Passes& passes(InstructionSet set);

}  // namespace isometric::psnr
