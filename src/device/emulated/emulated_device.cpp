#include "device/emulated/emulated_device.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <functional>
#include <latch>
#include <mutex>
#include <new>
#include <optional>
#include <thread>

#include "base/error.h"
#include "base/workers.h"
#include "device/emulated/kernels.h"
#if ISO_CHECKED_DEVICE
#include "device/emulated/checked_kernel.h"
#endif

namespace isometric {

namespace {

using Clock = std::chrono::steady_clock;

enum class Kind : std::uint8_t { forward, reversed, shuffled, threads, checked };
constexpr std::string_view kind_names[] = {"forward", "reversed", "shuffled", "threads", "checked"};

class EmulatedEvent : public Event::Body {
public:
    Result<bool> done() override {
        const std::lock_guard lock(mutex_);
        if (status_ && !*status_) return status_->error();
        return status_.has_value();
    }
    Status wait() override {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return status_.has_value(); });
        return *status_;
    }
    Result<double> milliseconds_since(Event::Body& earlier) override {
        ISO_DO(wait());
        auto& other = static_cast<EmulatedEvent&>(earlier);
        ISO_DO(other.wait());
        return std::chrono::duration<double, std::milli>(time_ - other.time_).count();
    }
    void complete(Status status) {
        const std::lock_guard lock(mutex_);
        status_ = std::move(status);
        time_ = Clock::now();
        changed_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<Status> status_;
    Clock::time_point time_;
};

class EmulatedDevice : public Device, public std::enable_shared_from_this<EmulatedDevice> {
public:
    EmulatedDevice(Kind kind, std::shared_ptr<Workers> workers) : kind_(kind), workers_(std::move(workers)) {
        info_.backend = "emulated";
        info_.index = int(kind);
        info_.name = kind_names[std::size_t(kind)];
        info_.memory_bytes = std::uint64_t(sysconf(_SC_PHYS_PAGES)) * std::uint64_t(sysconf(_SC_PAGESIZE));
        info_.compute_units = kind == Kind::threads ? kTeamSize : kind == Kind::checked ? 1 : workers_->threads();
    }

    const DeviceInfo& info() const override { return info_; }
    Result<Buffer> allocate(std::size_t bytes) override { return allocate(bytes, false); }
    Result<Buffer> allocate_pinned(std::size_t bytes) override { return allocate(bytes, true); }
    Result<std::unique_ptr<Queue>> create_queue() override;
    Status prepare(const KernelSet& set) override {
        for (const KernelEntry& entry : set.entries)
            if (!(kind_ == Kind::checked ? static_cast<const void*>(entry.checked) : entry.emulated))
                return error(Code::backend_unavailable, "kernel {} was not built for the emulated device", entry.name);
        return {};
    }

    Status run(const KernelHandle& kernel, u32 groups, const void* arguments);
    std::byte* host_address(std::uint64_t address) const {
#if ISO_CHECKED_DEVICE
        if (kind_ == Kind::checked) return CheckedMemory::untagged(address);
#endif
        return reinterpret_cast<std::byte*>(address);
    }
    void written_by_host(std::uint64_t address, std::size_t bytes) const {
#if ISO_CHECKED_DEVICE
        if (kind_ == Kind::checked) CheckedMemory::mark_written_by_host(address, bytes);
#endif
        (void)address, (void)bytes;
    }

private:
    Result<Buffer> allocate(std::size_t bytes, bool pinned);
    Status run_checked(const KernelEntry& entry, u32 groups, const void* arguments);
    void run_orders(const EmulatedKernel& kernel, u32 groups, const void* arguments);
    static void run_threads(const EmulatedKernel& kernel, u32 groups, const void* arguments);

