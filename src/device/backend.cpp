#include "device/backend.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>

#include "base/error.h"
#include "device/cuda/cuda_backend.h"
#include "device/emulated/emulated_device.h"
#include "device/hip/hip_backend.h"
#include "device/metal/metal_backend.h"
#include "device/sycl/sycl_backend.h"

namespace isometric {

namespace {

struct Backend {
    std::string_view name;
    Result<Devices> (*open)();
};
constexpr Backend backends[] = {
    {"cuda", cuda_devices}, {"hip", hip_devices}, {"metal", metal_devices}, {"sycl", sycl_devices}, {"emulated", emulated_devices},
};

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result) c = char(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

std::string list(const Devices& devices) {
    std::string text;
    for (const auto& device : devices) {
        if (!text.empty()) text += ", ";
        text += fmt::format("{} {}", device->info().index, device->info().name);
    }
    return text;
}

Result<std::shared_ptr<Device>> select_one(const Devices& devices, std::string_view wanted) {
    int index = 0;
    const auto [end, failed] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), index);
    const bool is_index = failed == std::errc() && end == wanted.data() + wanted.size();
    for (const auto& device : devices)
        if (is_index ? device->info().index == index : lower(device->info().name).find(lower(wanted)) != std::string::npos) return device;
    return error(Code::backend_unavailable, "{} has no device '{}'; there is {}", devices.front()->info().backend, wanted, list(devices));
}

}  // namespace

std::span<const std::string_view> device_backends() {
    static constexpr std::string_view names[] = {backends[0].name, backends[1].name, backends[2].name, backends[3].name, backends[4].name};
    return names;
}

Result<Devices> open_devices(std::string_view name) {
    for (const Backend& backend : backends)
        if (backend.name == name) return backend.open();
    return error(Code::invalid_argument, "unknown backend '{}'; there are cpu, cuda, hip, metal, sycl and emulated", name);
}

Result<Devices> select_devices(std::string_view backend, std::string_view selection) {
    ISO_TRY(Devices devices, open_devices(backend));
    if (selection == "all") return devices;
    if (selection.empty()) return Devices{devices.front()};
    Devices chosen;
    while (!selection.empty()) {
        const std::size_t comma = selection.find(',');
        ISO_TRY(std::shared_ptr<Device> device, select_one(devices, selection.substr(0, comma)));
        if (std::find(chosen.begin(), chosen.end(), device) == chosen.end()) chosen.push_back(std::move(device));
        selection = comma == std::string_view::npos ? std::string_view() : selection.substr(comma + 1);
    }
    return chosen;
}

}  // namespace isometric
