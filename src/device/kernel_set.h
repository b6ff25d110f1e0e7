// Compiled kernels: what the build made of one *_kernels.h (iso_kernels() in cmake/Kernels.cmake), for every backend.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>

namespace isometric {

struct EmulatedKernel;
struct CheckedKernel;
struct SyclKernel;

// The code of one kernel for backends whose kernels are functions of this program. Null where the build left a backend out.
struct KernelEntry {
    std::string_view name;
    const EmulatedKernel* emulated = nullptr;
    const CheckedKernel* checked = nullptr;
    const SyclKernel* sycl = nullptr;
};

enum class ImageKind : unsigned char { ptx, amdgpu, metal };

// The code of all kernels of a set for one family of devices, as a driver takes it.
struct KernelImage {
    ImageKind kind;
    std::string_view architecture;  // "sm_75", "gfx1100"
    const unsigned char* begin;
    const unsigned char* end;  // a zero byte stands there
    std::size_t size() const { return std::size_t(end - begin); }
};

struct KernelSet {
    std::string_view name;  // "psnr"
    std::span<const KernelEntry> entries;
    std::span<const KernelImage> images;
};

// How a kernel is named when it is launched.
struct KernelHandle {
    std::string_view name;  // "psnr_row_errors"
    const KernelSet* set = nullptr;
    std::size_t argument_bytes = 0;
};

// The same with its arguments' type, so that a launch with other arguments does not compile.
template <class Args>
struct Kernel {
    static_assert(std::is_trivially_copyable_v<Args>, "arguments travel to the device as bytes");
    static_assert(sizeof(Args) <= 1024, "Metal and old drivers limit the arguments of a launch");
    KernelHandle handle;
};

}  // namespace isometric
