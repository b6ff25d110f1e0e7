// Zeroed memory at addresses that vector loads like.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>

#include "base/error.h"

namespace isometric {

inline constexpr std::align_val_t vector_alignment{64};

struct FreeAligned {
    void operator()(void* memory) const { ::operator delete(memory, vector_alignment); }
};

// count elements of a trivial type, owned; the error says what they were for.
template <class T>
using AlignedArray = std::unique_ptr<T[], FreeAligned>;

template <class T>
Result<AlignedArray<T>> make_aligned(std::size_t count, const char* what) {
    static_assert(std::is_trivial_v<T>);
    const std::size_t bytes = count * sizeof(T);
    void* memory = ::operator new(bytes, vector_alignment, std::nothrow);
    if (!memory) return Error{Code::out_of_memory, fmt::format("no memory for {} ({} bytes)", what, bytes)};
    std::memset(memory, 0, bytes);
    return AlignedArray<T>(static_cast<T*>(memory));
}

}  // namespace isometric
