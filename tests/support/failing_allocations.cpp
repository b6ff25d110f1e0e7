#include "tests/support/failing_allocations.h"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

std::atomic<long> countdown = -1;  // allocations left until one fails; negative: none does
std::atomic<long> counted = 0;

bool fails() {
    ++counted;
    return countdown >= 0 && countdown-- == 0;
}

void* take(std::size_t size, std::size_t alignment) {
    if (fails()) return nullptr;
    if (alignment <= alignof(std::max_align_t)) return std::malloc(size ? size : 1);
    return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void* take_or_throw(std::size_t size, std::size_t alignment) {
    if (void* memory = take(size, alignment)) return memory;
    throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return take_or_throw(size, 1); }
void* operator new[](std::size_t size) { return take_or_throw(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) { return take_or_throw(size, std::size_t(alignment)); }
void* operator new[](std::size_t size, std::align_val_t alignment) { return take_or_throw(size, std::size_t(alignment)); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return take(size, 1); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return take(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept { return take(size, std::size_t(alignment)); }
void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept { return take(size, std::size_t(alignment)); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace isometric::test {

void fail_allocation(long n) { countdown = n; }
bool end_failing() { return countdown.exchange(-1) < 0; }
long allocations() { return counted; }

}  // namespace isometric::test
