// Runs a kernel that lacks a barrier on the threads device: a thread sanitizer must report it (CTest looks for the report).
#include <cstdio>

#include "device/backend.h"
#include "tests/device/faulty_kernels.h"

int main(int, char** argv) {
    using namespace isometric;  // NOLINT
    const bool faulty = argv[1] != nullptr;
    auto device = select_devices("emulated", "threads")->front();
    auto queue = *device->create_queue();
    const Buffer from = *device->allocate_pinned(256 * sizeof(u32)), to = *device->allocate(8 * 256 * sizeof(u32));
    for (u32 i = 0; i < 256; ++i) from.host<u32>()[i] = i;
    const auto& kernel = faulty ? kernel::faulty_missing_barrier : kernel::faulty_correct;
    if (!queue->launch(kernel, 8, {.from = from.pointer<const u32>(), .to = to.pointer<u32>(), .count = 256})) return 2;
    if (!queue->finish()) return 2;
    std::puts("ran");
    return 0;
}
