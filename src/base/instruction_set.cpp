#include "base/instruction_set.h"

#include <hwy/targets.h>

#include <array>
#include <cstdlib>

#include "base/error.h"

namespace isometric {
namespace {

struct Level {
    InstructionSet set;
    std::string_view name;
    std::int64_t target;     // Highway's bit
    std::uint64_t mask_bit;  // any of these bits of --cpumask switches it off
};

constexpr std::uint64_t mask_avx2 = 8, mask_avx512 = 16, mask_avx512_dl = 32, mask_neon = 1, mask_sve2 = 2;

constexpr std::array<Level, 6> levels = {{
    {InstructionSet::portable, "portable", HWY_EMU128, 0},
    {InstructionSet::avx2, "avx2", HWY_AVX2, mask_avx2},
    {InstructionSet::avx512, "avx512", HWY_AVX3, mask_avx2 | mask_avx512},
    {InstructionSet::avx512_dl, "avx512_dl", HWY_AVX3_DL, mask_avx2 | mask_avx512 | mask_avx512_dl},
    {InstructionSet::neon, "neon", HWY_NEON, mask_neon},
    {InstructionSet::sve2, "sve2", HWY_SVE2, mask_neon | mask_sve2},
}};

}  // namespace

std::string_view to_string(InstructionSet set) {
    for (const Level& level : levels)
        if (level.set == set) return level.name;
    return "unknown";
}

Result<InstructionSet> instruction_set_from_name(std::string_view name) {
    std::string known;
    for (InstructionSet set : available_instruction_sets()) {
        if (to_string(set) == name) return set;
        known += known.empty() ? "" : ", ";
        known += to_string(set);
    }
    return error(Code::invalid_argument, "instruction set '{}' is not available here: choose one of {}", name, known);
}

std::vector<InstructionSet> available_instruction_sets() {
    std::vector<InstructionSet> sets;
    const std::int64_t supported = hwy::SupportedTargets();
    for (const Level& level : levels) {
        const bool built = (HWY_TARGETS & level.target) != 0;
        if (built && (level.set == InstructionSet::portable || (supported & level.target) != 0)) sets.push_back(level.set);
    }
    return sets;
}

InstructionSet best_instruction_set(std::uint64_t mask) {
    const std::vector<InstructionSet> available = available_instruction_sets();
    if (const char* name = std::getenv("ISOMETRIC_CPU"))
        for (InstructionSet set : available)
            if (to_string(set) == name) return set;
    InstructionSet best = available.front();
    for (InstructionSet set : available)
        for (const Level& level : levels)
            if (level.set == set && (level.mask_bit & mask) == 0) best = set;
    return best;
}

}  // namespace isometric
