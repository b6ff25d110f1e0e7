// What the checked build knows about memory: who touched which byte or cell last, and between which barriers. It reports accesses outside a
// buffer, reads of what was never written, and two lanes that touch one cell without a barrier between them, one of them writing.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "numeric/device_subset.h"

namespace isometric {

enum class Access : u8 { read, write };

// A launch, a group, a stretch between barriers and a lane.
struct Stamp {
    static constexpr u32 uniform = 256;  // as a lane: code outside lane loops, or several lanes
    static constexpr u32 any_group = ~0u;

    u32 launch = 0;  // 0: nobody yet, or the host
    u32 group = 0, stretch = 0;
    u16 lane = 0;
    bool there = false;

    static Stamp of(u32 launch, u32 group, u32 stretch, u32 lane) { return {launch, group, stretch, u16(lane), true}; }
    static Stamp host() { return {0, 0, 0, 0, true}; }
};

// Last writer and last readers of a byte of device memory or a cell of shared memory.
struct Shadow {
    Stamp writer, reader;
};

// Device memory of the checked device. Addresses carry the number of their allocation in the top 16 bits, so that an index that leaves one
// buffer is found even where it would meet another.
class CheckedMemory {
public:
    static constexpr int number_shift = 48;

    static u64 add(std::byte* data, std::size_t size);  // the tagged address
    static void remove(u64 address);
    static std::byte* untagged(u64 address) { return reinterpret_cast<std::byte*>(address & ((u64(1) << number_shift) - 1)); }
    static void mark_written_by_host(u64 address, std::size_t size);
};

// The group that runs on this thread.
class Checker {
public:
    Checker(std::string_view kernel, u32 launch) : kernel_(kernel), launch_(launch) {}

    static Checker& current() { return *current_; }

    void begin_group(u32 group);
    void end_group() { current_ = nullptr; }
    void enter_lane(i32 lane) { lane_ = u32(lane); }
    void leave_lanes() { lane_ = Stamp::uniform; }
    void barrier();
    // Adds one to a number in device memory; what it was. The group then comes after all that have arrived before.
    u32 arrive(u64 count);

    // Memory to read or write instead of the tagged address: the real one, or a scrap when the access is refused.
    std::byte* global(u64 address, u32 bytes, u32 alignment, Access access);
    // Whether the cell may be touched.
    bool shared(Shadow* cells, i32 index, i32 count, Access access);
    void lane_value(i32 lane, bool& written, Access access);

    void report(std::string text);
    const std::vector<std::string>& findings() const { return findings_; }

private:
    void touch(Shadow& cell, Access access, const char* what, u64 where);
    Stamp now() const { return Stamp::of(launch_, group_, stretch_, lane_); }

    static thread_local Checker* current_;

    std::string kernel_;
    u32 launch_;
    u32 group_ = 0, stretch_ = 0, lane_ = Stamp::uniform;
    bool has_arrived_ = false;  // groups run one after another: what others touched until now was before
    std::vector<std::string> findings_;
    alignas(16) std::byte scrap_[256] = {};
};

}  // namespace isometric
