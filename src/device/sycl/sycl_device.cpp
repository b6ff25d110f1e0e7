// SYCL 2020 devices. SYCL reports errors by exceptions; they end here.
#include <algorithm>
#include <mutex>
#include <vector>

#include "base/error.h"
#include "device/sycl/kernels.h"
#include "device/sycl/sycl_backend.h"

namespace isometric {

namespace {

// Calls SYCL; an exception becomes an error.
template <class Function>
auto caught(std::string_view what, Function function) -> Result<decltype(function())> {
    try {
        return function();
    } catch (const sycl::exception& e) {
        return error(Code::metric_failed, "sycl: {}: {}", what, e.what());
    }
}

class SyclEvent : public Event::Body {
public:
    explicit SyclEvent(sycl::event event) : event_(std::move(event)) {}
    Result<bool> done() override {
        return caught("queued work", [&] { return event_.get_info<sycl::info::event::command_execution_status>() == sycl::info::event_command_status::complete; });
    }
    Status wait() override {
        ISO_TRY([[maybe_unused]] const bool waited, caught("queued work", [&] { return event_.wait_and_throw(), true; }));
        return {};
    }
    Result<double> milliseconds_since(Event::Body& earlier) override {
        return caught("event times", [&] {
            const auto end = event_.get_profiling_info<sycl::info::event_profiling::command_end>();
            const auto begin = static_cast<SyclEvent&>(earlier).event_.get_profiling_info<sycl::info::event_profiling::command_end>();
            return double(end - begin) * 1e-6;
        });
    }
    const sycl::event& event() const { return event_; }

private:
    sycl::event event_;
};

class SyclDevice : public Device, public std::enable_shared_from_this<SyclDevice> {
public:
    SyclDevice(sycl::device device, int index) : device_(std::move(device)), context_(device_) {
        info_.backend = "sycl";
        info_.index = index;
        info_.name = device_.get_info<sycl::info::device::name>();
        info_.memory_bytes = device_.get_info<sycl::info::device::global_mem_size>();
        info_.compute_units = int(device_.get_info<sycl::info::device::max_compute_units>());
        info_.groups_join = knows(device_.get_info<sycl::info::device::atomic_fence_order_capabilities>(), sycl::memory_order::acq_rel) &&
                            knows(device_.get_info<sycl::info::device::atomic_fence_scope_capabilities>(), sycl::memory_scope::device) &&
                            knows(device_.get_info<sycl::info::device::atomic_memory_scope_capabilities>(), sycl::memory_scope::device);
    }

    const DeviceInfo& info() const override { return info_; }
    Result<Buffer> allocate(std::size_t bytes) override { return allocate(bytes, false); }
    Result<Buffer> allocate_pinned(std::size_t bytes) override { return allocate(bytes, true); }
    Result<std::unique_ptr<Queue>> create_queue() override;
    Status prepare(const KernelSet& set) override {
        for (const KernelEntry& entry : set.entries)
            if (!entry.sycl) return error(Code::backend_unavailable, "kernel {} was built without SYCL", entry.name);
        return {};
    }

private:
    template <class Capability>
    static bool knows(const std::vector<Capability>& all, Capability wanted) {
        return std::find(all.begin(), all.end(), wanted) != all.end();
    }

    Result<Buffer> allocate(std::size_t bytes, bool pinned) {
        const std::size_t size = std::max<std::size_t>(bytes, 1);
        ISO_TRY(void* memory, caught("memory", [&] {
                    return pinned ? sycl::malloc_host(size, context_) : sycl::aligned_alloc_device(256, size, device_, context_);
                }));
        if (!memory) return error(Code::out_of_memory, "sycl device {}: no memory for {} bytes", info_.index, bytes);
        std::shared_ptr<void> owner(memory, [context = context_](void* m) { sycl::free(m, context); });
        return Buffer(std::move(owner), reinterpret_cast<std::uint64_t>(memory), pinned ? static_cast<std::byte*>(memory) : nullptr, bytes);
    }

    sycl::device device_;
    sycl::context context_;
    DeviceInfo info_;
};

class SyclQueue : public Queue {
public:
    SyclQueue(std::shared_ptr<SyclDevice> device, sycl::queue queue) : device_(std::move(device)), queue_(std::move(queue)) {}
    ~SyclQueue() override { (void)finish(); }

    Status upload(const Buffer& to, std::size_t offset, const void* from, std::size_t bytes) override {
        if (offset + bytes > to.size()) return error(Code::internal, "upload of {} bytes at {} into {}", bytes, offset, to.size());
        return keep(caught("upload", [&] { return queue_.memcpy(to.pointer<std::byte>(offset), from, bytes); }));
    }
    Status read_back(void* to, const Buffer& from, std::size_t offset, std::size_t bytes) override {
        if (offset + bytes > from.size()) return error(Code::internal, "read-back of {} bytes at {} from {}", bytes, offset, from.size());
        return read_address(to, from.address() + offset, bytes);
    }
    Status read_address(void* to, std::uint64_t address, std::size_t bytes) override {
        return keep(caught("read-back", [&] { return queue_.memcpy(to, reinterpret_cast<const void*>(address), bytes); }));
    }
    Status launch(const KernelHandle& kernel, std::uint32_t groups, const void* arguments) override {
        for (const KernelEntry& entry : kernel.set->entries)
            if (entry.name == kernel.name && entry.sycl)
                return groups == 0 ? Status() : keep(caught(kernel.name, [&] { return entry.sycl->submit(queue_, groups, arguments); }));
        return error(Code::backend_unavailable, "kernel {} was built without SYCL", kernel.name);
    }
    Result<Event> record() override {
        // In-order queues: after the last command everything is done.
        ISO_DO(keep(caught("an event", [&] { return queue_.submit([](sycl::handler& handler) { handler.single_task([] {}); }); })));
        return Event(std::make_shared<SyclEvent>(last_));
    }
    Status wait(const Event& event) override {
        return keep(caught("a wait for another queue", [&] {
            return queue_.submit([&](sycl::handler& handler) {
                handler.depends_on(static_cast<SyclEvent*>(event.body())->event());
                handler.single_task([] {});
            });
        }));
    }
    Status finish() override {
        ISO_TRY([[maybe_unused]] const bool waited, caught("queued work", [&] { return queue_.wait_and_throw(), true; }));
        return {};
    }

private:
    Status keep(Result<sycl::event> event) {
        if (!event) return event.error();
        last_ = std::move(*event);
        return {};
    }

    std::shared_ptr<SyclDevice> device_;
    sycl::queue queue_;
    sycl::event last_;
};

Result<std::unique_ptr<Queue>> SyclDevice::create_queue() {
    return caught("a queue", [&] {
        const sycl::property_list properties{sycl::property::queue::in_order(), sycl::property::queue::enable_profiling()};
        return std::unique_ptr<Queue>(new SyclQueue(shared_from_this(), sycl::queue(context_, device_, properties)));
    });
}

}  // namespace

Result<Devices> sycl_devices() {
    Result<Devices> found = caught("devices", [] {
        Devices devices;
        for (const sycl::device& device : sycl::device::get_devices())
            if (device.has(sycl::aspect::usm_device_allocations) && device.has(sycl::aspect::usm_host_allocations))
                devices.push_back(std::make_shared<SyclDevice>(device, int(devices.size())));
        return devices;
    });
    if (!found) return error(Code::backend_unavailable, "{}", found.error().message);
    if (found->empty()) return error(Code::backend_unavailable, "sycl: no SYCL device");
    return found;
}

}  // namespace isometric
