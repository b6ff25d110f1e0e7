// A GPU driver for machines without a GPU: libcuda.so.1, or libamdhip64.so.7 with FAKE_HIP, whose devices are emulated ones. The program under
// test is the product, unchanged: it finds this library where it looks for the vendor's.
//
// It checks what a driver leaves unchecked or crashes on: that images are those of the build and fit the device, that a context is current
// and is the right one, that a kernel gets 256 lanes and the argument bytes that its PTX declares, that memory is freed once.
//
// FAKE_ARCHITECTURE ("sm_90", "gfx1100"), FAKE_DEVICES (2) and FAKE_FAIL ("cuMemAlloc_v2:3": the third call fails) come from the environment.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <string>

#include "device/driver/driver_api.h"
#include "device/emulated/emulated_device.h"
#include "device/emulated/kernels.h"
#include "tests/device/all_kernel_sets.h"

using namespace isometric;  // NOLINT: a test's library of one file

namespace {

constexpr int out_of_memory = 2, no_device = 100, invalid_image = 200, invalid_context = 201, no_binary = 209, invalid_ptx = 218, invalid_handle = 400,
              not_found = 500, launch_failed = 719, invalid_value = 1;

std::string setting(const char* name, const char* otherwise) {
    const char* value = std::getenv(name);
    return value ? value : otherwise;
}

#if FAKE_HIP
#define FAKE(cuda, hip) hip
const std::string architecture = setting("FAKE_ARCHITECTURE", "gfx1100");
#else
#define FAKE(cuda, hip) cuda
const std::string architecture = setting("FAKE_ARCHITECTURE", "sm_90");
#endif

int device_number() { return std::atoi(setting("FAKE_DEVICES", "2").c_str()); }

// Whether this call of a function is to fail.
bool fails(const char* function) {
    static std::mutex mutex;
    static std::map<std::string, int> calls;
    const std::string wanted = setting("FAKE_FAIL", "");
    const std::size_t colon = wanted.find(':');
    if (wanted.substr(0, colon) != function) return false;
    const std::lock_guard lock(mutex);
    return ++calls[function] == (colon == std::string::npos ? 1 : std::atoi(wanted.c_str() + colon + 1));
}

struct Module {
    int device;
    const KernelSet* set;
    const KernelImage* image;
};
struct Function {
    const Module* module;
    const KernelEntry* entry;
};

struct State {
    Devices devices = *emulated_devices();
    std::mutex mutex;
    std::map<std::uint64_t, Buffer> memory;  // by address, and pinned memory by its host address
    std::map<int, int> contexts_retained;
    std::deque<Module> modules;
    std::deque<Function> functions;
    bool initialised = false;
};
State& state() {
    static State s;
    return s;
}

// Contexts of this thread; a context is its device's number plus one.
thread_local std::vector<std::uintptr_t> contexts;
thread_local int hip_device = 0;

int current_device() {
    if (FAKE(false, true)) return hip_device;
    return contexts.empty() ? -1 : int(contexts.back()) - 1;
}

struct Stream {
    int device;
    std::unique_ptr<Queue> queue;
};
struct FakeEvent {
    int device;
    Event event;
};

Stream* stream_here(void* handle) {
    auto* stream = static_cast<Stream*>(handle);
    return stream && stream->device == current_device() ? stream : nullptr;
}
FakeEvent* event_here(void* handle) {
    auto* event = static_cast<FakeEvent*>(handle);
    return event && event->device == current_device() ? event : nullptr;
}

int allocate(std::uint64_t* address, std::size_t bytes, bool pinned) {
    const int device = current_device();
    if (device < 0) return invalid_context;
    Device& d = *state().devices[std::size_t(device) % state().devices.size()];
    const Result<Buffer> buffer = pinned ? d.allocate_pinned(bytes) : d.allocate(bytes);
    if (!buffer) return out_of_memory;
    *address = buffer->address();
    const std::lock_guard lock(state().mutex);
    state().memory[*address] = *buffer;
    return 0;
}
int release(std::uint64_t address) {
    const std::lock_guard lock(state().mutex);
    return state().memory.erase(address) == 1 ? 0 : invalid_value;
}

// The buffer that holds a range.
const Buffer* buffer_of(std::uint64_t address, std::size_t bytes) {
    const std::lock_guard lock(state().mutex);
    auto after = state().memory.upper_bound(address);
    if (after == state().memory.begin()) return nullptr;
    const Buffer& buffer = std::prev(after)->second;
    return address + bytes <= buffer.address() + buffer.size() ? &buffer : nullptr;
}

// Argument bytes as the PTX of a kernel declares them.
std::size_t declared_bytes(const std::string& ptx, std::string_view kernel) {
    const std::string parameter = std::string(kernel) + "_param_0[";
    const std::size_t at = ptx.find(parameter);
    return at == std::string::npos ? 0 : std::strtoull(ptx.c_str() + at + parameter.size(), nullptr, 10);
}

bool fits(const KernelImage& image) {
    if (FAKE(false, true)) return image.kind == ImageKind::amdgpu && image.architecture == architecture;
    return image.kind == ImageKind::ptx && std::atoi(image.architecture.data() + 3) <= std::atoi(architecture.c_str() + 3);
}

}  // namespace

