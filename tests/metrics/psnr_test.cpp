// `psnr`: passes and scores against the naive reference, options, refusals.
#include "metrics/psnr/psnr.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "metrics/psnr/psnr_passes.h"
#include "tests/metrics/formula_clip.h"
#include "tests/metrics/metric_run.h"
#include "tests/metrics/psnr_reference.h"
#include "tests/support/bits.h"
#include "tests/support/fill.h"
#include "tests/support/guarded.h"
#include "tests/support/instruction_sets.h"

namespace isometric::test {
namespace {

template <class T>
void fill_plane(const PlaneView<T>& plane, Fill how, std::uint64_t seed) {
    for (int y = 0; y < plane.height; ++y) fill(std::span<T>(plane.row(y), std::size_t(plane.width)), how, seed + std::uint64_t(y));
}

// Words may have any value: nothing masks them to the bit depth.
FramePair filled_pair(const PictureFormat& format, Fill ref, Fill dis, std::uint64_t seed) {
    FramePair pair{*Picture::allocate(format), *Picture::allocate(format)};
    for (int p = 0; p < format.planes(); ++p) {
        if (format.bit_depth == 8) {
            fill_plane(pair.ref.writable_plane<std::uint8_t>(p), ref, seed);
            fill_plane(pair.dis.writable_plane<std::uint8_t>(p), dis, seed + 1000);
        } else {
            fill_plane(pair.ref.writable_plane<std::uint16_t>(p), ref, seed);
            fill_plane(pair.dis.writable_plane<std::uint16_t>(p), dis, seed + 1000);
        }
    }
    return {guarded_picture(pair.ref), guarded_picture(pair.dis)};
}

std::uint64_t squared_error(const psnr::Passes& passes, const FramePair& pair, int plane) {
    if (pair.ref.format().bit_depth == 8)
        return passes.squared_error_u8(pair.ref.plane<std::uint8_t>(plane), pair.dis.plane<std::uint8_t>(plane));
    return passes.squared_error_u16(pair.ref.plane<std::uint16_t>(plane), pair.dis.plane<std::uint16_t>(plane));
}

TEST(PsnrPasses, SquaredErrorEqualsTheReferenceAtEveryWidthAndContent) {
    for (const int bits : {8, 16})
        for (const std::size_t width : awkward_widths)
            for (const Fill ref : all_fills)
                for (const Fill dis : all_fills) {
                    const FramePair pair = filled_pair({int(width), 3, bits, ChromaFormat::yuv400}, ref, dis, width);
                    const std::uint64_t expected = psnr_reference::squared_error(pair, 0);
                    for (const InstructionSet set : available_instruction_sets())
                        ASSERT_SAME_BITS(expected, squared_error(psnr::passes(set), pair, 0))
                            << to_string(set) << " " << width << " " << bits << " " << ref << dis;
                }
}

// The largest errors for as long as 32-bit lanes could overflow.
TEST(PsnrPasses, LongSumsOfTheLargestErrorsDoNotOverflow) {
    for (const auto& [width, height, bits] : {std::tuple{65536, 40, 8}, {4096, 700, 8}, {65536, 3, 16}, {4099, 5, 12}}) {
        FramePair pair{*Picture::allocate({width, height, bits, ChromaFormat::yuv400}),
                       *Picture::allocate({width, height, bits, ChromaFormat::yuv400})};
        const std::uint64_t peak = bits == 8 ? 255 : 65535;
        if (bits == 8) fill_plane(pair.ref.writable_plane<std::uint8_t>(0), Fill::maximum, 1);
        else fill_plane(pair.ref.writable_plane<std::uint16_t>(0), Fill::maximum, 1);
        for (const InstructionSet set : available_instruction_sets())
            ASSERT_SAME_BITS(peak * peak * std::uint64_t(width) * std::uint64_t(height), squared_error(psnr::passes(set), pair, 0))
                << to_string(set) << " " << width;
    }
}

// Errors about 2^12, where one form of the sum hands over to the other: rows of one error, with another once.
TEST(PsnrPasses, SmallAndLargeErrorsMeetExactly) {
    for (const int everywhere : {4095, 4096, 8191})
        for (const int once : {4095, 4096, 4097})
            for (const std::size_t at : {0u, 1u, 700u, 2047u, 2048u, 4499u}) {
                const PictureFormat format{4500, 2, 16, ChromaFormat::yuv400};
                FramePair pair{*Picture::allocate(format), *Picture::allocate(format)};
                for (int y = 0; y < 2; ++y)
                    for (int x = 0; x < 4500; ++x) pair.dis.writable_plane<std::uint16_t>(0).row(y)[x] = std::uint16_t(everywhere);
                pair.dis.writable_plane<std::uint16_t>(0).row(1)[at] = std::uint16_t(once);
                const std::uint64_t expected = psnr_reference::squared_error(pair, 0);
                for (const InstructionSet set : available_instruction_sets())
                    ASSERT_SAME_BITS(expected, squared_error(psnr::passes(set), pair, 0))
                        << to_string(set) << " " << everywhere << " and " << once << " at " << at;
            }
}

TEST(Psnr, EveryFormatDepthAndOptionHasTheReferenceBits) {
    const double min_sse_values[] = {0.0, 0.5, 1000.0};
    for (const int bits : {8, 10, 12, 16})
        for (const ChromaFormat chroma : {ChromaFormat::yuv400, ChromaFormat::yuv420, ChromaFormat::yuv422, ChromaFormat::yuv444})
            for (const auto& [width, height] : {std::pair{1, 1}, {1, 9}, {9, 1}, {65, 47}, {33, 20}})
                for (const char* kind : {"noise", "smooth", "dots", "dots2", "ident", "bright", "check", "ext"})
                    for (int variant = 0; variant < 6; ++variant) {
                        const psnr_reference::Options o{variant % 2 == 0, variant >= 3, min_sse_values[variant % 3]};
                        const std::string options =
                            std::string("enable_mse=true:enable_apsnr=true:enable_chroma=") + (o.chroma ? "true" : "false") +
                            ":reduced_hbd_peak=" + (o.reduced_hbd_peak ? "true" : "false") + ":min_sse=" + std::to_string(o.min_sse);
                        SCOPED_TRACE(std::string(kind) + " " + options);
                        const ClipPair clip = formula_clip(still_samples, kind, {width, height, bits, chroma}, 2);
                        SCOPED_TRACE(clip[0].ref.format().describe());
                        const auto run = run_metric(psnr_info(), {options}, clip, best_instruction_set());
                        ASSERT_TRUE(run) << run.error().message;
                        const char* names[] = {"y", "cb", "cr"};
                        const int planes = psnr_reference::planes(clip[0].ref.format(), o);
                        ASSERT_EQ(std::size_t(2 * planes), run->features.size());
                        for (int p = 0; p < planes; ++p)
                            for (std::size_t t = 0; t < 2; ++t) {
                                const auto expected = psnr_reference::score(clip[t], p, o);
                                ASSERT_SAME_BITS(expected.psnr, run->at(std::string("psnr_") + names[p], t));
                                ASSERT_SAME_BITS(expected.mse, run->at(std::string("mse_") + names[p], t));
                            }
                        for (int p = 0; p < 3; ++p)
                            ASSERT_SAME_BITS(psnr_reference::aggregate(clip, p, o), run->aggregates.at(std::string("apsnr_") + names[p]));
                    }
}

TEST(Psnr, SquaredErrorsSurviveTheRecord) {
    std::vector<double> record(6);
    for (const std::uint64_t sum :
         {std::uint64_t(0), std::uint64_t(1), (std::uint64_t(1) << 53) + 1, ~std::uint64_t(0), std::uint64_t(0xFFFFFFFF)}) {
        psnr::store_squared_error(sum, 2, record);
        EXPECT_EQ(sum, psnr::squared_error(record, 2));
    }
}

TEST(Psnr, EmitsNoMoreThanAsked) {
    const ClipPair clip = formula_clip(still_samples, "smooth", {16, 16, 8, ChromaFormat::yuv420}, 1);
    const auto run = run_metric(psnr_info(), {""}, clip, best_instruction_set());
    EXPECT_EQ(3u, run->features.size());
    EXPECT_TRUE(run->aggregates.empty());
    EXPECT_EQ(1u, run_metric(psnr_info(), {"enable_chroma=false"}, clip, best_instruction_set())->features.size());
}

TEST(Psnr, OnlyAggregatesNeedEveryFrame) {
    for (const char* options : {"", "enable_mse=true", "enable_apsnr=true"}) {
        const OptionValues values = *OptionValues::parse(psnr_info(), option_texts(options));
        const auto metric = psnr_info().create({&values, 1}, {16, 16, 8, ChromaFormat::yuv420}, best_instruction_set());
        EXPECT_EQ(std::string(options) == "enable_apsnr=true", (*metric)->every_frame());
    }
}

TEST(Psnr, DepthsWithoutAPeakAreRefused) {
    const OptionValues defaults(psnr_info());
    for (int bits = 8; bits <= 16; ++bits) {
        const auto metric = psnr_info().create({&defaults, 1}, {16, 16, bits, ChromaFormat::yuv420}, best_instruction_set());
        const bool defined = bits == 8 || bits == 10 || bits == 12 || bits == 16;
        ASSERT_EQ(defined, bool(metric)) << bits;
        if (defined) continue;
        EXPECT_NE(std::string::npos, metric.error().message.find("bit depth")) << metric.error().message;
    }
}

}  // namespace
}  // namespace isometric::test
