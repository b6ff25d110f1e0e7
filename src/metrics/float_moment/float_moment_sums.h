// The sums that `float_moment` makes in any order, of blocks of rows for the host and of parts of rows for a walk (float_moment_kernels.h).
#pragma once

#include "device/kernel.h"
#include "numeric/ordered_sum.h"

ISO_KERNELS_BEGIN(float_moment)

// Samples, and their squares up to binade 2 and in exact sums.
struct ExactSums {
    u64 first;
    ordered_sum::SquareRun second;

    static ISO_FN ExactSums join(ExactSums left, ExactSums right) {
        return ExactSums{left.first + right.first, ordered_sum::join(left.second, right.second)};
    }
};

// ---- Blocks of rows, in any order ----------------------------------------------------------------------------------------------------------

// Both pictures in one launch: groups 0 to blocks_per_picture - 1 are ref's blocks from top to bottom, the others dis's.
template <class T>
struct BlockArgs {
    Plane<const T> ref, dis;
    gptr<ExactSums> blocks;
    i32 rows_per_block, blocks_per_picture;
};
using ByteArgs = BlockArgs<u8>;
using WordArgs = BlockArgs<u16>;

// Enough blocks to fill a device, few enough for the host to add.
ISO_FN i32 rows_per_block(i32 height) { return (height + 511) / 512; }

struct BlockShared {
    scratch<ExactSums> sums;
};

// A group's rows.
template <class T>
struct Block {
    Plane<const T> plane;
    i32 top, end;
};

// One of two planes of one size, member by member: clang would choose between the structs by their addresses, in local memory.
template <class T>
ISO_FN Plane<const T> choose(bool first, Plane<const T> a, Plane<const T> b) {
    return Plane<const T>{first ? a.samples : b.samples, first ? a.stride : b.stride, a.width, a.height};
}

template <class T>
ISO_FN Block<T> block_of(i32 group, BlockArgs<T> a) {
    const bool is_ref = group < a.blocks_per_picture;
    const i32 top = (is_ref ? group : group - a.blocks_per_picture) * a.rows_per_block, end = top + a.rows_per_block;
    return Block<T>{choose(is_ref, a.ref, a.dis), top, end < a.ref.height ? end : a.ref.height};
}

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

template <class T>
ISO_FN LaneSums add_words(LaneSums s, Words w, T type) {
    return add_word(add_word(add_word(add_word(s, w.x, type), w.y, type), w.z, type), w.w, type);
}

// Lanes take words of their block in turn.
template <class G, class T>
ISO_FN void sum_blocks(G g, BlockArgs<T> a, sptr<BlockShared> s) {
    const Block<T> block = block_of(i32(g.group()), a);
    const Plane<const T> plane = block.plane;
    const i32 words = words_in<T>(plane.width), begin_rest = samples_in<T>(words);
    typename G::template var<ExactSums> partial;
    ISO_LANES(g, lane) {
        LaneSums sums = LaneSums{0, 0, 0};
        for (Places p = deal(lane, block.top, words); p.y < block.end; p.next()) {
            const Words w = load_words(plane.row(p.y), p.x);
            sums = add_words(sums, w, T());
        }
        for (Places p = deal(lane, block.top, plane.width - begin_rest); p.y < block.end; p.next()) {
            const T sample = plane.row(p.y)[begin_rest + p.x];
            sums = add_sample(sums, sample);
        }
        partial[lane] = ExactSums{sums.first, {sums.second, sums.odd_terms}};
    }
    const ExactSums sums = fold<ExactSums>(g, partial, &s->sums);
    ISO_LANES(g, lane) {
        if (lane == 0) a.blocks[g.group()] = sums;
    }
}

// ---- Parts of rows -------------------------------------------------------------------------------------------------------------------------

// How a picture is divided, by the host. A part is `words` words of a row, the last part of a row also what is left of it. Parts are
// numbered in raster order. A group sums one with each run of lanes.
struct Division {
    i32 words, per_row, parts, groups;
    i32 chunk;  // so many parts together are an item of the walk, so that lanes take one each
};

