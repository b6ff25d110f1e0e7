// The table of times.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/queue.h"

namespace isometric::bench {

// `quick`: one size and few frames. `chosen`: "1920x1080x16" and so on; empty: all.
void measure_times(const std::shared_ptr<Device>& device, bool quick, const std::vector<std::string>& chosen);

}  // namespace isometric::bench
