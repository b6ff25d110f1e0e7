#include "base/aligned_memory.h"

#include <cstring>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace isometric {
namespace {

bool is_huge(std::size_t bytes) { return bytes >= huge_block_bytes; }

std::align_val_t alignment_of(std::size_t bytes) { return std::align_val_t(is_huge(bytes) ? huge_page_bytes : vector_alignment); }

// Advice: a system without huge pages, or without a free one, serves small pages.
void ask_for_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(MADV_HUGEPAGE)
    madvise(memory, bytes, MADV_HUGEPAGE);
#endif
}

}  // namespace

void FreeAligned::operator()(void* memory) const { ::operator delete(memory, alignment_of(bytes)); }

std::unique_ptr<std::byte, FreeAligned> allocate_aligned(std::size_t bytes) {
    const std::size_t taken = is_huge(bytes) ? (bytes + huge_page_bytes - 1) / huge_page_bytes * huge_page_bytes : bytes;
    if (taken < bytes) return nullptr;
    void* memory = ::operator new(taken, alignment_of(bytes), std::nothrow);
    if (!memory) return nullptr;
    if (is_huge(bytes)) ask_for_huge_pages(memory, taken);
    std::memset(memory, 0, bytes);
    return {static_cast<std::byte*>(memory), FreeAligned{bytes}};
}

}  // namespace isometric
