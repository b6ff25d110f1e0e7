// The CUDA and HIP backends where something is missing or goes wrong. CTest runs it in several environments; each test says which it needs.
#include <dlfcn.h>

#include "tests/device/device_fixture.h"
#include "tests/device/exercise_kernels.h"

namespace isometric::test {
namespace {

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

// EXPECTED_ERROR: what open_devices() of the backend under test says.
TEST(Driver, SaysWhatIsMissing) {
    const Result<Devices> devices = open_devices(backend_under_test());
    ASSERT_FALSE(devices);
    EXPECT_EQ(devices.error().code, Code::backend_unavailable);
    EXPECT_EQ(devices.error().message, environment("EXPECTED_ERROR"));
}

// FAKE_FAIL names a function, EXPECTED_ERROR what the queue then says.
TEST(Driver, FailuresAreErrors) {
    const Result<Devices> devices = open_devices(backend_under_test());
    ASSERT_TRUE(devices) << devices.error().message;
    Device& device = *devices->front();
    const auto attempt = [&]() -> Status {
        const std::vector<u8> samples(512, 3);
        const auto from = device.allocate(512);
        if (!from) return from.error();
        const auto sums = device.allocate_pinned(sizeof(u64));
        if (!sums) return sums.error();
        auto queue = device.create_queue();  // last: its end waits for what uses the memory, also after a wait that failed
        if (!queue) return queue.error();
        if (Status status = (*queue)->upload(*from, 0, samples.data(), samples.size()); !status) return status;
        const Status launched =
            (*queue)->launch(kernel::exercise_row_squares, 1, {.plane = {from->pointer<const u8>(), 512, 512, 1}, .sums = sums->pointer<u64>()});
        if (!launched) return launched;
        const auto event = (*queue)->record();
        if (!event) return event.error();
        if (Status status = event->wait(); !status) return status;
        EXPECT_EQ(*sums->host<u64>(), 512u * 9);
        return {};
    };
    const Status first = attempt();
    ASSERT_FALSE(first);
    EXPECT_EQ(first.error().message, environment("EXPECTED_ERROR"));
    EXPECT_TRUE(ok(attempt())) << "the driver fails once; the device goes on";
}

// A caller may use the driver too: what is current on its thread stays so.
TEST(Driver, LeavesTheCallersDeviceCurrent) {
    const bool hip = backend_under_test() == "hip";
    void* driver = dlopen(hip ? "libamdhip64.so.7" : "libcuda.so.1", RTLD_NOW);
    ASSERT_NE(driver, nullptr);
    const Result<Devices> devices = open_devices(backend_under_test());
    ASSERT_TRUE(devices) << devices.error().message;
    ASSERT_GE(devices->size(), 2u);
    const auto use_both = [&] {
        for (const auto& device : *devices) {
            auto queue = *device->create_queue();
            const std::vector<u8> samples(512, 3);
            const Buffer plane = uploaded(*device, *queue, samples), sums = *device->allocate_pinned(sizeof(u64));
            EXPECT_TRUE(ok(queue->launch(kernel::exercise_row_squares, 1, {.plane = {plane.pointer<const u8>(), 512, 512, 1}, .sums = sums.pointer<u64>()})));
            const Event event = *queue->record();
            EXPECT_TRUE(ok(event.wait()));
            EXPECT_TRUE(*event.done());
        }
    };
    if (hip) {
        const auto set = reinterpret_cast<int (*)(int)>(dlsym(driver, "hipSetDevice"));
        const auto get = reinterpret_cast<int (*)(int*)>(dlsym(driver, "hipGetDevice"));
        for (const int mine : {0, 1}) {
            set(mine);
            use_both();
            int now = -1;
            get(&now);
            EXPECT_EQ(now, mine);
        }
    } else {
        const auto push = reinterpret_cast<int (*)(void*)>(dlsym(driver, "cuCtxPushCurrent_v2"));
        const auto pop = reinterpret_cast<int (*)(void**)>(dlsym(driver, "cuCtxPopCurrent_v2"));
        void* const mine = reinterpret_cast<void*>(std::uintptr_t(77));
        push(mine);
        use_both();
        void* now = nullptr;
        pop(&now);
        EXPECT_EQ(now, mine);
    }
}

}  // namespace
}  // namespace isometric::test
