// The runner: order, history, several devices, pictures on a device, errors.
#include <atomic>
#include <thread>

#include "base/error.h"
#include "metrics/psnr/psnr.h"
#include "metrics/twin.h"
#include "tests/device/exercise_kernels.h"
#include "tests/device/runner_fixture.h"
#include "tests/device/twin_frames.h"

namespace isometric::test {
namespace {

// ---- A metric that looks back --------------------------------------------------------------------------------------------------------------

// Its record: the frame's own sum of luma and those of two frames before, of the reference; then of the distorted picture. -1: no such frame.
class LookBack final : public Metric {
public:
    int history() const override { return 2; }
    Result<std::unique_ptr<Workspace>> create_workspace() const override { return std::make_unique<Workspace>(); }
    int record_size() const override { return 6; }
    Status measure(const FrameInput& frame, Workspace&, std::span<double> record) const override {
        for (std::size_t k = 0; k < 3; ++k) {
            const bool there = k == 0 || k - 1 < frame.earlier.size();
            const FramePair& pair = k == 0 || !there ? frame.current : frame.earlier[k - 1];
            record[k] = there ? sum(pair.ref) : -1;
            record[3 + k] = there ? sum(pair.dis) : -1;
        }
        return {};
    }
    std::span<const EmittedFeature> emitted(int) const override { return {}; }
    void conclude(const RecordTable&, std::int64_t, int, std::span<double>) const override {}

private:
    static double sum(const Picture& picture) {
        double total = 0;
        const auto plane = picture.plane<std::uint16_t>(0);
        for (int y = 0; y < plane.height; ++y)
            for (int x = 0; x < plane.width; ++x) total += plane.row(y)[x];
        return total;
    }
};

std::atomic<std::int64_t> failing_frame{-1};

class LookBackTwin final : public Twin {
public:
    explicit LookBackTwin(int height) : height_(height) {}
    struct Slot final : TwinSlot {
        Buffer sums, maxima, orders;
        int known = 0;
    };
    Result<std::unique_ptr<TwinSlot>> create_slot(Device& device) const override {
        auto slot = std::make_unique<Slot>();
        const std::size_t rows = 6 * std::size_t(height_);
        ISO_TRY(slot->sums, device.allocate_pinned(rows * sizeof(u64)));
        ISO_TRY(slot->maxima, device.allocate(rows * sizeof(u32)));
        ISO_TRY(slot->orders, device.allocate(rows * sizeof(u64)));
        return std::unique_ptr<TwinSlot>(std::move(slot));
    }
    Status enqueue(Queue& queue, const TwinFrame& frame, TwinSlot& twin_slot) const override {
        if (frame.index == failing_frame) return error(Code::metric_failed, "told to fail");
        auto& slot = static_cast<Slot&>(twin_slot);
        slot.known = int(frame.earlier.size());
        for (int k = 0; k <= slot.known; ++k) {
            const DeviceFramePair& pair = k == 0 ? frame.current : frame.earlier[std::size_t(k - 1)];
            for (int p = 0; p < 2; ++p) {
                const std::size_t row = std::size_t((p * 3 + k) * height_);
                ISO_DO(queue.launch(kernel::exercise_row_statistics, u32(height_),
                                    {.plane = (p == 0 ? pair.ref : pair.dis).plane<u16>(0),
                                     .sums = slot.sums.pointer<u64>(row * sizeof(u64)),
                                     .maxima = slot.maxima.pointer<u32>(row * sizeof(u32)),
                                     .orders = slot.orders.pointer<u64>(row * sizeof(u64))}));
            }
        }
        return {};
    }
    Status conclude(Queue&, const TwinFrame& frame, TwinSlot& twin_slot, std::span<double> record) const override {
        auto& slot = static_cast<Slot&>(twin_slot);
        EXPECT_EQ(slot.known, int(frame.earlier.size()));
        for (int i = 0; i < 6; ++i) {
            double total = 0;
            for (int y = 0; y < height_; ++y) total += double(slot.sums.host<u64>()[i * height_ + y]);
            record[std::size_t(i)] = i % 3 <= slot.known ? total : -1;
        }
        return {};
    }

private:
    int height_;
};

Result<std::unique_ptr<Metric>> create_look_back(std::span<const OptionValues>, const PictureFormat&, InstructionSet) {
    return std::unique_ptr<Metric>(std::make_unique<LookBack>());
}
Result<std::unique_ptr<Twin>> create_look_back_twin(std::span<const OptionValues>, const PictureFormat& format, Device&) {
    return std::unique_ptr<Twin>(std::make_unique<LookBackTwin>(format.height));
}
const MetricInfo look_back_info{.name = "look_back", .create = create_look_back, .create_twin = create_look_back_twin};

// ---- Frames --------------------------------------------------------------------------------------------------------------------------------

constexpr PictureFormat format{130, 9, 10, ChromaFormat::yuv420};

std::vector<FramePair> make_frames(int count, const PictureFormat& f = format) {
    std::vector<FramePair> frames;
    for (int i = 0; i < count; ++i)
        frames.push_back({twin_picture(f, twin_frame_kinds()[0], std::uint64_t(2 * i)), twin_picture(f, twin_frame_kinds()[0], std::uint64_t(2 * i + 1))});
    return frames;
}

FrameInput input(const std::vector<FramePair>& frames, int index, int history, std::vector<FramePair>& earlier) {
    earlier.clear();
    for (int k = 1; k <= history && k <= index; ++k) earlier.push_back(frames[std::size_t(index - k)]);
    return {.index = index, .current = frames[std::size_t(index)], .earlier = earlier};
}

void expect_all_records(Records& records, const Configured& metric, const std::vector<FramePair>& frames) {
    const auto& found = records.of(*metric.metric);
    ASSERT_EQ(found.size(), frames.size());
    for (int i = 0; i < int(frames.size()); ++i) {
        std::vector<FramePair> earlier;
        ASSERT_SAME_BITS(metric.cpu_record(input(frames, i, metric.metric->history(), earlier)), found.at(i)) << "frame " << i;
    }
}

TEST(Runner, FramesComeFromManyThreadsInAnyOrder) {
    const auto frames = make_frames(24);
    const Configured psnr(psnr_info(), format);
    for (const int in_flight : {1, 3}) {
        Records records;
        const DeviceTask task = psnr.task();
        auto runner = *DeviceRunner::create(devices_under_test(), format, {&task, 1}, {.frames_in_flight = in_flight}, records.receiver());
        EXPECT_TRUE(runner->reads_chroma());
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&, t] {
                for (int i = 23 - t; i >= 0; i -= 4) EXPECT_TRUE(ok(runner->push({.index = i, .current = frames[std::size_t(i)]})));
            });
        for (std::thread& thread : threads) thread.join();
        ASSERT_TRUE(ok(runner->finish()));
        expect_all_records(records, psnr, frames);
    }
}

