// The backends of this build, and the devices that this machine has.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "device/queue.h"

namespace isometric {

using Devices = std::vector<std::shared_ptr<Device>>;

// All backends of isometric in the order in which `auto` tries them: cuda, hip, metal, sycl; then emulated, which `auto` never takes.
std::span<const std::string_view> device_backends();

// The devices of a backend, at least one. An error (backend_unavailable) says what is missing: device code, a driver, a device.
Result<Devices> open_devices(std::string_view backend);

// Some of them: "" the first, "all", or a comma-separated list of indices and parts of names, case ignored. The error lists what there is.
Result<Devices> select_devices(std::string_view backend, std::string_view selection);

}  // namespace isometric
