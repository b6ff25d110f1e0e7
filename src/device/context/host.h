// Kernels in ordinary C++: for the emulated device, for SYCL compilers, and for twins, which see the argument structs and launch by name.
#pragma once

#include "device/kernel_set.h"

#define ISO_CONTEXT host_context
#define ISO_LANES(g, lane) for (const isometric::i32 lane : (g).lanes())

namespace isometric {
inline namespace ISO_CONTEXT {

template <class T>
using gptr = T*;
template <class T>
using sptr = T*;

template <class T, i32 n>
struct sarray {
    T cells[n];
    T& operator[](i32 i) { return cells[i]; }
};
template <class T>
using scratch = sarray<T, kLanes>;

template <class T>
Words load_words(const T* row, i32 index) {
    Words words;
    __builtin_memcpy(&words, reinterpret_cast<const char*>(row) + i64(index) * i64(sizeof words), sizeof words);
    return words;
}

inline void publish_writes() {}
// How many have come before. What the group wrote is there for those who come later, and what earlier ones wrote for it.
inline u32 arrive(u32* count) {
#if defined(SYCL_LANGUAGE_VERSION)
    sycl::atomic_fence(sycl::memory_order::acq_rel, sycl::memory_scope::device);
    const u32 before = sycl::atomic_ref<u32, sycl::memory_order::relaxed, sycl::memory_scope::device>(*count)++;
    sycl::atomic_fence(sycl::memory_order::acq_rel, sycl::memory_scope::device);
    return before;
#else
    return __atomic_fetch_add(count, 1u, __ATOMIC_ACQ_REL);
#endif
}

inline u32 dot4(u32 a, u32 b, u32 sum) {
    for (int shift = 0; shift < 32; shift += 8) sum += (a >> shift & 0xFF) * (b >> shift & 0xFF);
    return sum;
}

}  // namespace ISO_CONTEXT
}  // namespace isometric

// What a file that compiles kernels for a backend does with each of them; it defines this before it includes the kernels.
#ifndef ISO_KERNEL_ENTRY
#define ISO_KERNEL_ENTRY(set, name, function)
#endif

#define ISO_CONTEXT_KERNEL(set, name, function)                                                                       \
    namespace isometric {                                                                                             \
    extern const KernelSet set##_kernel_set;                                                                          \
    static_assert(sizeof(set::name##_shared) <= 32 << 10, "Metal has 32 KB of shared memory for a group");             \
    namespace kernel {                                                                                                \
    inline const Kernel<set::name##_args> set##_##name{{#set "_" #name, &set##_kernel_set, sizeof(set::name##_args)}}; \
    }                                                                                                                 \
    }                                                                                                                 \
    ISO_KERNEL_ENTRY(set, name, function)
