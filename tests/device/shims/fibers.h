// A group's lanes as fibers on one thread: what the Metal and SYCL shims run kernels with.
#pragma once

#include <functional>

namespace isometric::test {

// Runs body(0) .. body(lanes - 1) as fibers, in turn from barrier to barrier. Returns false if some lanes ended while others wait.
bool run_lanes(int lanes, const std::function<void(int lane)>& body);

// Called by a lane: goes on when every lane has called it.
void lane_barrier();

}  // namespace isometric::test
