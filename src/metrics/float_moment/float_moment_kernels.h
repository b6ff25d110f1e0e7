// Sums of samples and of their squares, with the serial sum's bits (docs/metrics/float_moment.md, numeric/ordered_sum.h).
//
// A frame kernel sums blocks of consecutive rows. Where the sum of squares cannot pass 2^53, any order does and the host adds the blocks.
// Else a group per picture walks the blocks in order: as many whole blocks at once as stay in one binade, the few others in pieces. Squares
// past 2^55 need more than their sums: the walk stops there, the blocks that are left are summed once more, in order, and it goes on.
#pragma once

#include "device/kernel.h"
#include "numeric/ordered_sum.h"

ISO_KERNELS_BEGIN(float_moment)

// A block of rows: what a sum of squares needs up to binade 2, and in exact sums.
struct Block {
    u64 first;
    ordered_sum::SquareRun second;

    static ISO_FN Block join(Block left, Block right) {
        return Block{left.first + right.first, {left.second.total + right.second.total, left.second.odd_terms + right.second.odd_terms}};
    }
};

// The same in order, for one binade.
struct OrderedBlock {
    ordered_sum::Increments second;
    u32 binade;
};

// A picture's sums: samples, and squares as the serial sum rounds them.
struct PictureSums {
    u64 first, second;
};

// How far a walk is: the sum, the item that comes next, and how many were redone in smaller ones.
struct Walked {
    u64 sum;
    i32 next, redone;
};

// Both pictures in one launch: groups 0 to blocks_per_picture - 1 are ref's blocks from top to bottom, the others dis's.
template <class T>
struct BlockArgs {
    Plane<const T> ref, dis;
    gptr<Block> blocks;
    gptr<OrderedBlock> ordered;
    gptr<Walked> walked;      // of ref, of dis; likewise sums
    gptr<PictureSums> sums;
    i32 rows_per_block, blocks_per_picture;
    i32 words_per_piece;  // of a block that is walked in pieces: lanes take one each
};
using ByteArgs = BlockArgs<u8>;
using WordArgs = BlockArgs<u16>;

// A picture's block, as rows of its plane.
template <class T>
struct Place {
    Plane<const T> plane;
    i32 picture, block, top, rows;
};

template <class T>
ISO_FN Place<T> place_of(i32 picture, i32 block, BlockArgs<T> a) {
    const Plane<const T> plane = picture == 0 ? a.ref : a.dis;
    const i32 top = block * a.rows_per_block, below = plane.height - top;
    return Place<T>{plane, picture, block, top, below < a.rows_per_block ? below : a.rows_per_block};
}
template <class T>
ISO_FN Place<T> place_of(i32 group, BlockArgs<T> a) {
    return group < a.blocks_per_picture ? place_of(0, group, a) : place_of(1, group - a.blocks_per_picture, a);
}

// ---- Sums in any order ---------------------------------------------------------------------------------------------------------------------

struct SumShared {
    scratch<Block> blocks;
};

// A lane's share, at most 2^16 samples.
struct LaneSums {
    u32 first;
    u64 second;
    u32 odd_terms;
};

ISO_FN LaneSums add_sample(LaneSums s, u16 sample) {
    const u32 term = ordered_sum::square_term(sample);
    return LaneSums{s.first + sample, s.second + term, s.odd_terms + (term & 1)};
}
ISO_FN LaneSums add_word(LaneSums s, u32 word, u16) { return add_sample(add_sample(s, u16(low16(word))), u16(high16(word))); }

ISO_FN LaneSums add_sample(LaneSums s, u8 sample) { return LaneSums{s.first + sample, s.second + u32(sample) * sample, 0}; }
ISO_FN LaneSums add_word(LaneSums s, u32 word, u8) { return LaneSums{dot4(word, 0x01010101u, s.first), s.second + dot4(word, word, 0), 0}; }

// Lanes take words of their block in turn.
template <class G, class T>
ISO_FN void sum_blocks(G g, BlockArgs<T> a, sptr<SumShared> s) {
    const Place<T> place = place_of(i32(g.group()), a);
    const Plane<const T> plane = place.plane;
    const i32 end = place.top + place.rows, words = words_in<T>(plane.width), begin_rest = samples_in<T>(words);
    typename G::template var<Block> partial;
    ISO_LANES(g, lane) {
        LaneSums sums = LaneSums{0, 0, 0};
        for (Places p = deal(lane, place.top, words); p.y < end; p.next()) {
            const Words w = load_words(plane.row(p.y), p.x);
            sums = add_word(add_word(add_word(add_word(sums, w.x, T()), w.y, T()), w.z, T()), w.w, T());
        }
        for (Places p = deal(lane, place.top, plane.width - begin_rest); p.y < end; p.next()) {
            const T sample = plane.row(p.y)[begin_rest + p.x];
            sums = add_sample(sums, sample);
        }
        partial[lane] = Block{sums.first, {sums.second, sums.odd_terms}};
    }
    const Block block = fold<Block>(g, partial, &s->blocks);
    ISO_LANES(g, lane) {
        if (lane == 0) a.blocks[g.group()] = block;
    }
}

