// libamdhip64.so.7 that forwards to an NVIDIA driver: the unchanged HIP host code on an NVIDIA card. AMD images are exchanged for the same
// kernels' PTX; everything else goes through.
#include <dlfcn.h>

#include <cstring>
#include <string>
#include <vector>

#include "tests/device/all_kernel_sets.h"

using namespace isometric;  // NOLINT: a test's library of one file

namespace {

template <class F>
F* cuda(const char* name) {
    static void* library = dlopen("libcuda.so.1", RTLD_NOW);
    return reinterpret_cast<F*>(library ? dlsym(library, name) : nullptr);
}

constexpr int no_device = 100, no_binary = 209;

thread_local int current = 0;
thread_local void* current_context = nullptr;

// HIP makes device 0 current on every thread; CUDA wants a context.
int make_current() {
    if (!current_context && cuda<int(void**, int)>("cuDevicePrimaryCtxRetain")(&current_context, current) != 0) return no_device;
    return cuda<int(void*)>("cuCtxSetCurrent")(current_context);
}

}  // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))
#define FORWARD(hip, cuda_name, parameters, arguments)                                   \
    EXPORT int hip parameters {                                                          \
        auto* target = cuda<int parameters>(cuda_name);                                \
        if (!target) return no_device;                                                 \
        if (std::strncmp(cuda_name, "cuD", 3) != 0 && std::strcmp(cuda_name, "cuInit") != 0) \
            if (int status = make_current(); status != 0) return status;                 \
        return target arguments;                                                       \
    }

FORWARD(hipInit, "cuInit", (unsigned flags), (flags))
FORWARD(hipDriverGetVersion, "cuDriverGetVersion", (int* version), (version))
FORWARD(hipGetDeviceCount, "cuDeviceGetCount", (int* count), (count))
FORWARD(hipDeviceGet, "cuDeviceGet", (int* device, int ordinal), (device, ordinal))
FORWARD(hipDeviceGetName, "cuDeviceGetName", (char* name, int size, int device), (name, size, device))
FORWARD(hipDeviceTotalMem, "cuDeviceTotalMem_v2", (std::size_t* bytes, int device), (bytes, device))
FORWARD(hipMalloc, "cuMemAlloc_v2", (unsigned long long* address, std::size_t bytes), (address, bytes))
FORWARD(hipFree, "cuMemFree_v2", (unsigned long long address), (address))
FORWARD(hipHostFree, "cuMemFreeHost", (void* host), (host))
FORWARD(hipHostGetDevicePointer, "cuMemHostGetDevicePointer_v2", (unsigned long long* address, void* host, unsigned flags), (address, host, flags))
FORWARD(hipMemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2", (unsigned long long to, const void* from, std::size_t bytes, void* stream), (to, from, bytes, stream))
FORWARD(hipMemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2", (void* to, unsigned long long from, std::size_t bytes, void* stream), (to, from, bytes, stream))
FORWARD(hipStreamCreateWithFlags, "cuStreamCreate", (void** stream, unsigned flags), (stream, flags))
FORWARD(hipStreamDestroy, "cuStreamDestroy_v2", (void* stream), (stream))
FORWARD(hipStreamWaitEvent, "cuStreamWaitEvent", (void* stream, void* event, unsigned flags), (stream, event, flags))
FORWARD(hipStreamSynchronize, "cuStreamSynchronize", (void* stream), (stream))
FORWARD(hipEventCreateWithFlags, "cuEventCreate", (void** event, unsigned flags), (event, flags))
FORWARD(hipEventDestroy, "cuEventDestroy_v2", (void* event), (event))
FORWARD(hipEventRecord, "cuEventRecord", (void* event, void* stream), (event, stream))
FORWARD(hipEventQuery, "cuEventQuery", (void* event), (event))
FORWARD(hipEventSynchronize, "cuEventSynchronize", (void* event), (event))
FORWARD(hipEventElapsedTime, "cuEventElapsedTime", (float* milliseconds, void* from, void* to), (milliseconds, from, to))
FORWARD(hipModuleGetFunction, "cuModuleGetFunction", (void** function, void* module, const char* name), (function, module, name))
FORWARD(hipModuleLaunchKernel, "cuLaunchKernel",
        (void* function, unsigned gx, unsigned gy, unsigned gz, unsigned lx, unsigned ly, unsigned lz, unsigned shared, void* stream, void** arguments, void** extra),
        (function, gx, gy, gz, lx, ly, lz, shared, stream, arguments, extra))

EXPORT int hipHostMalloc(void** host, std::size_t bytes, unsigned flags) {
    if (int status = make_current(); status != 0) return status;
    return cuda<int(void**, std::size_t, unsigned)>("cuMemHostAlloc")(host, bytes, flags & 3);  // HIP's coherence flag is unknown to CUDA
}
EXPORT int hipGetDevice(int* device) { return *device = current, 0; }
EXPORT int hipSetDevice(int device) {
    if (device != current) current_context = nullptr;
    current = device;
    return make_current();
}
EXPORT const char* hipGetErrorString(int status) {
    const char* text = nullptr;
    if (auto* function = cuda<int(int, const char**)>("cuGetErrorString")) function(status, &text);
    return text;
}
EXPORT int hipModuleLoadData(void** module, const void* image) {
    if (int status = make_current(); status != 0) return status;
    for (const KernelSet* set : test::all_kernel_sets())
        for (const KernelImage& known : set->images) {
            if (known.kind != ImageKind::amdgpu || std::memcmp(image, known.begin, 64) != 0 || std::memcmp(image, known.begin, known.size()) != 0) continue;
            for (const KernelImage& ptx : set->images)
                if (ptx.kind == ImageKind::ptx) return cuda<int(void**, const void*)>("cuModuleLoadData")(module, ptx.begin);
        }
    return no_binary;
}
