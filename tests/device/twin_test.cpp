// The twins of psnr and float_moment against the CPU, on every device.
#include <algorithm>

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

// The walk from any sum, so that small pictures meet binades that large ones reach.
struct WalkCase {
    int width, height;
    int words, chunk;  // of a part; parts of a chunk
    u64 start;
    u32 wrong_binade = 0;  // parts are planned for this one, if not 0
};

struct WalkResult {
    std::vector<u64> sums;  // samples and squares, of ref, of dis
    std::vector<i32> redone;
};

// joined: the walks in the launches that they follow.
WalkResult walk_on(Device& device, Queue& queue, const WalkCase& c, const std::vector<u16> (&samples)[2], int stride, bool joined) {
    using namespace float_moment;
    const int words = (c.width + 7) / 8, per_row = (words + c.words - 1) / c.words, count = per_row * c.height;
    const Division division{c.words, per_row, count, (count + kRuns - 1) / kRuns, c.chunk};
    const std::size_t parts = 2 * std::size_t(count);
    const u32 groups = 2 * u32(division.groups);
    const Buffer planes[2] = {uploaded(device, queue, samples[0]), uploaded(device, queue, samples[1])};
    const Buffer sums_of_parts = *device.allocate(parts * sizeof(ExactSums)), ordered = *device.allocate(parts * sizeof(OrderedPart));
    const Buffer walked = *device.allocate(2 * sizeof(Walked)), sums = *device.allocate(4 * sizeof(u64));
    const Buffer arrived = uploaded(device, queue, std::vector<u32>(2));
    const PartArgs args{.ref = {planes[0].pointer<const u16>(), stride, c.width, c.height},
                        .dis = {planes[1].pointer<const u16>(), stride, c.width, c.height},
                        .parts = sums_of_parts.pointer<ExactSums>(),
                        .ordered = ordered.pointer<OrderedPart>(),
                        .walked = walked.pointer<Walked>(),
                        .arrived = arrived.pointer<u32>(),
                        .sums = sums.pointer<u64>(),
                        .start = c.start,
                        .division = division};
    const auto launch = [&](const Kernel<PartArgs>& both, const Kernel<PartArgs>& of_parts, const Kernel<PartArgs>& walk) {
        EXPECT_TRUE(ok(queue.launch(joined ? both : of_parts, groups, args)));
        if (!joined) { EXPECT_TRUE(ok(queue.launch(walk, 2, args))); }
    };
    launch(kernel::float_moment_sum_and_walk, kernel::float_moment_sum_parts, kernel::float_moment_walk_squares);
    if (c.wrong_binade) {
        std::vector<OrderedPart> wrong = read_all<OrderedPart>(queue, ordered);
        for (std::size_t i = 0; i < wrong.size(); ++i) wrong[i].binade = i % 3 ? c.wrong_binade : c.wrong_binade + 1;
        EXPECT_TRUE(ok(queue.upload(ordered, 0, wrong.data(), wrong.size() * sizeof(OrderedPart))));
        EXPECT_TRUE(ok(queue.finish()));
    }
    launch(kernel::float_moment_order_and_walk, kernel::float_moment_order_parts, kernel::float_moment_walk_ordered);
    WalkResult result{read_all<u64>(queue, sums), {}};
    for (const Walked& at : read_all<Walked>(queue, walked)) result.redone.push_back(at.redone);
    return result;
}

u16 walked_sample(Random& random, int kind) {
    switch (kind) {
        case 0: return u16(random());
        case 1: return u16(random.below(2048) * 2 + 1);                                                   // ties in binade 1
        case 2: return u16(random.below(3) ? random.below(2048) * 4 + 2 : random.below(5793) * 2 + 1);  // in binade 3
        case 3: return u16(8192 + random.below(3394));                                                    // in binade 4
        default: return random.below(4) ? u16(1) : u16(random.below(5) * 13000);
    }
}

