// Sums of samples and of their squares, with the serial sum's bits (docs/metrics/float_moment.md, numeric/ordered_sum.h).
//
// A frame kernel sums blocks of consecutive rows. Where the sum of squares cannot pass 2^53, any order does and the host adds the blocks.
// Else a second kernel walks them in order: one whole block after another as long as it stays in its binade, the few others in pieces.
#pragma once

#include "device/kernel.h"
#include "numeric/ordered_sum.h"

ISO_KERNELS_BEGIN(float_moment)

// ---- Blocks --------------------------------------------------------------------------------------------------------------------------------

// A block of rows: what a sum of squares needs up to binade 2, and in exact sums.
struct SquareBlock {
    u64 first;
    ordered_sum::SquareRun second;

    static ISO_FN SquareBlock none() { return SquareBlock{0, {0, 0}}; }
    static ISO_FN SquareBlock join(SquareBlock left, SquareBlock right) {
        return SquareBlock{left.first + right.first, {left.second.total + right.second.total, left.second.odd_terms + right.second.odd_terms}};
    }
};

// The same for sums that reach binade 4: pictures up to 7680x4320. Blocks further up are walked in pieces.
constexpr int ordered_binades = 4;
struct OrderedBlock {
    u64 first;
    ordered_sum::Run<ordered_binades> second;

    static ISO_FN OrderedBlock none() { return OrderedBlock{0, ordered_sum::finish(ordered_sum::empty_lane<ordered_binades>())}; }
    static ISO_FN OrderedBlock join(OrderedBlock left, OrderedBlock right) {
        return OrderedBlock{left.first + right.first, ordered_sum::compose(left.second, right.second)};
    }
};

// Both pictures in one launch: groups 0 to groups_per_picture - 1 are ref's blocks from top to bottom, the others dis's.
template <class T, class Block>
struct BlockArgs {
    Plane<const T> ref, dis;
    gptr<Block> blocks;
    i32 rows_per_group, groups_per_picture;
};
using ByteArgs = BlockArgs<u8, SquareBlock>;
using SquareArgs = BlockArgs<u16, SquareBlock>;
using OrderedArgs = BlockArgs<u16, OrderedBlock>;

template <class Block>
struct BlockShared {
    scratch<Block> blocks;
};

// ---- Sums in any order ---------------------------------------------------------------------------------------------------------------------

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
ISO_FN void sum_blocks(G g, BlockArgs<T, SquareBlock> a, sptr<BlockShared<SquareBlock>> s) {
    const bool is_ref = i32(g.group()) < a.groups_per_picture;
    const Plane<const T> plane = is_ref ? a.ref : a.dis;
    const i32 top = (is_ref ? i32(g.group()) : i32(g.group()) - a.groups_per_picture) * a.rows_per_group;
    const i32 end = top + a.rows_per_group < plane.height ? top + a.rows_per_group : plane.height;
    const i32 words = words_in<T>(plane.width), begin_rest = samples_in<T>(words);
    typename G::template var<SquareBlock> partial;
    ISO_LANES(g, lane) {
        LaneSums sums = LaneSums{0, 0, 0};
        for (Places p = deal(lane, top, words); p.y < end; p.next()) {
            const Words w = load_words(plane.row(p.y), p.x);
            sums = add_word(add_word(add_word(add_word(sums, w.x, T()), w.y, T()), w.z, T()), w.w, T());
        }
        for (Places p = deal(lane, top, plane.width - begin_rest); p.y < end; p.next()) {
            const T sample = plane.row(p.y)[begin_rest + p.x];
            sums = add_sample(sums, sample);
        }
        partial[lane] = SquareBlock{sums.first, {sums.second, sums.odd_terms}};
    }
    const SquareBlock block = fold<SquareBlock>(g, partial, &s->blocks);
    ISO_LANES(g, lane) {
        if (lane == 0) a.blocks[g.group()] = block;
    }
}

// ---- Sums in order -------------------------------------------------------------------------------------------------------------------------

using LaneRun = ordered_sum::LaneRun<ordered_binades>;

struct LaneOrdered {
    u32 first;
    LaneRun run;
};

