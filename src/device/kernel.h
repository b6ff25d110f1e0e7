// The vocabulary of kernels: everything that a *_kernels.h may use beside numeric/. docs/kernels.md explains it with an example.
//
// A kernel is a group program: kLanes lanes run lane loops, with barriers of the whole group between them.
//
//   ISO_LANES(g, lane) { ... }    what every lane does, in any order; all other code is uniform: it reads and branches alike on all lanes
//   g.group()                     which group of the launch this is; groups run in any order and never wait for each other
//   g.barrier()                   between loops: what lanes wrote to shared memory is seen by all. Never inside a lane loop
//   typename G::template var<T>   a value of each lane that lives across loops: v[lane]
//   gptr<T>, Plane<T>             memory of the device; rows of samples there
//   sptr<S>, sarray<T, n>         the group's shared memory: one struct S of sarrays, uninitialised. A cell is read and written as a whole
//   fold<Op>(g, v, &s->scratch)   v[0] op v[1] op ... in lane order, for any associative op; sum() and maximum() are folds. The result is
//                                 uniform; the scratch<T> may be used again at once
//   fold_runs<Op>(g, v, &s->scratch)  the same for each run of 32 lanes, kRuns of them: run_result<T>(&s->scratch, run), for all lanes to
//                                 read until the scratch is used again
//   scan<Op>(g, v, &s->prefix)    prefix[lane] = v[0] op ... op v[lane], for all lanes to read; prefix is an sarray<T, kLanes>
//   last_of(g, n, &count, &s->last)  whether this is the last of n groups to come here, the same on all lanes: what the others wrote before
//                                 is then there for it to read. Not on every device: DeviceInfo::groups_join
//   load_words(row, i)            16 bytes at once; dot4(), low16(), high16() take them apart
//   deal(lane, top, per_row)      the lane's share of a block of rows
//   ISO_KERNEL(set, name, f, Args, Shared)   f as a kernel that a twin launches as kernel::set_name
//   ISO_CROWDED_KERNEL(...)                  the same, with no more registers than lets many groups share a processor, so that their lanes'
//                                            reads hide each other's waiting: for kernels whose last group does more than the others
//
// Four contexts give these words their meaning, each in a header of its own; a kernel never asks in which one it is.
#pragma once

#include "numeric/device_subset.h"

namespace isometric {

constexpr i32 kLanes = 256;
constexpr i32 kRunLanes = 32, kRuns = kLanes / kRunLanes;  // lanes 0..31 are a run, and so on

// 16 bytes of a row: 16 or 8 samples, the first in the low bits of x.
struct Words {
    u32 x, y, z, w;
};

}  // namespace isometric

#if defined(__METAL_VERSION__) || defined(__OPENCL_CPP_VERSION__)
#include "device/context/metal.h"
#elif defined(__CUDACC__) || defined(__CUDA__) || defined(__HIP__)
#include "device/context/gpu.h"
#elif defined(ISO_CHECKED)
#include "device/context/checked.h"
#else
#include "device/context/host.h"
#endif

// The argument and shared types are named as inside the set's namespace; the context makes the kernel of them.
#define ISO_KERNEL_TYPES(set, name, Args, Shared) \
    namespace isometric {                         \
    namespace set {                               \
    using name##_args = Args;                     \
    using name##_shared = Shared;                 \
    }                                             \
    }
#define ISO_KERNEL(set, name, function, Args, Shared) \
    ISO_KERNEL_TYPES(set, name, Args, Shared)         \
    ISO_CONTEXT_KERNEL(set, name, function)
#define ISO_CROWDED_KERNEL(set, name, function, Args, Shared) \
    ISO_KERNEL_TYPES(set, name, Args, Shared)                 \
    ISO_CONTEXT_CROWDED_KERNEL(set, name, function)
#ifndef ISO_CONTEXT_CROWDED_KERNEL
#define ISO_CONTEXT_CROWDED_KERNEL ISO_CONTEXT_KERNEL
#endif

// A kernel header's content stands between these two: `set` names the header's kernels in every backend, and is a namespace.
// Types with pointers differ between contexts, so each context has an inline namespace of its own.
#define ISO_KERNELS_BEGIN(set) \
    namespace isometric {      \
    namespace set {            \
    inline namespace ISO_CONTEXT {
#define ISO_KERNELS_END \
    }                   \
    }                   \
    }

