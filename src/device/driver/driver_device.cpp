#include "device/driver/driver_device.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <mutex>

#include "base/error.h"
#include "device/kernel.h"

namespace isometric {

namespace {

using Handle = DriverApi::Handle;

constexpr int attribute_compute_units = 16;
constexpr int attribute_compute_capability_major = 75;
constexpr int attribute_compute_capability_minor = 76;
constexpr int oldest_compute_capability = 75;
constexpr unsigned host_portable_and_mapped = 1 | 2;
constexpr unsigned hip_host_coherent = 0x40000000;
constexpr unsigned stream_non_blocking = 1;
constexpr unsigned event_blocking_wait = 1;

std::string_view name_of(Vendor vendor) { return vendor == Vendor::cuda ? "cuda" : "hip"; }

// The driver, and one of its devices with its context.
class Driver {
public:
    Driver(const DriverApi& driver_api, int ordinal) : api(driver_api), ordinal_(ordinal) {}

    // Makes the device current on this thread and, at the end, whatever the caller of the library had there.
    class Scope {
    public:
        explicit Scope(const Driver& driver) : driver_(driver) {
            if (driver.api.vendor == Vendor::cuda) {
                driver.api.context_push(driver.context_);
            } else {
                driver.api.current_device(&before_);
                if (before_ != driver.ordinal_) driver.api.set_device(driver.ordinal_);
            }
        }
        ~Scope() {
            Handle popped = nullptr;
            if (driver_.api.vendor == Vendor::cuda) driver_.api.context_pop(&popped);
            else if (before_ != driver_.ordinal_) driver_.api.set_device(before_);
        }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        const Driver& driver_;
        int before_ = 0;
    };

    Status retain(int device) {
        if (api.vendor == Vendor::hip) return {};
        return check(api.context_retain(&context_, device), "the device's context");
    }
    Status check(int status, std::string_view what) const {
        if (status == DriverApi::success) return {};
        return error(status == DriverApi::out_of_memory ? Code::out_of_memory : Code::metric_failed, "{} device {}: {}: {}", name_of(api.vendor),
                     ordinal_, what, api.describe(status));
    }

    DriverApi api;

private:
    int ordinal_;
    Handle context_ = nullptr;
};

class DriverEvent : public Event::Body {
public:
    DriverEvent(std::shared_ptr<Driver> driver, Handle handle) : driver_(std::move(driver)), handle_(handle) {}
    ~DriverEvent() override {
        const Driver::Scope scope(*driver_);
        driver_->api.event_destroy(handle_);
    }
    Result<bool> done() override {
        const Driver::Scope scope(*driver_);
        const int status = driver_->api.event_query(handle_);
        if (status == DriverApi::not_ready) return false;
        ISO_DO(driver_->check(status, "queued work"));
        return true;
    }
    Status wait() override {
        const Driver::Scope scope(*driver_);
        return driver_->check(driver_->api.event_wait(handle_), "queued work");
    }
    Result<double> milliseconds_since(Event::Body& earlier) override {
        const Driver::Scope scope(*driver_);
        float milliseconds = 0;
        ISO_DO(driver_->check(driver_->api.event_elapsed(&milliseconds, static_cast<DriverEvent&>(earlier).handle_, handle_), "event times"));
        return double(milliseconds);
    }
    Handle handle() const { return handle_; }

private:
    std::shared_ptr<Driver> driver_;
    Handle handle_;
};

class DriverDevice : public Device, public std::enable_shared_from_this<DriverDevice> {
public:
    DriverDevice(std::shared_ptr<Driver> driver, DeviceInfo info, int compute_capability)
        : driver_(std::move(driver)), info_(std::move(info)), compute_capability_(compute_capability) {}
    // Modules live as long as the context, which the driver ends with the process.

    const DeviceInfo& info() const override { return info_; }
    Result<Buffer> allocate(std::size_t bytes) override;
    Result<Buffer> allocate_pinned(std::size_t bytes) override;
    Result<std::unique_ptr<Queue>> create_queue() override;
    Status prepare(const KernelSet& set) override {
        const std::lock_guard lock(mutex_);
        ISO_TRY([[maybe_unused]] const Module* module, load(set));
        return {};
    }
    Result<Handle> function(const KernelHandle& kernel);

private:
    struct Module {
        Handle handle = nullptr;
        std::map<std::string_view, Handle> functions;
    };
    Result<Module*> load(const KernelSet& set);
    std::vector<const KernelImage*> images(const KernelSet& set) const;

