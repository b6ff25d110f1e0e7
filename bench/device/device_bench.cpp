// Devices: are psnr and float_moment the CPU's to the bit, and how long does a frame take whose pictures are on the device already?
//
//     device_bench [--backend cuda] [--device 0] [--quick] [--skip-bits] [--skip-times] [--times-of 3840x2160x16]...
//
// One table of bits (a line per picture size), one of times. Exit status 1 when any bit differs. Needs no CUDA toolkit: the kernels are
// embedded.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/device/bench_kernels.h"
#include "bench/device/bits.h"
#include "bench/device/checked_results.h"
#include "bench/device/clocks.h"
#include "bench/device/times.h"
#include "device/backend.h"
#include "metrics/psnr/psnr_kernels.h"

namespace isometric::bench {

void stop(const Error& failure) {
    std::fflush(stdout);
    fmt::print(stderr, "device_bench: {}\n", failure.message);
    std::exit(3);
}

namespace {

constexpr const char* options = "[--backend NAME] [--device N] [--quick] [--skip-bits] [--skip-times] [--times-of WIDTHxHEIGHTxDEPTH]...";

int main_of_bench(int argc, char** argv) {
    std::string backend = "cuda", selection;
    bool quick = false, bits = true, times = true;
    std::vector<std::string> chosen;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--backend" && i + 1 < argc) backend = argv[++i];
        else if (argument == "--device" && i + 1 < argc) selection = argv[++i];
        else if (argument == "--quick") quick = true;
        else if (argument == "--skip-bits") bits = false;
        else if (argument == "--skip-times") times = false;
        else if (argument == "--times-of" && i + 1 < argc) chosen.push_back(argv[++i]);
        else {
            fmt::print(stderr, "usage: device_bench {}\n", options);
            return 2;
        }
    }
    const std::shared_ptr<Device> device = take(select_devices(backend, selection)).front();
    const DeviceInfo& info = device->info();
    fmt::print("device: {} {} {} ({}), {} compute units, {:.0f} GiB\n", info.backend, info.index, info.name, info.architecture,
               info.compute_units, double(info.memory_bytes) / (1 << 30));
    const auto start = Clock::now();
    for (const KernelSet* set : {&psnr_kernel_set, &float_moment_kernel_set, &bench_kernel_set}) need(device->prepare(*set));
    fmt::print("kernels loaded in {:.0f} ms\n", seconds_since(start) * 1e3);
    const int status = bits ? check_bits(device, quick) : 0;
    if (times) measure_times(device, quick, chosen);
    return status;
}

}  // namespace
}  // namespace isometric::bench

int main(int argc, char** argv) { return isometric::bench::main_of_bench(argc, argv); }
