// Kernels as functions of this program: a group runs on one thread, its lane loops are loops. Included before a *_kernels.h.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>

#include "numeric/device_subset.h"

#define ISO_KERNEL_ENTRY(set, name, function)                                                                            \
    namespace isometric {                                                                                                \
    extern const EmulatedKernel emulated_##set##_##name;                                                                 \
    const EmulatedKernel emulated_##set##_##name = emulated_kernel<set::name##_args, set::name##_shared>(                 \
        [](auto g, const set::name##_args& arguments, set::name##_shared* shared) { set::function(g, arguments, shared); }); \
    }

#include "device/kernel.h"

namespace isometric {

// In which order, and on how many threads, the lanes of a group and the groups of a launch run. All must give the same bits.
enum class LaneOrder : u8 { forward, reversed, shuffled, threads };

// Threads that share a group's lanes: lane l runs on thread l mod size. An odd number finds more than a power of two.
constexpr i32 kTeamSize = 7;
class Team {
public:
    // Sleeps: with more threads than processors, std::barrier's spinning would be the whole cost.
    void arrive_and_wait() {
        std::unique_lock lock(mutex_);
        const unsigned mine = generation_;
        if (++arrived_ == kTeamSize) {
            arrived_ = 0;
            ++generation_;
            all_there_.notify_all();
        } else {
            all_there_.wait(lock, [&] { return generation_ != mine; });
        }
    }

private:
    std::mutex mutex_;
    std::condition_variable all_there_;
    int arrived_ = 0;
    unsigned generation_ = 0;
};

struct EmulatedKernel {
    using RunGroup = void (*)(const void* arguments, u32 group);
    RunGroup forward, reversed, shuffled;
    void (*as_thread)(const void* arguments, u32 group, void* shared, i32 thread, Team& team);
    std::size_t shared_bytes, argument_bytes;
};

// Lane numbers first, first + step, ... of a loop, each as `(number * factor + offset) mod kLanes`.
struct LaneRange {
    i32 begin_, end_, step_, factor_, offset_;

    struct Iterator {
        i32 number, step, factor, offset;
        i32 operator*() const { return (number * factor + offset) & (kLanes - 1); }
        void operator++() { number += step; }
        bool operator!=(const Iterator& other) const { return number < other.number; }
    };
    Iterator begin() const { return {begin_, step_, factor_, offset_}; }
    Iterator end() const { return {end_, step_, factor_, offset_}; }
};

template <LaneOrder order>
class EmulatedGroup {
public:
    template <class T>
    struct var {
        T values[kLanes];
        T& operator[](i32 lane) { return values[lane]; }
    };

    explicit EmulatedGroup(u32 group, i32 thread = 0, Team* team = nullptr) : group_(group), thread_(thread), team_(team) {}

    u32 group() const { return group_; }
    void barrier() const {
        if constexpr (order == LaneOrder::threads) team_->arrive_and_wait();
    }
    LaneRange lanes() const {
        switch (order) {
            case LaneOrder::forward: return {0, kLanes, 1, 1, 0};
            case LaneOrder::reversed: return {0, kLanes, 1, -1, kLanes - 1};
            case LaneOrder::shuffled: return {0, kLanes, 1, 167, i32(group_ * 91 + 13)};  // an odd factor visits every lane once
            case LaneOrder::threads: return {thread_, kLanes, kTeamSize, 1, 0};
        }
    }

private:
    u32 group_;
    i32 thread_;
    Team* team_;
};

template <LaneOrder order, class Args, class Shared, class Function>
void run_group(const void* arguments, u32 group) {
    Shared shared;
    Function{}(EmulatedGroup<order>(group), *static_cast<const Args*>(arguments), &shared);
}

template <class Args, class Shared, class Function>
void run_as_thread(const void* arguments, u32 group, void* shared, i32 thread, Team& team) {
    Function{}(EmulatedGroup<LaneOrder::threads>(group, thread, &team), *static_cast<const Args*>(arguments), static_cast<Shared*>(shared));
}

template <class Args, class Shared, class Function>
constexpr EmulatedKernel emulated_kernel(Function) {
    return {run_group<LaneOrder::forward, Args, Shared, Function>, run_group<LaneOrder::reversed, Args, Shared, Function>,
            run_group<LaneOrder::shuffled, Args, Shared, Function>, run_as_thread<Args, Shared, Function>, sizeof(Shared), sizeof(Args)};
}

}  // namespace isometric
