// `vif` as a metric: sizes, depths, options, variants measured together, refusals.
#include "metrics/vif/vif.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/metrics/formula_clip.h"
#include "tests/metrics/metric_run.h"
#include "tests/metrics/vif_reference.h"
#include "tests/support/bits.h"
#include "tests/support/guarded.h"
#include "tests/support/instruction_sets.h"

namespace isometric::test {
namespace {

std::vector<std::uint16_t> luma(const Picture& picture) {
    std::vector<std::uint16_t> samples;
    for (int y = 0; y < picture.format().height; ++y)
        for (int x = 0; x < picture.format().width; ++x)
            samples.push_back(picture.format().bit_depth == 8 ? picture.plane<std::uint8_t>(0).row(y)[x]
                                                              : picture.plane<std::uint16_t>(0).row(y)[x]);
    return samples;
}

vif_reference::Features reference_features(const FramePair& pair, const vif_reference::Options& options) {
    const PictureFormat& format = pair.ref.format();
    return vif_reference::features(
        vif_reference::score(luma(pair.ref), luma(pair.dis), format.width, format.height, format.bit_depth, options), options);
}

ClipPair guarded(const ClipPair& clip) {
    ClipPair copy;
    for (const FramePair& pair : clip) copy.push_back({guarded_picture(pair.ref), guarded_picture(pair.dis)});
    return copy;
}

// Compares every feature of frame 0 with the reference, which has the names without suffix.
void expect_reference(const RunScores& run, const FramePair& pair, const vif_reference::Options& options, const std::string& suffix) {
    for (const auto& [name, value] : reference_features(pair, options)) {
        std::string stored = name;
        for (const FeatureSpec& feature : vif_info().features)
            if (feature.name == name && !suffix.empty()) stored = std::string(feature.alias) + suffix;
        const double mine = run.at(stored, 0);
        ASSERT_SAME_BITS(value, mine) << stored;
    }
}

TEST(Vif, EverySizeDepthAndContentHasTheReferenceBits) {
    const std::pair<int, int> sizes[] = {{16, 16}, {17, 31}, {33, 47}, {100, 37}, {64, 64}, {129, 40}, {131, 18}, {176, 50}, {266, 35}};
    for (const auto& [width, height] : sizes)
        for (int bits = 8; bits <= 16; ++bits)
            for (const char* kind : {"noise", "noisy", "smooth", "dots", "move", "check"}) {
                SCOPED_TRACE(std::string(kind) + " " + std::to_string(width) + "x" + std::to_string(height) + " bits " +
                             std::to_string(bits));
                if ((width + height + bits + int(kind[1])) % 3) continue;  // a third of the matrix
                const ClipPair clip = guarded(formula_clip(moving_samples, kind, {width, height, bits, ChromaFormat::yuv400}, 1));
                const vif_reference::Options options{.enhn_gain_limit = 100.0, .skip_scale0 = false, .debug = true};
                for_each_instruction_set([&](InstructionSet set) {
                    const auto run = run_metric(vif_info(), {"debug=true"}, clip, set);
                    ASSERT_TRUE(run) << run.error().message;
                    expect_reference(*run, clip[0], options, "");
                });
                if (HasFatalFailure()) return;
            }
}

// Planes of one row or one column at scale 3 or 2, and empty ones (docs/metrics/vif.md, section 6). Two frames: nothing is left over.
TEST(Vif, SmallPicturesHaveTheReferenceBits) {
    for (int width = 4; width <= 20; ++width)
        for (int height = 8; height <= 18; ++height) {
            SCOPED_TRACE(std::to_string(width) + "x" + std::to_string(height));
            const int bits = 8 + (width + height) % 9;
            const ClipPair clip = guarded(formula_clip(moving_samples, "noisy", {width, height, bits, ChromaFormat::yuv420}, 2));
            for_each_instruction_set([&](InstructionSet set) {
                for (const bool skip : {false, true}) {
                    const vif_reference::Options options{.enhn_gain_limit = 100.0, .skip_scale0 = skip, .debug = true};
                    const auto run = run_metric(vif_info(), {skip ? "debug=true:vif_skip_scale0=true" : "debug=true"}, clip, set);
                    ASSERT_TRUE(run) << run.error().message;
                    expect_reference(*run, clip[0], options, skip ? "_ssclz" : "");
                }
            });
            if (HasFatalFailure()) return;
        }
}

TEST(Vif, VariantsTogetherAreVariantsAlone) {
    const ClipPair clip = formula_clip(moving_samples, "move", {70, 52, 8, ChromaFormat::yuv420}, 2);
    const std::vector<std::string> variants = {"",
                                               "vif_enhn_gain_limit=1:debug=true",
                                               "vif_skip_scale0=true:debug=true",
                                               "vif_enhn_gain_limit=1.2",
                                               "vif_enhn_gain_limit=1:vif_skip_scale0=true",
                                               "vif_enhn_gain_limit=3.25:vif_skip_scale0=true"};
    for_each_instruction_set([&](InstructionSet set) {
        const auto together = run_metric(vif_info(), variants, clip, set);
        ASSERT_TRUE(together) << together.error().message;
        std::size_t features = 0;
        for (const std::string& variant : variants) {
            const auto alone = run_metric(vif_info(), {variant}, clip, set);
            ASSERT_TRUE(alone) << alone.error().message;
            for (const auto& [name, values] : alone->features) EXPECT_SAME_BITS(values, together->features.at(name)) << name;
            features += alone->features.size();
        }
        EXPECT_EQ(features, together->features.size());
        EXPECT_NE(together->at("VMAF_integer_feature_vif_scale0_score", 0), together->at("integer_vif_scale0_egl_1", 0));
        EXPECT_NE(together->at("integer_vif_scale0_egl_1.2", 0), together->at("integer_vif_scale0_egl_1", 0));
        EXPECT_SAME_BITS(0.0, together->at("integer_vif_scale0_egl_1_ssclz", 0));
        EXPECT_SAME_BITS(-1.0, together->at("integer_vif_den_scale0_ssclz", 0));
    });
}

TEST(Vif, GainLimitsHaveTheReferenceBits) {
    for (const char* kind : {"move", "noisy", "dots", "check"}) {
        const ClipPair clip = formula_clip(moving_samples, kind, {65, 49, 10, ChromaFormat::yuv400}, 1);
        for (const auto& [text, limit] : {std::pair{"1", 1.0}, {"1.2", double(1.2f)}, {"1.5", 1.5}, {"4", 4.0}, {"100", 100.0}}) {
            SCOPED_TRACE(std::string(kind) + " limit " + text);
            const double parsed =
                OptionValues::parse(vif_info(), option_texts(std::string("vif_enhn_gain_limit=") + text))->real("vif_enhn_gain_limit");
            (void)limit;
            const vif_reference::Options options{.enhn_gain_limit = parsed, .skip_scale0 = false, .debug = true};
            for_each_instruction_set([&](InstructionSet set) {
                const auto run = run_metric(vif_info(), {std::string("debug=true:vif_enhn_gain_limit=") + text}, clip, set);
                ASSERT_TRUE(run) << run.error().message;
                expect_reference(*run, clip[0], options, std::string(text) == "100" ? "" : std::string("_egl_") + text);
            });
        }
    }
}

TEST(Vif, IdenticalPicturesScoreOneOrLess) {
    ClipPair clip = formula_clip(moving_samples, "noise", {64, 48, 8, ChromaFormat::yuv420}, 1);
    clip[0].dis = clip[0].ref;
    for_each_instruction_set([&](InstructionSet set) {
        const auto run = run_metric(vif_info(), {"debug=true"}, clip, set);
        ASSERT_TRUE(run) << run.error().message;
        expect_reference(*run, clip[0], {.enhn_gain_limit = 100.0, .skip_scale0 = false, .debug = true}, "");
        EXPECT_GT(run->at("integer_vif", 0), 0.999);
    });
}

TEST(Vif, SmallPicturesAreRefused) {
    const OptionValues defaults(vif_info());
    for (const auto& [width, height] : {std::pair{3, 64}, {64, 7}, {1, 1}}) {
        const auto metric = vif_info().create({&defaults, 1}, {width, height, 8, ChromaFormat::yuv420}, best_instruction_set());
        ASSERT_FALSE(metric);
        EXPECT_EQ(Code::invalid_argument, metric.error().code);
        EXPECT_NE(std::string::npos, metric.error().message.find("4x8")) << metric.error().message;
    }
    EXPECT_TRUE(vif_info().create({&defaults, 1}, {4, 8, 8, ChromaFormat::yuv420}, best_instruction_set()));
}

TEST(Vif, BadOptionsAreRefused) {
    for (const char* text : {"vif_enhn_gain_limit=0.5", "vif_enhn_gain_limit=101", "vif_enhn_gain_limit=abc", "vif_skip_scale0=1",
                             "debug=yes", "vif_sigma=2"}) {
        const auto parsed = OptionValues::parse(vif_info(), option_texts(text));
        ASSERT_FALSE(parsed) << text;
        EXPECT_EQ(Code::invalid_argument, parsed.error().code);
        EXPECT_NE(std::string::npos, parsed.error().message.find("vif")) << parsed.error().message;
    }
}

TEST(Vif, ReadsNoOtherFrameAndNoChroma) {
    const OptionValues defaults(vif_info());
    const auto metric = vif_info().create({&defaults, 1}, {64, 48, 8, ChromaFormat::yuv420}, best_instruction_set());
    ASSERT_TRUE(metric);
    EXPECT_EQ(0, (*metric)->history());
    EXPECT_FALSE((*metric)->every_frame());
    EXPECT_FALSE(vif_info().reads_chroma);
}

}  // namespace
}  // namespace isometric::test