// ---- Runs of consecutive terms -------------------------------------------------------------------------------------------------------------

struct InOrder {
    static ISO_FN ordered_sum::Increments join(ordered_sum::Increments left, ordered_sum::Increments right) { return ordered_sum::compose(left, right); }
};

struct WalkShared {
    sarray<ordered_sum::Increments, kLanes> prefix;
    scratch<ordered_sum::Increments> runs;
    sarray<Walked, 1> walked;
    scratch<u64> sums;
};

ISO_FN ordered_sum::TermRun append_sample(ordered_sum::TermRun run, u16 sample, u32 k) { return ordered_sum::append(run, ordered_sum::square_term(sample), k); }
ISO_FN ordered_sum::TermRun append_word(ordered_sum::TermRun run, u32 word, u32 k) {
    return append_sample(append_sample(run, u16(low16(word)), k), u16(high16(word)), k);
}

// A walk takes items in order. Items know their number, their increments under a binade, and how to add one of them to a sum that leaves the
// binade with it.

// The terms of one piece.
struct Terms {
    Plane<const u16> plane;
    i32 row, begin, count;

    ISO_FN u32 at(i32 i) const {
        const u16 sample = plane.row(row)[begin + i];
        return ordered_sum::square_term(sample);
    }
    ISO_FN ordered_sum::Increments under(u32 k, i32 i) const { return ordered_sum::increments(ordered_sum::append(ordered_sum::empty_run(k), at(i), k), k); }
    template <class G>
    ISO_FN u64 redo(G, u64 sum, i32 i, sptr<WalkShared>) const {
        return ordered_sum::add_rounded(sum, at(i));
    }
};

// The pieces of a block: whole words of one row each, and what is left at the end of the row.
struct Pieces {
    Plane<const u16> plane;
    i32 top, words, per_row, count;

    ISO_FN i32 row(i32 i) const { return top + i / per_row; }
    ISO_FN i32 begin(i32 i) const { return i % per_row * words; }
    ISO_FN ordered_sum::Increments under(u32 k, i32 i) const {
        const gptr<const u16> samples = plane.row(row(i));
        const i32 whole = words_in<u16>(plane.width), behind = begin(i) + words, end = behind < whole ? behind : whole;
        ordered_sum::TermRun run = ordered_sum::empty_run(k);
        ISO_UNROLL(2)
        for (i32 word = begin(i); word < end; ++word) {
            const Words w = load_words(samples, word);
            run = append_word(append_word(append_word(append_word(run, w.x, k), w.y, k), w.z, k), w.w, k);
        }
        if (behind > whole)
            for (i32 x = samples_in<u16>(whole); x < plane.width; ++x) {
                const u16 sample = samples[x];
                run = append_sample(run, sample, k);
            }
        return ordered_sum::increments(run, k);
    }
    template <class G>
    ISO_FN u64 redo(G g, u64 sum, i32 i, sptr<WalkShared> s) const;
};

ISO_FN Pieces pieces_of(Place<u16> place, i32 words_per_piece) {
    const i32 words_per_row = words_in<u16>(place.plane.width + samples_in<u16>(1) - 1), per_row = (words_per_row + words_per_piece - 1) / words_per_piece;
    return Pieces{place.plane, place.top, words_per_piece, per_row, place.rows * per_row};
}

// The blocks of a picture. Past binade 2 those that were not summed in order for the binade are redone.
struct Blocks {
    WordArgs a;
    i32 picture, count;

    ISO_FN ordered_sum::Increments under(u32 k, i32 i) const {
        const i32 block = picture * count + i;
        if (k <= ordered_sum::highest_square_binade()) {
            const Block sums = a.blocks[block];
            return ordered_sum::increments(sums.second, k);
        }
        const OrderedBlock sums = a.ordered[block];
        if (sums.binade != k) return ordered_sum::unfit_run();
        return sums.second;
    }
    template <class G>
    ISO_FN u64 redo(G g, u64 sum, i32 i, sptr<WalkShared> s) const;
};

// ---- The walk ------------------------------------------------------------------------------------------------------------------------------

