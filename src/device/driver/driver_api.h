// The functions of a GPU driver, found at run time. CUDA's driver interface and HIP's module interface have the same shapes, so one table and
// one device (driver_device.h) serve both, and the program needs neither vendor's headers nor libraries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "isometric/status.h"

namespace isometric {

enum class Vendor : std::uint8_t { cuda, hip };

struct DriverApi {
    using Handle = void*;           // context, stream, event, module, function
    using Address = std::uint64_t;  // CUdeviceptr, hipDeviceptr_t

    static constexpr int success = 0;
    static constexpr int out_of_memory = 2;
    static constexpr int not_ready = 600;

    Vendor vendor = Vendor::cuda;

    int (*init)(unsigned flags) = nullptr;
    int (*driver_version)(int*) = nullptr;
    int (*device_count)(int*) = nullptr;
    int (*device_get)(int* device, int ordinal) = nullptr;
    int (*device_name)(char*, int size, int device) = nullptr;
    int (*device_memory)(std::size_t*, int device) = nullptr;

    // CUDA only: attributes' numbers differ between the vendors, and contexts are current per thread.
    int (*device_attribute)(int* value, int attribute, int device) = nullptr;
    int (*context_retain)(Handle*, int device) = nullptr;
    int (*context_push)(Handle) = nullptr;
    int (*context_pop)(Handle*) = nullptr;
    int (*error_text)(int, const char**) = nullptr;
    // HIP only.
    int (*current_device)(int*) = nullptr;
    int (*set_device)(int) = nullptr;
    const char* (*error_name)(int) = nullptr;

    int (*allocate)(Address*, std::size_t) = nullptr;
    int (*release)(Address) = nullptr;
    int (*allocate_host)(void**, std::size_t, unsigned flags) = nullptr;
    int (*release_host)(void*) = nullptr;
    int (*host_address)(Address*, void*, unsigned flags) = nullptr;
    int (*upload)(Address, const void*, std::size_t, Handle stream) = nullptr;
    int (*read_back)(void*, Address, std::size_t, Handle stream) = nullptr;

    int (*stream_create)(Handle*, unsigned flags) = nullptr;
    int (*stream_destroy)(Handle) = nullptr;
    int (*stream_wait)(Handle stream, Handle event, unsigned flags) = nullptr;
    int (*stream_finish)(Handle) = nullptr;
    int (*event_create)(Handle*, unsigned flags) = nullptr;
    int (*event_destroy)(Handle) = nullptr;
    int (*event_record)(Handle event, Handle stream) = nullptr;
    int (*event_query)(Handle) = nullptr;
    int (*event_wait)(Handle) = nullptr;
    int (*event_elapsed)(float* milliseconds, Handle from, Handle to) = nullptr;

    int (*module_load)(Handle*, const void* image) = nullptr;
    int (*module_function)(Handle*, Handle module, const char* name) = nullptr;
    int (*launch)(Handle function, unsigned, unsigned, unsigned groups_z, unsigned, unsigned, unsigned lanes_z, unsigned shared, Handle stream,
                  void** arguments, void** extra) = nullptr;

    // Loads the vendor's library. Errors (backend_unavailable): it is not installed, or too old to have some function.
    static Result<DriverApi> load(Vendor vendor);

    // What a driver's error number means, for people.
    std::string describe(int status) const;
};

}  // namespace isometric
