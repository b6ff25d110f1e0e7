// The twins of psnr and float_moment against the CPU, on every device.
#include "metrics/float_moment/float_moment.h"
#include "metrics/float_moment/float_moment_kernels.h"
#include "metrics/psnr/psnr.h"
#include "tests/device/runner_fixture.h"
#include "tests/device/twin_frames.h"

namespace isometric::test {
namespace {

// Every pair on every device: frames are dealt to the devices in turn.
void expect_cpu_records(const MetricInfo& info, const std::vector<FramePair>& pairs, const std::vector<std::vector<OptionText>>& options = {{}},
                        const Devices& devices = devices_under_test()) {
    ASSERT_FALSE(devices.empty());
    const PictureFormat& format = pairs.at(0).ref.format();
    const Configured metric(info, format, options);
    Records records;
    const DeviceTask task = metric.task();
    auto runner = DeviceRunner::create(devices, format, {&task, 1}, {.frames_in_flight = 2}, records.receiver());
    ASSERT_TRUE(runner) << runner.error().message;
    std::int64_t index = 0;
    for (const FramePair& pair : pairs)
        for (std::size_t d = 0; d < devices.size(); ++d) ASSERT_TRUE(ok((*runner)->push({.index = index++, .current = pair})));
    ASSERT_TRUE(ok((*runner)->finish()));
    index = 0;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        const std::vector<double> want = metric.cpu_record({.index = 0, .current = pairs[p]});
        for (const auto& device : devices)
            ASSERT_SAME_BITS(want, records.of(*metric.metric).at(index++)) << device->info().name << ", pair " << p << ", " << format.describe();
    }
}

// All but the threads device, whose threads wait for each other at every barrier; smaller tests run on it.
Devices without_threads() {
    Devices devices;
    for (const auto& device : devices_under_test())
        if (device->info().name != "threads") devices.push_back(device);
    return devices;
}

// Pairs of all kinds of frames.
std::vector<FramePair> pairs_of(const PictureFormat& format) {
    const auto kinds = twin_frame_kinds();
    std::vector<FramePair> pairs;
    for (std::size_t k = 0; k < kinds.size(); ++k) pairs.push_back({twin_picture(format, kinds[k], 2 * k), twin_picture(format, kinds[(k + 1) % kinds.size()], 2 * k + 1)});
    return pairs;
}

const std::pair<int, int> small_sizes[] = {{1, 1}, {2, 1}, {1, 3}, {7, 5}, {8, 8}, {16, 2}, {33, 17}, {255, 3}, {257, 9}, {640, 36}};

TEST(PsnrTwin, EveryFormatHasTheCpusRecord) {
    for (const int depth : {8, 10, 12, 16})
        for (const ChromaFormat chroma : {ChromaFormat::yuv400, ChromaFormat::yuv420, ChromaFormat::yuv422, ChromaFormat::yuv444})
            for (const auto& [width, height] : small_sizes) {
                expect_cpu_records(psnr_info(), pairs_of({width, height, depth, chroma}), {{}}, without_threads());
                if (HasFatalFailure()) return;
            }
}

TEST(PsnrTwin, LumaAloneHasTheCpusRecord) {
    for (const int depth : {8, 12}) expect_cpu_records(psnr_info(), pairs_of({65, 21, depth, ChromaFormat::yuv420}), {{{"enable_chroma", "false"}}});
}

TEST(PsnrTwin, TallPicturesHaveSeveralRowsPerGroup) {
    for (const int height : {1025, 2500}) {
        const PictureFormat format{19, height, 10, ChromaFormat::yuv400};
        expect_cpu_records(psnr_info(), {{twin_picture(format, twin_frame_kinds()[0], 3), twin_picture(format, twin_frame_kinds()[1], 4)}}, {{}}, without_threads());
    }
}

TEST(PsnrTwin, VariantsShareOneRecord) {
    expect_cpu_records(psnr_info(), pairs_of({40, 30, 8, ChromaFormat::yuv420}), {{{"enable_chroma", "false"}}, {{"enable_mse", "true"}}});
}

TEST(FloatMomentTwin, EveryDepthAndSizeHasTheCpusRecord) {
    for (int depth = 8; depth <= 16; ++depth)
        for (const auto& [width, height] : small_sizes) {
            expect_cpu_records(float_moment_info(), pairs_of({width, height, depth, ChromaFormat::yuv420}), {{}}, without_threads());
            if (HasFatalFailure()) return;
        }
}

TEST(FloatMomentTwin, SmallPicturesHaveTheCpusRecord) {
    for (const int depth : {8, 9, 16}) expect_cpu_records(float_moment_info(), pairs_of({67, 5, depth, ChromaFormat::yuv420}));
}

TEST(FloatMomentTwin, TallPicturesHaveSeveralRowsPerGroup) {
    for (const int depth : {8, 16}) {
        const PictureFormat format{37, 600, depth, ChromaFormat::yuv400};
        expect_cpu_records(float_moment_info(), {{twin_picture(format, twin_frame_kinds()[0], 3), twin_picture(format, twin_frame_kinds()[3], 4)}}, {{}}, without_threads());
    }
}

// Few rows, and sums that pass 2^53 all the same: the walk on the devices that find faults.
TEST(FloatMomentTwin, WalksOnEveryDevice) {
    const PictureFormat format{65536, 33, 16, ChromaFormat::yuv400};
    expect_cpu_records(float_moment_info(), {{twin_picture(format, twin_frame_kinds()[3], 1), twin_picture(format, twin_frame_kinds()[1], 2)}});
}

// The kernels of the largest pictures on small ones, where sums are exact.
TEST(FloatMomentKernels, OrderedBlocksOfSmallPicturesAreExact) {
    using namespace float_moment;
    for_each_device([](Device& device) {
        auto queue = *device.create_queue();
        for (const auto& [width, height, rows] : {std::tuple{1, 1, 1}, {7, 5, 2}, {2100, 9, 2}, {64, 300, 1}}) {
            const PictureFormat format{width, height, 16, ChromaFormat::yuv400};
            const FramePair pair{twin_picture(format, twin_frame_kinds()[0], 5), twin_picture(format, twin_frame_kinds()[3], 6)};
            const int stride = (width + 31) / 32 * 32, blocks = (height + rows - 1) / rows;
            std::vector<u16> samples[2];
            std::vector<u64> want(4);
            for (std::size_t p = 0; p < 2; ++p) {
                samples[p].resize(std::size_t(stride) * std::size_t(height));
                const auto plane = (p == 0 ? pair.ref : pair.dis).plane<std::uint16_t>(0);
                for (int y = 0; y < height; ++y)
                    for (int x = 0; x < width; ++x) {
                        const u16 sample = plane.row(y)[x];
                        samples[p][std::size_t(y) * std::size_t(stride) + std::size_t(x)] = sample;
                        want[2 * p] += sample;
                        want[2 * p + 1] += ordered_sum::square_term(sample);
                    }
            }
            const Buffer ref = uploaded(device, *queue, samples[0]), dis = uploaded(device, *queue, samples[1]);
            const Buffer runs = *device.allocate(2 * std::size_t(blocks) * sizeof(OrderedBlock)), sums = *device.allocate(2 * sizeof(PictureSums));
            const Plane<const u16> planes[2] = {{ref.pointer<const u16>(), stride, width, height}, {dis.pointer<const u16>(), stride, width, height}};
            ASSERT_TRUE(ok(queue->launch(kernel::float_moment_run_words, 2 * u32(blocks),
                                         {.ref = planes[0], .dis = planes[1], .blocks = runs.pointer<OrderedBlock>(), .rows_per_group = rows, .groups_per_picture = blocks})));
            ASSERT_TRUE(ok(queue->launch(kernel::float_moment_walk_ordered, 2,
                                         {.ref = planes[0], .dis = planes[1], .blocks = runs.pointer<const OrderedBlock>(), .sums = sums.pointer<PictureSums>(),
                                          .rows_per_block = rows, .blocks_per_picture = blocks})));
            EXPECT_SAME_BITS(want, read_all<u64>(*queue, sums)) << format.describe();
        }
    });
}

// One device for large pictures: each in turn of those that are not there to find faults.
Devices one_of_the_fast(std::size_t turn) {
    Devices fast;
    for (const auto& device : devices_under_test())
        if (device->info().name != "threads" && device->info().name != "checked") fast.push_back(device);
    return {fast[turn % fast.size()]};
}

// Words that the bit depth does not allow, many enough to round.
TEST(FloatMomentTwin, WordsAboveTheBitDepthHaveTheCpusRecord) {
    const PictureFormat words{2048, 1100, 16, ChromaFormat::yuv400};
    PictureFormat format = words;
    format.bit_depth = 10;
    const auto as_10_bit = [&](const Picture& picture) { return *Picture::wrap(format, {picture.memory(0)}, std::make_shared<Picture>(picture)); };
    const auto kinds = twin_frame_kinds();
    expect_cpu_records(float_moment_info(), {{as_10_bit(twin_picture(words, kinds[3], 1)), as_10_bit(twin_picture(words, kinds[0], 2))}}, {{}}, one_of_the_fast(0));
}

void expect_rounding(const TwinFrameKind& kind, int width, int height, std::size_t turn) {
    SCOPED_TRACE(kind.name);
    const PictureFormat format{width, height, 16, ChromaFormat::yuv400};
    expect_cpu_records(float_moment_info(), {{twin_picture(format, kind, 7), twin_picture(format, twin_frame_kinds()[0], 8)}}, {{}}, one_of_the_fast(turn));
}

TEST(FloatMomentTwin, RoundsAsTheSerialSum) {
    std::size_t turn = 0;
    for (const TwinFrameKind& kind : adversarial_frame_kinds()) {
        const bool third = kind.name == "2^55-4,twos" || kind.name == "ties-of-8", fourth = kind.name == "ties-of-16";
        if (fourth) continue;
        expect_rounding(kind, third ? 4096 : 2560, third ? 2560 : 1440, turn++);
        if (HasFatalFailure()) return;
    }
}

TEST(FloatMomentTwinSlow, RoundsAsTheSerialSumOnTheLargestPictures) {
    for (std::size_t turn = 0; turn < 3; ++turn) {
        for (const TwinFrameKind& kind : adversarial_frame_kinds()) expect_rounding(kind, 7680, 4320, turn);
        for (const TwinFrameKind& kind : twin_frame_kinds()) expect_rounding(kind, 7680, 4320, turn);
        for (const TwinFrameKind& kind : twin_frame_kinds()) expect_rounding(kind, 3840, 2160, turn);
    }
}

}  // namespace
}  // namespace isometric::test
