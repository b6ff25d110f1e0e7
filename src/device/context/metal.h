// Kernels for Metal 3, whose compiler keeps memories apart in types; and for the front end of C++ for OpenCL, which does the same on any machine
// and so checks that kernels can be Metal (tests/device/lint). No 64-bit atomics and no 64-bit simd_sum: folds go through threadgroup memory.
#pragma once

#include "numeric/device_subset.h"

#if defined(__METAL_VERSION__)
#pragma METAL fp contract(off)
#endif

#define ISO_CONTEXT metal_context
#define ISO_LANES(g, lane) for (isometric::i32 lane = (g).lane(), once = 1; once; once = 0)

#if defined(__OPENCL_CPP_VERSION__)
#define ISO_DEVICE_MEMORY __global
#define ISO_GROUP_MEMORY __local
#define ISO_THREAD_MEMORY
#define ISO_GROUP_BARRIER() ::barrier(CLK_LOCAL_MEM_FENCE)
#else
#define ISO_DEVICE_MEMORY device
#define ISO_GROUP_MEMORY threadgroup
#define ISO_THREAD_MEMORY thread
#define ISO_GROUP_BARRIER() metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup)
#endif

namespace isometric {
inline namespace ISO_CONTEXT {

template <class T>
using gptr = ISO_DEVICE_MEMORY T*;
template <class T>
using sptr = ISO_GROUP_MEMORY T*;

template <class T, i32 n>
struct sarray {
    T cells[n];
    ISO_GROUP_MEMORY T& operator[](i32 i) ISO_GROUP_MEMORY { return cells[i]; }
};
template <class T>
using scratch = sarray<T, kLanes>;

template <class T>
ISO_FN Words load_words(ISO_DEVICE_MEMORY const T* row, i32 index) {
    ISO_DEVICE_MEMORY const u32* word = (ISO_DEVICE_MEMORY const u32*)row + 4 * index;
    return Words{word[0], word[1], word[2], word[3]};
}

ISO_FN void publish_writes() {}
// The count is right, but Metal 3 does not promise that a group sees what another wrote: twins do not launch kernels that ask for the
// last group (DeviceInfo::groups_join).
ISO_FN u32 arrive(gptr<u32> count) {
#if defined(__OPENCL_CPP_VERSION__)
    return count[0]++;  // for the front end alone
#else
    return metal::atomic_fetch_add_explicit((ISO_DEVICE_MEMORY metal::atomic_uint*)count, 1u, metal::memory_order_relaxed);
#endif
}

ISO_FN u32 dot4(u32 a, u32 b, u32 sum) {
    for (i32 shift = 0; shift < 32; shift += 8) sum += (a >> shift & 0xFFu) * (b >> shift & 0xFFu);
    return sum;
}

class MetalGroup {
public:
    template <class T>
    struct var {
        T value;
        ISO_FN T operator[](i32) const { return value; }
        ISO_FN ISO_THREAD_MEMORY T& operator[](i32) { return value; }
    };

    ISO_FN MetalGroup(i32 lane, u32 group) : lane_(lane), group_(group) {}
    ISO_FN i32 lane() const { return lane_; }
    ISO_FN u32 group() const { return group_; }
    ISO_FN void barrier() const { ISO_GROUP_BARRIER(); }

private:
    i32 lane_;
    u32 group_;
};

}  // namespace ISO_CONTEXT
}  // namespace isometric

#if defined(__OPENCL_CPP_VERSION__)
// Nothing is made but what a call needs: a function that the front end checks.
#define ISO_CONTEXT_KERNEL(set, name, function)                                                                                          \
    namespace isometric {                                                                                                                \
    void check_##set##_##name(MetalGroup g, set::name##_args arguments, sptr<set::name##_shared> shared) { set::function(g, arguments, shared); } \
    }
#else
#ifndef ISO_GROUP_VARIABLE
#define ISO_GROUP_VARIABLE(Type, name) threadgroup Type name
#endif
#define ISO_CONTEXT_KERNEL(set, name, function)                                                                                \
    kernel void set##_##name(constant isometric::set::name##_args& arguments [[buffer(0)]], uint lane [[thread_position_in_threadgroup]], \
                             uint group [[threadgroup_position_in_grid]]) {                                                    \
        ISO_GROUP_VARIABLE(isometric::set::name##_shared, shared);                                                             \
        isometric::set::function(isometric::MetalGroup(isometric::i32(lane), group), arguments, &shared);                      \
    }
#endif
