// Selecting one instruction set's passes.
//
// A metric's *_cpu.cpp is compiled once per instruction set by Highway (foreach_target.h). In the part that is compiled once it writes
//
//     const Passes& passes(InstructionSet set) { ISO_SELECT_PASSES(set, make_passes); }
//
// where make_passes is a function `const Passes& make_passes()` in HWY_NAMESPACE. Include after hwy/highway.h.
#pragma once

#include "base/instruction_set.h"

#if HWY_TARGETS & HWY_EMU128
#define ISO_CASE_PORTABLE(function) \
    case ::isometric::InstructionSet::portable: return N_EMU128::function();
#else
#define ISO_CASE_PORTABLE(function)
#endif
#if HWY_TARGETS & HWY_AVX2
#define ISO_CASE_AVX2(function) \
    case ::isometric::InstructionSet::avx2: return N_AVX2::function();
#else
#define ISO_CASE_AVX2(function)
#endif
#if HWY_TARGETS & HWY_AVX3
#define ISO_CASE_AVX512(function) \
    case ::isometric::InstructionSet::avx512: return N_AVX3::function();
#else
#define ISO_CASE_AVX512(function)
#endif
#if HWY_TARGETS & HWY_AVX3_DL
#define ISO_CASE_AVX512_DL(function) \
    case ::isometric::InstructionSet::avx512_dl: return N_AVX3_DL::function();
#else
#define ISO_CASE_AVX512_DL(function)
#endif
#if HWY_TARGETS & HWY_NEON
#define ISO_CASE_NEON(function) \
    case ::isometric::InstructionSet::neon: return N_NEON::function();
#else
#define ISO_CASE_NEON(function)
#endif
#if HWY_TARGETS & HWY_SVE2
#define ISO_CASE_SVE2(function) \
    case ::isometric::InstructionSet::sve2: return N_SVE2::function();
#else
#define ISO_CASE_SVE2(function)
#endif

#define ISO_SELECT_PASSES(set, function)                                                                                       \
    switch (set) {                                                                                                             \
        ISO_CASE_PORTABLE(function)                                                                                            \
        ISO_CASE_AVX2(function)                                                                                                \
        ISO_CASE_AVX512(function)                                                                                              \
        ISO_CASE_AVX512_DL(function)                                                                                           \
        ISO_CASE_NEON(function)                                                                                                \
        ISO_CASE_SVE2(function)                                                                                                \
        default: break;                                                                                                        \
    }                                                                                                                          \
    return HWY_STATIC_DISPATCH(function)()
