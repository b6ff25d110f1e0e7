// Zeroed memory at addresses that vector loads like, in huge pages where it is large.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

#include "base/error.h"

namespace isometric {

inline constexpr std::size_t vector_alignment = 64;

// Blocks from huge_block_bytes on begin at a multiple of huge_page_bytes and take whole multiples of it, and the system is asked to back
// them by pages of that size: passes walk through pictures and planes, and with pages of 4 KiB every row or two meets one whose address is
// not known yet (record 0005).
inline constexpr std::size_t huge_page_bytes = std::size_t(2) << 20;
inline constexpr std::size_t huge_block_bytes = huge_page_bytes / 2;

struct FreeAligned {
    std::size_t bytes = 0;  // as they were asked for
    void operator()(void* memory) const;
};

// Zeroed bytes; nullptr if there is no memory.
std::unique_ptr<std::byte, FreeAligned> allocate_aligned(std::size_t bytes);

// count elements of a trivial type, owned; the error says what they were for.
template <class T>
using AlignedArray = std::unique_ptr<T[], FreeAligned>;

template <class T>
Result<AlignedArray<T>> make_aligned(std::size_t count, const char* what) {
    static_assert(std::is_trivial_v<T>);
    const std::size_t bytes = count * sizeof(T);
    auto memory = allocate_aligned(bytes);
    if (!memory) return Error{Code::out_of_memory, fmt::format("no memory for {} ({} bytes)", what, bytes)};
    return AlignedArray<T>(reinterpret_cast<T*>(memory.release()), FreeAligned{bytes});
}

}  // namespace isometric
