// Kernels with one mistake each, of the kinds that give the right bits on some device. The checked device must find every one.
#pragma once

#include "device/kernel.h"

ISO_KERNELS_BEGIN(faulty)

struct Args {
    gptr<const u32> from;
    gptr<u32> to;
    i32 count;
};
struct Shared {
    sarray<u32, kLanes> tile;
    scratch<u32> sums;
};

// Right: the others differ from it by one mistake.
template <class G>
ISO_FN void correct(G g, Args a, sptr<Shared> s) {
    ISO_LANES(g, lane) { s->tile[lane] = a.from[lane]; }
    g.barrier();
    ISO_LANES(g, lane) { a.to[i32(g.group()) * kLanes + lane] = s->tile[kLanes - 1 - lane]; }
}

template <class G>
ISO_FN void missing_barrier(G g, Args a, sptr<Shared> s) {
    ISO_LANES(g, lane) { s->tile[lane] = a.from[lane]; }
    ISO_LANES(g, lane) { a.to[i32(g.group()) * kLanes + lane] = s->tile[kLanes - 1 - lane]; }
}

// The tile is filled anew while slower lanes still read it.
template <class G>
ISO_FN void missing_second_barrier(G g, Args a, sptr<Shared> s) {
    ISO_LANES(g, lane) { s->tile[lane] = a.from[lane]; }
    g.barrier();
    ISO_LANES(g, lane) { a.to[i32(g.group()) * kLanes + lane] = s->tile[(lane + 1) % kLanes]; }
    ISO_LANES(g, lane) { s->tile[lane] = 0; }
}

template <class G>
ISO_FN void lanes_share_a_cell(G g, Args a, sptr<Shared> s) {
    ISO_LANES(g, lane) { s->tile[lane / 2] = a.from[lane]; }
    g.barrier();
    ISO_LANES(g, lane) { a.to[i32(g.group()) * kLanes + lane] = s->tile[lane / 2]; }
}

template <class G>
ISO_FN void groups_share_memory(G g, Args a, sptr<Shared>) {
    ISO_LANES(g, lane) { a.to[lane] = a.from[lane]; }
}

template <class G>
ISO_FN void group_reads_another(G g, Args a, sptr<Shared>) {
    ISO_LANES(g, lane) {
        if (g.group() == 0) a.to[lane] = a.from[lane];
        else a.to[kLanes + lane] = a.to[lane];
    }
}

template <class G>
ISO_FN void reads_past_the_end(G g, Args a, sptr<Shared>) {
    ISO_LANES(g, lane) { a.to[i32(g.group()) * kLanes + lane] = a.from[lane + 1]; }
}

template <class G>
ISO_FN void writes_before_the_start(G g, Args a, sptr<Shared>) {
    ISO_LANES(g, lane) { a.to[i32(g.group()) * kLanes + lane - 1] = a.from[lane]; }
}

template <class G>
ISO_FN void shared_index_outside(G g, Args a, sptr<Shared> s) {
    ISO_LANES(g, lane) { s->tile[lane + 1] = a.from[lane]; }
}

template <class G>
ISO_FN void reads_unwritten_shared(G g, Args a, sptr<Shared> s) {
    ISO_LANES(g, lane) {
        if (lane > 0) s->tile[lane] = a.from[lane];
    }
    g.barrier();
    ISO_LANES(g, lane) { a.to[i32(g.group()) * kLanes + lane] = s->tile[lane]; }
}

template <class G>
ISO_FN void reads_unwritten_global(G g, Args a, sptr<Shared>) {
    ISO_LANES(g, lane) {
        const u32 before = a.to[i32(g.group()) * kLanes + lane];
        a.to[i32(g.group()) * kLanes + lane] = before + 1;
    }
}

template <class G>
ISO_FN void reads_unwritten_value(G g, Args a, sptr<Shared>) {
    typename G::template var<u32> v;
    ISO_LANES(g, lane) {
        if (lane != 3) v[lane] = a.from[lane];
    }
    ISO_LANES(g, lane) { a.to[i32(g.group()) * kLanes + lane] = v[lane]; }
}

template <class G>
ISO_FN void value_of_another_lane(G g, Args a, sptr<Shared>) {
    typename G::template var<u32> v;
    ISO_LANES(g, lane) { v[lane] = a.from[lane]; }
    ISO_LANES(g, lane) { a.to[i32(g.group()) * kLanes + lane] = v[lane ^ 1]; }
}

template <class G>
ISO_FN void barrier_in_a_lane_loop(G g, Args a, sptr<Shared> s) {
    ISO_LANES(g, lane) {
        s->tile[lane] = a.from[lane];
        g.barrier();
    }
}

template <class G>
ISO_FN void written_outside_lanes(G g, Args a, sptr<Shared>) {
    a.to[g.group()] = 1;
}

// Every lane reads what lane 0 is still to write.
template <class G>
ISO_FN void uniform_read_too_early(G g, Args a, sptr<Shared> s) {
    ISO_LANES(g, lane) {
        if (lane == 0) s->tile[0] = a.from[0];
    }
    const u32 first = s->tile[0];
    ISO_LANES(g, lane) { a.to[i32(g.group()) * kLanes + lane] = first; }
}

template <class G>
ISO_FN void misaligned_words(G g, Args a, sptr<Shared>) {
    ISO_LANES(g, lane) {
        if (lane == 0) a.to[g.group()] = load_words(a.from + 1, 0).x;
    }
}

ISO_KERNELS_END

ISO_KERNEL(faulty, correct, correct, Args, Shared)
ISO_KERNEL(faulty, missing_barrier, missing_barrier, Args, Shared)
ISO_KERNEL(faulty, missing_second_barrier, missing_second_barrier, Args, Shared)
ISO_KERNEL(faulty, lanes_share_a_cell, lanes_share_a_cell, Args, Shared)
ISO_KERNEL(faulty, groups_share_memory, groups_share_memory, Args, Shared)
ISO_KERNEL(faulty, group_reads_another, group_reads_another, Args, Shared)
ISO_KERNEL(faulty, reads_past_the_end, reads_past_the_end, Args, Shared)
ISO_KERNEL(faulty, writes_before_the_start, writes_before_the_start, Args, Shared)
ISO_KERNEL(faulty, shared_index_outside, shared_index_outside, Args, Shared)
ISO_KERNEL(faulty, reads_unwritten_shared, reads_unwritten_shared, Args, Shared)
ISO_KERNEL(faulty, reads_unwritten_global, reads_unwritten_global, Args, Shared)
ISO_KERNEL(faulty, reads_unwritten_value, reads_unwritten_value, Args, Shared)
ISO_KERNEL(faulty, value_of_another_lane, value_of_another_lane, Args, Shared)
ISO_KERNEL(faulty, barrier_in_a_lane_loop, barrier_in_a_lane_loop, Args, Shared)
ISO_KERNEL(faulty, written_outside_lanes, written_outside_lanes, Args, Shared)
ISO_KERNEL(faulty, uniform_read_too_early, uniform_read_too_early, Args, Shared)
ISO_KERNEL(faulty, misaligned_words, misaligned_words, Args, Shared)
