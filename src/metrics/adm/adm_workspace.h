// The rows that a walk through the scales of `adm` keeps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/aligned_memory.h"
#include "metrics/adm/adm_passes.h"

namespace isometric::adm {

// Hands out padded rows of one block of memory. Without memory it only counts.
class RowMemory {
public:
    explicit RowMemory(std::byte* memory = nullptr) : memory_(memory) {}

    // Room for `count` elements, and `padding` more on both sides; a pointer to the first of the `count`.
    template <class T>
    T* take(std::size_t count, std::size_t padding = row_padding) {
        const std::size_t offset = used_ + padding * sizeof(T);
        const std::size_t bytes = (count + 2 * padding) * sizeof(T);
        used_ += (bytes + 63) / 64 * 64;
        return memory_ ? reinterpret_cast<T*>(memory_ + offset) : nullptr;
    }
    std::size_t used() const { return used_; }

private:
    std::byte* memory_;
    std::size_t used_ = 0;
};

template <class T>
BandRows<T> take_bands(RowMemory& memory, std::size_t width) {
    BandRows<T> rows;
    for (T*& row : rows) row = memory.take<T>(width);
    return rows;
}

// Rows by index, the last `count` of them.
template <class Row, std::size_t count>
struct Ring {
    std::array<Row, count> rows{};
    Row& operator[](int index) { return rows[std::size_t(index) % count]; }
};

// What one variant keeps of one scale.
template <class T>
struct VariantRows {
    Ring<Part<T>, 3> restored, additive;
    MaskedTotals totals;

    void lay_out(RowMemory& memory, std::size_t width) {
        const std::size_t halves = sizeof(T) == 2 ? 2 : 1;
        for (Ring<Part<T>, 3>* ring : {&restored, &additive})
            for (Part<T>& part : ring->rows) {
                part.source = memory.take<T>(bands * width, bands * row_padding);
                for (std::size_t i = 0; i < halves; ++i) part.masking.around[i] = memory.take<std::int32_t>(width / halves + 4);
                part.masking.centre = memory.take<std::int32_t>(width);
            }
    }
};

// What is kept of one scale: Input is its input's type, T its bands', Row the vertical filter's.
template <class Input, class T, class Row>
struct ScaleRows {
    std::array<Ring<Input*, 4>, 2> input{};          // [ref dis]; not at scale 0
    std::array<std::int32_t*, 2> pairs{};            // [ref dis]
    std::vector<VariantRows<T>> variants;
    ReferenceTotals reference{};
};

// Rows that are done with before the next is begun, of any scale.
template <class T>
struct PassingRows {
    std::array<BandRows<T>, 2> detail;  // [ref dis]
    BandRows<T> faded;
    T* same_way = nullptr;
    T* unused = nullptr;  // band a where no scale wants it

    void lay_out(RowMemory& memory, std::size_t width) {
        for (BandRows<T>& rows : detail) rows = take_bands<T>(memory, width);
        faded = take_bands<T>(memory, width);
        same_way = memory.take<T>(width);
        unused = memory.take<T>(width);
    }
};

}  // namespace isometric::adm
