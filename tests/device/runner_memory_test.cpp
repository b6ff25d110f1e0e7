// The runner: memory and pictures outlive the work that uses them, also when something fails and when the runner ends.
#include <future>

#include "base/error.h"
#include "metrics/twin.h"
#include "tests/device/runner_fixture.h"
#include "tests/device/unending_device.h"

namespace isometric::test {
namespace {

// ---- A metric that does nothing but use memory ------------------------------------------------------------------------------------------

class Idle final : public Metric {
public:
    Result<std::unique_ptr<Workspace>> create_workspace() const override { return std::make_unique<Workspace>(); }
    int record_size() const override { return 1; }
    Status measure(const FrameInput&, Workspace&, std::span<double>) const override { return {}; }
    std::span<const EmittedFeature> emitted(int) const override { return {}; }
    void conclude(const RecordTable&, std::int64_t, int, std::span<double>) const override {}
};

enum class Failing { nothing, enqueue, conclude };

template <Failing failing>
class IdleTwin final : public Twin {
public:
    struct Slot final : TwinSlot {
        Buffer results;
    };
    Result<std::unique_ptr<TwinSlot>> create_slot(Device& device) const override {
        auto slot = std::make_unique<Slot>();
        ISO_TRY(slot->results, device.allocate_pinned(64));
        return std::unique_ptr<TwinSlot>(std::move(slot));
    }
    Status enqueue(Queue& queue, const TwinFrame& frame, TwinSlot& slot) const override {
        ISO_DO(launch(queue, frame, slot));
        if (failing == Failing::enqueue) return error(Code::metric_failed, "told to fail");
        return {};
    }
    // Leaves work behind, as a twin may that clears its memory for the next frame.
    Status conclude(Queue& queue, const TwinFrame& frame, TwinSlot& slot, std::span<double>) const override {
        if (failing != Failing::conclude) return launch(queue, Args{}, slot);
        ISO_DO(launch(queue, frame, slot));
        return error(Code::metric_failed, "told to fail");
    }

private:
    struct Args {
        std::uint64_t ref, dis, results;
    };
    static Status launch(Queue& queue, const TwinFrame& frame, TwinSlot& slot) {
        return launch(queue, Args{frame.current.ref.planes[0].address, frame.current.dis.planes[0].address, 0}, slot);
    }
    static Status launch(Queue& queue, Args args, TwinSlot& slot) {
        args.results = static_cast<Slot&>(slot).results.address();
        return queue.launch(Kernel<Args>{{"idle", nullptr, sizeof(Args)}}, 1, args);
    }
};

Result<std::unique_ptr<Metric>> create_idle(std::span<const OptionValues>, const PictureFormat&, InstructionSet) {
    return std::unique_ptr<Metric>(std::make_unique<Idle>());
}
template <Failing failing>
Result<std::unique_ptr<Twin>> create_idle_twin(std::span<const OptionValues>, const PictureFormat&, Device&) {
    return std::unique_ptr<Twin>(std::make_unique<IdleTwin<failing>>());
}
const MetricInfo idle_info{.name = "idle", .create = create_idle, .create_twin = create_idle_twin<Failing::nothing>};
const MetricInfo fails_in_enqueue_info{.name = "idle", .create = create_idle, .create_twin = create_idle_twin<Failing::enqueue>};
const MetricInfo fails_in_conclude_info{.name = "idle", .create = create_idle, .create_twin = create_idle_twin<Failing::conclude>};

// ---- Frames -----------------------------------------------------------------------------------------------------------------------------

constexpr PictureFormat format{64, 4, 8, ChromaFormat::yuv400};  // rows that kernels read in place

Picture picture_on(UnendingDevice& device) {
    const auto memory = std::make_shared<Buffer>(*device.allocate(64 * 4));
    const DeviceInfo& info = device.info();
    return *Picture::wrap_device(format, {PlaneMemory{memory->pointer<std::byte>(), 64}}, memory, info.backend, info.index);
}

std::unique_ptr<DeviceRunner> make_runner(const std::shared_ptr<UnendingDevice>& device, const Configured& metric, int in_flight,
                                          Records& records) {
    const DeviceTask task = metric.task();
    return std::move(*DeviceRunner::create({device}, format, {&task, 1}, {.frames_in_flight = in_flight}, records.receiver()));
}

// A frame whose pictures only the runner has when it was pushed.
void expect_pictures_kept(const MetricInfo& info, UnendingDevice::Behaviour behaviour) {
    const auto device = std::make_shared<UnendingDevice>(std::move(behaviour));
    const Configured metric(info, format);
    Records records;
    const auto runner = make_runner(device, metric, 2, records);
    (void)runner->push({.index = 0, .current = {picture_on(*device), picture_on(*device)}});
    const Status status = runner->finish();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().message, "frame 0: told to fail");
    EXPECT_EQ(device->freed_in_use(), 0);
}

TEST(Runner, PicturesAreKeptWhileWorkUsesThemAfterAFailedWait) { expect_pictures_kept(idle_info, {.event_wait_fails = true}); }
TEST(Runner, PicturesAreKeptWhileWorkUsesThemAfterAFailedConclude) { expect_pictures_kept(fails_in_conclude_info, {}); }
TEST(Runner, PicturesAreKeptWhileWorkUsesThemAfterAFailedEnqueue) { expect_pictures_kept(fails_in_enqueue_info, {}); }

// A runner that ends with frames in flight, whose conclusion leaves work to the queue's end.
int freed_in_use_at_the_end(UnendingDevice::Behaviour behaviour, Records& records, const Configured& metric) {
    std::promise<void> ending;
    behaviour.nothing_done_before = ending.get_future().share();
    const auto device = std::make_shared<UnendingDevice>(std::move(behaviour));
    auto runner = make_runner(device, metric, 3, records);
    for (int i = 0; i < 3; ++i)
        EXPECT_TRUE(ok(runner->push({.index = i, .current = {*Picture::allocate(format), *Picture::allocate(format)}})));
    ending.set_value();
    runner.reset();
    return device->freed_in_use();
}

TEST(Runner, QueuesEndBeforeTheMemoryOfTheirWork) {
    Records records;
    const Configured metric(idle_info, format);
    EXPECT_EQ(freed_in_use_at_the_end({}, records, metric), 0);
    EXPECT_EQ(records.of(*metric.metric).size(), 3u);
}

TEST(Runner, QueuesEndBeforeTheMemoryOfTheirWorkWhenTheDeviceIsLost) {
    Records records;
    const Configured metric(idle_info, format);
    EXPECT_EQ(freed_in_use_at_the_end({.event_wait_fails = true, .finish_fails = true}, records, metric), 0);
    EXPECT_EQ(records.of(*metric.metric).size(), 0u);
}

// What the tests above rely on.
TEST(UnendingDevice, SeesMemoryFreedUnderItsWork) {
    UnendingDevice device({});
    const auto queue = *device.create_queue();
    auto early = std::make_unique<Buffer>(*device.allocate(64)), late = std::make_unique<Buffer>(*device.allocate(64));
    EXPECT_TRUE(ok(queue->upload(*early, 63, nullptr, 1)));
    const Event uploaded = *queue->record();
    EXPECT_TRUE(ok(queue->upload(*late, 0, nullptr, 1)));
    EXPECT_TRUE(ok(uploaded.wait()));
    early.reset();
    EXPECT_EQ(device.freed_in_use(), 0);
    late.reset();
    EXPECT_EQ(device.freed_in_use(), 1);
}

}  // namespace
}  // namespace isometric::test
