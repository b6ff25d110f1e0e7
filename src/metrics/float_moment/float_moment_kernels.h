// Sums of samples and of their squares, with the serial sum's bits (docs/metrics/float_moment.md, numeric/ordered_sum.h).
//
// Where the sum of squares cannot pass 2^53, any order does: a kernel sums blocks of rows, and the host adds the blocks. Else rows are summed
// in parts, and one group of a picture, the last to finish, walks them in order: as many whole parts at once as stay in one binade, and in
// pieces the one that leaves it. Squares past 2^55 need more than their sums: there the walk stops, the parts that are left are summed once more, in order, and
// it goes on.
#pragma once

#include "metrics/float_moment/float_moment_sums.h"

ISO_KERNELS_BEGIN(float_moment)

// ---- Terms in order ------------------------------------------------------------------------------------------------------------------------

struct InOrder {
    static ISO_FN ordered_sum::Increments join(ordered_sum::Increments left, ordered_sum::Increments right) {
        return ordered_sum::compose(left, right);
    }
};

ISO_FN ordered_sum::TermRun append_sample(ordered_sum::TermRun run, u16 sample, u32 k) {
    return ordered_sum::append(run, ordered_sum::square_term(sample), k);
}
ISO_FN ordered_sum::TermRun append_word(ordered_sum::TermRun run, u32 word, u32 k) {
    return append_sample(append_sample(run, u16(low16(word)), k), u16(high16(word)), k);
}

// The pieces of a part, `words` words each, as items of a walk.
struct Pieces {
    PartPlace part;
    i32 words, count;
    i32 chunk;  // one piece is an item

    ISO_FN i32 begin(i32 piece) const { return part.begin + piece * words; }
    ISO_FN i32 end(i32 piece) const { return begin(piece) + words < part.end ? begin(piece) + words : part.end; }
    ISO_FN bool has_rest(i32 piece) const { return part.has_rest && piece == count - 1; }

    ISO_FN ordered_sum::Increments under(u32 k, i32 piece) const {
        ordered_sum::TermRun run = ordered_sum::empty_run(k);
        const gptr<const u16> row = part.plane.row(part.row);
        ISO_UNROLL(4)
        for (i32 word = begin(piece); word < end(piece); ++word) {
            const Words w = load_words(row, word);
            run = append_word(append_word(append_word(append_word(run, w.x, k), w.y, k), w.z, k), w.w, k);
        }
        if (has_rest(piece))
            for (i32 x = samples_in<u16>(part.end); x < part.plane.width; ++x) {
                const u16 sample = row[x];
                run = append_sample(run, sample, k);
            }
        return ordered_sum::increments(run, k);
    }
    // The serial sum itself.
    ISO_FN u64 add_terms(u64 sum, i32 piece) const {
        const gptr<const u16> row = part.plane.row(part.row);
        const i32 behind = has_rest(piece) ? part.plane.width : samples_in<u16>(end(piece));
        for (i32 x = samples_in<u16>(begin(piece)); x < behind; ++x) {
            const u16 sample = row[x];
            sum = ordered_sum::add_rounded(sum, ordered_sum::square_term(sample));
        }
        return sum;
    }
};

// As many pieces as lanes, or fewer. A row shorter than a word is one piece.
ISO_FN Pieces pieces_of(PartPlace part, i32 lanes) {
    const i32 words = part.end - part.begin, per_piece = words > lanes ? rounded_up(words, lanes) : 1, count = rounded_up(words, per_piece);
    return Pieces{part, per_piece, count > 0 ? count : 1, 1};
}

// ---- The walk ------------------------------------------------------------------------------------------------------------------------------

struct WalkShared {
    sarray<ordered_sum::Increments, kLanes> prefix;
    sarray<Walked, 1> walked;
    scratch<u64> sums;
};

// A picture's parts, `chunk` of them an item.
struct Parts {
    PartArgs a;
    i32 first, count, chunk;

    // From binade 3 on those alone that were summed for it.
    ISO_FN ordered_sum::Increments under(u32 k, i32 begin) const {
        const i32 end = begin + chunk < count ? begin + chunk : count;
        if (k <= ordered_sum::highest_square_binade()) {
            ordered_sum::SquareRun run = ordered_sum::SquareRun{0, 0};
            ISO_UNROLL(4)
            for (i32 i = begin; i < end; ++i) {
                const ExactSums part = a.parts[first + i];
                run = ordered_sum::join(run, part.second);
            }
            return ordered_sum::increments(run, k);
        }
        ordered_sum::Increments run = ordered_sum::no_terms();
        for (i32 i = begin; i < end; ++i) {
            const OrderedPart part = a.ordered[first + i];
            if (part.binade != k) return ordered_sum::unfit_run();
            run = ordered_sum::compose(run, part.second);
        }
        return run;
    }
};

