// Types and function markers of code that runs on the host and on devices (docs/kernels.md). Such code is written in the subset of C++14
// that every device compiler takes: no double, std::, lambda, inheritance, recursion or reference into another memory.
#pragma once

#if defined(__METAL_VERSION__)
#include <metal_stdlib>
#endif

// Before every function and member function that devices call: a host compiler inlines it, a device compiler compiles it for the device.
#if defined(__CUDACC__) || defined(__CUDA__) || defined(__HIP__)
#define ISO_FN __attribute__((host)) __attribute__((device)) inline __attribute__((always_inline))
#else
#define ISO_FN inline
#endif

// ISO_UNROLL(n): the next loop is unrolled n times, where the compiler can be told.
#if defined(__clang__)
#define ISO_UNROLL(n) ISO_PRAGMA(unroll n)
#define ISO_PRAGMA(text) _Pragma(#text)
#else
#define ISO_UNROLL(n)
#endif

namespace isometric {

using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
using i8 = signed char;
using i16 = short;
using i32 = int;
#if defined(__METAL_VERSION__) || defined(__OPENCL_CPP_VERSION__)
using u64 = unsigned long;
using i64 = long;
#else
using u64 = unsigned long long;
using i64 = long long;
#endif

// a * b + c, rounded once.
#if defined(__METAL_VERSION__)
ISO_FN float fused_multiply_add(float a, float b, float c) { return metal::fma(a, b, c); }
#elif defined(__OPENCL_CPP_VERSION__)
ISO_FN float fused_multiply_add(float a, float b, float c) { return fma(a, b, c); }
#elif defined(__CUDACC__) && !defined(__clang__)
ISO_FN float fused_multiply_add(float a, float b, float c) { return fmaf(a, b, c); }
#else
ISO_FN float fused_multiply_add(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
#endif

}  // namespace isometric
