// Queues, events, memory, and errors that are values.
#include <thread>

#include "device/picture_kernels.h"
#include "tests/device/device_fixture.h"
#include "tests/device/exercise_kernels.h"

namespace isometric::test {
namespace {

TEST(Queue, CopiesArriveInOrder) {
    for_each_device([](Device& device) {
        auto queue = *device.create_queue();
        const Buffer buffer = *device.allocate(1000), pinned = *device.allocate_pinned(1000);
        ASSERT_EQ(buffer.host<u8>(), nullptr);
        ASSERT_NE(pinned.host<u8>(), nullptr);
        std::vector<u8> first(1000, 1), second(10, 2), back(1000);
        EXPECT_TRUE(ok(queue->upload(buffer, 0, first.data(), first.size())));
        EXPECT_TRUE(ok(queue->upload(buffer, 500, second.data(), second.size())));
        EXPECT_TRUE(ok(queue->read_back(pinned.host<u8>(), buffer, 0, 1000)));
        EXPECT_TRUE(ok(queue->read_address(back.data(), buffer.address() + 495, 10)));
        EXPECT_TRUE(ok(queue->finish()));
        std::vector<u8> want(1000, 1);
        std::fill(want.begin() + 500, want.begin() + 510, u8(2));
        EXPECT_SAME_BITS(want, std::vector<u8>(pinned.host<u8>(), pinned.host<u8>() + 1000));
        EXPECT_SAME_BITS(std::vector<u8>(want.begin() + 495, want.begin() + 505), std::vector<u8>(back.begin(), back.begin() + 10));
        EXPECT_FALSE(queue->upload(buffer, 995, first.data(), 6));
        EXPECT_FALSE(queue->read_back(back.data(), buffer, 1000, 1));
        EXPECT_TRUE(ok(queue->finish())) << "a refused call leaves the queue usable";
    });
}

// Queue b copies what queue a wrote, after a's event; then a overwrites it after b's.
TEST(Queue, EventsOrderQueues) {
    for_each_device([](Device& device) {
        auto a = *device.create_queue(), b = *device.create_queue();
        const Buffer buffer = *device.allocate(4096), copy = *device.allocate(4096);
        for (int turn = 0; turn < 20; ++turn) {
            const std::vector<u8> values(4096, u8(turn));
            EXPECT_TRUE(ok(a->upload(buffer, 0, values.data(), values.size())));
            const Event written = *a->record();
            EXPECT_TRUE(ok(b->wait(written)));
            EXPECT_TRUE(ok(b->launch(kernel::picture_copy_row, 4,
                                     {.from = buffer.pointer<const u8>(), .to = copy.pointer<u8>(), .from_stride = 1024, .to_stride = 1024, .row_bytes = 1024})));
            const Event copied = *b->record();
            EXPECT_TRUE(ok(a->wait(copied)));
            EXPECT_SAME_BITS(values, read_all<u8>(*b, copy));
            EXPECT_TRUE(ok(copied.wait()));
            const Result<bool> done = written.done();
            ASSERT_TRUE(done.has_value());
            EXPECT_TRUE(*done);
            const Result<double> elapsed = copied.milliseconds_since(written);
            ASSERT_TRUE(elapsed.has_value());
            EXPECT_GE(*elapsed, 0);
        }
        EXPECT_TRUE(ok(a->finish()));
    });
}

TEST(Queue, SeveralQueuesAndDevicesWorkAtOnce) {
    std::vector<std::thread> threads;
    for (const auto& device : devices_under_test())
        for (int q = 0; q < 3; ++q)
            threads.emplace_back([device, q] {
                auto queue = *device->create_queue();
                for (int turn = 0; turn < 5; ++turn) {
                    std::vector<u8> samples(std::size_t(512), u8(q + turn));
                    const Buffer plane = uploaded(*device, *queue, samples), sums = *device->allocate(sizeof(u64));
                    EXPECT_TRUE(ok(queue->launch(kernel::exercise_row_squares, 1, {.plane = {plane.pointer<const u8>(), 512, 512, 1}, .sums = sums.pointer<u64>()})));
                    EXPECT_EQ(read_all<u64>(*queue, sums)[0], u64(512) * u64(q + turn) * u64(q + turn));
                }
            });
    for (std::thread& thread : threads) thread.join();
}

TEST(Queue, MemoryThatIsNotThereIsAnError) {
    for_each_device([](Device& device) {
        const Result<Buffer> buffer = device.allocate(std::size_t(1) << 60);
        ASSERT_FALSE(buffer);
        EXPECT_EQ(buffer.error().code, Code::out_of_memory) << buffer.error().message;
        EXPECT_TRUE(device.allocate(0)) << "nothing is allowed";
    });
}

TEST(Queue, AKernelWithoutCodeIsAnError) {
    static const KernelSet empty{"nothing", {}, {}};
    const Kernel<exercise::DotArgs> unknown{{"nothing_at_all", &empty, sizeof(exercise::DotArgs)}};
    for_each_device([&](Device& device) {
        auto queue = *device.create_queue();
        const Status launched = queue->launch(unknown, 1, {});
        const Status finished = queue->finish();
        const Status& failure = launched ? finished : launched;
        ASSERT_FALSE(failure);
        EXPECT_EQ(failure.error().code, Code::backend_unavailable) << failure.error().message;
        EXPECT_TRUE(ok(device.prepare(exercise_kernel_set)));
    });
}

TEST(Devices, TellWhatTheyAre) {
    int index = 0;
    const Devices all = *open_devices(backend_under_test());
    for (const auto& device : all) {
        EXPECT_EQ(device->info().backend, backend_under_test());
        EXPECT_EQ(device->info().index, index++);
        EXPECT_FALSE(device->info().name.empty());
    }
}

TEST(Devices, AreSelectedByIndexOrName) {
    const auto names = [](std::string_view selection) {
        std::string text;
        const Result<Devices> devices = select_devices("emulated", selection);
        if (!devices) return devices.error().message;
        for (const auto& device : *devices) text += device->info().name + " ";
        return text;
    };
    EXPECT_EQ(names(""), "forward ");
    EXPECT_EQ(names("1"), "reversed ");
    EXPECT_EQ(names("SHUF"), "shuffled ");
    EXPECT_EQ(names("2,reversed,2"), "shuffled reversed ");
    EXPECT_EQ(names("all").substr(0, 34), "forward reversed shuffled threads ");
    EXPECT_EQ(names("9").substr(0, 55), "emulated has no device '9'; there is 0 forward, 1 rever");
    EXPECT_EQ(names("gpu").substr(0, 29), "emulated has no device 'gpu';");
}

TEST(Backends, UnknownOnesAreNamed) {
    const Result<Devices> devices = open_devices("vulkan");
    ASSERT_FALSE(devices);
    EXPECT_EQ(devices.error().code, Code::invalid_argument);
    EXPECT_EQ(devices.error().message, "unknown backend 'vulkan'; there are cpu, cuda, hip, metal, sycl and emulated");
}

}  // namespace
}  // namespace isometric::test
