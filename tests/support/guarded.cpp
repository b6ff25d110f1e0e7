#include "tests/support/guarded.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace isometric::test {
namespace {

constexpr std::byte pattern{0xA5};

std::size_t page_size() {
    static const auto size = std::size_t(::sysconf(_SC_PAGESIZE));
    return size;
}

std::size_t whole_pages(std::size_t bytes) { return (bytes + page_size() - 1) / page_size() * page_size(); }

std::byte* map_pages(std::size_t size) {
    void* memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    return static_cast<std::byte*>(memory);
}

void forbid_page(std::byte* page) {
    if (::mprotect(page, page_size(), PROT_NONE) != 0) std::abort();
}

}  // namespace

GuardedBytes::GuardedBytes(std::size_t size, GuardSide side) : size_(size) {
    const std::size_t inner = std::max(whole_pages(size), page_size());
    mapping_size_ = inner + 2 * page_size();
    mapping_ = map_pages(mapping_size_);
    forbid_page(mapping_);
    forbid_page(mapping_ + page_size() + inner);
    std::memset(mapping_ + page_size(), int(pattern), inner);
    data_ = mapping_ + page_size() + (side == GuardSide::after ? inner - size : 0);
}

GuardedBytes::GuardedBytes(GuardedBytes&& other) noexcept
    : mapping_(std::exchange(other.mapping_, nullptr)), mapping_size_(other.mapping_size_), data_(other.data_), size_(other.size_) {}

GuardedBytes::~GuardedBytes() {
    if (!mapping_) return;
    if (!check()) ADD_FAILURE() << "bytes beside a row of " << size_ << " bytes were written";
    ::munmap(mapping_, mapping_size_);
}

bool GuardedBytes::check() const {
    const std::byte* first = mapping_ + page_size();
    const std::byte* last = mapping_ + mapping_size_ - page_size();
    const auto untouched = [](std::byte b) { return b == pattern; };
    return std::all_of(first, static_cast<const std::byte*>(data_), untouched) &&
           std::all_of(static_cast<const std::byte*>(data_) + size_, last, untouched);
}

Picture guarded_picture(const Picture& picture) {
    const PictureFormat& format = picture.format();
    std::array<std::size_t, 3> row_bytes{}, strides{}, offsets{};
    std::size_t total = page_size();
    for (int p = 0; p < format.planes(); ++p) {
        const auto i = std::size_t(p);
        row_bytes[i] = std::size_t(format.plane_width(p)) * std::size_t(format.bytes_per_sample());
        strides[i] = whole_pages(row_bytes[i]) + page_size();
        offsets[i] = total;
        total += strides[i] * std::size_t(format.plane_height(p));
    }
    std::byte* mapping = map_pages(total);
    std::shared_ptr<void> owner(mapping, [total](void* memory) { ::munmap(memory, total); });
    std::array<PlaneMemory, 3> planes{};
    for (int p = 0; p < format.planes(); ++p) {
        const auto i = std::size_t(p);
        const PlaneMemory from = picture.memory(p);
        const std::size_t slack = strides[i] - page_size() - row_bytes[i];
        planes[i] = {mapping + offsets[i] + slack, std::ptrdiff_t(strides[i])};
        for (int y = 0; y < format.plane_height(p); ++y) {
            std::byte* row = planes[i].data + y * planes[i].stride_bytes;
            std::memcpy(row, from.data + y * from.stride_bytes, row_bytes[i]);
            forbid_page(row + row_bytes[i]);
        }
    }
    forbid_page(mapping);
    Result<Picture> result = Picture::wrap(format, planes, std::move(owner));
    if (!result) std::abort();
    return *std::move(result);
}

}  // namespace isometric::test
