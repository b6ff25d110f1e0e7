// The checked device finds what it is there to find, and nothing in a kernel without fault.
#include "tests/device/device_fixture.h"
#include "tests/device/faulty_kernels.h"

namespace isometric::test {
namespace {

Status run_checked(const Kernel<faulty::Args>& kernel) {
    auto device = select_devices("emulated", "checked")->front();
    auto queue = *device->create_queue();
    const Buffer from = uploaded(*device, *queue, std::vector<u32>(256, 5)), to = *device->allocate(512 * sizeof(u32));
    EXPECT_TRUE(ok(queue->launch(kernel, 2, {.from = from.pointer<const u32>(), .to = to.pointer<u32>(), .count = 256})));
    return queue->finish();
}

TEST(Checked, AcceptsAKernelWithoutFault) { EXPECT_TRUE(ok(run_checked(kernel::faulty_correct))); }

struct Case {
    const Kernel<faulty::Args>* kernel;
    const char* finding;
};

TEST(Checked, FindsEveryFault) {
    const Case cases[] = {
        {&kernel::faulty_missing_barrier, "reads what lane 255 of group 0 writes with no barrier between"},
        {&kernel::faulty_missing_second_barrier, "writes what lane 0 of group 0 reads with no barrier between"},
        {&kernel::faulty_lanes_share_a_cell, "lane 1 writes what lane 0 of group 0 writes"},
        {&kernel::faulty_groups_share_memory, "lane 0 writes what lane 0 of group 0 writes"},
        {&kernel::faulty_group_reads_another, "lane 0 reads what lane 0 of group 0 writes"},
        {&kernel::faulty_reads_past_the_end, "lane 255 reads bytes 1024 to 1028 of a buffer of 1024"},
        {&kernel::faulty_writes_before_the_start, "lane 0 writes bytes -4 to 0 of a buffer of 2048"},
        {&kernel::faulty_shared_index_outside, "lane 255 writes cell 256 of 256 in shared memory"},
        {&kernel::faulty_reads_unwritten_shared, "shared cell 0: lane 0 reads what nobody wrote"},
        {&kernel::faulty_reads_unwritten_global, "byte 0: lane 0 reads what nobody wrote"},
        {&kernel::faulty_reads_unwritten_value, "lane 3 reads its value before writing it"},
        {&kernel::faulty_value_of_another_lane, "lane 0 touches the value of lane 1"},
        {&kernel::faulty_barrier_in_a_lane_loop, "a barrier inside a lane loop"},
        {&kernel::faulty_written_outside_lanes, "is written outside a lane loop, by every lane"},
        {&kernel::faulty_uniform_read_too_early, "several lanes reads what lane 0 of group 0 writes"},
        {&kernel::faulty_misaligned_words, "not aligned to 16"},
    };
    for (const Case& c : cases) {
        const Status status = run_checked(*c.kernel);
        ASSERT_FALSE(status) << c.kernel->handle.name;
        EXPECT_EQ(status.error().code, Code::internal);
        EXPECT_NE(status.error().message.find(c.finding), std::string::npos) << c.kernel->handle.name << ": " << status.error().message;
        EXPECT_NE(status.error().message.find(c.kernel->handle.name), std::string::npos) << status.error().message;
    }
    EXPECT_EQ(std::size(cases) + 1, faulty_kernel_set.entries.size()) << "every faulty kernel has its case";
}

TEST(Checked, FindsMemoryThatWasFreed) {
    auto device = select_devices("emulated", "checked")->front();
    auto queue = *device->create_queue();
    const Buffer to = *device->allocate(512 * sizeof(u32));
    const u32* stale = nullptr;
    {
        const Buffer from = uploaded(*device, *queue, std::vector<u32>(256, 5));
        stale = from.pointer<const u32>();
        EXPECT_TRUE(ok(queue->finish()));
    }
    EXPECT_TRUE(ok(queue->launch(kernel::faulty_correct, 2, {.from = stale, .to = to.pointer<u32>(), .count = 256})));
    const Status status = queue->finish();
    ASSERT_FALSE(status);
    EXPECT_NE(status.error().message.find("uses a pointer to no buffer"), std::string::npos) << status.error().message;
}

TEST(Checked, ReportsTheErrorAtTheNextEvent) {
    auto device = select_devices("emulated", "checked")->front();
    auto queue = *device->create_queue();
    const Buffer from = uploaded(*device, *queue, std::vector<u32>(256, 5)), to = *device->allocate(512 * sizeof(u32));
    EXPECT_TRUE(ok(queue->launch(kernel::faulty_missing_barrier, 1, {.from = from.pointer<const u32>(), .to = to.pointer<u32>(), .count = 256})));
    const Event event = *queue->record();
    EXPECT_FALSE(event.wait());
    EXPECT_FALSE(event.done());
    EXPECT_FALSE(queue->finish());
}

}  // namespace
}  // namespace isometric::test