TEST(Runner, EarlierFramesAreThereOnEveryDevice) {
    const auto frames = make_frames(14);
    const Configured look_back(look_back_info, format), psnr(psnr_info(), format, {{{"enable_chroma", "false"}}});
    for (const int in_flight : {1, 2, 4}) {
        Records records;
        const DeviceTask tasks[] = {look_back.task(), psnr.task()};
        auto runner = *DeviceRunner::create(devices_under_test(), format, tasks, {.frames_in_flight = in_flight}, records.receiver());
        EXPECT_FALSE(runner->reads_chroma());
        std::vector<FramePair> earlier;
        for (int i = 0; i < int(frames.size()); ++i) ASSERT_TRUE(ok(runner->push(input(frames, i, 2, earlier))));
        ASSERT_TRUE(ok(runner->finish()));
        expect_all_records(records, look_back, frames);
        expect_all_records(records, psnr, frames);
    }
}

TEST(Runner, HostPicturesMayChangeAfterPush) {
    auto frames = make_frames(12);
    const auto copies = make_frames(12);
    const Configured psnr(psnr_info(), format);
    Records records;
    const DeviceTask task = psnr.task();
    auto runner = *DeviceRunner::create(devices_under_test(), format, {&task, 1}, {}, records.receiver());
    for (int i = 0; i < 12; ++i) {
        ASSERT_TRUE(ok(runner->push({.index = i, .current = frames[std::size_t(i)]})));
        for (int y = 0; y < format.height; ++y) std::fill_n(frames[std::size_t(i)].ref.writable_plane<std::uint16_t>(0).row(y), format.width, std::uint16_t(0));
    }
    ASSERT_TRUE(ok(runner->finish()));
    expect_all_records(records, psnr, copies);
}

TEST(Runner, LeftOutFramesAreMeasuredByMetricsOfEveryFrame) {
    const auto frames = make_frames(6);
    const Configured look_back(look_back_info, format), psnr(psnr_info(), format);
    Records records;
    const DeviceTask tasks[] = {look_back.task(), psnr.task()};
    auto runner = *DeviceRunner::create(devices_under_test(), format, tasks, {}, records.receiver());
    std::vector<FramePair> earlier;
    for (int i = 0; i < 6; ++i) ASSERT_TRUE(ok(runner->push(input(frames, i, 2, earlier), i % 3 != 0)));
    ASSERT_TRUE(ok(runner->finish()));
    expect_all_records(records, look_back, frames);
    EXPECT_EQ(records.of(*psnr.metric).size(), 2u);
    EXPECT_EQ(records.of(*psnr.metric).count(3), 1u);
}