ISO_FN i32 rounded_up(i32 count, i32 by) { return (count + by - 1) / by; }

ISO_FN Division divide(i32 width, i32 height) {
    constexpr i32 most_words = 1024;
    const i32 words_per_row = rounded_up(width, samples_in<u16>(1)), per_row = rounded_up(words_per_row, most_words);
    const i32 parts = per_row * height;
    return Division{rounded_up(words_per_row, per_row), per_row, parts, rounded_up(parts, kRuns), rounded_up(parts, kLanes)};
}

// A part in order, for one binade.
struct OrderedPart {
    ordered_sum::Increments second;
    u32 binade;
};

// How far a walk is: the sum, the part that comes next, and how many were redone in pieces.
struct Walked {
    u64 sum;
    i32 next, redone;
};

// Of both pictures, ref's first.
struct PartArgs {
    Plane<const u16> ref, dis;
    gptr<ExactSums> parts;
    gptr<OrderedPart> ordered;  // from where the walk has stopped, with the binade that it will probably meet
    gptr<Walked> walked;
    gptr<u32> arrived;  // how many of each picture's groups, where they join
    gptr<u64> sums;     // samples, and squares as the serial sum rounds them, of ref; of dis
    u64 start;  // the sum before the first part: 0, but in tests, so that small pictures meet every binade
    Division division;
};

struct PartShared {
    scratch<ExactSums> sums;
    scratch<ordered_sum::Increments> ordered;
};

// Where a lane finds its part: run r of the group has the picture's part 8 g + r.
struct PartPlace {
    Plane<const u16> plane;
    i32 row, begin, end;  // words, whole ones
    bool has_rest;        // and what is left of the row
    bool exists;
    i32 index;            // among both pictures' parts
};

ISO_FN PartPlace part_place(PartArgs a, i32 picture, i32 part) {
    const Division d = a.division;
    const i32 begin = part % d.per_row * d.words, behind = begin + d.words, whole = words_in<u16>(a.ref.width);
    return PartPlace{choose(picture == 0, a.ref, a.dis),
                     part / d.per_row,
                     begin,
                     behind < whole ? behind : whole,
                     begin <= whole && whole < behind,
                     part < d.parts,
                     picture * d.parts + part};
}
ISO_FN i32 picture_of(PartArgs a, u32 group) { return i32(group) < a.division.groups ? 0 : 1; }
ISO_FN i32 part_of(PartArgs a, u32 group, i32 run) { return (i32(group) - picture_of(a, group) * a.division.groups) * kRuns + run; }

// The lanes of a run take words of their part in turn.
template <class G>
ISO_FN void sum_parts(G g, PartArgs a, sptr<PartShared> s) {
    const i32 picture = picture_of(a, g.group());
    typename G::template var<ExactSums> partial;
    ISO_LANES(g, lane) {
        const PartPlace part = part_place(a, picture, part_of(a, g.group(), lane / kRunLanes));
        LaneSums sums = LaneSums{0, 0, 0};
        if (part.exists) {
            const gptr<const u16> row = part.plane.row(part.row);
            ISO_UNROLL(4)
            for (i32 word = part.begin + lane % kRunLanes; word < part.end; word += kRunLanes) {
                const Words w = load_words(row, word);
                sums = add_words(sums, w, u16());
            }
            const i32 rest = samples_in<u16>(part.end) + lane % kRunLanes;
            if (part.has_rest && rest < part.plane.width) {
                const u16 sample = row[rest];
                sums = add_sample(sums, sample);
            }
        }
        partial[lane] = ExactSums{sums.first, {sums.second, sums.odd_terms}};
    }
    fold_runs<ExactSums>(g, partial, &s->sums);
    ISO_LANES(g, lane) {
        if (lane < kRuns) {
            const PartPlace part = part_place(a, picture, part_of(a, g.group(), lane));
            const ExactSums sums = run_result<ExactSums>(&s->sums, lane);
            if (part.exists) a.parts[part.index] = sums;
        }
    }
}

ISO_KERNELS_END
