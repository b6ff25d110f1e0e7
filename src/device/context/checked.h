// The host's context with every access looked at (emulated/checker.h). Argument structs have the same layout as elsewhere: a gptr is an address.
#pragma once

#include <type_traits>

#include "device/emulated/checked_kernel.h"
#include "device/kernel_set.h"

#define ISO_CONTEXT checked_context
#define ISO_LANES(g, lane) for (const isometric::i32 lane : (g).lanes())

namespace isometric {

inline namespace ISO_CONTEXT {

// What indexing gives: reads by conversion, writes by assignment. `Place` says where the value lies.
template <class T, class Place>
class Checked {
public:
    explicit Checked(Place place) : place_(place) {}

    operator T() const {
        T value{};
        if (const void* from = place_.find(Access::read)) __builtin_memcpy(&value, from, sizeof value);
        return value;
    }
    const Checked& operator=(T value) const {
        if (void* to = place_.find(Access::write)) __builtin_memcpy(to, &value, sizeof value);
        return *this;
    }
    const Checked& operator=(const Checked& other) const { return *this = T(other); }
    Checked(const Checked&) = default;
    template <class V>
    const Checked& operator+=(V v) const {
        return *this = T(T(*this) + v);
    }

private:
    Place place_;
};

template <class T>
struct GlobalPlace {
    u64 address;
    void* find(Access access) const { return Checker::current().global(address, sizeof(T), alignof(T), access); }
};

template <class T>
struct gptr {
    using Value = std::remove_const_t<T>;
    using Cell = std::conditional_t<std::is_const_v<T>, const Checked<Value, GlobalPlace<T>>, Checked<Value, GlobalPlace<T>>>;

    u64 address;

    template <class I>
    Cell operator[](I i) const {
        return Cell(GlobalPlace<T>{at(i64(i))});
    }
    Cell operator*() const { return (*this)[0]; }
    gptr operator+(i64 n) const { return {at(n)}; }
    operator gptr<const T>() const
        requires(!std::is_const_v<T>)
    {
        return {address};
    }

private:
    // The number of the allocation stays, whatever the offset.
    u64 at(i64 n) const {
        constexpr u64 low = (u64(1) << CheckedMemory::number_shift) - 1;
        return (address & ~low) | ((address + u64(n) * sizeof(T)) & low);
    }
};

template <class T>
using sptr = T*;

template <class T>
struct SharedPlace {
    T* cells;
    Shadow* shadow;
    i32 index, count;
    void* find(Access access) const { return Checker::current().shared(shadow, index, count, access) ? cells + index : nullptr; }
};

template <class T, i32 n>
struct sarray {
    T cells[n];
    Shadow shadow[n];
    template <class I>
    Checked<T, SharedPlace<T>> operator[](I i) {
        return Checked<T, SharedPlace<T>>({cells, shadow, i32(i), n});
    }
};
template <class T>
using scratch = sarray<T, kLanes>;

struct alignas(16) AlignedWords {
    Words words;
};
template <class T>
Words load_words(gptr<const T> row, i32 index) {
    const AlignedWords aligned = gptr<const AlignedWords>{row.address}[index];
    return aligned.words;
}

inline void publish_writes() {}
inline u32 arrive(gptr<u32> count) { return Checker::current().arrive(count.address); }

inline u32 dot4(u32 a, u32 b, u32 sum) {
    for (int shift = 0; shift < 32; shift += 8) sum += (a >> shift & 0xFF) * (b >> shift & 0xFF);
    return sum;
}

template <class T>
struct LanePlace {
    T* value;
    bool* written;
    i32 lane;
    void* find(Access access) const {
        Checker::current().lane_value(lane, *written, access);
        return value;
    }
};

struct CheckedLanes {
    struct Iterator {
        i32 lane;
        i32 operator*() const {
            Checker::current().enter_lane(lane);
            return lane;
        }
        void operator++() { ++lane; }
        bool operator!=(const Iterator& end) const {
            if (lane < end.lane) return true;
            Checker::current().leave_lanes();
            return false;
        }
    };
    Iterator begin() const { return {0}; }
    Iterator end() const { return {kLanes}; }
};

class CheckedGroup {
public:
    template <class T>
    struct var {
        T values[kLanes];
        bool written[kLanes] = {};
        Checked<T, LanePlace<T>> operator[](i32 lane) { return Checked<T, LanePlace<T>>({values + lane, written + lane, lane}); }
    };

    explicit CheckedGroup(u32 group) : group_(group) {}
    u32 group() const { return group_; }
    void barrier() const { Checker::current().barrier(); }
    CheckedLanes lanes() const { return {}; }

private:
    u32 group_;
};

}  // namespace ISO_CONTEXT
}  // namespace isometric

#define ISO_CONTEXT_KERNEL(set, name, function)                                                           \
    namespace isometric {                                                                                 \
    extern const CheckedKernel checked_##set##_##name;                                                    \
    const CheckedKernel checked_##set##_##name{[](const void* arguments, u32 group) {                     \
        auto* const shared = new set::name##_shared{};                                                    \
        set::function(CheckedGroup(group), *static_cast<const set::name##_args*>(arguments), shared);     \
        delete shared;                                                                                    \
    }};                                                                                                   \
    }