// From the sum before at.next on: lanes join up to 256 items, and look which runs of them could be taken whole. The longest is. Runs do not
// shrink sums, so the lanes that find theirs fit are the first ones.
template <class G, class Items>
ISO_FN Walked advance(G g, Walked at, Items items, sptr<WalkShared> s) {
    const u32 k = ordered_sum::binade_of(at.sum);
    typename G::template var<ordered_sum::Increments> run;
    ISO_LANES(g, lane) {
        const i32 begin = at.next + lane * items.chunk;
        ordered_sum::Increments own = ordered_sum::no_terms();
        if (begin < items.count) own = items.under(k, begin);
        run[lane] = own;
    }
    scan<InOrder>(g, run, &s->prefix);
    ISO_LANES(g, lane) {
        const ordered_sum::Increments to_here = s->prefix[lane], to_next = s->prefix[lane + 1 < kLanes ? lane + 1 : lane];
        const ordered_sum::Taken here = ordered_sum::take(at.sum, to_here, k);
        const bool last = lane + 1 == kLanes || !ordered_sum::take(at.sum, to_next, k).whole;
        const i32 end = at.next + (lane + 1) * items.chunk;
        if (here.whole && last) s->walked[0] = Walked{here.sum, end < items.count ? end : items.count, at.redone};
        if (lane == 0 && !here.whole) s->walked[0] = at;
    }
    g.barrier();
    return s->walked[0];  // what is written there next comes after the barriers of a scan
}

// A part that leaves its binade: piece by piece, and the piece that leaves it term by term.
template <class G>
ISO_FN u64 redo_part(G g, u64 sum, PartPlace part, sptr<WalkShared> s) {
    const Pieces pieces = pieces_of(part, kLanes);
    Walked at = Walked{sum, 0, 0};
    while (at.next < pieces.count) {
        at = advance(g, at, pieces, s);
        if (at.next < pieces.count) at = Walked{pieces.add_terms(at.sum, at.next), at.next + 1, 0};
    }
    return at.sum;
}

// As long as the sum is in binades up to `highest`: by chunks as far as they go, then by parts, then the part that leaves its binade.
template <class G>
ISO_FN Walked walk(G g, Walked at, i32 picture, u32 highest, PartArgs a, sptr<WalkShared> s) {
    const i32 count = a.division.parts, first = picture * count;
    while (at.next < count && ordered_sum::binade_of(at.sum) <= highest) {
        at = advance(g, at, Parts{a, first, count, a.division.chunk}, s);
        if (at.next >= count || ordered_sum::binade_of(at.sum) > highest) break;
        const i32 end = at.next + kLanes < count ? at.next + kLanes : count;
        at = advance(g, at, Parts{a, first, count, 1}, s);
        if (at.next < end) at = Walked{redo_part(g, at.sum, part_place(a, picture, at.next), s), at.next + 1, at.redone + 1};
    }
    return at;
}

// The parts that a walk has left for their binades: those of the exact sums, which the rounded one is near. The walk takes no part under
// another, so a wrong one costs time alone.
template <class G>
ISO_FN void plan_parts(G g, Walked at, i32 picture, PartArgs a, sptr<WalkShared> s) {
    const i32 count = a.division.parts, first = picture * count, share = rounded_up(count - at.next, kLanes);
    typename G::template var<ordered_sum::Increments> totals;
    ISO_LANES(g, lane) { totals[lane] = Parts{a, first, count, share}.under(0, at.next + lane * share); }
    scan<InOrder>(g, totals, &s->prefix);
    ISO_LANES(g, lane) {
        u64 sum = at.sum;
        if (lane > 0) {
            const ordered_sum::Increments before = s->prefix[lane - 1];
            sum += before.even;
        }
        for (i32 i = at.next + lane * share; i < at.next + (lane + 1) * share && i < count; ++i) {
            const ExactSums part = a.parts[first + i];
            a.ordered[first + i] = OrderedPart{{0, 0}, ordered_sum::binade_of(sum)};
            sum += part.second.total;
        }
    }
}

// Of a picture whose parts are summed: in the binades where squares need their sums alone.
template <class G>
ISO_FN void walk_squares_of(G g, i32 picture, PartArgs a, sptr<WalkShared> s) {
    const i32 count = a.division.parts;
    typename G::template var<u64> firsts;
    ISO_LANES(g, lane) {
        u64 first = 0;
        ISO_UNROLL(4)
        for (i32 i = lane; i < count; i += kLanes) {
            const ExactSums part = a.parts[picture * count + i];
            first += part.first;
        }
        firsts[lane] = first;
    }
    const u64 first = sum(g, firsts, &s->sums);
    const Walked at = walk(g, Walked{a.start, 0, 0}, picture, ordered_sum::highest_square_binade(), a, s);
    ISO_LANES(g, lane) {
        if (lane == 0) {
            a.walked[picture] = at;
            a.sums[2 * picture] = first;
            a.sums[2 * picture + 1] = at.sum;
        }
    }
    if (at.next < count) plan_parts(g, at, picture, a, s);
}