void expect_serial_bits(Device& device, int trials, int most_samples) {
    auto queue = *device.create_queue();
    Random random(9);
    for (const auto& [width, height, words, chunk] : {std::tuple{1, 1, 1, 1}, {7, 5, 1, 2}, {333, 40, 11, 3}, {64, 300, 8, 1}, {2100, 9, 100, 5}, {64, 1200, 4, 3}}) {
        if (width * height > most_samples) continue;
        const int stride = (width + 31) / 32 * 32;
        for (int trial = 0; trial < (width * height > 50000 ? trials / 3 : trials); ++trial) {
            const int kind = trial % 5;
            std::vector<u16> samples[2];
            u64 totals[2] = {}, firsts[2] = {};
            for (std::size_t p = 0; p < 2; ++p) {
                samples[p].resize(std::size_t(stride) * std::size_t(height), u16(0x7777));
                for (int y = 0; y < height; ++y)
                    for (int x = 0; x < width; ++x) {
                        const u16 sample = samples[p][std::size_t(y) * std::size_t(stride) + std::size_t(x)] = walked_sample(random, (kind + int(p)) % 5);
                        firsts[p] += sample, totals[p] += ordered_sum::square_term(sample);
                    }
            }
            // Inside a binade, or across a binade's start in the first or last blocks, or anywhere.
            const u32 k = 1 + u32(random.below(10));
            const u64 edge = u64(1) << (52 + k), back[] = {0, random.below(totals[0] + 1), totals[0], std::min<u64>(edge, totals[1] + 3)};
            WalkCase c{width, height, words, chunk, u64(double(edge - back[trial % 4] + (random.below(64) << k) * (trial % 4 == 0)))};
            if (trial % 3 == 2) c.wrong_binade = k;
            std::vector<u64> want;
            for (std::size_t p = 0; p < 2; ++p) {
                double sum = double(c.start);
                for (int y = 0; y < height; ++y)
                    for (int x = 0; x < width; ++x) sum += double(ordered_sum::square_term(samples[p][std::size_t(y) * std::size_t(stride) + std::size_t(x)]));
                want.push_back(firsts[p]);
                want.push_back(u64(sum));
            }
            const bool joined = device.info().groups_join && trial % 2 == 0;
            const WalkResult got = walk_on(device, *queue, c, samples, stride, joined);
            ASSERT_SAME_BITS(want, got.sums) << width << "x" << height << " kind " << kind << " from " << c.start << " binade " << k << (joined ? " joined" : "");
            // One block leaves its binade; beside the edge the exact sums may take its neighbour for another binade's.
            if (c.wrong_binade) continue;
            for (const i32 redone : got.redone) ASSERT_LE(redone, trial % 4 == 0 ? 0 : 2) << width << "x" << height << " kind " << kind << " trial " << trial;
        }
    }
}

TEST(FloatMomentWalk, HasTheSerialBitsFromAnySum) {
    for (const auto& device : without_threads()) {
        SCOPED_TRACE(device->info().name);
        expect_serial_bits(*device, 15, 1 << 20);
    }
}

// For devices that take their time.
TEST(FloatMomentWalk, ShortOnEveryDevice) {
    for_each_device([](Device& device) { expect_serial_bits(device, 5, 15000); });
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
    const auto kinds = twin_frame_kinds(), adversarial = adversarial_frame_kinds();
    const auto odd_end = std::find_if(adversarial.begin(), adversarial.end(), [](const TwinFrameKind& kind) { return kind.name == "2^53+ones"; });
    ASSERT_NE(odd_end, adversarial.end());
    expect_cpu_records(float_moment_info(),
                       {{as_10_bit(twin_picture(words, *odd_end, 1)), as_10_bit(twin_picture(words, kinds[0], 2))},
                        {as_10_bit(twin_picture(words, kinds[0], 3)), as_10_bit(twin_picture(words, kinds[3], 4))}},
                       {{}}, one_of_the_fast(0));
}

// A device that cannot join its groups.
class ApartDevice final : public Device {
public:
    explicit ApartDevice(std::shared_ptr<Device> device) : device_(std::move(device)), info_(device_->info()) { info_.groups_join = false; }
    const DeviceInfo& info() const override { return info_; }
    Result<Buffer> allocate(std::size_t bytes) override { return device_->allocate(bytes); }
    Result<Buffer> allocate_pinned(std::size_t bytes) override { return device_->allocate_pinned(bytes); }
    Result<std::unique_ptr<Queue>> create_queue() override { return device_->create_queue(); }
    Status prepare(const KernelSet& set) override { return device_->prepare(set); }

private:
    std::shared_ptr<Device> device_;
    DeviceInfo info_;
};

TEST(FloatMomentTwin, GroupsThatDoNotJoinWalkInALaunchOfTheirOwn) {
    const PictureFormat format{4096, 2560, 16, ChromaFormat::yuv400};
    Devices devices;
    for (const auto& device : one_of_the_fast(1)) devices.push_back(std::make_shared<ApartDevice>(device));
    expect_cpu_records(float_moment_info(), {{twin_picture(format, twin_frame_kinds()[3], 1), twin_picture(format, twin_frame_kinds()[1], 2)}}, {{}}, devices);
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
