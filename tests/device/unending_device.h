// A device whose work ends only when somebody has waited for it, and which notes memory that is freed before: what on a real device goes
// wrong now and then, when a kernel is slow, is seen here every time. Kernels do nothing; every word of their arguments is taken for an
// address.
#pragma once

#include <algorithm>
#include <cstring>
#include <future>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include "base/error.h"
#include "device/queue.h"

namespace isometric::test {

// The memory that unfinished work uses, by queue.
class MemoryInUse {
public:
    std::size_t add_queue() {
        const std::lock_guard lock(mutex_);
        queues_.emplace_back();
        return queues_.size() - 1;
    }
    void use(std::size_t queue, std::uint64_t address) {
        const std::lock_guard lock(mutex_);
        queues_[queue].addresses.push_back(address);
    }
    // A point in a queue's work, for end().
    std::size_t used_by(std::size_t queue) {
        const std::lock_guard lock(mutex_);
        return queues_[queue].addresses.size();
    }
    void end(std::size_t queue, std::size_t until) {
        const std::lock_guard lock(mutex_);
        queues_[queue].ended = std::max(queues_[queue].ended, until);
    }
    void freed(std::uint64_t address, std::size_t bytes) {
        const std::lock_guard lock(mutex_);
        for (const Work& work : queues_)
            for (std::size_t i = work.ended; i < work.addresses.size(); ++i)
                if (work.addresses[i] - address < bytes) ++freed_in_use_;
    }
    // How often memory was freed that work of a queue still used.
    int freed_in_use() {
        const std::lock_guard lock(mutex_);
        return freed_in_use_;
    }

private:
    struct Work {
        std::vector<std::uint64_t> addresses;
        std::size_t ended = 0;  // of the addresses
    };
    std::mutex mutex_;
    std::vector<Work> queues_;
    int freed_in_use_ = 0;
};

class UnendingDevice : public Device {
public:
    // A wait that fails ends no work, as on a device that is lost; the end of a queue always waits.
    struct Behaviour {
        bool event_wait_fails = false, finish_fails = false;
        std::shared_future<void> nothing_done_before;  // events are waited for until then; not set: no time
    };
    explicit UnendingDevice(Behaviour behaviour) : behaviour_(std::move(behaviour)) {
        info_.backend = "unending";
        info_.name = "unending";
    }

    const DeviceInfo& info() const override { return info_; }
    Status prepare(const KernelSet&) override { return {}; }
    Result<Buffer> allocate(std::size_t bytes) override { return allocate_pinned(bytes); }
    Result<Buffer> allocate_pinned(std::size_t bytes) override {
        auto* const data = static_cast<std::byte*>(::operator new(bytes, alignment));
        const auto address = reinterpret_cast<std::uint64_t>(data);
        return Buffer(std::shared_ptr<void>(data,
                                            [memory = memory_, address, bytes](void* freed) {
                                                memory->freed(address, bytes);
                                                ::operator delete(freed, alignment);
                                            }),
                      address, data, bytes);
    }
    Result<std::unique_ptr<Queue>> create_queue() override { return std::unique_ptr<Queue>(std::make_unique<UnendingQueue>(*this)); }
    int freed_in_use() const { return memory_->freed_in_use(); }

private:
    static constexpr std::align_val_t alignment{256};

    struct UnendingEvent : Event::Body {
        UnendingEvent(std::shared_ptr<MemoryInUse> memory, const Behaviour& behaviour, std::size_t queue)
            : memory_(std::move(memory)), behaviour_(behaviour), queue_(queue), until_(memory_->used_by(queue)) {}
        Result<bool> done() override { return false; }
        Status wait() override {
            if (behaviour_.nothing_done_before.valid()) behaviour_.nothing_done_before.wait();
            if (behaviour_.event_wait_fails) return error(Code::internal, "told to fail");
            memory_->end(queue_, until_);
            return {};
        }
        Result<double> milliseconds_since(Event::Body&) override { return 0.0; }

    private:
        std::shared_ptr<MemoryInUse> memory_;
        Behaviour behaviour_;
        std::size_t queue_, until_;
    };

    class UnendingQueue : public Queue {
    public:
        explicit UnendingQueue(const UnendingDevice& device)
            : memory_(device.memory_), behaviour_(device.behaviour_), queue_(memory_->add_queue()) {}
        ~UnendingQueue() override { end_all(); }

        Status upload(const Buffer& to, std::size_t offset, const void* from, std::size_t) override {
            memory_->use(queue_, to.address() + offset);
            memory_->use(queue_, reinterpret_cast<std::uint64_t>(from));
            return {};
        }
        Status read_back(void* to, const Buffer& from, std::size_t offset, std::size_t bytes) override {
            return read_address(to, from.address() + offset, bytes);
        }
        Status read_address(void* to, std::uint64_t address, std::size_t) override {
            memory_->use(queue_, address);
            memory_->use(queue_, reinterpret_cast<std::uint64_t>(to));
            return {};
        }
        Status launch(const KernelHandle& kernel, std::uint32_t, const void* arguments) override {
            std::vector<std::uint64_t> words(kernel.argument_bytes / sizeof(std::uint64_t));
            std::memcpy(words.data(), arguments, words.size() * sizeof(std::uint64_t));
            for (const std::uint64_t word : words) memory_->use(queue_, word);
            return {};
        }
        Result<Event> record() override { return Event(std::make_shared<UnendingEvent>(memory_, behaviour_, queue_)); }
        Status wait(const Event&) override { return {}; }
        Status finish() override {
            if (behaviour_.finish_fails) return error(Code::internal, "told to fail");
            end_all();
            return {};
        }

    private:
        void end_all() { memory_->end(queue_, memory_->used_by(queue_)); }

        std::shared_ptr<MemoryInUse> memory_;
        Behaviour behaviour_;
        std::size_t queue_;
    };

    Behaviour behaviour_;
    DeviceInfo info_;
    std::shared_ptr<MemoryInUse> memory_ = std::make_shared<MemoryInUse>();
};

}  // namespace isometric::test
