// Exit statuses of the programs (docs/errors.md).
#pragma once

#include "isometric/status.h"

namespace isometric::cli {

enum class ExitStatus : int {
    success = 0,
    usage = 1,
    input = 2,
    model = 3,  // a model, metric or feature option
    compute = 4,
    output = 5,
    internal = 6,  // out of memory, or a defect
    backend = 100,
    no_frames = 101,
};

ExitStatus exit_status(Code code);

}  // namespace isometric::cli
