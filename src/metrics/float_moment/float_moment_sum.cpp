// Serial sums of pictures of words. A row's terms are summed under the binade that the sum is in, from the parity that it has: unlike a
// device, which sums all rows at once, the CPU knows both before each row, so that a row needs one sum under one binade.
#include <algorithm>

#include "metrics/float_moment/float_moment_passes.h"
#include "numeric/ordered_sum.h"

namespace isometric::float_moment {
namespace {

namespace os = ordered_sum;

// Rows that leave their binade are redone in pieces of this many terms, and the piece that does, term by term.
constexpr std::size_t piece_terms = 256;

struct RowTaken {
    os::Taken second;
    std::uint64_t first;
};

// The sum after the row, if the row does not leave the binade.
RowTaken take_row(const Passes& passes, const std::uint16_t* row, std::size_t n, std::uint64_t sum) {
    const std::uint32_t k = os::binade_of(sum), m_is_odd = std::uint32_t(sum >> k & 1);
    if (k <= os::highest_square_binade()) {
        const Sums cleared = passes.sums_of_cleared(row, n, int(k));
        const bool any_odd = k == 1 && m_is_odd && passes.any_odd_term(row, n);
        return {os::take(sum, os::square_increment(cleared.second, any_odd, k, m_is_odd), k), cleared.first};
    }
    const RowIncrement ordered = passes.ordered_increment(row, n, k, m_is_odd);
    return {os::take(sum, ordered.increment, k), ordered.first};
}

}  // namespace

void add_row(const Passes& passes, const std::uint16_t* row, std::size_t n, Sums& sums) {
    const RowTaken whole = take_row(passes, row, n, sums.second);
    sums.first += whole.first;
    if (whole.second.whole) {
        sums.second = whole.second.sum;
        return;
    }
    for (std::size_t begin = 0; begin < n; begin += piece_terms) {
        const std::size_t count = std::min(piece_terms, n - begin);
        const RowTaken piece = take_row(passes, row + begin, count, sums.second);
        sums.second = piece.second.sum;
        if (piece.second.whole) continue;
        for (std::size_t x = begin; x < begin + count; ++x) sums.second = os::add_rounded(sums.second, os::square_term(row[x]));
    }
}

Sums sums_u16(const Passes& passes, const PlaneView<const std::uint16_t>& plane, int bit_depth) {
    const std::size_t n = std::size_t(plane.width);
    Sums sums;
    for (int y = 0; y < plane.height; ++y) {
        const std::uint16_t* row = plane.row(y);
        Sums small;
        if (bit_depth <= 12 && passes.sums_of_small(row, n, small)) {
            const os::Taken taken = os::take(sums.second, small.second, 0);
            if (taken.whole) {
                sums.first += small.first;
                sums.second = taken.sum;
                continue;
            }
        }
        add_row(passes, row, n, sums);
    }
    return sums;
}

}  // namespace isometric::float_moment