    Kind kind_;
    std::shared_ptr<Workers> workers_;
    DeviceInfo info_;
    std::mutex checked_launch_;
    u32 launches_ = 0;
};

Result<Buffer> EmulatedDevice::allocate(std::size_t bytes, bool pinned) {
    constexpr std::align_val_t alignment{256};
    auto* data = bytes > info_.memory_bytes ? nullptr : static_cast<std::byte*>(::operator new(bytes, alignment, std::nothrow));
    if (!data) return error(Code::out_of_memory, "emulated device: no memory for {} bytes", bytes);
    std::memset(data, 0xA5, bytes);  // a kernel that reads it gives other bits than one that finds zeros
    std::uint64_t address = reinterpret_cast<std::uint64_t>(data);
#if ISO_CHECKED_DEVICE
    if (kind_ == Kind::checked) {
        address = CheckedMemory::add(data, bytes);
        if (pinned) CheckedMemory::mark_written_by_host(address, bytes);
    }
#endif
    std::shared_ptr<void> owner(data, [address, checked = kind_ == Kind::checked](void* memory) {
        (void)address, (void)checked;
#if ISO_CHECKED_DEVICE
        if (checked) CheckedMemory::remove(address);
#endif
        ::operator delete(memory, alignment);
    });
    return Buffer(std::move(owner), address, pinned ? data : nullptr, bytes);
}

Status EmulatedDevice::run(const KernelHandle& kernel, u32 groups, const void* arguments) {
    for (const KernelEntry& entry : kernel.set->entries) {
        if (entry.name != kernel.name) continue;
        if (kind_ == Kind::checked) return run_checked(entry, groups, arguments);
        if (!entry.emulated) break;
        if (kind_ == Kind::threads) run_threads(*entry.emulated, groups, arguments);
        else run_orders(*entry.emulated, groups, arguments);
        return {};
    }
    return error(Code::backend_unavailable, "kernel {} was not built for the emulated device", kernel.name);
}

Status EmulatedDevice::run_checked(const KernelEntry& entry, u32 groups, const void* arguments) {
#if ISO_CHECKED_DEVICE
    if (entry.checked) {
        const std::lock_guard lock(checked_launch_);
        Checker checker(entry.name, ++launches_);
        for (u32 group = 0; group < groups; ++group) {
            checker.begin_group(group);
            entry.checked->run_group(arguments, group);
            checker.end_group();
        }
        if (checker.findings().empty()) return {};
        std::string text = checker.findings().front();
        for (std::size_t i = 1; i < std::min<std::size_t>(checker.findings().size(), 4); ++i) text += "; " + checker.findings()[i];
        return error(Code::internal, "{}", text);
    }
#endif
    (void)groups, (void)arguments;
    return error(Code::backend_unavailable, "kernel {} was not built for the checked device", entry.name);
}

void EmulatedDevice::run_orders(const EmulatedKernel& kernel, u32 groups, const void* arguments) {
    const EmulatedKernel::RunGroup run_group = kind_ == Kind::forward ? kernel.forward : kind_ == Kind::reversed ? kernel.reversed : kernel.shuffled;
    const auto group_at = [&](u32 i) {
        if (kind_ == Kind::reversed) return groups - 1 - i;
        if (kind_ == Kind::shuffled) return i % 2 ? groups - 1 - i / 2 : i / 2;  // from both ends
        return i;
    };
    const u32 tasks = std::min<u32>(groups, u32(workers_->threads()));
    std::atomic<u32> next{0};
    const auto work = [&] {
        for (u32 i = next++; i < groups; i = next++) run_group(arguments, group_at(i));
    };
    if (tasks <= 1) return work();
    std::latch left(tasks);
    for (u32 task = 0; task < tasks; ++task)
        workers_->submit([&] {
            work();
            left.count_down();
        });
    left.wait();
}

void EmulatedDevice::run_threads(const EmulatedKernel& kernel, u32 groups, const void* arguments) {
    Team team;
    std::vector<std::byte> memory(kernel.shared_bytes + 64);
    void* shared = memory.data();
    std::size_t space = memory.size();
    std::align(64, kernel.shared_bytes, shared, space);
    std::vector<std::thread> threads;
    for (i32 thread = 0; thread < kTeamSize; ++thread)
        threads.emplace_back([&, thread] {
            for (u32 group = 0; group < groups; ++group) {
                kernel.as_thread(arguments, group, shared, thread, team);
                team.arrive_and_wait();  // the next group uses the same memory
            }
        });
    for (std::thread& thread : threads) thread.join();
}

class EmulatedQueue : public Queue {
public:
    explicit EmulatedQueue(std::shared_ptr<EmulatedDevice> device) : device_(std::move(device)), thread_([this] { run(); }) {}
    ~EmulatedQueue() override {
        {
            const std::lock_guard lock(mutex_);
            closing_ = true;
        }
        changed_.notify_all();
        thread_.join();
    }

