// Handles of the C interface. A handle is a number in the form of a pointer that is never dereferenced and never given out twice, so a
// handle that is stale, freed twice or made up is an error and not a crash (docs/adr/0061-c-handles.md).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace isometric::capi {

// A number that no handle of any kind has had. Where pointers have 64 bits it is no address that a process can have.
inline std::uintptr_t next_handle() {
    static std::atomic<std::uintptr_t> count{0};
    constexpr std::uintptr_t base = sizeof(std::uintptr_t) == 8 ? std::uintptr_t(0x00f5'0000'0000'0000ull) : 0;
    return base + (++count << 4);
}

template <class Opaque, class Object>
class HandleTable {
public:
    Opaque* add(std::shared_ptr<Object> object) {
        const std::uintptr_t handle = next_handle();
        const std::lock_guard lock(mutex_);
        objects_.emplace(handle, std::move(object));
        return reinterpret_cast<Opaque*>(handle);
    }

    // nullptr for what is no handle (any more).
    std::shared_ptr<Object> find(const Opaque* handle) const {
        return find(handle, [](Object&) {});
    }
    // The same; `found` is called with the object while the handle cannot be removed.
    template <class Found>
    std::shared_ptr<Object> find(const Opaque* handle, Found&& found) const {
        const std::lock_guard lock(mutex_);
        const auto entry = objects_.find(reinterpret_cast<std::uintptr_t>(handle));
        if (entry == objects_.end()) return nullptr;
        found(*entry->second);
        return entry->second;
    }

    std::shared_ptr<Object> remove(const Opaque* handle) {
        const std::lock_guard lock(mutex_);
        const auto entry = objects_.find(reinterpret_cast<std::uintptr_t>(handle));
        if (entry == objects_.end()) return nullptr;
        std::shared_ptr<Object> object = std::move(entry->second);
        objects_.erase(entry);
        return object;
    }

private:
    mutable std::mutex mutex_;
    std::unordered_map<std::uintptr_t, std::shared_ptr<Object>> objects_;
};

}  // namespace isometric::capi