ISO_FN LaneOrdered append_sample(LaneOrdered s, u16 sample) {
    return LaneOrdered{s.first + sample, ordered_sum::append(s.run, ordered_sum::square_term(sample))};
}
ISO_FN LaneOrdered append_word(LaneOrdered s, u32 word) { return append_sample(append_sample(s, u16(low16(word))), u16(high16(word))); }

// Each lane takes consecutive samples: lanes in order are the row in order.
template <class G>
ISO_FN void run_blocks(G g, OrderedArgs a, sptr<BlockShared<OrderedBlock>> s) {
    const bool is_ref = i32(g.group()) < a.groups_per_picture;
    const Plane<const u16> plane = is_ref ? a.ref : a.dis;
    const i32 top = (is_ref ? i32(g.group()) : i32(g.group()) - a.groups_per_picture) * a.rows_per_group;
    const i32 end = top + a.rows_per_group < plane.height ? top + a.rows_per_group : plane.height;
    const i32 words_per_lane = (words_in<u16>(plane.width) + kLanes) / kLanes;
    OrderedBlock block = OrderedBlock::none();
    for (i32 y = top; y < end; ++y) {
        typename G::template var<OrderedBlock> partial;
        ISO_LANES(g, lane) {
            const gptr<const u16> row = plane.row(y);
            const i32 begin = samples_in<u16>(lane * words_per_lane), behind = begin + samples_in<u16>(words_per_lane);
            const i32 stop = behind < plane.width ? behind : plane.width;
            LaneOrdered sums = LaneOrdered{0, ordered_sum::empty_lane<ordered_binades>()};
            i32 x = begin;
            for (; x + samples_in<u16>(1) <= stop; x += samples_in<u16>(1)) {
                const Words w = load_words(row, words_in<u16>(x));
                sums = append_word(append_word(append_word(append_word(sums, w.x), w.y), w.z), w.w);
            }
            for (; x < stop; ++x) {
                const u16 sample = row[x];
                sums = append_sample(sums, sample);
            }
            partial[lane] = OrderedBlock{sums.first, ordered_sum::finish(sums.run)};
        }
        block = OrderedBlock::join(block, fold<OrderedBlock>(g, partial, &s->blocks));
    }
    ISO_LANES(g, lane) {
        if (lane == 0) a.blocks[g.group()] = block;
    }
}

// ---- The walk ------------------------------------------------------------------------------------------------------------------------------

// A picture's sums: samples, and squares as the serial sum rounds them.
struct PictureSums {
    u64 first, second;
};

template <class Block>
struct WalkArgs {
    Plane<const u16> ref, dis;
    gptr<const Block> blocks;  // as the frame kernel left them
    gptr<PictureSums> sums;    // of ref, of dis
    i32 rows_per_block, blocks_per_picture;
};

// How far a walk is: the sum, and the block or piece that comes next.
struct Walk {
    u64 sum;
    i32 next;
};

// One lane walks; a step costs hundreds of cycles. So what it steps over is joined beforehand: blocks to runs and runs to tops, a block's
// pieces to spans. Half as many runs as lanes, so that an OrderedBlock's shared memory stays below Metal's 32 KB.
constexpr i32 walk_runs = kLanes / 2;
constexpr i32 runs_per_top = 16, pieces_per_span = 16;
constexpr i32 most_piece_terms = 512;  // rows of at most 2^16 samples fit

template <class Block>
struct WalkShared {
    sarray<Block, walk_runs> runs;
    sarray<Block, walk_runs / runs_per_top> tops;
    sarray<ordered_sum::Piece, kLanes> pieces;
    sarray<ordered_sum::Piece, kLanes / pieces_per_span> spans;
    sarray<u32, most_piece_terms> terms;  // of one piece
    sarray<Walk, 1> blocks_walk, pieces_walk;
    scratch<u64> firsts;
};

// ---- Walking a block in pieces

// Whole rows as one sequence of terms, dealt to the lanes in pieces.
struct Sequence {
    Plane<const u16> plane;
    i32 top, terms, piece_terms;

    ISO_FN i32 begin(i32 piece) const { return piece * piece_terms < terms ? piece * piece_terms : terms; }
};

