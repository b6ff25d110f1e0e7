// Kernels that use every word of the vocabulary, to test the backends without a metric.
#pragma once

#include "device/kernel.h"

ISO_KERNELS_BEGIN(exercise)

// One group per row: the sum and the maximum of the row's samples, and a value that depends on the order of the row's lanes.
struct RowArgs {
    Plane<const u16> plane;
    gptr<u64> sums;
    gptr<u32> maxima;
    gptr<u64> orders;
};
struct RowShared {
    scratch<u64> sums;
    scratch<u32> maxima;
};

// Composition of x -> a * x + b, an associative operation that does not commute, packed in 64 bits modulo 2^32 each.
struct AffineMaps {
    static ISO_FN u64 join(u64 left, u64 right) {
        const u32 left_a = u32(left >> 32), left_b = u32(left), right_a = u32(right >> 32), right_b = u32(right);
        return u64(left_a * right_a) << 32 | u32(left_b * right_a + right_b);
    }
};

template <class G>
ISO_FN void row_statistics(G g, RowArgs a, sptr<RowShared> s) {
    const i32 y = i32(g.group());
    typename G::template var<u64> partial, map;
    typename G::template var<u32> largest;
    ISO_LANES(g, lane) {
        u64 total = 0;
        u32 most = 0;
        for (i32 x = lane; x < a.plane.width; x += kLanes) {
            const u32 sample = a.plane.row(y)[x];
            total += sample;
            most = most < sample ? sample : most;
        }
        partial[lane] = total;
        largest[lane] = most;
        map[lane] = u64(2 * lane + 1) << 32 | u32(total + u32(lane));
    }
    const u64 row_sum = sum(g, partial, &s->sums);
    const u64 order = fold<AffineMaps>(g, map, &s->sums);
    const u32 most = maximum(g, largest, &s->maxima);
    ISO_LANES(g, lane) {
        if (lane == 0) {
            a.sums[y] = row_sum;
            a.maxima[y] = most;
            a.orders[y] = order;
        }
    }
}

// One group: the maps of 256 lanes joined up to each lane, and within each run of lanes, twice.
struct OrderArgs {
    gptr<const u64> maps;
    gptr<u64> prefixes, runs;
};
struct OrderShared {
    sarray<u64, kLanes> prefix;
    scratch<u64> runs;
};

template <class G>
ISO_FN void join_in_order(G g, OrderArgs a, sptr<OrderShared> s) {
    for (i32 round = 0; round < 2; ++round) {
        typename G::template var<u64> map;
        ISO_LANES(g, lane) { map[lane] = a.maps[round * kLanes + lane]; }
        scan<AffineMaps>(g, map, &s->prefix);
        ISO_LANES(g, lane) {
            const u64 prefix = s->prefix[kLanes - 1 - lane];
            a.prefixes[round * kLanes + kLanes - 1 - lane] = prefix;
        }
        fold_runs<AffineMaps>(g, map, &s->runs);
        ISO_LANES(g, lane) {
            if (lane < kRuns) {
                const u64 run = run_result<u64>(&s->runs, lane);
                a.runs[round * kRuns + lane] = run;
            }
        }
        g.barrier();
    }
}

// Groups of 256 samples. Each lane blurs its sample with its neighbours in the group, through shared memory.
struct BlurArgs {
    gptr<const u16> from;
    gptr<u16> to;
    i32 samples;
};
struct BlurShared {
    sarray<u32, kLanes + 2> tile;
};

template <class G>
ISO_FN void blur(G g, BlurArgs a, sptr<BlurShared> s) {
    const i32 begin = i32(g.group()) * kLanes;
    ISO_LANES(g, lane) {
        for (i32 i = lane; i < kLanes + 2; i += kLanes) {
            const i32 x = begin + i - 1;
            s->tile[i] = x >= 0 && x < a.samples ? u32(a.from[x]) : 0u;
        }
    }
    g.barrier();
    ISO_LANES(g, lane) {
        if (begin + lane < a.samples) {
            const u32 left = s->tile[lane], middle = s->tile[lane + 1], right = s->tile[lane + 2];
            a.to[begin + lane] = u16((left + 2 * middle + right + 2) >> 2);
        }
    }
}

