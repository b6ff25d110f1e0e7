// Copying a picture on its device, for callers whose rows do not start at multiples of 16 bytes.
#pragma once

#include "device/kernel.h"

ISO_KERNELS_BEGIN(picture)

// One group per row; `from` and `to` are planes of bytes.
struct CopyArgs {
    gptr<const u8> from;
    gptr<u8> to;
    i64 from_stride, to_stride;
    i32 row_bytes;
};
struct CopyShared {};

template <class G>
ISO_FN void copy_row(G g, CopyArgs a, sptr<CopyShared>) {
    ISO_LANES(g, lane) {
        for (i32 x = lane; x < a.row_bytes; x += kLanes) a.to[i64(g.group()) * a.to_stride + x] = u8(a.from[i64(g.group()) * a.from_stride + x]);
    }
}

ISO_KERNELS_END

ISO_KERNEL(picture, copy_row, copy_row, CopyArgs, CopyShared)