    std::shared_ptr<Driver> driver_;
    DeviceInfo info_;
    int compute_capability_;
    std::mutex mutex_;
    std::map<const KernelSet*, Module> modules_;
};

Result<Buffer> DriverDevice::allocate(std::size_t bytes) {
    const Driver::Scope scope(*driver_);
    DriverApi::Address address = 0;
    ISO_DO(driver_->check(driver_->api.allocate(&address, std::max<std::size_t>(bytes, 1)), fmt::format("memory for {} bytes", bytes)));
    std::shared_ptr<void> owner(reinterpret_cast<void*>(address), [driver = driver_](void* memory) {
        const Driver::Scope release_scope(*driver);
        driver->api.release(reinterpret_cast<DriverApi::Address>(memory));
    });
    return Buffer(std::move(owner), address, nullptr, bytes);
}

Result<Buffer> DriverDevice::allocate_pinned(std::size_t bytes) {
    const Driver::Scope scope(*driver_);
    const unsigned flags = host_portable_and_mapped | (driver_->api.vendor == Vendor::hip ? hip_host_coherent : 0);
    void* host = nullptr;
    ISO_DO(driver_->check(driver_->api.allocate_host(&host, std::max<std::size_t>(bytes, 1), flags), fmt::format("pinned memory for {} bytes", bytes)));
    std::shared_ptr<void> owner(host, [driver = driver_](void* memory) {
        const Driver::Scope release_scope(*driver);
        driver->api.release_host(memory);
    });
    DriverApi::Address address = 0;
    ISO_DO(driver_->check(driver_->api.host_address(&address, host, 0), "the device's address of pinned memory"));
    return Buffer(std::move(owner), address, static_cast<std::byte*>(host), bytes);
}

// Those that the device may take, best first.
std::vector<const KernelImage*> DriverDevice::images(const KernelSet& set) const {
    std::vector<std::pair<int, const KernelImage*>> found;
    for (const KernelImage& image : set.images) {
        if (driver_->api.vendor == Vendor::hip) {
            // Drivers tell the architecture in a struct whose layout changes, but refuse what is not theirs.
            if (image.kind == ImageKind::amdgpu) found.emplace_back(0, &image);
        } else if (image.kind == ImageKind::ptx) {
            int capability = 0;
            const std::string_view digits = image.architecture.substr(3);  // sm_75
            std::from_chars(digits.data(), digits.data() + digits.size(), capability);
            if (capability <= compute_capability_) found.emplace_back(-capability, &image);
        }
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<const KernelImage*> result;
    for (const auto& [order, image] : found) result.push_back(image);
    return result;
}

Result<DriverDevice::Module*> DriverDevice::load(const KernelSet& set) {
    if (const auto found = modules_.find(&set); found != modules_.end()) return &found->second;
    const Driver::Scope scope(*driver_);
    int status = DriverApi::success;
    std::string tried;
    for (const KernelImage* image : images(set)) {
        Module module;
        status = driver_->api.module_load(&module.handle, image->begin);
        if (status == DriverApi::success) return &(modules_[&set] = std::move(module));
        tried += fmt::format("{}{}", tried.empty() ? "" : ", ", image->architecture);
    }
    if (tried.empty()) return error(Code::backend_unavailable, "{}: the kernels of {} were built without device code", info_.backend, set.name);
    return error(Code::backend_unavailable, "{} device {} ({}) refuses the kernels of {} (built for {}): {}", info_.backend, info_.index, info_.name,
                 set.name, tried, driver_->api.describe(status));
}

Result<Handle> DriverDevice::function(const KernelHandle& kernel) {
    const std::lock_guard lock(mutex_);
    ISO_TRY(Module * module, load(*kernel.set));
    if (const auto found = module->functions.find(kernel.name); found != module->functions.end()) return found->second;
    const Driver::Scope scope(*driver_);
    Handle function = nullptr;
    ISO_DO(driver_->check(driver_->api.module_function(&function, module->handle, std::string(kernel.name).c_str()),
                          fmt::format("kernel {}", kernel.name)));
    return module->functions[kernel.name] = function;
}

class DriverQueue : public Queue {
public:
    DriverQueue(std::shared_ptr<DriverDevice> device, std::shared_ptr<Driver> driver, Handle stream)
        : device_(std::move(device)), driver_(std::move(driver)), stream_(stream) {}
    ~DriverQueue() override {
        const Driver::Scope scope(*driver_);
        driver_->api.stream_finish(stream_);
        driver_->api.stream_destroy(stream_);
    }

    Status upload(const Buffer& to, std::size_t offset, const void* from, std::size_t bytes) override {
        if (offset + bytes > to.size()) return error(Code::internal, "upload of {} bytes at {} into {}", bytes, offset, to.size());
        const Driver::Scope scope(*driver_);
        return driver_->check(driver_->api.upload(to.address() + offset, from, bytes, stream_), "upload");
    }
    Status read_back(void* to, const Buffer& from, std::size_t offset, std::size_t bytes) override {
        if (offset + bytes > from.size()) return error(Code::internal, "read-back of {} bytes at {} from {}", bytes, offset, from.size());
        return read_address(to, from.address() + offset, bytes);
    }
    Status read_address(void* to, std::uint64_t address, std::size_t bytes) override {
        const Driver::Scope scope(*driver_);
        return driver_->check(driver_->api.read_back(to, address, bytes, stream_), "read-back");
    }
    Status launch(const KernelHandle& kernel, std::uint32_t groups, const void* arguments) override {
        ISO_TRY(const Handle function, device_->function(kernel));
        if (groups == 0) return {};
        const Driver::Scope scope(*driver_);
        void* parameters[] = {const_cast<void*>(arguments)};
        return driver_->check(driver_->api.launch(function, groups, 1, 1, unsigned(kLanes), 1, 1, 0, stream_, parameters, nullptr),
                              fmt::format("launch of kernel {}", kernel.name));
    }
    Result<Event> record() override {
        const Driver::Scope scope(*driver_);
        Handle handle = nullptr;
        ISO_DO(driver_->check(driver_->api.event_create(&handle, event_blocking_wait), "an event"));
        auto body = std::make_shared<DriverEvent>(driver_, handle);
        ISO_DO(driver_->check(driver_->api.event_record(handle, stream_), "an event"));
        return Event(std::move(body));
    }
    Status wait(const Event& event) override {
        const Driver::Scope scope(*driver_);
        return driver_->check(driver_->api.stream_wait(stream_, static_cast<DriverEvent*>(event.body())->handle(), 0), "a wait for another queue");
    }
    Status finish() override {
        const Driver::Scope scope(*driver_);
        return driver_->check(driver_->api.stream_finish(stream_), "queued work");
    }

private:
    std::shared_ptr<DriverDevice> device_;
    std::shared_ptr<Driver> driver_;
    Handle stream_;
};

Result<std::unique_ptr<Queue>> DriverDevice::create_queue() {
    const Driver::Scope scope(*driver_);
    Handle stream = nullptr;
    ISO_DO(driver_->check(driver_->api.stream_create(&stream, stream_non_blocking), "a queue"));
    return std::unique_ptr<Queue>(new DriverQueue(shared_from_this(), driver_, stream));
}

Result<std::shared_ptr<Device>> open_device(const DriverApi& api, int ordinal) {
    auto driver = std::make_shared<Driver>(api, ordinal);
    int device = 0;
    ISO_DO(driver->check(api.device_get(&device, ordinal), "the device"));
    DeviceInfo info;
    info.backend = name_of(api.vendor);
    info.index = ordinal;
    char name[256] = {};
    ISO_DO(driver->check(api.device_name(name, int(sizeof name) - 1, device), "the device's name"));
    info.name = name;
    std::size_t memory = 0;
    ISO_DO(driver->check(api.device_memory(&memory, device), "the device's memory"));
    info.memory_bytes = memory;
    int capability = 0;
    if (api.vendor == Vendor::cuda) {
        int major = 0, minor = 0;
        ISO_DO(driver->check(api.device_attribute(&major, attribute_compute_capability_major, device), "the device's compute capability"));
        ISO_DO(driver->check(api.device_attribute(&minor, attribute_compute_capability_minor, device), "the device's compute capability"));
        ISO_DO(driver->check(api.device_attribute(&info.compute_units, attribute_compute_units, device), "the device's multiprocessors"));
        capability = 10 * major + minor;
        info.architecture = fmt::format("sm_{}", capability);
        if (capability < oldest_compute_capability)
            return error(Code::backend_unavailable, "cuda: {} has compute capability {}.{}, and kernels need 7.5 or newer", info.name, major, minor);
    }
    ISO_DO(driver->retain(device));
    return std::shared_ptr<Device>(std::make_shared<DriverDevice>(std::move(driver), std::move(info), capability));
}

}  // namespace

Result<Devices> driver_devices(Vendor vendor) {
    ISO_TRY(const DriverApi api, DriverApi::load(vendor));
    const std::string_view name = name_of(vendor);
    const std::string no_device = fmt::format("{}: no {} device", name, vendor == Vendor::cuda ? "CUDA" : "HIP");
    if (const int status = api.init(0); status != DriverApi::success)
        return error(Code::backend_unavailable, "{}: {}", no_device, api.describe(status));
    int count = 0;
    if (const int status = api.device_count(&count); status != DriverApi::success)
        return error(Code::backend_unavailable, "{}: {}", no_device, api.describe(status));
    if (count == 0) return error(Code::backend_unavailable, "{}", no_device);
    Devices devices;
    std::string refusals;
    for (int ordinal = 0; ordinal < count; ++ordinal) {
        if (auto device = open_device(api, ordinal)) devices.push_back(std::move(*device));
        else refusals += (refusals.empty() ? "" : "; ") + device.error().message;
    }
    if (devices.empty()) return error(Code::backend_unavailable, "{}", refusals);
    return devices;
}

}  // namespace isometric