// Groups of 256 numbers: each sums its own, and the last adds the sums.
struct TotalArgs {
    gptr<const u32> numbers;
    gptr<u32> of_groups, total, arrived;
    i32 groups;
};
struct TotalShared {
    scratch<u32> sums;
    sarray<u32, 1> last;
};

template <class G>
ISO_FN void total_of_groups(G g, TotalArgs a, sptr<TotalShared> s) {
    typename G::template var<u32> partial;
    ISO_LANES(g, lane) { partial[lane] = a.numbers[i32(g.group()) * kLanes + lane]; }
    const u32 own = sum(g, partial, &s->sums);
    ISO_LANES(g, lane) {
        if (lane == 7) a.of_groups[g.group()] = own;
    }
    if (!last_of(g, u32(a.groups), a.arrived, &s->last)) return;
    ISO_LANES(g, lane) {
        u32 several = 0;
        for (i32 i = lane; i < a.groups; i += kLanes) several += a.of_groups[i];
        partial[lane] = several;
    }
    const u32 total = sum(g, partial, &s->sums);
    ISO_LANES(g, lane) {
        if (lane == 0) a.total[0] = total;
    }
}

// Bytes by whole words: the dot product of each row of 8-bit samples with itself.
struct DotArgs {
    Plane<const u8> plane;
    gptr<u64> sums;
};
struct DotShared {
    scratch<u64> sums;
};

template <class G>
ISO_FN void row_squares(G g, DotArgs a, sptr<DotShared> s) {
    const gptr<const u8> row = a.plane.row(i32(g.group()));
    const i32 words = words_in<u8>(a.plane.width);
    typename G::template var<u64> partial;
    ISO_LANES(g, lane) {
        u64 total = 0;
        for (i32 i = lane; i < words; i += kLanes) {
            const Words w = load_words(row, i);
            total += dot4(w.x, w.x, dot4(w.y, w.y, dot4(w.z, w.z, dot4(w.w, w.w, 0))));
        }
        for (i32 x = samples_in<u8>(words) + lane; x < a.plane.width; x += kLanes) total += u32(row[x]) * u32(row[x]);
        partial[lane] = total;
    }
    const u64 total = sum(g, partial, &s->sums);
    ISO_LANES(g, lane) {
        if (lane == 0) a.sums[g.group()] = total;
    }
}

// One f32 operation of each kind on 2^n pairs, to compare the device's rounding with the host's.
struct FloatArgs {
    gptr<const float> a, b;
    gptr<float> sums, products, quotients, fused;
    i32 count;
};
struct FloatShared {};

template <class G>
ISO_FN void float_operations(G g, FloatArgs f, sptr<FloatShared>) {
    ISO_LANES(g, lane) {
        const i32 i = i32(g.group()) * kLanes + lane;
        if (i < f.count) {
            const float a = f.a[i], b = f.b[i];
            f.sums[i] = a + b;
            f.products[i] = a * b + 1.0f;  // two roundings: nothing may fuse them
            f.quotients[i] = a / b;
            f.fused[i] = fused_multiply_add(a, b, 1.0f);
        }
    }
}

ISO_KERNELS_END

ISO_KERNEL(exercise, join_in_order, join_in_order, OrderArgs, OrderShared)
ISO_KERNEL(exercise, row_statistics, row_statistics, RowArgs, RowShared)
ISO_KERNEL(exercise, blur, blur, BlurArgs, BlurShared)
ISO_KERNEL(exercise, total_of_groups, total_of_groups, TotalArgs, TotalShared)
ISO_KERNEL(exercise, row_squares, row_squares, DotArgs, DotShared)
ISO_KERNEL(exercise, float_operations, float_operations, FloatArgs, FloatShared)
