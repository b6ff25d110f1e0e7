// Devices as twins see them, whatever the backend: buffers, and queues of copies and kernel launches that run while the host goes on.
//
//     Buffer sums = *device->allocate_pinned(groups * sizeof(u64));
//     queue->launch(kernel::psnr_row_errors, groups, {.ref = ..., .sums = sums.pointer<u64>()});
//     Event done = *queue->record();
//     ...                          // other frames
//     done.wait();                 // the error of anything that failed before it
//     sums.host<u64>()[0];
//
// Nothing aborts: a lost device, a full memory or a kernel without code is a Status.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "device/kernel_set.h"
#include "isometric/status.h"

namespace isometric {

struct DeviceInfo {
    std::string backend;            // "cuda"
    int index = 0;                  // among the devices of its backend
    std::string name;               // "NVIDIA H200"
    std::string architecture;       // "sm_90"; empty where the driver does not tell
    std::uint64_t memory_bytes = 0;
    int compute_units = 0;          // 0: not known
    bool groups_join = true;        // kernels may use last_of
};

// Memory that kernels read and write, freed with its last copy. Zero bytes are allowed.
class Buffer {
public:
    Buffer() = default;
    Buffer(std::shared_ptr<void> owner, std::uint64_t address, std::byte* host, std::size_t size)
        : owner_(std::move(owner)), address_(address), host_(host), size_(size) {}

    std::size_t size() const { return size_; }
    // For the arguments of a kernel; not to be followed on the host.
    template <class T>
    T* pointer(std::size_t offset_bytes = 0) const {
        return reinterpret_cast<T*>(address_ + offset_bytes);
    }
    std::uint64_t address() const { return address_; }
    // Pinned memory as the host sees it, else nullptr.
    template <class T>
    T* host(std::size_t offset_bytes = 0) const {
        return host_ ? reinterpret_cast<T*>(host_ + offset_bytes) : nullptr;
    }

private:
    std::shared_ptr<void> owner_;
    std::uint64_t address_ = 0;
    std::byte* host_ = nullptr;
    std::size_t size_ = 0;
};

// A point in a queue's work.
class Event {
public:
    class Body {
    public:
        virtual ~Body() = default;
        virtual Result<bool> done() = 0;
        virtual Status wait() = 0;
        virtual Result<double> milliseconds_since(Body& earlier) = 0;
    };

    Event() = default;
    explicit Event(std::shared_ptr<Body> body) : body_(std::move(body)) {}

    explicit operator bool() const { return body_ != nullptr; }
    Result<bool> done() const { return body_->done(); }
    Status wait() const { return body_->wait(); }
    // By the device's clock. Both events must be done and of one device.
    Result<double> milliseconds_since(const Event& earlier) const { return body_->milliseconds_since(*earlier.body_); }
    Body* body() const { return body_.get(); }

private:
    std::shared_ptr<Body> body_;
};

// Work in order; different queues overlap. Calls on one queue must not overlap. Memory in use by queued work must outlive it: after a wait that
// failed, finish() or the queue's end tells when.
class Queue {
public:
    virtual ~Queue() = default;  // waits for the work

    // Host memory that is not pinned is allowed; then the call may wait. It must stay as it is until the work is done.
    virtual Status upload(const Buffer& to, std::size_t offset, const void* from, std::size_t bytes) = 0;
    virtual Status read_back(void* to, const Buffer& from, std::size_t offset, std::size_t bytes) = 0;
    // From any address of the same device, a caller's included.
    virtual Status read_address(void* to, std::uint64_t address, std::size_t bytes) = 0;

    template <class Args>
    Status launch(const Kernel<Args>& kernel, std::uint32_t groups, const Args& arguments) {
        return launch(kernel.handle, groups, &arguments);
    }
    virtual Status launch(const KernelHandle& kernel, std::uint32_t groups, const void* arguments) = 0;

    virtual Result<Event> record() = 0;
    // What is queued from here on starts after an event of another queue.
    virtual Status wait(const Event& event) = 0;
    // Waits for everything queued; the first error of it.
    virtual Status finish() = 0;
};

// All members may be called from any thread.
class Device {
public:
    virtual ~Device() = default;

    virtual const DeviceInfo& info() const = 0;
    virtual Result<Buffer> allocate(std::size_t bytes) = 0;
    // Host memory that copies run from and to at full speed, and that kernels write directly; what a kernel wrote is there once an event after
    // it is done.
    virtual Result<Buffer> allocate_pinned(std::size_t bytes) = 0;
    virtual Result<std::unique_ptr<Queue>> create_queue() = 0;
    // Loads a set's code now and not at its first launch. An error when there is none for this device.
    virtual Status prepare(const KernelSet& set) = 0;
};

}  // namespace isometric
