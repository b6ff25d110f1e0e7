#include "cli/exit_status.h"

namespace isometric::cli {

ExitStatus exit_status(Code code) {
    switch (code) {
        case Code::invalid_argument: return ExitStatus::usage;
        case Code::bad_input: return ExitStatus::input;
        case Code::bad_model: return ExitStatus::model;
        case Code::metric_failed: return ExitStatus::compute;
        case Code::output_failed: return ExitStatus::output;
        case Code::backend_unavailable: return ExitStatus::backend;
        case Code::no_frames: return ExitStatus::no_frames;
        case Code::not_ready:
        case Code::not_found:
        case Code::out_of_memory:
        case Code::internal: return ExitStatus::internal;
    }
    return ExitStatus::internal;
}

}  // namespace isometric::cli
