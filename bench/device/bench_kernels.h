// What the product's kernels are measured against: reading the same planes and nothing else, and moments without a thought to rounding.
#pragma once

#include "device/kernel.h"
#include "metrics/float_moment/float_moment_kernels.h"

ISO_KERNELS_BEGIN(bench)

using float_moment::BlockArgs;
using float_moment::BlockShared;
using float_moment::ByteArgs;
using float_moment::ExactSums;
using float_moment::PartArgs;
using float_moment::PartShared;
using float_moment::WordArgs;

// The launch of float_moment's frame kernel with another inner loop. `Loop` adds 16 bytes to a lane's state.
template <class Loop, class G, class T>
ISO_FN void over_blocks(G g, BlockArgs<T> a, sptr<BlockShared> s) {
    const float_moment::Block<T> block = float_moment::block_of(i32(g.group()), a);
    typename G::template var<ExactSums> partial;
    ISO_LANES(g, lane) {
        typename Loop::State state = Loop::none();
        for (Places p = deal(lane, block.top, words_in<T>(block.plane.width)); p.y < block.end; p.next()) {
            const Words w = load_words(block.plane.row(p.y), p.x);
            state = Loop::add(Loop::add(Loop::add(Loop::add(state, w.x), w.y), w.z), w.w);
        }
        partial[lane] = Loop::finish(state);
    }
    const ExactSums sums = fold<ExactSums>(g, partial, &s->sums);
    ISO_LANES(g, lane) {
        if (lane == 0) a.blocks[g.group()] = sums;
    }
}

// The same for sum_parts, with `Loop`s that need no rest of a row.
template <class Loop, class G>
ISO_FN void over_parts(G g, PartArgs a, sptr<PartShared> s) {
    const i32 picture = float_moment::picture_of(a, g.group());
    typename G::template var<ExactSums> partial;
    ISO_LANES(g, lane) {
        const float_moment::PartPlace part = float_moment::part_place(a, picture, float_moment::part_of(a, g.group(), lane / kRunLanes));
        typename Loop::State state = Loop::none();
        if (part.exists) {
            const gptr<const u16> row = part.plane.row(part.row);
            ISO_UNROLL(4)
            for (i32 word = part.begin + lane % kRunLanes; word < part.end; word += kRunLanes) {
                const Words w = load_words(row, word);
                state = Loop::add(Loop::add(Loop::add(Loop::add(state, w.x), w.y), w.z), w.w);
            }
        }
        partial[lane] = Loop::finish(state);
    }
    fold_runs<ExactSums>(g, partial, &s->sums);
    ISO_LANES(g, lane) {
        if (lane < kRuns) {
            const float_moment::PartPlace part = float_moment::part_place(a, picture, float_moment::part_of(a, g.group(), lane));
            const ExactSums sums = run_result<ExactSums>(&s->sums, lane);
            if (part.exists) a.parts[part.index] = sums;
        }
    }
}

// Plain sums all the way: the last group of a picture adds its parts.
struct AddedShared {
    PartShared parts;
    scratch<ExactSums> sums;
    sarray<u32, 1> last;
};

// Every word is looked at.
struct Reading {
    using State = u32;
    static ISO_FN State none() { return 0; }
    static ISO_FN State add(State s, u32 word) { return s ^ word; }
    static ISO_FN ExactSums finish(State s) { return ExactSums{s, {0, 0}}; }
};

// Exact sums of samples and squares; odd terms are not counted.
struct Plain {
    struct State {
        u32 first;
        u64 second;
    };
    static ISO_FN State none() { return State{0, 0}; }
    static ISO_FN State add_sample(State s, u32 v) { return State{s.first + v, s.second + ordered_sum::square_term(u16(v))}; }
    static ISO_FN State add(State s, u32 word) { return add_sample(add_sample(s, low16(word)), high16(word)); }
    static ISO_FN ExactSums finish(State s) { return ExactSums{s.first, {s.second, 0}}; }
};

// Candidates for the product's loop, with the same results.

// Odd terms of both samples of a word at once: an odd sample below 4096.
ISO_FN u32 odd_terms(u32 word) {
    const u32 high = (word >> 12 & 0x000F000Fu) + 0x000F000Fu;  // bit 4 of a half: its top four bits are not all zero
    return word & ~(high >> 4) & 0x00010001u;
}
ISO_FN u32 both_halves(u32 counts) { return low16(counts) + high16(counts); }

struct PackedOdd {
    struct State {
        u32 first;
        u64 second;
        u32 odd;
    };
    static ISO_FN State none() { return State{0, 0, 0}; }
    static ISO_FN State add(State s, u32 word) {
        return State{s.first + low16(word) + high16(word), s.second + ordered_sum::square_term(u16(low16(word))) + ordered_sum::square_term(u16(high16(word))),
                     s.odd + odd_terms(word)};
    }
    static ISO_FN ExactSums finish(State s) { return ExactSums{s.first, {s.second, both_halves(s.odd)}}; }
};