#define API(cuda, hip, ...)                                              \
    extern "C" __attribute__((visibility("default"))) int FAKE(cuda, hip)(__VA_ARGS__)
#define NAME(cuda, hip) FAKE(#cuda, #hip)
#define MAY_FAIL(cuda, hip, status) \
    if (fails(NAME(cuda, hip))) return status

API(cuInit, hipInit, unsigned) {
    MAY_FAIL(cuInit, hipInit, no_device);
    state().initialised = true;
    return 0;
}
API(cuDriverGetVersion, hipDriverGetVersion, int* version) { return *version = 12040, 0; }
API(cuDeviceGetCount, hipGetDeviceCount, int* count) {
    if (!state().initialised) return 3;
    *count = device_number();
    return *count == 0 && FAKE(false, true) ? no_device : 0;
}
API(cuDeviceGet, hipDeviceGet, int* device, int ordinal) { return ordinal < device_number() ? (*device = ordinal, 0) : 101; }
API(cuDeviceGetName, hipDeviceGetName, char* name, int size, int device) {
    std::snprintf(name, std::size_t(size), "Fake GPU %d", device);
    return 0;
}
API(cuDeviceTotalMem_v2, hipDeviceTotalMem, std::size_t* bytes, int) { return *bytes = std::size_t(1) << 33, 0; }
#if FAKE_HIP
extern "C" __attribute__((visibility("default"))) int hipGetDevice(int* device) { return *device = hip_device, 0; }
extern "C" __attribute__((visibility("default"))) int hipSetDevice(int device) { return device < device_number() ? (hip_device = device, 0) : 101; }
extern "C" __attribute__((visibility("default"))) const char* hipGetErrorString(int) { return "a fake error"; }
#else
extern "C" __attribute__((visibility("default"))) int cuGetErrorString(int, const char** text) { return *text = "a fake error", 0; }
extern "C" __attribute__((visibility("default"))) int cuDeviceGetAttribute(int* value, int attribute, int) {
    const int capability = std::atoi(architecture.c_str() + 3);
    *value = attribute == 75 ? capability / 10 : attribute == 76 ? capability % 10 : 2;
    return 0;
}
extern "C" __attribute__((visibility("default"))) int cuDevicePrimaryCtxRetain(void** context, int device) {
    const std::lock_guard lock(state().mutex);
    ++state().contexts_retained[device];
    *context = reinterpret_cast<void*>(std::uintptr_t(device) + 1);
    return 0;
}
extern "C" __attribute__((visibility("default"))) int cuCtxPushCurrent_v2(void* context) {
    if (!context) return invalid_context;
    contexts.push_back(reinterpret_cast<std::uintptr_t>(context));
    return 0;
}
extern "C" __attribute__((visibility("default"))) int cuCtxPopCurrent_v2(void** context) {
    if (contexts.empty()) return invalid_context;
    *context = reinterpret_cast<void*>(contexts.back());
    contexts.pop_back();
    return 0;
}
#endif

API(cuMemAlloc_v2, hipMalloc, std::uint64_t* address, std::size_t bytes) {
    MAY_FAIL(cuMemAlloc_v2, hipMalloc, out_of_memory);
    return allocate(address, bytes, false);
}
API(cuMemFree_v2, hipFree, std::uint64_t address) { return release(address); }
API(cuMemHostAlloc, hipHostMalloc, void** host, std::size_t bytes, unsigned) {
    MAY_FAIL(cuMemHostAlloc, hipHostMalloc, out_of_memory);
    std::uint64_t address = 0;
    const int status = allocate(&address, bytes, true);
    *host = reinterpret_cast<void*>(address);
    return status;
}
API(cuMemFreeHost, hipHostFree, void* host) { return release(reinterpret_cast<std::uint64_t>(host)); }
API(cuMemHostGetDevicePointer_v2, hipHostGetDevicePointer, std::uint64_t* address, void* host, unsigned) {
    return *address = reinterpret_cast<std::uint64_t>(host), 0;
}
API(cuMemcpyHtoDAsync_v2, hipMemcpyHtoDAsync, std::uint64_t to, const void* from, std::size_t bytes, void* handle) {
    MAY_FAIL(cuMemcpyHtoDAsync_v2, hipMemcpyHtoDAsync, launch_failed);
    Stream* stream = stream_here(handle);
    const Buffer* buffer = buffer_of(to, bytes);
    if (!stream || !buffer) return invalid_value;
    return stream->queue->upload(*buffer, to - buffer->address(), from, bytes) ? 0 : invalid_value;
}
API(cuMemcpyDtoHAsync_v2, hipMemcpyDtoHAsync, void* to, std::uint64_t from, std::size_t bytes, void* handle) {
    Stream* stream = stream_here(handle);
    if (!stream || !buffer_of(from, bytes)) return invalid_value;
    return stream->queue->read_address(to, from, bytes) ? 0 : invalid_value;
}

