// Serial double sums of non-negative integer terms, formed in parallel, with the serial sum's bits (docs/metrics/float_moment.md, sections
// 2 to 5, with proofs). The only implementation of this arithmetic, for the host and for devices.
//
// A serial sum is an integer of at most 53 significant bits; up to 2^53 it is exact, in any order. From there on it lies in a binade k >=
// 1, 2^(52+k) <= sum < 2^(53+k), where it is m * 2^k, and each step rounds the sum to such a multiple, ties to even m. What a run of
// consecutive terms adds to m depends on m through its parity alone: two numbers, for an even and for an odd m. Neighbouring runs compose,
// which is associative, not commutative: earlier terms on the left. At the true sum a run is taken whole if the sum is in the binade that
// the run was made for and stays there; a run that leaves it is redone in smaller ones, down to single terms.
//
// Terms are at most largest_term(). Nothing needs double precision; a term costs 32-bit operations.
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

// What a run adds to m in one binade, from an even and from an odd m. In binade 0 the unit is 1 and both are the exact total.
struct Increments {
    u64 even, odd;

    ISO_FN u64 from(u64 m) const { return m & 1 ? odd : even; }
};

ISO_FN Increments no_terms() { return Increments{0, 0}; }

// The run `left`, then the run `right`: the maps m -> m + from(m), one after the other.
ISO_FN Increments compose(Increments left, Increments right) {
    return Increments{left.even + right.from(left.even), left.odd + right.from(left.odd + 1)};
}

// For a run that was not made for the binade asked for: it is never taken. Sums of 2^9 of them fit 64 bits.
ISO_FN Increments unfit_run() { return Increments{2 * exact_limit(), 2 * exact_limit()}; }

// A sum after a run, if the run could be taken whole; else the sum before it.
struct Taken {
    u64 sum;
    bool whole;
};

// In binade k, what is added holds if the sum starts there and ends at most at the binade's end: terms are not negative, so all between is
// within.
ISO_FN Taken take(u64 sum, u64 added, u32 k) {
    if (binade_of(sum) != k) return Taken{sum, false};
    const u64 end = (sum >> k) + added;
    if (end > exact_limit()) return Taken{sum, false};
    return Taken{end << k, true};
}
ISO_FN Taken take(u64 sum, Increments run, u32 k) { return take(sum, run.from(sum >> k), k); }

// A run of at most 2^16 terms, of any value, under a binade. Multiples of 2^(k+1) change no parity and do not round: they are summed
// exactly. What is left of each term is added in single precision to 2^(23+k), an even m, and to 2^(23+k) + 2^k, an odd one. There the
// last place is 2^k, so these sums round, ties to even, exactly as the serial sum does. (As everywhere, no compiler may reorder float
// additions.)
struct TermRun {
    u64 multiples;
    float even, odd;
};

ISO_FN float even_start(u32 k) { return 8388608.0f * float(1u << k); }

ISO_FN TermRun empty_run(u32 k) { return TermRun{0, even_start(k), even_start(k) + float(1u << k)}; }

ISO_FN TermRun append(TermRun run, u32 term, u32 k) {
    const u32 rest = term & ((2u << k) - 1);
    return TermRun{run.multiples + (term - rest), run.even + float(rest), run.odd + float(rest)};
}

ISO_FN Increments increments(TermRun run, u32 k) {
    const u32 even = u32(run.even - even_start(k)) >> k, odd = u32(run.odd - even_start(k)) >> k;
    return Increments{(run.multiples >> k) + even, (run.multiples >> k) + odd - 1};
}

// Squares (square_term) need far less up to binade 2, that is in sums below 2^55: pictures of up to 8 388 864 samples, 3840x2160 among
// them. Their lowest two bits are 00, or 01 for odd samples below 4096. Under k = 1 every base is even and an odd term is a tie, so only
// the first tie after an odd m rounds up; under k = 2 an odd term rounds down and nothing ties. A run is its total and its number of odd
// terms: plain sums, in any order, and good for binades 0, 1 and 2 at once.
ISO_FN u32 highest_square_binade() { return 2; }

struct SquareRun {
    u64 total;
    u32 odd_terms;
};

// What a run of squares adds under k = 0, 1 or 2, from the total of its terms with their lowest k bits cleared. `any_odd` counts under
// k = 1 alone, and there from an odd m alone.
ISO_FN u64 square_increment(u64 cleared_total, bool any_odd, u32 k, bool m_is_odd) {
    return (cleared_total >> k) + (k == 1 && any_odd && m_is_odd ? 1u : 0u);
}

ISO_FN SquareRun join(SquareRun left, SquareRun right) { return SquareRun{left.total + right.total, left.odd_terms + right.odd_terms}; }

ISO_FN Increments increments(SquareRun run, u32 k) {
    if (k > highest_square_binade()) return unfit_run();
    const u64 cleared_total = run.total - (k == 0 ? 0 : run.odd_terms);
    const bool any_odd = run.odd_terms != 0;
    return Increments{square_increment(cleared_total, any_odd, k, false), square_increment(cleared_total, any_odd, k, true)};
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

}  // namespace ordered_sum
}  // namespace isometric
