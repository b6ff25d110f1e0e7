// The twins of psnr and float_moment against the CPU, on every device.
#include "metrics/float_moment/float_moment.h"
#include "metrics/psnr/psnr.h"
#include "tests/device/runner_fixture.h"
#include "tests/device/twin_frames.h"

namespace isometric::test {
namespace {

void expect_cpu_record(const MetricInfo& info, const FramePair& pair, const std::vector<std::vector<OptionText>>& options = {{}}) {
    const Configured metric(info, pair.ref.format(), options);
    const std::vector<double> want = metric.cpu_record({.index = 0, .current = pair});
    for (const auto& device : devices_under_test()) ASSERT_SAME_BITS(want, device_record(device, metric, pair)) << device->info().name;
}

const std::pair<int, int> small_sizes[] = {{1, 1}, {2, 1}, {1, 3}, {7, 5}, {8, 8}, {16, 2}, {33, 17}, {255, 3}, {257, 9}, {640, 36}};

TEST(PsnrTwin, EveryFormatHasTheCpusRecord) {
    for (const int depth : {8, 10, 12, 16})
        for (const ChromaFormat chroma : {ChromaFormat::yuv400, ChromaFormat::yuv420, ChromaFormat::yuv422, ChromaFormat::yuv444})
            for (const auto& [width, height] : small_sizes) {
                const PictureFormat format{width, height, depth, chroma};
                SCOPED_TRACE(format.describe());
                const auto kinds = twin_frame_kinds();
                for (std::size_t k = 0; k < kinds.size(); ++k) {
                    const FramePair pair{twin_picture(format, kinds[k], 1), twin_picture(format, kinds[(k + 2) % kinds.size()], 2)};
                    expect_cpu_record(psnr_info(), pair);
                    if (k == 0) expect_cpu_record(psnr_info(), pair, {{{"enable_chroma", "false"}}});
                    if (HasFatalFailure()) return;
                }
            }
}

TEST(PsnrTwin, TallPicturesHaveSeveralRowsPerGroup) {
    const auto kinds = twin_frame_kinds();
    for (const int height : {1025, 2500}) {
        const PictureFormat format{19, height, 10, ChromaFormat::yuv420};
        expect_cpu_record(psnr_info(), {twin_picture(format, kinds[0], 3), twin_picture(format, kinds[1], 4)});
    }
}

TEST(PsnrTwin, VariantsShareOneRecord) {
    const PictureFormat format{40, 30, 8, ChromaFormat::yuv420};
    const auto kinds = twin_frame_kinds();
    const FramePair pair{twin_picture(format, kinds[0], 5), twin_picture(format, kinds[3], 6)};
    expect_cpu_record(psnr_info(), pair, {{{"enable_chroma", "false"}}, {{"enable_mse", "true"}}});
}

TEST(FloatMomentTwin, EveryDepthAndSizeHasTheCpusRecord) {
    for (int depth = 8; depth <= 16; ++depth)
        for (const auto& [width, height] : small_sizes) {
            const PictureFormat format{width, height, depth, ChromaFormat::yuv420};
            SCOPED_TRACE(format.describe());
            const auto kinds = twin_frame_kinds();
            for (std::size_t k = 0; k < kinds.size(); ++k) {
                expect_cpu_record(float_moment_info(), {twin_picture(format, kinds[k], 1), twin_picture(format, kinds[(k + 1) % kinds.size()], 2)});
                if (HasFatalFailure()) return;
            }
        }
}

TEST(FloatMomentTwin, TallPicturesHaveSeveralRowsPerGroup) {
    const auto kinds = twin_frame_kinds();
    for (const int depth : {8, 16}) {
        const PictureFormat format{37, 1500, depth, ChromaFormat::yuv400};
        expect_cpu_record(float_moment_info(), {twin_picture(format, kinds[0], 3), twin_picture(format, kinds[3], 4)});
    }
}

// Words that the bit depth does not allow, many enough to round.
TEST(FloatMomentTwin, WordsAboveTheBitDepthHaveTheCpusRecord) {
    const PictureFormat words{2048, 1100, 16, ChromaFormat::yuv400};
    PictureFormat format = words;
    format.bit_depth = 10;
    const auto as_10_bit = [&](const Picture& picture) { return *Picture::wrap(format, {picture.memory(0)}, std::make_shared<Picture>(picture)); };
    const auto kinds = twin_frame_kinds();
    expect_cpu_record(float_moment_info(), {as_10_bit(twin_picture(words, kinds[3], 1)), as_10_bit(twin_picture(words, kinds[0], 2))});
}

// The record of pictures that round, on one device of each kind of turn; the checked device takes its time.
void expect_rounding(const TwinFrameKind& kind, int width, int height) {
    SCOPED_TRACE(kind.name + " " + std::to_string(width) + "x" + std::to_string(height));
    const PictureFormat format{width, height, 16, ChromaFormat::yuv400};
    const FramePair pair{twin_picture(format, kind, 7), twin_picture(format, twin_frame_kinds()[0], 8)};
    const Configured metric(float_moment_info(), format);
    const std::vector<double> want = metric.cpu_record({.index = 0, .current = pair});
    for (const auto& device : devices_under_test()) {
        if (device->info().name == "threads") continue;
        ASSERT_SAME_BITS(want, device_record(device, metric, pair)) << device->info().name;
        if (device->info().name == "shuffled") break;
    }
}

TEST(FloatMomentTwin, RoundsAsTheSerialSum) {
    for (const TwinFrameKind& kind : adversarial_frame_kinds()) {
        const bool third = kind.name == "2^55-4,twos" || kind.name == "ties-of-8", fourth = kind.name == "ties-of-16";
        if (fourth) continue;
        expect_rounding(kind, third ? 4096 : 2560, third ? 2560 : 1440);
        if (HasFatalFailure()) return;
    }
}

TEST(FloatMomentTwinSlow, RoundsAsTheSerialSumOnTheLargestPictures) {
    for (const TwinFrameKind& kind : adversarial_frame_kinds()) expect_rounding(kind, 7680, 4320);
    for (const TwinFrameKind& kind : twin_frame_kinds()) expect_rounding(kind, 7680, 4320);
    for (const TwinFrameKind& kind : twin_frame_kinds()) expect_rounding(kind, 3840, 2160);
}

}  // namespace
}  // namespace isometric::test