// A copy on a device, with rows `padding` bytes longer than they need be, starting `offset` bytes into the buffer.
Picture on_device(Device& device, const Picture& picture, std::size_t padding, std::size_t offset, std::shared_ptr<int> watched) {
    const PictureFormat& f = picture.format();
    auto queue = *device.create_queue();
    std::vector<std::byte> bytes(offset);
    std::array<std::size_t, 3> begins{};
    std::array<PlaneMemory, 3> planes{};
    for (int p = 0; p < f.planes(); ++p) {
        const std::size_t row = std::size_t(f.plane_width(p) * f.bytes_per_sample());
        begins[std::size_t(p)] = bytes.size();
        planes[std::size_t(p)].stride_bytes = std::ptrdiff_t(row + padding);
        for (int y = 0; y < f.plane_height(p); ++y) {
            const auto* data = picture.memory(p).data + y * picture.memory(p).stride_bytes;
            bytes.insert(bytes.end(), data, data + row);
            bytes.resize(bytes.size() + padding, std::byte{0x77});
        }
    }
    const Buffer buffer = *device.allocate(bytes.size());
    EXPECT_TRUE(ok(queue->upload(buffer, 0, bytes.data(), bytes.size())));
    EXPECT_TRUE(ok(queue->finish()));
    for (int p = 0; p < f.planes(); ++p) planes[std::size_t(p)].data = buffer.pointer<std::byte>(begins[std::size_t(p)]);
    auto owner = std::make_shared<std::pair<Buffer, std::shared_ptr<int>>>(buffer, std::move(watched));
    return *Picture::wrap_device(f, planes, owner, device.info().backend, device.info().index);
}

TEST(Runner, DevicePicturesAreUsedWhereTheyAre) {
    const PictureFormat wide{128, 33, 8, ChromaFormat::yuv420};  // rows of 128 and 64 bytes
    const auto frames = make_frames(10, wide);
    const Configured psnr(psnr_info(), wide);
    for (const auto& [padding, offset] : {std::pair<std::size_t, std::size_t>{0, 0}, {16, 32}, {3, 5}}) {
        Records records;
        const auto watched = std::make_shared<int>();
        const DeviceTask task = psnr.task();
        auto runner = *DeviceRunner::create(devices_under_test(), wide, {&task, 1}, {.frames_in_flight = 2}, records.receiver());
        for (int i = 0; i < 10; ++i) {
            Device& device = *devices_under_test()[std::size_t(i) % devices_under_test().size()];
            const FramePair& host = frames[std::size_t(i)];
            // Every third frame has one picture here, one there.
            const FramePair pair{on_device(device, host.ref, padding, offset, watched), i % 3 == 0 ? host.dis : on_device(device, host.dis, padding, offset, watched)};
            ASSERT_TRUE(ok(runner->push({.index = i, .current = pair})));
        }
        ASSERT_TRUE(ok(runner->finish()));
        expect_all_records(records, psnr, frames);
        EXPECT_EQ(watched.use_count(), 1) << "pictures are let go";
    }
}

TEST(Runner, PicturesOnAnotherDeviceAreRefused) {
    const auto frames = make_frames(1);
    const Configured psnr(psnr_info(), format);
    Records records;
    const DeviceTask task = psnr.task();
    auto runner = *DeviceRunner::create({devices_under_test().front()}, format, {&task, 1}, {}, records.receiver());
    const Picture elsewhere = *Picture::wrap_device(format, {frames[0].ref.memory(0), frames[0].ref.memory(1), frames[0].ref.memory(2)}, nullptr, "vulkan", 3);
    const Status status = runner->push({.index = 7, .current = {elsewhere, frames[0].dis}});
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, Code::invalid_argument);
    EXPECT_EQ(status.error().message.substr(0, 47), "frame 7: a picture is on device 3 of vulkan, wh");
}

TEST(Runner, AnErrorNamesItsFrameAndKeepsWhatWasDone) {
    const auto frames = make_frames(8);
    const Configured look_back(look_back_info, format);
    Records records;
    const DeviceTask task = look_back.task();
    auto runner = *DeviceRunner::create({devices_under_test().front()}, format, {&task, 1}, {.frames_in_flight = 2}, records.receiver());
    failing_frame = 5;
    std::vector<FramePair> earlier;
    int refused = -1;
    for (int i = 0; i < 8 && refused < 0; ++i)
        if (!runner->push(input(frames, i, 2, earlier))) refused = i;
    failing_frame = -1;
    EXPECT_EQ(refused, 5);
    const Status status = runner->finish();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().message, "frame 5: told to fail");
    EXPECT_EQ(records.of(*look_back.metric).size(), 5u);
}

TEST(Runner, ANewFormatIsRefused) {
    const Configured psnr(psnr_info(), format);
    Records records;
    const DeviceTask task = psnr.task();
    auto runner = *DeviceRunner::create(devices_under_test(), format, {&task, 1}, {}, records.receiver());
    const auto other = make_frames(1, {64, 64, 10, ChromaFormat::yuv420});
    const Status status = runner->push({.index = 0, .current = other[0]});
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().message, "frame 0: a picture is 64x64 4:2:0 10 bit; the run is set up for 130x9 4:2:0 10 bit");
}

}  // namespace
}  // namespace isometric::test