    Status upload(const Buffer& to, std::size_t offset, const void* from, std::size_t bytes) override {
        if (offset + bytes > to.size()) return error(Code::internal, "upload of {} bytes at {} into {}", bytes, offset, to.size());
        return enqueue([device = device_, to, offset, from, bytes]() -> Status {
            std::memcpy(device->host_address(to.address()) + offset, from, bytes);
            device->written_by_host(to.address() + offset, bytes);
            return {};
        });
    }
    Status read_back(void* to, const Buffer& from, std::size_t offset, std::size_t bytes) override {
        if (offset + bytes > from.size()) return error(Code::internal, "read-back of {} bytes at {} from {}", bytes, offset, from.size());
        return enqueue([device = device_, to, from, offset, bytes]() -> Status {
            std::memcpy(to, device->host_address(from.address()) + offset, bytes);
            return {};
        });
    }
    Status read_address(void* to, std::uint64_t address, std::size_t bytes) override {
        return enqueue([device = device_, to, address, bytes]() -> Status {
            std::memcpy(to, device->host_address(address), bytes);
            return {};
        });
    }
    Status launch(const KernelHandle& kernel, std::uint32_t groups, const void* arguments) override {
        std::vector<std::byte> bytes(kernel.argument_bytes);
        std::memcpy(bytes.data(), arguments, bytes.size());
        return enqueue([device = device_, kernel, groups, bytes = std::move(bytes)] { return device->run(kernel, groups, bytes.data()); });
    }
    Result<Event> record() override {
        auto body = std::make_shared<EmulatedEvent>();
        const std::lock_guard lock(mutex_);
        tasks_.push_back({[body, this]() -> Status {
                              body->complete(failure_);
                              return {};
                          },
                          true});
        changed_.notify_all();
        return Event(body);
    }
    Status wait(const Event& event) override {
        return enqueue([event] { return event.wait(); });
    }
    Status finish() override {
        ISO_TRY(const Event event, record());
        return event.wait();
    }

private:
    struct Task {
        std::function<Status()> run;
        bool also_after_failure = false;
    };

    Status enqueue(std::function<Status()> task) {
        const std::lock_guard lock(mutex_);
        tasks_.push_back({std::move(task), false});
        changed_.notify_all();
        return {};
    }
    void run() {
        for (;;) {
            Task task;
            {
                std::unique_lock lock(mutex_);
                changed_.wait(lock, [&] { return closing_ || !tasks_.empty(); });
                if (tasks_.empty()) return;
                task = std::move(tasks_.front());
                tasks_.pop_front();
            }
            if (!failure_ && !task.also_after_failure) continue;
            if (Status status = task.run(); !status) failure_ = status;
        }
    }

    std::shared_ptr<EmulatedDevice> device_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Task> tasks_;
    bool closing_ = false;
    Status failure_;  // of the queue's thread: the first error; what follows it does not run
    std::thread thread_;
};

Result<std::unique_ptr<Queue>> EmulatedDevice::create_queue() { return std::unique_ptr<Queue>(new EmulatedQueue(shared_from_this())); }

}  // namespace

Result<Devices> emulated_devices() {
    const auto workers = std::make_shared<Workers>(std::max(1, int(std::thread::hardware_concurrency())));
    Devices devices;
    for (const Kind kind : {Kind::forward, Kind::reversed, Kind::shuffled, Kind::threads, Kind::checked})
        if (kind != Kind::checked || ISO_CHECKED_DEVICE) devices.push_back(std::make_shared<EmulatedDevice>(kind, workers));
    return devices;
}

}  // namespace isometric