ISO_FN ordered_sum::Piece piece_of(Sequence q, i32 piece, u32 k) {
    ordered_sum::Piece sums = ordered_sum::empty_piece();
    const i32 width = q.plane.width;
    i32 row = q.top + q.begin(piece) / width, x = q.begin(piece) % width;
    for (i32 rest = q.begin(piece + 1) - q.begin(piece); rest > 0; --rest) {
        const u16 sample = q.plane.row(row)[x];
        sums = ordered_sum::append(sums, ordered_sum::square_term(sample), k);
        if (++x == width) {
            x = 0;
            ++row;
        }
    }
    return sums;
}

// One lane: as far as whole spans and whole pieces go.
template <class Shared>
ISO_FN Walk walk_pieces(Walk w, u32 k, sptr<Shared> s) {
    while (w.next < kLanes) {
        if (w.next % pieces_per_span == 0) {
            const ordered_sum::Piece span = s->spans[w.next / pieces_per_span];
            const ordered_sum::Taken taken = ordered_sum::take(w.sum, span, k);
            if (taken.whole) {
                w = Walk{taken.sum, w.next + pieces_per_span};
                continue;
            }
        }
        const ordered_sum::Piece piece = s->pieces[w.next];
        const ordered_sum::Taken taken = ordered_sum::take(w.sum, piece, k);
        if (!taken.whole) return w;
        w = Walk{taken.sum, w.next + 1};
    }
    return w;
}

// The sum after a sequence that leaves its binade: piece by piece, and the piece that leaves it term by term.
template <class G, class Shared>
ISO_FN u64 walk_sequence(G g, u64 sum, Sequence q, sptr<Shared> s) {
    const u32 k = ordered_sum::piece_binade(sum);
    ISO_LANES(g, lane) {
        s->pieces[lane] = piece_of(q, lane, k);
        if (lane == 0) s->pieces_walk[0] = Walk{sum, 0};
    }
    g.barrier();
    ISO_LANES(g, lane) {
        if (lane < kLanes / pieces_per_span) {
            ordered_sum::Piece span = s->pieces[lane * pieces_per_span];
            for (i32 i = 1; i < pieces_per_span; ++i) {
                const ordered_sum::Piece piece = s->pieces[lane * pieces_per_span + i];
                span = ordered_sum::compose(span, piece);
            }
            s->spans[lane] = span;
        }
    }
    g.barrier();
    for (;;) {
        ISO_LANES(g, lane) {
            if (lane == 0) {
                const Walk before = s->pieces_walk[0];
                s->pieces_walk[0] = walk_pieces(before, k, s);
            }
        }
        g.barrier();
        const Walk at = s->pieces_walk[0];
        if (at.next >= kLanes) break;
        const i32 begin = q.begin(at.next), count = q.begin(at.next + 1) - begin;
        ISO_LANES(g, lane) {
            for (i32 i = lane; i < count; i += kLanes) {
                const u16 sample = q.plane.row(q.top + (begin + i) / q.plane.width)[(begin + i) % q.plane.width];
                s->terms[i] = ordered_sum::square_term(sample);
            }
        }
        g.barrier();
        ISO_LANES(g, lane) {
            if (lane == 0) {
                u64 total = at.sum;
                for (i32 i = 0; i < count; ++i) {
                    const u32 term = s->terms[i];
                    total = ordered_sum::add_rounded(total, term);
                }
                s->pieces_walk[0] = Walk{total, at.next + 1};
            }
        }
        g.barrier();
    }
    const Walk done = s->pieces_walk[0];
    g.barrier();
    return done.sum;
}

// ---- Walking a picture in blocks

// One lane: as far as whole tops, runs and blocks go.
template <class Block>
ISO_FN Walk walk_blocks(Walk w, gptr<const Block> blocks, i32 count, sptr<WalkShared<Block>> s, i32 blocks_per_run) {
    const i32 blocks_per_top = blocks_per_run * runs_per_top;
    while (w.next < count) {
        if (w.next % blocks_per_top == 0) {
            const Block top = s->tops[w.next / blocks_per_top];
            const ordered_sum::Taken taken = ordered_sum::take(w.sum, top.second);
            if (taken.whole) {
                w = Walk{taken.sum, w.next + blocks_per_top};
                continue;
            }
        }
        if (w.next % blocks_per_run == 0) {
            const Block run = s->runs[w.next / blocks_per_run];
            const ordered_sum::Taken taken = ordered_sum::take(w.sum, run.second);
            if (taken.whole) {
                w = Walk{taken.sum, w.next + blocks_per_run};
                continue;
            }
        }
        const Block block = blocks[w.next];
        const ordered_sum::Taken taken = ordered_sum::take(w.sum, block.second);
        if (!taken.whole) return w;
        w = Walk{taken.sum, w.next + 1};
    }
    return w;
}

