// Squared errors of a plane on a device: exact integers, so neither lanes nor groups need an order.
#pragma once

#include "device/kernel.h"

ISO_KERNELS_BEGIN(psnr)

// One group per block of rows: sums[group] is their squared error.
template <class T>
struct ErrorArgs {
    Plane<const T> ref, dis;
    gptr<u64> sums;
    i32 rows_per_group;
};
struct ErrorShared {
    scratch<u64> sums;
};

ISO_FN u64 square(i32 difference) { return u64(i64(difference) * difference); }

// (r - d)^2 of four bytes together is r*r + d*d - 2*r*d, and fits.
ISO_FN u64 word_error(u32 r, u32 d, u8) { return dot4(r, r, dot4(d, d, 0)) - 2 * dot4(r, d, 0); }
ISO_FN u64 word_error(u32 r, u32 d, u16) { return square(i32(low16(r)) - i32(low16(d))) + square(i32(high16(r)) - i32(high16(d))); }

template <class G, class T>
ISO_FN void squared_error(G g, ErrorArgs<T> a, sptr<ErrorShared> s) {
    const i32 top = i32(g.group()) * a.rows_per_group;
    const i32 end = top + a.rows_per_group < a.ref.height ? top + a.rows_per_group : a.ref.height;
    const i32 words = words_in<T>(a.ref.width), begin_rest = samples_in<T>(words);
    typename G::template var<u64> partial;
    ISO_LANES(g, lane) {
        u64 total = 0;
        for (Places p = deal(lane, top, words); p.y < end; p.next()) {
            const Words r = load_words(a.ref.row(p.y), p.x), d = load_words(a.dis.row(p.y), p.x);
            total += word_error(r.x, d.x, T()) + word_error(r.y, d.y, T()) + word_error(r.z, d.z, T()) + word_error(r.w, d.w, T());
        }
        for (Places p = deal(lane, top, a.ref.width - begin_rest); p.y < end; p.next())
            total += square(i32(a.ref.row(p.y)[begin_rest + p.x]) - i32(a.dis.row(p.y)[begin_rest + p.x]));
        partial[lane] = total;
    }
    const u64 total = sum(g, partial, &s->sums);
    ISO_LANES(g, lane) {
        if (lane == 0) a.sums[g.group()] = total;
    }
}

ISO_KERNELS_END

ISO_KERNEL(psnr, squared_error_u8, squared_error, ErrorArgs<u8>, ErrorShared)
ISO_KERNEL(psnr, squared_error_u16, squared_error, ErrorArgs<u16>, ErrorShared)
