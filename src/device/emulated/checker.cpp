#include "device/emulated/checker.h"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <cstring>

namespace isometric {

namespace {

struct Allocation {
    std::byte* data = nullptr;
    std::size_t size = 0;
    std::vector<Shadow> shadow;
};

// By number. A number is used again only after all others, so that pointers to freed memory are found.
struct Registry {
    std::mutex mutex;
    std::array<std::atomic<Allocation*>, 1 << 16> allocations{};
    u32 last = 0;
};

Registry& registry() {
    static Registry r;
    return r;
}

Allocation* find(u64 address) { return registry().allocations[address >> CheckedMemory::number_shift].load(std::memory_order_acquire); }

std::string lane_name(u32 lane) { return lane == Stamp::uniform ? "several lanes" : fmt::format("lane {}", lane); }

constexpr std::size_t most_findings = 16;

}  // namespace

u64 CheckedMemory::add(std::byte* data, std::size_t size) {
    Registry& r = registry();
    const std::lock_guard lock(r.mutex);
    do {
        r.last = (r.last + 1) & 0xFFFF;
    } while (r.last == 0 || r.allocations[r.last].load(std::memory_order_relaxed));
    r.allocations[r.last].store(new Allocation{data, size, std::vector<Shadow>(size)}, std::memory_order_release);
    return u64(r.last) << number_shift | reinterpret_cast<u64>(data);
}

void CheckedMemory::remove(u64 address) {
    Registry& r = registry();
    const std::lock_guard lock(r.mutex);
    delete r.allocations[address >> number_shift].exchange(nullptr);
}

void CheckedMemory::mark_written_by_host(u64 address, std::size_t size) {
    Allocation* allocation = find(address);
    if (!allocation) return;
    const std::size_t offset = std::size_t(untagged(address) - allocation->data);
    for (std::size_t i = offset; i < offset + size && i < allocation->size; ++i) allocation->shadow[i].writer = Stamp::host();
}

thread_local Checker* Checker::current_ = nullptr;

void Checker::begin_group(u32 group) {
    current_ = this;
    group_ = group;
    has_arrived_ = false;
    stretch_ = 0;
    lane_ = Stamp::uniform;
}

void Checker::barrier() {
    if (lane_ != Stamp::uniform) report(fmt::format("a barrier inside a lane loop ({})", lane_name(lane_)));
    ++stretch_;
}

void Checker::report(std::string text) {
    if (findings_.size() < most_findings) findings_.push_back(fmt::format("{}, group {}: {}", kernel_, group_, text));
}

void Checker::touch(Shadow& cell, Access access, const char* what, u64 where) {
    const Stamp me = now();
    const auto clashes = [&](Stamp other) {
        if (other.launch != me.launch || !other.there) return false;
        if (other.group != me.group) return !has_arrived_;
        return other.stretch == me.stretch && (other.lane != me.lane || other.lane == Stamp::uniform);
    };
    const auto race = [&](Stamp other, const char* verb) {
        report(fmt::format("{} {}: {} {} what {} of group {} {} with no barrier between", what, where, lane_name(lane_),
                           access == Access::write ? "writes" : "reads", lane_name(other.lane), other.group, verb));
    };
    if (access == Access::read) {
        if (!cell.writer.there) report(fmt::format("{} {}: {} reads what nobody wrote", what, where, lane_name(lane_)));
        if (clashes(cell.writer)) race(cell.writer, "writes");
        const Stamp before = cell.reader;
        u32 group = group_, lane = lane_;
        if (before.launch == me.launch) {
            if (before.group != group_) group = Stamp::any_group;
            else if (before.stretch == me.stretch && before.lane != lane_) lane = Stamp::uniform;
        }
        cell.reader = Stamp::of(launch_, group, stretch_, lane);
        return;
    }
    if (lane_ == Stamp::uniform) report(fmt::format("{} {} is written outside a lane loop, by every lane", what, where));
    else if (clashes(cell.writer)) race(cell.writer, "writes");
    else if (clashes(cell.reader)) race(cell.reader, "reads");
    cell.writer = me;
}

u32 Checker::arrive(u64 count) {
    has_arrived_ = true;
    u32 before = 0;
    std::byte* const data = global(count, sizeof before, alignof(u32), Access::read);
    std::memcpy(&before, data, sizeof before);
    const u32 now_there = before + 1;
    std::memcpy(data, &now_there, sizeof now_there);
    return before;
}

std::byte* Checker::global(u64 address, u32 bytes, u32 alignment, Access access) {
    Allocation* allocation = find(address);
    std::byte* const data = CheckedMemory::untagged(address);
    if (!allocation) {
        report(fmt::format("{} uses a pointer to no buffer ({:#x})", lane_name(lane_), address));
        return scrap_;
    }
    const i64 offset = data - allocation->data;
    if (offset < 0 || u64(offset) + bytes > allocation->size) {
        report(fmt::format("{} {} bytes {} to {} of a buffer of {}", lane_name(lane_), access == Access::write ? "writes" : "reads", offset,
                           offset + i64(bytes), allocation->size));
        return scrap_;
    }
    if (reinterpret_cast<u64>(data) % alignment != 0)
        report(fmt::format("{} touches {} bytes at offset {}, not aligned to {}", lane_name(lane_), bytes, offset, alignment));
    const std::size_t known = findings_.size();
    for (u32 i = 0; i < bytes && findings_.size() == known; ++i) touch(allocation->shadow[u64(offset) + i], access, "byte", u64(offset) + i);
    return data;
}

bool Checker::shared(Shadow* cells, i32 index, i32 count, Access access) {
    if (index < 0 || index >= count) {
        report(fmt::format("{} {} cell {} of {} in shared memory", lane_name(lane_), access == Access::write ? "writes" : "reads", index, count));
        return false;
    }
    touch(cells[index], access, "shared cell", u64(index));
    return true;
}

void Checker::lane_value(i32 lane, bool& written, Access access) {
    if (lane_ != u32(lane)) report(fmt::format("{} touches the value of lane {}", lane_name(lane_), lane));
    if (access == Access::write) written = true;
    else if (!written) report(fmt::format("lane {} reads its value before writing it", lane));
}

}  // namespace isometric