API(cuStreamCreate, hipStreamCreateWithFlags, void** handle, unsigned flags) {
    MAY_FAIL(cuStreamCreate, hipStreamCreateWithFlags, out_of_memory);
    const int device = current_device();
    if (device < 0 || flags != 1) return invalid_context;
    *handle = new Stream{device, *state().devices[std::size_t(device) % state().devices.size()]->create_queue()};
    return 0;
}
API(cuStreamDestroy_v2, hipStreamDestroy, void* handle) {
    delete stream_here(handle);
    return 0;
}
API(cuStreamWaitEvent, hipStreamWaitEvent, void* handle, void* event, unsigned) {
    // Any context may wait for any event.
    Stream* stream = stream_here(handle);
    return stream && event && stream->queue->wait(static_cast<FakeEvent*>(event)->event) ? 0 : invalid_handle;
}
API(cuStreamSynchronize, hipStreamSynchronize, void* handle) {
    Stream* stream = stream_here(handle);
    if (!stream) return invalid_handle;
    return stream->queue->finish() ? 0 : launch_failed;
}
API(cuEventCreate, hipEventCreateWithFlags, void** event, unsigned) {
    if (current_device() < 0) return invalid_context;
    *event = new FakeEvent{current_device(), {}};
    return 0;
}
API(cuEventDestroy_v2, hipEventDestroy, void* event) {
    delete event_here(event);
    return 0;
}
API(cuEventRecord, hipEventRecord, void* event, void* handle) {
    Stream* stream = stream_here(handle);
    if (!stream || !event_here(event)) return invalid_handle;
    event_here(event)->event = *stream->queue->record();
    return 0;
}
API(cuEventQuery, hipEventQuery, void* event) {
    if (!event_here(event)) return invalid_handle;
    const Result<bool> done = event_here(event)->event.done();
    return !done ? launch_failed : *done ? 0 : DriverApi::not_ready;
}
API(cuEventSynchronize, hipEventSynchronize, void* event) {
    MAY_FAIL(cuEventSynchronize, hipEventSynchronize, launch_failed);
    if (!event_here(event)) return invalid_handle;
    return event_here(event)->event.wait() ? 0 : launch_failed;
}
API(cuEventElapsedTime, hipEventElapsedTime, float* milliseconds, void* from, void* to) {
    if (!event_here(from) || !event_here(to)) return invalid_handle;
    const Result<double> elapsed = event_here(to)->event.milliseconds_since(event_here(from)->event);
    return elapsed ? (*milliseconds = float(*elapsed), 0) : launch_failed;
}

API(cuModuleLoadData, hipModuleLoadData, void** module, const void* image) {
    MAY_FAIL(cuModuleLoadData, hipModuleLoadData, FAKE(invalid_ptx, no_binary));
    if (current_device() < 0) return invalid_context;
    for (const KernelSet* set : test::all_kernel_sets())
        for (const KernelImage& known : set->images) {
            // Byte for byte up to the first difference, and no further: the image may be shorter, and does not say how long it is.
            const unsigned char* const end = known.begin + known.size();
            if (std::mismatch(known.begin, end, static_cast<const unsigned char*>(image)).first != end) continue;
            if (!fits(known)) return FAKE(invalid_ptx, no_binary);
            const std::lock_guard lock(state().mutex);
            *module = &state().modules.emplace_back(Module{current_device(), set, &known});
            return 0;
        }
    return invalid_image;
}
API(cuModuleGetFunction, hipModuleGetFunction, void** function, void* handle, const char* name) {
    const auto* module = static_cast<const Module*>(handle);
    if (module->device != current_device()) return invalid_context;
    for (const KernelEntry& entry : module->set->entries) {
        if (entry.name != name) continue;
        const std::string ptx(reinterpret_cast<const char*>(module->image->begin), module->image->size());
        if (module->image->kind == ImageKind::ptx && declared_bytes(ptx, name) != entry.emulated->argument_bytes) return invalid_image;
        const std::lock_guard lock(state().mutex);
        *function = &state().functions.emplace_back(Function{module, &entry});
        return 0;
    }
    return not_found;
}
API(cuLaunchKernel, hipModuleLaunchKernel, void* handle, unsigned groups, unsigned gy, unsigned gz, unsigned lanes, unsigned ly, unsigned lz, unsigned shared,
    void* stream_handle, void** arguments, void** extra) {
    MAY_FAIL(cuLaunchKernel, hipModuleLaunchKernel, launch_failed);
    const auto* function = static_cast<const Function*>(handle);
    Stream* stream = stream_here(stream_handle);
    if (!stream || !function || function->module->device != current_device()) return invalid_handle;
    if (groups == 0 || gy != 1 || gz != 1 || lanes != unsigned(kLanes) || ly != 1 || lz != 1 || shared != 0 || extra) return invalid_value;
    const KernelHandle kernel{function->entry->name, function->module->set, function->entry->emulated->argument_bytes};
    return stream->queue->launch(kernel, groups, arguments[0]) ? 0 : launch_failed;
}