// The float product's rounding error is an integer of at most 2^7 that a fused multiply-add gives exactly, and sums of up to 2^16 of them are
// exact floats: the terms' sum is that of v * v, one integer multiply-add each, less the errors' sum.
struct Errors {
    struct State {
        u32 first;
        u64 squares;
        float errors;
        u32 odd;
    };
    static ISO_FN State none() { return State{0, 0, 0.0f, 0}; }
    static ISO_FN float error(u32 v) {
        const float f = float(v), product = f * f;
        return fused_multiply_add(f, f, -product);  // v * v - product
    }
    static ISO_FN State add(State s, u32 word) {
        const u32 a = low16(word), b = high16(word);
        return State{s.first + a + b, s.squares + u64(a) * a + u64(b) * b, s.errors + error(a) + error(b), s.odd + odd_terms(word)};
    }
    static ISO_FN ExactSums finish(State s) { return ExactSums{s.first, {s.squares - u64(i64(s.errors)), both_halves(s.odd)}}; }
};

// The product split in a multiple of 2^16 and a remainder, each summed in floats: exact for up to 2^8 samples a lane, then carried over.
struct Halves {
    struct State {
        u32 first;
        float high, low;
        u32 odd;
    };
    static ISO_FN State none() { return State{0, 0.0f, 0.0f, 0}; }
    static ISO_FN State add_sample(State s, u32 v) {
        const float f = float(v), product = f * f;
        const float high = (product + 824633720832.0f) - 824633720832.0f;  // 1.5 * 2^39: rounds to multiples of 2^16
        return State{s.first + v, s.high + high, s.low + (product - high), s.odd};
    }
    static ISO_FN State add(State s, u32 word) {
        State t = add_sample(add_sample(s, low16(word)), high16(word));
        t.odd += odd_terms(word);
        return t;
    }
    static ISO_FN ExactSums finish(State s) { return ExactSums{s.first, {u64(i64(s.high) + i64(s.low)), both_halves(s.odd)}}; }
};

template <class G, class Args>
ISO_FN void read_planes(G g, Args a, sptr<BlockShared> s) {
    over_blocks<Reading>(g, a, s);
}
template <class G>
ISO_FN void plain_moments(G g, WordArgs a, sptr<BlockShared> s) {
    over_blocks<Plain>(g, a, s);
}
template <class G>
ISO_FN void plain_parts(G g, PartArgs a, sptr<PartShared> s) {
    over_parts<Plain>(g, a, s);
}
template <class G>
ISO_FN void plain_parts_added(G g, PartArgs a, sptr<AddedShared> s) {
    over_parts<Plain>(g, a, &s->parts);
    const i32 picture = float_moment::picture_of(a, g.group());
    if (!last_of(g, u32(a.division.groups), a.arrived + picture, &s->last)) return;
    typename G::template var<ExactSums> partial;
    ISO_LANES(g, lane) {
        ExactSums own = ExactSums{0, {0, 0}};
        ISO_UNROLL(4)
        for (i32 i = lane; i < a.division.parts; i += kLanes) {
            const ExactSums part = a.parts[picture * a.division.parts + i];
            own = ExactSums::join(own, part);
        }
        partial[lane] = own;
    }
    const ExactSums sums = fold<ExactSums>(g, partial, &s->sums);
    ISO_LANES(g, lane) {
        if (lane == 0) {
            a.sums[2 * picture] = sums.first;
            a.sums[2 * picture + 1] = sums.second.total;
        }
    }
}
template <class G>
ISO_FN void packed_odd(G g, WordArgs a, sptr<BlockShared> s) {
    over_blocks<PackedOdd>(g, a, s);
}
template <class G>
ISO_FN void errors(G g, WordArgs a, sptr<BlockShared> s) {
    over_blocks<Errors>(g, a, s);
}
template <class G>
ISO_FN void halves(G g, WordArgs a, sptr<BlockShared> s) {
    over_blocks<Halves>(g, a, s);
}

ISO_KERNELS_END

ISO_KERNEL(bench, read_bytes, read_planes, ByteArgs, BlockShared)
ISO_KERNEL(bench, read_words, read_planes, WordArgs, BlockShared)
ISO_KERNEL(bench, plain_moments, plain_moments, WordArgs, BlockShared)
ISO_KERNEL(bench, plain_parts, plain_parts, PartArgs, PartShared)
ISO_CROWDED_KERNEL(bench, plain_parts_added, plain_parts_added, PartArgs, AddedShared)
ISO_KERNEL(bench, packed_odd, packed_odd, WordArgs, BlockShared)
ISO_KERNEL(bench, errors, errors, WordArgs, BlockShared)
ISO_KERNEL(bench, halves, halves, WordArgs, BlockShared)
