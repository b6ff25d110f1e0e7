// Values of the benchmark's calls: an error ends the program.
#pragma once

#include <utility>

#include "isometric/status.h"

namespace isometric::bench {

[[noreturn]] void stop(const Error& failure);

template <class T>
T take(Result<T> result) {
    if (!result) stop(result.error());
    return std::move(*result);
}
inline void need(const Status& status) {
    if (!status) stop(status.error());
}

}  // namespace isometric::bench
