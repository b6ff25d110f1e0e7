#include "device/driver/driver_api.h"

#include <dlfcn.h>

#include <span>

#include "base/error.h"

namespace isometric {

namespace {

// Opened once and never closed: drivers keep threads.
void* open_library(Vendor vendor) {
    static constexpr const char* cuda[] = {"libcuda.so.1", "libcuda.so"};
    static constexpr const char* hip[] = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so"};
    for (const char* name : vendor == Vendor::cuda ? std::span<const char* const>(cuda) : std::span<const char* const>(hip))
        if (void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
    return nullptr;
}

}  // namespace

Result<DriverApi> DriverApi::load(Vendor vendor) {
    const bool hip = vendor == Vendor::hip;
    void* library = open_library(vendor);
    if (!library)
        return error(Code::backend_unavailable, "{}",
                     hip ? "hip: the library libamdhip64.so (AMD's ROCm run time) is not installed"
                         : "cuda: the library libcuda.so.1 (part of NVIDIA's driver) is not installed");
    DriverApi api;
    api.vendor = vendor;
    const char* missing = nullptr;
    const auto find = [&](auto& function, const char* cuda_name, const char* hip_name) {
        const char* name = hip ? hip_name : cuda_name;
        if (!name) return;
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
        if (!function && !missing) missing = name;
    };
    find(api.init, "cuInit", "hipInit");
    find(api.driver_version, "cuDriverGetVersion", "hipDriverGetVersion");
    find(api.device_count, "cuDeviceGetCount", "hipGetDeviceCount");
    find(api.device_get, "cuDeviceGet", "hipDeviceGet");
    find(api.device_name, "cuDeviceGetName", "hipDeviceGetName");
    find(api.device_memory, "cuDeviceTotalMem_v2", "hipDeviceTotalMem");
    find(api.device_attribute, "cuDeviceGetAttribute", nullptr);
    find(api.context_retain, "cuDevicePrimaryCtxRetain", nullptr);
    find(api.context_push, "cuCtxPushCurrent_v2", nullptr);
    find(api.context_pop, "cuCtxPopCurrent_v2", nullptr);
    find(api.error_text, "cuGetErrorString", nullptr);
    find(api.current_device, nullptr, "hipGetDevice");
    find(api.set_device, nullptr, "hipSetDevice");
    find(api.error_name, nullptr, "hipGetErrorString");
    find(api.allocate, "cuMemAlloc_v2", "hipMalloc");
    find(api.release, "cuMemFree_v2", "hipFree");
    find(api.allocate_host, "cuMemHostAlloc", "hipHostMalloc");
    find(api.release_host, "cuMemFreeHost", "hipHostFree");
    find(api.host_address, "cuMemHostGetDevicePointer_v2", "hipHostGetDevicePointer");
    find(api.upload, "cuMemcpyHtoDAsync_v2", "hipMemcpyHtoDAsync");
    find(api.read_back, "cuMemcpyDtoHAsync_v2", "hipMemcpyDtoHAsync");
    find(api.stream_create, "cuStreamCreate", "hipStreamCreateWithFlags");
    find(api.stream_destroy, "cuStreamDestroy_v2", "hipStreamDestroy");
    find(api.stream_wait, "cuStreamWaitEvent", "hipStreamWaitEvent");
    find(api.stream_finish, "cuStreamSynchronize", "hipStreamSynchronize");
    find(api.event_create, "cuEventCreate", "hipEventCreateWithFlags");
    find(api.event_destroy, "cuEventDestroy_v2", "hipEventDestroy");
    find(api.event_record, "cuEventRecord", "hipEventRecord");
    find(api.event_query, "cuEventQuery", "hipEventQuery");
    find(api.event_wait, "cuEventSynchronize", "hipEventSynchronize");
    find(api.event_elapsed, "cuEventElapsedTime", "hipEventElapsedTime");
    find(api.module_load, "cuModuleLoadData", "hipModuleLoadData");
    find(api.module_function, "cuModuleGetFunction", "hipModuleGetFunction");
    find(api.launch, "cuLaunchKernel", "hipModuleLaunchKernel");
    if (missing) return error(Code::backend_unavailable, "{}: the installed driver is too old: it has no {}", hip ? "hip" : "cuda", missing);
    return api;
}

std::string DriverApi::describe(int status) const {
    const char* text = nullptr;
    if (error_text) error_text(status, &text);
    if (error_name) text = error_name(status);
    return fmt::format("{} (error {})", text ? text : "unknown error", status);
}

}  // namespace isometric
