// The part of SYCL 2020 that the SYCL backend uses, on the host: work-items are fibers, commands run where they are submitted. One device.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/device/shims/fibers.h"

#define SYCL_LANGUAGE_VERSION 202001

namespace sycl {

class exception : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

enum class memory_order { relaxed, acq_rel };
enum class memory_scope { work_group, device };

enum class aspect { usm_device_allocations, usm_host_allocations };

namespace info {
namespace device {
struct name { using type = std::string; };
struct global_mem_size { using type = std::uint64_t; };
struct max_compute_units { using type = std::uint32_t; };
struct atomic_fence_order_capabilities { using type = std::vector<memory_order>; };
struct atomic_fence_scope_capabilities { using type = std::vector<memory_scope>; };
struct atomic_memory_scope_capabilities { using type = std::vector<memory_scope>; };
}  // namespace device
namespace event {
struct command_execution_status;
}
enum class event_command_status { submitted, running, complete };
namespace event_profiling {
struct command_end;
}
}  // namespace info

class device {
public:
    static std::vector<device> get_devices() { return {device()}; }
    bool has(aspect) const { return true; }
    template <class Info>
    typename Info::type get_info() const {
        if constexpr (std::is_same_v<Info, info::device::name>) return "SYCL shim";
        else if constexpr (std::is_same_v<typename Info::type, std::vector<memory_order>>) return {memory_order::relaxed, memory_order::acq_rel};
        else if constexpr (std::is_same_v<typename Info::type, std::vector<memory_scope>>) return {memory_scope::work_group, memory_scope::device};
        else return typename Info::type(1u << 30);
    }
};

class context {
public:
    explicit context(const device&) {}
};

class event {
public:
    template <class Info>
    info::event_command_status get_info() const { return info::event_command_status::complete; }
    template <class Info>
    std::uint64_t get_profiling_info() const { return time_; }
    void wait_and_throw() const {}

private:
    static std::uint64_t next() {
        static std::atomic<std::uint64_t> time = 0;
        return ++time;
    }
    std::uint64_t time_ = next();
};

template <int>
struct range {
    explicit range(std::size_t n) : size(n) {}
    std::size_t size;
};
template <int>
struct nd_range {
    nd_range(range<1> global_range, range<1> local_range) : global(global_range.size), local(local_range.size) {
        if (global % local != 0) throw exception("the local size does not divide the global");
    }
    std::size_t global, local;
};

inline void atomic_fence(memory_order, memory_scope) { std::atomic_thread_fence(std::memory_order_acq_rel); }
template <class T, memory_order, memory_scope>
class atomic_ref {
public:
    explicit atomic_ref(T& value) : value_(value) {}
    T operator++(int) const { return std::atomic_ref<T>(value_).fetch_add(1, std::memory_order_relaxed); }

private:
    T& value_;
};

struct group {};
template <int>
class nd_item {
public:
    nd_item(std::size_t group_index, std::size_t local) : group_(group_index), local_(local) {}
    std::size_t get_group(int) const { return group_; }
    group get_group() const { return {}; }
    std::size_t get_local_id(int) const { return local_; }

private:
    std::size_t group_, local_;
};
inline void group_barrier(group) { isometric::test::lane_barrier(); }

class handler {
public:
    void depends_on(const event&) {}
    template <class Function>
    void single_task(Function function) { function(); }
    template <class Function>
    void parallel_for(nd_range<1> items, Function function) {
        for (std::size_t g = 0; g < items.global / items.local; ++g)
            if (!isometric::test::run_lanes(int(items.local), [&](int lane) { function(nd_item<1>(g, std::size_t(lane))); }))
                throw exception("a barrier that not all work-items reach");
    }
};

template <class T, int>
class local_accessor {
public:
    local_accessor(range<1> n, handler&) : memory_(std::malloc(n.size * sizeof(T)), std::free) { std::memset(memory_.get(), 0xA5, n.size * sizeof(T)); }
    T& operator[](std::size_t i) const { return static_cast<T*>(memory_.get())[i]; }

private:
    std::shared_ptr<void> memory_;
};

namespace property::queue {
struct in_order {};
struct enable_profiling {};
}  // namespace property::queue
class property_list {
public:
    template <class... Properties>
    property_list(Properties...) {}
};

class queue {
public:
    queue(const context&, const device&, const property_list&) {}
    template <class Function>
    event submit(Function function) {
        handler h;
        function(h);
        return {};
    }
    event memcpy(void* to, const void* from, std::size_t bytes) {
        std::memcpy(to, from, bytes);
        return {};
    }
    void wait_and_throw() {}
};

inline void* allocate_shim(std::size_t bytes) {
    if (bytes > std::size_t(1) << 40) return nullptr;
    void* memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
    if (memory) std::memset(memory, 0xA5, bytes);
    return memory;
}
inline void* malloc_host(std::size_t bytes, const context&) { return allocate_shim(bytes); }
inline void* aligned_alloc_device(std::size_t, std::size_t bytes, const device&, const context&) { return allocate_shim(bytes); }
inline void free(void* memory, const context&) { std::free(memory); }

}  // namespace sycl
