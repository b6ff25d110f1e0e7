// The instruction sets that the CPU passes are compiled for, and the choice among them at run time.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "isometric/status.h"

namespace isometric {

// Worst to best within an architecture. `portable` is Highway's emulated 128-bit target: plain C++ that runs anywhere.
enum class InstructionSet : std::uint8_t { portable, avx2, avx512, avx512_dl, neon, sve2 };

std::string_view to_string(InstructionSet set);
Result<InstructionSet> instruction_set_from_name(std::string_view name);

// What this processor can run and this build has, worst first; never empty.
std::vector<InstructionSet> available_instruction_sets();

// The best available one that the mask leaves on. Bits as libvmaf's --cpumask: 8 AVX2, 16 AVX-512, 32 AVX-512 with VNNI and VBMI on x86;
// 1 NEON, 2 SVE2 on Arm; switching a set off switches off the better ones that imply it. The environment variable ISOMETRIC_CPU, if set,
// names the set instead (an unknown or unavailable name is ignored here; faces report it through instruction_set_from_name).
InstructionSet best_instruction_set(std::uint64_t mask = 0);

}  // namespace isometric