// ---- Parts in order ------------------------------------------------------------------------------------------------------------------------

// The groups of sum_parts once more. The lanes of a run take consecutive words of their part, if the walk has not passed it.
template <class G>
ISO_FN void order_parts(G g, PartArgs a, sptr<PartShared> s) {
    const i32 picture = picture_of(a, g.group());
    const Walked at = a.walked[picture];
    if (part_of(a, g.group(), kRuns - 1) < at.next) return;
    typename G::template var<ordered_sum::Increments> partial;
    ISO_LANES(g, lane) {
        const PartPlace part = part_place(a, picture, part_of(a, g.group(), lane / kRunLanes));
        ordered_sum::Increments run = ordered_sum::no_terms();
        if (part.exists && part_of(a, g.group(), lane / kRunLanes) >= at.next) {
            const OrderedPart plan = a.ordered[part.index];
            const Pieces pieces = pieces_of(part, kRunLanes);
            if (lane % kRunLanes < pieces.count) run = pieces.under(plan.binade, lane % kRunLanes);
        }
        partial[lane] = run;
    }
    fold_runs<InOrder>(g, partial, &s->ordered);
    ISO_LANES(g, lane) {
        if (lane < kRuns) {
            const i32 number = part_of(a, g.group(), lane);
            const PartPlace part = part_place(a, picture, number);
            const ordered_sum::Increments run = run_result<ordered_sum::Increments>(&s->ordered, lane);
            if (part.exists && number >= at.next) {
                const OrderedPart plan = a.ordered[part.index];
                a.ordered[part.index] = OrderedPart{run, plan.binade};
            }
        }
    }
}

// Of a picture whose parts that were left are in order.
constexpr u32 any_binade = 10;  // of fewer than 2^31 terms
template <class G>
ISO_FN void walk_ordered_of(G g, i32 picture, PartArgs a, sptr<WalkShared> s) {
    const Walked from = a.walked[picture];
    if (from.next >= a.division.parts) return;
    const Walked at = walk(g, from, picture, any_binade, a, s);
    ISO_LANES(g, lane) {
        if (lane == 0) {
            a.walked[picture] = at;
            a.sums[2 * picture + 1] = at.sum;
        }
    }
}

// ---- Launches ------------------------------------------------------------------------------------------------------------------------------

// Where groups join, the last one of a picture walks.
struct JoinedShared {
    PartShared parts;
    WalkShared walk;
    sarray<u32, 1> last;
};

template <class G>
ISO_FN bool is_last_of_picture(G g, PartArgs a, sptr<JoinedShared> s) {
    return last_of(g, u32(a.division.groups), a.arrived + picture_of(a, g.group()), &s->last);
}
template <class G>
ISO_FN void sum_and_walk(G g, PartArgs a, sptr<JoinedShared> s) {
    sum_parts(g, a, &s->parts);
    if (is_last_of_picture(g, a, s)) walk_squares_of(g, picture_of(a, g.group()), a, &s->walk);
}
template <class G>
ISO_FN void order_and_walk(G g, PartArgs a, sptr<JoinedShared> s) {
    order_parts(g, a, &s->parts);
    if (is_last_of_picture(g, a, s)) walk_ordered_of(g, picture_of(a, g.group()), a, &s->walk);
}

// Elsewhere a launch of its own does, one group for each picture.
template <class G>
ISO_FN void walk_squares(G g, PartArgs a, sptr<WalkShared> s) {
    walk_squares_of(g, i32(g.group()), a, s);
}
template <class G>
ISO_FN void walk_ordered(G g, PartArgs a, sptr<WalkShared> s) {
    walk_ordered_of(g, i32(g.group()), a, s);
}

ISO_KERNELS_END

ISO_KERNEL(float_moment, sum_bytes, sum_blocks, ByteArgs, BlockShared)
ISO_KERNEL(float_moment, sum_words, sum_blocks, WordArgs, BlockShared)
ISO_CROWDED_KERNEL(float_moment, sum_and_walk, sum_and_walk, PartArgs, JoinedShared)
ISO_CROWDED_KERNEL(float_moment, order_and_walk, order_and_walk, PartArgs, JoinedShared)
ISO_KERNEL(float_moment, sum_parts, sum_parts, PartArgs, PartShared)
ISO_KERNEL(float_moment, walk_squares, walk_squares, PartArgs, WalkShared)
ISO_KERNEL(float_moment, order_parts, order_parts, PartArgs, PartShared)
ISO_KERNEL(float_moment, walk_ordered, walk_ordered, PartArgs, WalkShared)