// Joins the blocks to runs and tops. The result is the sum of the samples.
template <class G, class Block>
ISO_FN u64 join_blocks(G g, gptr<const Block> blocks, i32 count, sptr<WalkShared<Block>> s, i32 blocks_per_run) {
    typename G::template var<u64> firsts;
    ISO_LANES(g, lane) {
        Block run = Block::none();
        for (i32 i = lane * blocks_per_run; i < (lane + 1) * blocks_per_run && i < count; ++i) {
            const Block block = blocks[i];
            run = Block::join(run, block);
        }
        if (lane < walk_runs) s->runs[lane] = run;
        firsts[lane] = run.first;
        if (lane == 0) s->blocks_walk[0] = Walk{0, 0};
    }
    g.barrier();
    ISO_LANES(g, lane) {
        if (lane < walk_runs / runs_per_top) {
            Block top = Block::none();
            for (i32 i = lane * runs_per_top; i < (lane + 1) * runs_per_top; ++i) {
                const Block run = s->runs[i];
                top = Block::join(top, run);
            }
            s->tops[lane] = top;
        }
    }
    return sum(g, firsts, &s->firsts);
}

// One group per picture.
template <class G, class Block>
ISO_FN void walk(G g, WalkArgs<Block> a, sptr<WalkShared<Block>> s) {
    const Plane<const u16> plane = g.group() == 0 ? a.ref : a.dis;
    const gptr<const Block> blocks = a.blocks + i64(g.group()) * a.blocks_per_picture;
    const i32 count = a.blocks_per_picture, blocks_per_run = (count + walk_runs - 1) / walk_runs;
    const i32 rows_at_once = kLanes * most_piece_terms / plane.width > 0 ? kLanes * most_piece_terms / plane.width : 1;
    const u64 first = join_blocks(g, blocks, count, s, blocks_per_run);
    for (;;) {
        ISO_LANES(g, lane) {
            if (lane == 0) {
                const Walk before = s->blocks_walk[0];
                s->blocks_walk[0] = walk_blocks(before, blocks, count, s, blocks_per_run);
            }
        }
        g.barrier();
        const Walk at = s->blocks_walk[0];
        if (at.next >= count) break;
        // This block leaves its binade.
        const i32 top = at.next * a.rows_per_block;
        const i32 end = top + a.rows_per_block < plane.height ? top + a.rows_per_block : plane.height;
        u64 total = at.sum;
        for (i32 row = top; row < end; row += rows_at_once) {
            const i32 terms = (end - row < rows_at_once ? end - row : rows_at_once) * plane.width;
            total = walk_sequence(g, total, Sequence{plane, row, terms, (terms + kLanes - 1) / kLanes}, s);
        }
        ISO_LANES(g, lane) {
            if (lane == 0) s->blocks_walk[0] = Walk{total, at.next + 1};
        }
        g.barrier();
    }
    ISO_LANES(g, lane) {
        if (lane == 0) {
            const Walk at = s->blocks_walk[0];
            a.sums[g.group()] = PictureSums{first, at.sum};
        }
    }
}

using SquareWalkArgs = WalkArgs<SquareBlock>;
using OrderedWalkArgs = WalkArgs<OrderedBlock>;

ISO_KERNELS_END

ISO_KERNEL(float_moment, sum_bytes, sum_blocks, ByteArgs, BlockShared<SquareBlock>)
ISO_KERNEL(float_moment, sum_words, sum_blocks, SquareArgs, BlockShared<SquareBlock>)
ISO_KERNEL(float_moment, run_words, run_blocks, OrderedArgs, BlockShared<OrderedBlock>)
ISO_KERNEL(float_moment, walk_squares, walk, SquareWalkArgs, WalkShared<SquareBlock>)
ISO_KERNEL(float_moment, walk_ordered, walk, OrderedWalkArgs, WalkShared<OrderedBlock>)