namespace isometric {
inline namespace ISO_CONTEXT {

// Rows of one plane. Rows of pictures start at multiples of 16 bytes and nothing past `width` may be read.
template <class T>
struct Plane {
    gptr<T> samples;
    i32 stride;  // samples from row to row
    i32 width, height;

    ISO_FN gptr<T> row(i32 y) const { return samples + i64(y) * stride; }
};

ISO_FN u32 low16(u32 word) { return word & 0xFFFFu; }
ISO_FN u32 high16(u32 word) { return word >> 16; }

// How many whole Words `width` samples of T fill.
template <class T>
ISO_FN i32 words_in(i32 width) {
    return width / i32(16 / sizeof(T));
}
template <class T>
ISO_FN i32 samples_in(i32 words) {
    return words * i32(16 / sizeof(T));
}

// The places of a block of rows dealt to the lanes: place 0 of row `top` to lane 0, and so on through the rows, `per_row` places each.
//     for (Places p = deal(lane, top, per_row); p.y < end; p.next()) ... p.x of row p.y ...
struct Places {
    i32 x, y, per_row, step_x, step_y;

    ISO_FN void next() {
        x += step_x;
        y += step_y;
        if (x >= per_row) {
            x -= per_row;
            ++y;
        }
    }
};
ISO_FN Places deal(i32 lane, i32 top, i32 per_row) {
    if (per_row == 0) return Places{0, 0x7FFFFFFF, 0, 0, 0};
    return Places{lane % per_row, top + lane / per_row, per_row, kLanes % per_row, kLanes / per_row};
}

// Operations of a fold. Any struct with such a join() is one; it must be associative and need not be commutative.
template <class T>
struct Sum {
    static ISO_FN T join(T left, T right) { return left + right; }
};
template <class T>
struct Maximum {
    static ISO_FN T join(T left, T right) { return left < right ? right : left; }
};

// The values of each run of kRunLanes lanes joined in lane order, left in `s` for all lanes to read.
template <class Op, class G, class T>
ISO_FN void fold_runs(G g, typename G::template var<T> v, sptr<scratch<T>> s) {
#ifdef ISO_LANES_EXCHANGE
    // Lanes exchange registers, neighbours first.
    T joined = v[g.lane()];
    for (i32 step = 1; step < kRunLanes; step *= 2) joined = Op::join(joined, from_lane_above(joined, step));
    if (g.lane() % kRunLanes == 0) (*s)[g.lane() / kRunLanes] = joined;
#else
    ISO_LANES(g, lane) { (*s)[lane] = v[lane]; }
    for (i32 step = 1; step < kRunLanes; step *= 2) {
        g.barrier();
        ISO_LANES(g, lane) {
            if (lane % (2 * step) == 0) {
                const T left = (*s)[lane], right = (*s)[lane + step];
                (*s)[lane] = Op::join(left, right);
            }
        }
    }
#endif
    g.barrier();
}
template <class T>
ISO_FN T run_result(sptr<scratch<T>> s, i32 run) {
#ifdef ISO_LANES_EXCHANGE
    return (*s)[run];
#else
    return (*s)[run * kRunLanes];
#endif
}

// The lanes' values joined in lane order, the same on every lane.
template <class Op, class G, class T>
ISO_FN T fold(G g, typename G::template var<T> v, sptr<scratch<T>> s) {
    fold_runs<Op, G, T>(g, v, s);
    T result = run_result<T>(s, 0);
    for (i32 run = 1; run < kRuns; ++run) {
        const T next = run_result<T>(s, run);
        result = Op::join(result, next);
    }
    g.barrier();
    return result;
}

// The lanes' values joined in lane order up to each lane's own, left in `prefix` for all lanes to read.
template <class Op, class G, class T>
ISO_FN void scan(G g, typename G::template var<T> v, sptr<sarray<T, kLanes>> prefix) {
#ifdef ISO_LANES_EXCHANGE
    const i32 in_run = g.lane() % kRunLanes, run = g.lane() / kRunLanes;
    T joined = v[g.lane()];
    for (i32 step = 1; step < kRunLanes; step *= 2) {
        const T below = from_lane_below(joined, step);
        if (in_run >= step) joined = Op::join(below, joined);
    }
    if (in_run == kRunLanes - 1) (*prefix)[g.lane()] = joined;
    g.barrier();
    ISO_UNROLL(8)
    for (i32 i = kRuns - 2; i >= 0; --i) {
        const T before = (*prefix)[i * kRunLanes + kRunLanes - 1];  // read by all, so that the reads do not wait for one another
        if (i < run) joined = Op::join(before, joined);
    }
    g.barrier();
    (*prefix)[g.lane()] = joined;
    g.barrier();
#else
    ISO_LANES(g, lane) { (*prefix)[lane] = v[lane]; }
    g.barrier();
    for (i32 step = 1; step < kLanes; step *= 2) {
        typename G::template var<T> joined;
        ISO_LANES(g, lane) {
            T own = (*prefix)[lane];
            if (lane >= step) {
                const T below = (*prefix)[lane - step];
                own = Op::join(below, own);
            }
            joined[lane] = own;
        }
        g.barrier();
        ISO_LANES(g, lane) { (*prefix)[lane] = joined[lane]; }
        g.barrier();
    }
#endif
}

// The count, a number in device memory, is 0 before the launch and after it.
template <class G>
ISO_FN bool last_of(G g, u32 groups, gptr<u32> count, sptr<sarray<u32, 1>> last) {
    publish_writes();
    g.barrier();
    ISO_LANES(g, lane) {
        if (lane == 0) {
            const bool is_last = arrive(count) == groups - 1;
            if (is_last) count[0] = 0;
            (*last)[0] = is_last ? 1u : 0u;
        }
    }
    g.barrier();
    const u32 is_last = (*last)[0];
    return is_last != 0;
}

template <class G, class T>
ISO_FN T sum(G g, typename G::template var<T> v, sptr<scratch<T>> s) {
    return fold<Sum<T>>(g, v, s);
}
template <class G, class T>
ISO_FN T maximum(G g, typename G::template var<T> v, sptr<scratch<T>> s) {
    return fold<Maximum<T>>(g, v, s);
}

}  // namespace ISO_CONTEXT
}  // namespace isometric
