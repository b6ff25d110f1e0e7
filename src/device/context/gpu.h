// Kernels for GPUs whose compiler knows __global__ functions: clang alone, without a vendor's headers, for PTX and AMD code objects; nvcc for
// comparison. One hardware thread is one lane.
#pragma once

#include "numeric/device_subset.h"

#define ISO_CONTEXT gpu_context
#define ISO_DEVICE_FN __attribute__((device)) inline __attribute__((always_inline))
#define ISO_LANES(g, lane) for (isometric::i32 lane = (g).lane(), once = 1; once; once = 0)
#define ISO_LANES_EXCHANGE  // the lanes of a run exchange registers; AMD's waves of 64 are two runs

namespace isometric {
inline namespace ISO_CONTEXT {

template <class T>
using gptr = T*;
template <class T>
using sptr = T*;

template <class T, i32 n>
struct sarray {
    T cells[n];
    ISO_DEVICE_FN T& operator[](i32 i) { return cells[i]; }
};
template <class T>
using scratch = sarray<T, kRuns>;

#if defined(__AMDGCN__)
#define ISO_GROUP_BOUNDS __attribute__((amdgpu_flat_work_group_size(256, 256)))
#define ISO_CROWDED_BOUNDS ISO_GROUP_BOUNDS
ISO_DEVICE_FN i32 lane_index() { return i32(__builtin_amdgcn_workitem_id_x()); }
ISO_DEVICE_FN u32 group_index() { return u32(__builtin_amdgcn_workgroup_id_x()); }
ISO_DEVICE_FN void group_barrier() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
ISO_DEVICE_FN u32 word_from_lane_above(u32 word, i32 step) {
    const u32 lane = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u));
    return u32(__builtin_amdgcn_ds_bpermute(i32((lane + u32(step)) * 4), i32(word)));
}
ISO_DEVICE_FN u32 word_from_lane_below(u32 word, i32 step) { return word_from_lane_above(word, -step); }
// By every lane: a fence waits for the writes of its own wave alone, and a barrier of the group need not wait for any beyond the group.
ISO_DEVICE_FN void publish_writes() { __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent"); }
ISO_DEVICE_FN u32 arrive(u32* count) {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
    const u32 before = __hip_atomic_fetch_add(count, 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
    return before;
}
#else
#define ISO_GROUP_BOUNDS __attribute__((launch_bounds(256)))
#define ISO_CROWDED_BOUNDS __attribute__((launch_bounds(256, 6)))  // six groups on a multiprocessor: 40 registers
#if defined(__clang__)
ISO_DEVICE_FN i32 lane_index() { return __nvvm_read_ptx_sreg_tid_x(); }
ISO_DEVICE_FN u32 group_index() { return u32(__nvvm_read_ptx_sreg_ctaid_x()); }
ISO_DEVICE_FN u32 word_from_lane_above(u32 word, i32 step) { return u32(__nvvm_shfl_sync_down_i32(~0u, i32(word), step, 31)); }
ISO_DEVICE_FN u32 word_from_lane_below(u32 word, i32 step) { return u32(__nvvm_shfl_sync_up_i32(~0u, i32(word), step, 0)); }
#else
ISO_DEVICE_FN i32 lane_index() { return i32(threadIdx.x); }
ISO_DEVICE_FN u32 group_index() { return blockIdx.x; }
ISO_DEVICE_FN u32 word_from_lane_above(u32 word, i32 step) { return __shfl_down_sync(~0u, word, unsigned(step)); }
ISO_DEVICE_FN u32 word_from_lane_below(u32 word, i32 step) { return __shfl_up_sync(~0u, word, unsigned(step)); }
#endif
ISO_DEVICE_FN void group_barrier() { __syncthreads(); }
// The fences of one lane count for all that the group's barriers have ordered before and after them.
ISO_DEVICE_FN void publish_writes() {}
ISO_DEVICE_FN u32 arrive(u32* count) {
    u32 before;
    asm volatile(
        "fence.acq_rel.gpu;\n\t"
        "atom.relaxed.gpu.add.u32 %0, [%1], 1;\n\t"
        "fence.acq_rel.gpu;"
        : "=r"(before)
        : "l"(count)
        : "memory");
    return before;
}
#endif

// A value of any whole number of words, exchanged word by word.
template <u32 exchange(u32 word, i32 step), class T>
ISO_DEVICE_FN T from_other_lane(T value, i32 step) {
    static_assert(sizeof(T) % 4 == 0, "values travel between lanes in words");
    u32 words[sizeof(T) / 4];
    __builtin_memcpy(words, &value, sizeof value);
    for (unsigned i = 0; i < sizeof(T) / 4; ++i) words[i] = exchange(words[i], step);
    __builtin_memcpy(&value, words, sizeof value);
    return value;
}

// The value that the lane `step` further up, or down, holds; any value where the run of lanes ends before it.
template <class T>
ISO_DEVICE_FN T from_lane_above(T value, i32 step) {
    return from_other_lane<word_from_lane_above>(value, step);
}
template <class T>
ISO_DEVICE_FN T from_lane_below(T value, i32 step) {
    return from_other_lane<word_from_lane_below>(value, step);
}

template <class T>
ISO_DEVICE_FN Words load_words(const T* row, i32 index) {
    struct alignas(16) Aligned {
        Words words;
    };
    return reinterpret_cast<const Aligned*>(row)[index].words;
}

// sum + the four products of a's and b's bytes.
#if defined(__NVPTX__) || defined(__CUDA_ARCH__)
ISO_DEVICE_FN u32 dot4(u32 a, u32 b, u32 sum) {
    asm("dp4a.u32.u32 %0, %1, %2, %0;" : "+r"(sum) : "r"(a), "r"(b));
    return sum;
}
#else
ISO_DEVICE_FN u32 dot4(u32 a, u32 b, u32 sum) {
    for (int shift = 0; shift < 32; shift += 8) sum += (a >> shift & 0xFF) * (b >> shift & 0xFF);
    return sum;
}
#endif

class GpuGroup {
public:
    template <class T>
    struct var {
        T value;
        ISO_DEVICE_FN T& operator[](i32) { return value; }
        ISO_DEVICE_FN const T& operator[](i32) const { return value; }
    };

    ISO_DEVICE_FN i32 lane() const { return lane_index(); }
    ISO_DEVICE_FN u32 group() const { return group_index(); }
    ISO_DEVICE_FN void barrier() const { group_barrier(); }
};

}  // namespace ISO_CONTEXT
}  // namespace isometric

#define ISO_GPU_KERNEL(set, name, function, bounds)                                           \
    namespace isometric {                                                                     \
    extern "C" __attribute__((global)) bounds void set##_##name(set::name##_args arguments) { \
        __attribute__((shared)) set::name##_shared shared;                                    \
        set::function(GpuGroup{}, arguments, &shared);                                        \
    }                                                                                         \
    }
#define ISO_CONTEXT_KERNEL(set, name, function) ISO_GPU_KERNEL(set, name, function, ISO_GROUP_BOUNDS)
#define ISO_CONTEXT_CROWDED_KERNEL(set, name, function) ISO_GPU_KERNEL(set, name, function, ISO_CROWDED_BOUNDS)