// From the sum before item at.next on, as long as the sum is in binades up to `highest`. Lanes join the items from there on, and look which
// runs could be taken whole: the longest is. Runs do not shrink sums, so the lanes that find theirs fit are the first ones.
template <class G, class Items>
ISO_FN Walked walk(G g, Walked at, Items items, u32 highest, sptr<WalkShared> s) {
    while (at.next < items.count && ordered_sum::binade_of(at.sum) <= highest) {
        const u32 k = ordered_sum::binade_of(at.sum);
        typename G::template var<ordered_sum::Increments> run;
        ISO_LANES(g, lane) { run[lane] = at.next + lane < items.count ? items.under(k, at.next + lane) : ordered_sum::no_terms(); }
        scan<InOrder>(g, run, &s->prefix);
        ISO_LANES(g, lane) {
            const ordered_sum::Increments to_here = s->prefix[lane], to_next = s->prefix[lane + 1 < kLanes ? lane + 1 : lane];
            const ordered_sum::Taken here = ordered_sum::take(at.sum, to_here, k);
            const bool last = lane + 1 == kLanes || !ordered_sum::take(at.sum, to_next, k).whole;
            if (here.whole && last) s->walked[0] = Walked{here.sum, at.next + lane + 1, at.redone};
            if (lane == 0 && !here.whole) s->walked[0] = at;
        }
        g.barrier();
        const Walked reached = s->walked[0];
        g.barrier();
        const bool leaves = reached.next < items.count && reached.next < at.next + kLanes;
        at = reached;
        if (leaves) at = Walked{items.redo(g, at.sum, at.next, s), at.next + 1, at.redone + 1};
    }
    return at;
}

constexpr u32 any_binade = 11;  // of fewer than 2^31 terms

template <class G>
ISO_FN u64 Pieces::redo(G g, u64 sum, i32 i, sptr<WalkShared> s) const {
    const i32 first = samples_in<u16>(begin(i)), left = plane.width - first, most = samples_in<u16>(words);
    return walk(g, Walked{sum, 0, 0}, Terms{plane, row(i), first, left < most ? left : most}, any_binade, s).sum;
}

template <class G>
ISO_FN u64 Blocks::redo(G g, u64 sum, i32 i, sptr<WalkShared> s) const {
    return walk(g, Walked{sum, 0, 0}, pieces_of(place_of(picture, i, a), a.words_per_piece), any_binade, s).sum;
}

// One group per picture, after the frame kernel.
template <class G>
ISO_FN void walk_picture(G g, i32 picture, Walked from, u32 highest, WordArgs a, sptr<WalkShared> s) {
    const Walked at = walk(g, from, Blocks{a, picture, a.blocks_per_picture}, highest, s);
    typename G::template var<u64> firsts;
    ISO_LANES(g, lane) {
        u64 first = 0;
        for (i32 i = lane; i < a.blocks_per_picture; i += kLanes) {
            const Block block = a.blocks[picture * a.blocks_per_picture + i];
            first += block.first;
        }
        firsts[lane] = first;
    }
    const u64 first = sum(g, firsts, &s->sums);
    ISO_LANES(g, lane) {
        if (lane == 0) {
            a.walked[picture] = at;
            a.sums[picture] = PictureSums{first, at.sum};
        }
    }
}

template <class G>
ISO_FN void walk_squares(G g, WordArgs a, sptr<WalkShared> s) {
    walk_picture(g, i32(g.group()), Walked{0, 0, 0}, ordered_sum::highest_square_binade(), a, s);
}
template <class G>
ISO_FN void walk_ordered(G g, WordArgs a, sptr<WalkShared> s) {
    const Walked from = a.walked[g.group()];
    walk_picture(g, i32(g.group()), from, any_binade, a, s);
}

// ---- Blocks in order -----------------------------------------------------------------------------------------------------------------------

// One group per block, those that the walk has passed have nothing to do. The binade is that of the exact sums, which the rounded one is near:
// the walk uses no block under another.
template <class G>
ISO_FN void order_blocks(G g, WordArgs a, sptr<WalkShared> s) {
    const Place<u16> place = place_of(i32(g.group()), a);
    const Walked at = a.walked[place.picture];
    if (place.block < at.next) return;
    typename G::template var<u64> totals;
    ISO_LANES(g, lane) {
        u64 total = 0;
        for (i32 i = at.next + lane; i < place.block; i += kLanes) {
            const Block block = a.blocks[place.picture * a.blocks_per_picture + i];
            total += block.second.total;
        }
        totals[lane] = total;
    }
    const u32 k = ordered_sum::binade_of(at.sum + sum(g, totals, &s->sums));
    const Pieces pieces = pieces_of(place, a.words_per_piece);
    ordered_sum::Increments block = ordered_sum::no_terms();
    for (i32 first = 0; first < pieces.count; first += kLanes) {
        typename G::template var<ordered_sum::Increments> run;
        ISO_LANES(g, lane) { run[lane] = first + lane < pieces.count ? pieces.under(k, first + lane) : ordered_sum::no_terms(); }
        block = ordered_sum::compose(block, fold<InOrder>(g, run, &s->runs));
    }
    ISO_LANES(g, lane) {
        if (lane == 0) a.ordered[g.group()] = OrderedBlock{block, k};
    }
}

ISO_KERNELS_END

ISO_KERNEL(float_moment, sum_bytes, sum_blocks, ByteArgs, SumShared)
ISO_KERNEL(float_moment, sum_words, sum_blocks, WordArgs, SumShared)
ISO_KERNEL(float_moment, walk_squares, walk_squares, WordArgs, WalkShared)
ISO_KERNEL(float_moment, order_blocks, order_blocks, WordArgs, WalkShared)
ISO_KERNEL(float_moment, walk_ordered, walk_ordered, WordArgs, WalkShared)
