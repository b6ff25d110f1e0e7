#include "metrics/motion/motion_passes.h"

namespace isometric::motion {

Result<Scratch> Scratch::create() {
    Scratch scratch;
    // Zeros: vectors may read, and never use, what no row has written.
    ISO_TRY(scratch.memory_, make_aligned<std::int16_t>(rows * row_size, "the rows of metric motion"));
    return scratch;
}

}  // namespace isometric::motion
