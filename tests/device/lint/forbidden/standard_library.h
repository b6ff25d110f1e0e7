// The standard library, found by the front end
#pragma once
#include "device/kernel.h"
ISO_KERNELS_BEGIN(forbidden)
struct Args {
    gptr<const u32> from;
    gptr<u32> to;
};
struct Shared {
    sarray<u32, kLanes> tile;
    scratch<u32> sums;
};
#include <algorithm>
template <class G>
ISO_FN void kernel_body(G g, Args a, sptr<Shared> s) {
    typename G::template var<u32> v;
    ISO_LANES(g, lane) {
        v[lane] = a.from[lane];
        s->tile[lane] = 0;
    }

    ISO_LANES(g, lane) { a.to[lane] = v[lane]; }
}
ISO_KERNELS_END
ISO_KERNEL(forbidden, standard_library, kernel_body, Args, Shared)
