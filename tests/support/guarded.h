// Memory that faults when it is touched outside: a row between two inaccessible pages, and pictures all of whose rows are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "isometric/picture.h"
#include "tests/support/fill.h"

namespace isometric::test {

// Which neighbour a row touches: `after` faults on reading or writing one past its end, `before` on one in front of its start. What lies
// between the row and the other page is a pattern, which check() compares.
enum class GuardSide : std::uint8_t { after, before };
inline constexpr std::array both_guard_sides{GuardSide::after, GuardSide::before};

inline std::ostream& operator<<(std::ostream& out, GuardSide side) {
    return out << (side == GuardSide::after ? "guard after" : "guard before");
}

// Bytes between inaccessible pages. With GuardSide::before the memory starts on a page, so it is aligned for any vector.
class GuardedBytes {
public:
    explicit GuardedBytes(std::size_t size, GuardSide side = GuardSide::after);
    GuardedBytes(GuardedBytes&& other) noexcept;
    GuardedBytes& operator=(GuardedBytes&&) = delete;
    GuardedBytes(const GuardedBytes&) = delete;
    ~GuardedBytes();  // a failure of the running test when the pattern was written over

    std::byte* data() const { return data_; }
    std::size_t size() const { return size_; }
    bool check() const;  // whether the pattern beside the memory is untouched

private:
    std::byte* mapping_ = nullptr;
    std::size_t mapping_size_ = 0;
    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
};

template <class T>
class GuardedRow {
public:
    explicit GuardedRow(std::size_t n, GuardSide side = GuardSide::after) : bytes_(n * sizeof(T), side) {}

    T* data() const { return reinterpret_cast<T*>(bytes_.data()); }
    std::size_t size() const { return bytes_.size() / sizeof(T); }
    T* begin() const { return data(); }
    T* end() const { return data() + size(); }
    T& operator[](std::size_t i) const { return data()[i]; }
    std::span<T> span() const { return {data(), size()}; }
    bool check() const { return bytes_.check(); }

private:
    GuardedBytes bytes_;
};

template <class T, class... Bounds>
GuardedRow<T> guarded_row(std::size_t n, Fill how, GuardSide side = GuardSide::after, std::uint64_t seed = 1,
                          Bounds... maximum_and_minimum) {
    GuardedRow<T> row(n, side);
    fill(row.span(), how, seed, maximum_and_minimum...);
    return row;
}

// A copy of the picture in which every row of every plane ends at an inaccessible page: a read past the end of any row faults. Rows are
// aligned to their sample only and strides are large, so assumptions about either show.
Picture guarded_picture(const Picture& picture);

}  // namespace isometric::test
