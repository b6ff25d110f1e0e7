// Kernels for SYCL 2020: the host's context, one work-item per lane. Included before a *_kernels.h, in a file that a SYCL compiler compiles.
// No sub-groups (they may have size 1), no group algorithms on 64-bit integers, no double.
#pragma once

#include <sycl/sycl.hpp>

#define ISO_KERNEL_ENTRY(set, name, function)                                                                                     \
    namespace isometric {                                                                                                         \
    extern const SyclKernel sycl_##set##_##name;                                                                                  \
    const SyclKernel sycl_##set##_##name = sycl_kernel<set::name##_args, set::name##_shared>(                                      \
        [](SyclGroup g, const set::name##_args& arguments, set::name##_shared* shared) { set::function(g, arguments, shared); }); \
    }

#include "device/kernel.h"

namespace isometric {

struct SyclKernel {
    sycl::event (*submit)(sycl::queue& queue, u32 groups, const void* arguments);
};

class SyclGroup {
public:
    template <class T>
    struct var {
        T value;
        T& operator[](i32) { return value; }
    };
    struct OneLane {
        i32 lane;
        const i32* begin() const { return &lane; }
        const i32* end() const { return &lane + 1; }
    };

    explicit SyclGroup(const sycl::nd_item<1>& item) : item_(item) {}
    u32 group() const { return u32(item_.get_group(0)); }
    void barrier() const { sycl::group_barrier(item_.get_group()); }
    OneLane lanes() const { return {i32(item_.get_local_id(0))}; }

private:
    sycl::nd_item<1> item_;
};

// Function has no state: the kernel makes one of its own.
template <class Args, class Shared, class Function>
sycl::event submit_kernel(sycl::queue& queue, u32 groups, const void* arguments) {
    const Args args = *static_cast<const Args*>(arguments);
    return queue.submit([&](sycl::handler& handler) {
        sycl::local_accessor<Shared, 1> shared(sycl::range<1>(1), handler);
        handler.parallel_for(sycl::nd_range<1>(sycl::range<1>(std::size_t(groups) * std::size_t(kLanes)), sycl::range<1>(std::size_t(kLanes))),
                             [=](sycl::nd_item<1> item) { Function{}(SyclGroup(item), args, &shared[0]); });
    });
}

template <class Args, class Shared, class Function>
constexpr SyclKernel sycl_kernel(Function) {
    return {submit_kernel<Args, Shared, Function>};
}

}  // namespace isometric
