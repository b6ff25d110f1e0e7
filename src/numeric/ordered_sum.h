// Serial double sums of non-negative integer terms, formed in parallel, with the serial sum's bits (docs/metrics/float_moment.md, sections
// 2 to 5, with proofs). The only implementation of this arithmetic, for the host and for devices.
//
// A serial sum is an integer of at most 53 significant bits; up to 2^53 it is exact, in any order. From there on it lies in a binade k >=
// 1, 2^(52+k) <= sum < 2^(53+k), where it is m * 2^k, and each step rounds the sum to such a multiple, ties to even m. What a run of
// consecutive terms adds to m depends on m through its parity alone, so a run is summed for an even and for an odd m, under every binade
// that it may meet. Neighbouring runs compose: associative, not commutative, earlier terms on the left. At last a walk over the runs of a
// picture takes, at the true sum, each run that stays in its binade, and redoes the few that do not in smaller pieces, down to single
// terms.
//
// Terms are at most largest_term(). Everything is integers; 32-bit per term.
#pragma once

#include "numeric/device_subset.h"

namespace isometric {
namespace ordered_sum {

// Up to here sums do not round. Also the m that leaves a binade.
ISO_FN u64 exact_limit() { return u64(1) << 53; }

// 65535^2 rounded to the 24 bits of a float. It is a multiple of 2^17, so rounding up never passes a bound of so many terms.
ISO_FN u32 largest_term() { return 0xFFFE0000u; }

// The square of a sample as the reference forms it: one float product, truncated without loss. sample * sample differs from 4097 on.
ISO_FN u32 square_term(u16 sample) { return u32(float(sample) * float(sample)); }

// The binade of a sum, 0 up to 2^53 - 1.
ISO_FN u32 binade_of(u64 sum) {
    u32 k = 0;
    while (sum >> 53 >> k) ++k;
    return k;
}

// The highest binade that a sum of so many terms (below 2^31) can reach. 0: it never rounds, and the exact sum in any order is the serial
// one.
ISO_FN u32 highest_binade(u64 terms, u32 largest) {
    const u64 bound = terms * largest;
    return bound <= exact_limit() ? 0 : binade_of(bound);
}

// One step of the serial sum: sum + term rounded to 53 significant bits, ties to even.
ISO_FN u64 add_rounded(u64 sum, u32 term) {
    const u64 exact = sum + term;
    const u32 k = binade_of(exact);
    if (k == 0) return exact;
    const u64 below_half = (u64(1) << (k - 1)) - 1;
    const u64 odd = exact >> k & 1;
    return (exact + below_half + odd) >> k << k;
}

// ---- Runs -------------------------------------------------------------------------------------------------------------------------------

// What a run does to a sum in binade k, next to its exact total.
struct BinadeRun {
    i32 residue;              // sum of term - (base << k), where base is the term in units of 2^k rounded to nearest, ties down
    u32 ties_even, ties_odd;  // how many ties round up, from an even and from an odd m
    u32 end_even, end_odd;    // parity of m after the run
};

ISO_FN BinadeRun empty_run() { return BinadeRun{0, 0, 0, 0, 1}; }

// A term in units of 2^k, k in 1..10, rounded to nearest, ties down.
ISO_FN u32 base_of(u32 term, u32 k) { return (term + (1u << (k - 1)) - 1) >> k; }
ISO_FN u32 is_tie(u32 term, u32 k) { return (term & ((1u << k) - 1)) == 1u << (k - 1) ? 1u : 0u; }

// Once its base is added, a tie adds one exactly when m is odd, and leaves m even.
ISO_FN BinadeRun append(BinadeRun run, u32 term, u32 k) {
    const u32 base = base_of(term, k), tie = is_tie(term, k);
    run.residue += i32(term - (base << k));
    run.end_even ^= base & 1;
    run.end_odd ^= base & 1;
    run.ties_even += tie & run.end_even;
    run.ties_odd += tie & run.end_odd;
    run.end_even &= ~tie;
    run.end_odd &= ~tie;
    return run;
}

// The run `left`, then the run `right`.
ISO_FN BinadeRun compose(BinadeRun left, BinadeRun right) {
    BinadeRun both;
    both.residue = left.residue + right.residue;
    both.ties_even = left.ties_even + (left.end_even ? right.ties_odd : right.ties_even);
    both.ties_odd = left.ties_odd + (left.end_odd ? right.ties_odd : right.ties_even);
    both.end_even = left.end_even ? right.end_odd : right.end_even;
    both.end_odd = left.end_odd ? right.end_odd : right.end_even;
    return both;
}

// What the run adds to m. The division by 2^k is exact.
ISO_FN u64 increment(u64 total, BinadeRun run, u32 k, u32 m_is_odd) {
    return ((total - u64(i64(run.residue))) >> k) + (m_is_odd ? run.ties_odd : run.ties_even);
}

// A lane's accumulators for at most 2^16 terms: 32-bit only. Binades 1..K are tracked; K is a constant, so the loops unroll.
template <int K>
struct LaneRun {
    u32 low_halves, high_halves;  // sums of the terms' 16-bit halves
    BinadeRun binade[K];
};

template <int K>
ISO_FN LaneRun<K> empty_lane() {
    LaneRun<K> lane;
    lane.low_halves = 0;
    lane.high_halves = 0;
    for (int k = 1; k <= K; ++k) lane.binade[k - 1] = empty_run();
    return lane;
}

template <int K>
ISO_FN LaneRun<K> append(LaneRun<K> lane, u32 term) {
    lane.low_halves += term & 0xFFFFu;
    lane.high_halves += term >> 16;
    for (int k = 1; k <= K; ++k) lane.binade[k - 1] = append(lane.binade[k - 1], term, u32(k));
    return lane;
}

ISO_FN u64 total_of_halves(u32 low_halves, u32 high_halves) { return (u64(high_halves) << 16) + low_halves; }

// A run with its exact total: what a kernel stores for each row.
template <int K>
struct Run {
    u64 total;
    BinadeRun binade[K];
};

template <int K>
ISO_FN Run<K> finish(LaneRun<K> lane) {
    Run<K> run;
    run.total = total_of_halves(lane.low_halves, lane.high_halves);
    for (int k = 1; k <= K; ++k) run.binade[k - 1] = lane.binade[k - 1];
    return run;
}

template <int K>
ISO_FN Run<K> compose(Run<K> left, Run<K> right) {
    Run<K> both;
    both.total = left.total + right.total;
    for (int k = 1; k <= K; ++k) both.binade[k - 1] = compose(left.binade[k - 1], right.binade[k - 1]);
    return both;
}

// Squares (square_term) need far less up to binade 2, that is in sums below 2^55: pictures of up to 8 388 864 samples, 3840x2160 among
// them. Their lowest two bits are 00, or 01 for odd samples below 4096. Under k = 1 every base is even and an odd term is a tie, so only
// the first tie after an odd m rounds up; under k = 2 an odd term rounds down and nothing ties. A run is its total and its number of odd
// terms: plain sums, in any order.
ISO_FN u32 highest_square_binade() { return 2; }

struct SquareRun {
    u64 total;
    u32 odd_terms;
};

// The parities after the run are left out: square runs are not composed, their totals and counts are added.
ISO_FN BinadeRun binade_run(SquareRun run, u32 k) { return BinadeRun{i32(run.odd_terms), 0, k == 1 && run.odd_terms ? 1u : 0u, 0, 0}; }

// What a run of squares adds to m under k = 1 or 2, from the total of its terms with their lowest k bits cleared. `any_odd` counts under k
// = 1 alone, and there from an odd m alone.
ISO_FN u64 square_increment(u64 cleared_total, u32 any_odd, u32 k, u32 m_is_odd) {
    return (cleared_total >> k) + (k == 1 && any_odd && m_is_odd ? 1u : 0u);
}

// The ties among consecutive terms, as bits, the first in the lowest: how many round up, and the parity that m is left with.
struct ResolvedTies {
    u32 rounded_up;
    u32 m_is_odd;
};

// Bit i: whether an odd number of the bits 0..i is set. Word is u32 or u64.
template <class Word>
ISO_FN Word running_parity(Word bits) {
    for (u32 shift = 1; shift < sizeof(Word) * 8; shift *= 2) bits ^= bits << shift;
    return bits;
}

// `odd_bases` has the bases' lowest bits, `ties` the ties. The parity of m at a term is the exclusive or of the bases up to
// it and of the start, until a tie has made m even: from then on what was there at the tie counts as 0.
template <class Word>
ISO_FN ResolvedTies resolve_ties(Word odd_bases, Word ties, u32 m_is_odd) {
    const Word parity = running_parity(odd_bases);
    ResolvedTies resolved = ResolvedTies{0, 0};
    u32 even = m_is_odd;  // the parity bit that stands for an even m
    while (ties != 0) {
        const Word first = ties & (~ties + 1);
        const u32 at_tie = (parity & first) != 0 ? 1u : 0u;
        resolved.rounded_up += at_tie ^ even;
        even = at_tie;
        ties &= ties - 1;
    }
    resolved.m_is_odd = u32(parity >> (sizeof(Word) * 8 - 1)) ^ even;
    return resolved;
}

// ---- Walking ----------------------------------------------------------------------------------------------------------------------------

// A sum after a run, if the run could be taken whole; else the sum before it.
struct Taken {
    u64 sum;
    bool whole;
};

ISO_FN Taken take_exact(u64 sum, u64 total) {
    if (sum + total <= exact_limit()) return Taken{sum + total, true};
    return Taken{sum, false};
}

// What a run adds to m under binade k holds only if the sum starts there and does not pass the binade's end. Terms are not negative, so if
// the end is in, all between is.
ISO_FN Taken take_increment(u64 sum, u64 added, u32 k) {
    if (k == 0 || binade_of(sum) != k) return Taken{sum, false};
    const u64 end = (sum >> k) + added;
    if (end > exact_limit()) return Taken{sum, false};
    return Taken{end << k, true};
}

ISO_FN Taken take_rounded(u64 sum, u64 total, BinadeRun run, u32 k) {
    return take_increment(sum, increment(total, run, k, u32(sum >> k & 1)), k);
}

// What a walk needs of a row or piece. Not whole: the sum is unchanged, and the run has to be redone in smaller pieces.
template <int K>
ISO_FN Taken take(u64 sum, Run<K> run) {
    const Taken exact = take_exact(sum, run.total);
    if (exact.whole) return exact;
    const u32 binade = binade_of(sum);
    Taken taken = Taken{sum, false};
    for (int k = 1; k <= K; ++k)  // no run-time index: some devices have no memory for it
        if (u32(k) == binade) taken = take_rounded(sum, run.total, run.binade[k - 1], u32(k));
    return taken;
}

ISO_FN Taken take(u64 sum, SquareRun run) {
    const Taken exact = take_exact(sum, run.total);
    if (exact.whole) return exact;
    const u32 k = binade_of(sum);
    if (k > highest_square_binade()) return Taken{sum, false};
    return take_rounded(sum, run.total, binade_run(run, k), k);
}

// A row that leaves its binade is redone in pieces, each summed under the binade that the row starts in and the next: a row adds less than
// 2^48, so it meets no third. On a device each lane makes one piece; then they are walked in order.
struct Piece {
    u64 total;
    BinadeRun here, next;  // under binades k and k + 1
};

// The k of a row's pieces, from the sum before the row.
ISO_FN u32 piece_binade(u64 sum) {
    const u32 k = binade_of(sum);
    return k == 0 ? 1 : k;
}

ISO_FN Piece empty_piece() { return Piece{0, empty_run(), empty_run()}; }

ISO_FN Piece append(Piece piece, u32 term, u32 k) {
    piece.total += term;
    piece.here = append(piece.here, term, k);
    piece.next = append(piece.next, term, k + 1);
    return piece;
}

// The piece `left`, then the piece `right`.
ISO_FN Piece compose(Piece left, Piece right) {
    return Piece{left.total + right.total, compose(left.here, right.here), compose(left.next, right.next)};
}

ISO_FN Taken take(u64 sum, Piece piece, u32 k) {
    Taken taken = take_exact(sum, piece.total);
    if (!taken.whole) taken = take_rounded(sum, piece.total, piece.here, k);
    if (!taken.whole) taken = take_rounded(sum, piece.total, piece.next, k + 1);
    return taken;
}

// The walks below read terms from a `Terms`: a struct with a member `u32 at(i32 row, i32 x) const`.

// Single terms: the serial sum itself.
template <class Terms>
ISO_FN u64 walk_terms(u64 sum, Terms terms, i32 row, i32 begin, i32 end) {
    for (i32 x = begin; x < end; ++x) sum = add_rounded(sum, terms.at(row, x));
    return sum;
}

template <class Terms>
ISO_FN Piece make_piece(Terms terms, i32 row, i32 begin, i32 end, u32 k) {
    Piece piece = empty_piece();
    for (i32 x = begin; x < end; ++x) piece = append(piece, terms.at(row, x), k);
    return piece;
}

template <class Terms>
ISO_FN u64 walk_piece(u64 sum, Piece piece, u32 k, Terms terms, i32 row, i32 begin, i32 end) {
    const Taken taken = take(sum, piece, k);
    return taken.whole ? taken.sum : walk_terms(sum, terms, row, begin, end);
}

// One row by a single lane or the host, after its run did not fit.
template <class Terms>
ISO_FN u64 walk_row(u64 sum, Terms terms, i32 row, i32 width, i32 piece_terms) {
    const u32 k = piece_binade(sum);
    for (i32 begin = 0; begin < width; begin += piece_terms) {
        const i32 end = width - begin > piece_terms ? begin + piece_terms : width;
        sum = walk_piece(sum, make_piece(terms, row, begin, end, k), k, terms, row, begin, end);
    }
    return sum;
}

// All rows by a single lane or the host. `Rows` gives a row's run: a struct with a member `Taken take(u64 sum, i32 row) const`.
template <class Rows, class Terms>
ISO_FN u64 walk_rows(Rows rows, Terms terms, i32 width, i32 height, i32 piece_terms) {
    u64 sum = 0;
    for (i32 row = 0; row < height; ++row) {
        const Taken taken = rows.take(sum, row);
        sum = taken.whole ? taken.sum : walk_row(sum, terms, row, width, piece_terms);
    }
    return sum;
}

}  // namespace ordered_sum
}  // namespace isometric
