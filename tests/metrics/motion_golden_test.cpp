// Golden figures of the scores that libvmaf 3.2.0 stores, on clips defined by formulas (six frames), and the tables of tests/golden/.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "metrics/motion/motion.h"
#include "tests/metrics/formula_clip.h"
#include "tests/metrics/metric_run.h"
#include "tests/support/bits.h"
#include "tests/support/golden.h"
#include "tests/support/instruction_sets.h"

namespace isometric::test {
namespace {

struct Golden {
    const char* kind;
    int width, height, bits;
    const char* options;
    const char* suffix;   // of the stored names
    double scores[6][3];  // [frame][sad, motion2, motion3]
};

const Golden figures[] = {
    {"smooth",
     64,
     48,
     8,
     "",
     "",
     {{0x0p+0, 0x0p+0, 0x1.3429555555555p+2},
      {0x1.3429555555555p+2, 0x1.3067855555555p+2, 0x1.3067855555555p+2},
      {0x1.3067855555555p+2, 0x1.3067855555555p+2, 0x1.3067855555555p+2},
      {0x1.3432daaaaaaabp+2, 0x1.31c19p+2, 0x1.31c19p+2},
      {0x1.31c19p+2, 0x1.30a8b55555555p+2, 0x1.30a8b55555555p+2},
      {0x1.30a8b55555555p+2, 0x1.30a8b55555555p+2, 0x1.30a8b55555555p+2}}},
    {"move",
     65,
     49,
     10,
     "",
     "",
     {{0x0p+0, 0x0p+0, 0x1.a802cc51575eap+4},
      {0x1.a802cc51575eap+4, 0x1.a802cc51575eap+4, 0x1.a802cc51575eap+4},
      {0x1.a9b8971bbae04p+4, 0x1.9a2f38aa66142p+4, 0x1.9a2f38aa66142p+4},
      {0x1.9a2f38aa66142p+4, 0x1.952918ff46cfep+4, 0x1.952918ff46cfep+4},
      {0x1.952918ff46cfep+4, 0x1.940837f135eedp+4, 0x1.940837f135eedp+4},
      {0x1.940837f135eedp+4, 0x1.940837f135eedp+4, 0x1.940837f135eedp+4}}},
    {"noisy",
     33,
     47,
     12,
     "motion_max_val=23.65",
     "_mmxv_23.65",
     {{0x0p+0, 0x0p+0, 0x1.7a2ddab296dc3p+4},
      {0x1.7a2ddab296dc3p+4, 0x1.7a2ddab296dc3p+4, 0x1.7a2ddab296dc3p+4},
      {0x1.7a66666666666p+4, 0x1.6805af1f86851p+4, 0x1.6805af1f86851p+4},
      {0x1.6805af1f86851p+4, 0x1.6805af1f86851p+4, 0x1.6805af1f86851p+4},
      {0x1.7a66666666666p+4, 0x1.79945fbb5652ep+4, 0x1.79945fbb5652ep+4},
      {0x1.79945fbb5652ep+4, 0x1.79945fbb5652ep+4, 0x1.79945fbb5652ep+4}}},
    {"move",
     40,
     33,
     16,
     "motion_blend_factor=0.5:motion_blend_offset=20",
     "_mbf_0.5_mbo_20",
     {{0x0p+0, 0x0p+0, 0x1.7b86b26c9b26cp+4},
      {0x1.b70d64d9364d9p+4, 0x1.b70d64d9364d9p+4, 0x1.7b86b26c9b26cp+4},
      {0x1.b76fc1f07c1fp+4, 0x1.b424a475ea476p+4, 0x1.7a12523af523bp+4},
      {0x1.b424a475ea476p+4, 0x1.aced586fb587p+4, 0x1.7676ac37dac38p+4},
      {0x1.aced586fb587p+4, 0x1.a1757a91d7a92p+4, 0x1.70babd48ebd49p+4},
      {0x1.a1757a91d7a92p+4, 0x1.a1757a91d7a92p+4, 0x1.70babd48ebd49p+4}}},
    {"dots",
     64,
     64,
     8,
     "",
     "",
     {{0x0p+0, 0x0p+0, 0x0p+0},
      {0x0p+0, 0x0p+0, 0x0p+0},
      {0x1.b4b4p-6, 0x0p+0, 0x0p+0},
      {0x0p+0, 0x0p+0, 0x0p+0},
      {0x1.e418p-6, 0x0p+0, 0x0p+0},
      {0x0p+0, 0x0p+0, 0x0p+0}}},
    {"smooth",
     64,
     48,
     8,
     "motion_max_val=18.0:motion_five_frame_window=true:motion_moving_average=true",
     "_mffw_mmxv_18_mma",
     {{0x0p+0, 0x0p+0, 0x1.31b3e55555555p+3},
      {0x0p+0, 0x0p+0, 0x1.31b3e55555555p+3},
      {0x1.31b3e55555555p+3, 0x1.31dc1aaaaaaabp+3, 0x1.31c8p+3},
      {0x1.31dc1aaaaaaabp+3, 0x1.31b3e55555555p+3, 0x1.31c8p+3},
      {0x1.325f9p+3, 0x1.30db82aaaaaabp+3, 0x1.3147b4p+3},
      {0x1.30db82aaaaaabp+3, 0x1.30db82aaaaaabp+3, 0x1.30db82aaaaaabp+3}}},
    {"move",
     20,
     18,
     8,
     "motion_five_frame_window=true:motion_fps_weight=1.5",
     "_mffw_mfw_1.5",
     {{0x0p+0, 0x0p+0, 0x1.dbe719999999ap+5},
      {0x0p+0, 0x0p+0, 0x1.dbe719999999ap+5},
      {0x1.dbe719999999ap+5, 0x1.e762aaaaaaaaap+5, 0x1.e762aaaaaaaaap+5},
      {0x1.e762aaaaaaaaap+5, 0x1.bb2c222222222p+5, 0x1.bb2c222222222p+5},
      {0x1.bb2c222222222p+5, 0x1.d50b91111111p+5, 0x1.d50b91111111p+5},
      {0x1.d50b91111111p+5, 0x1.d50b91111111p+5, 0x1.d50b91111111p+5}}},
    {"noise",
     3,
     3,
     8,
     "",
     "",
     {{0x0p+0, 0x0p+0, 0x1.fd80e38e38e39p+5},
      {0x1.fd80e38e38e39p+5, 0x1.fd80e38e38e39p+5, 0x1.fd80e38e38e39p+5},
      {0x1.6b0d555555555p+6, 0x1.f2p+3, 0x1.f2p+3},
      {0x1.f2p+3, 0x1.2e8p+3, 0x1.2e8p+3},
      {0x1.2e8p+3, 0x1.2e8p+3, 0x1.2e8p+3},
      {0x1.f6a2aaaaaaaabp+5, 0x1.f6a2aaaaaaaabp+5, 0x1.f6a2aaaaaaaabp+5}}},
};

std::string name(const std::string& feature, const std::string& suffix) {
    if (feature == "motion_sad" || suffix.empty()) return "VMAF_integer_feature_" + feature + "_score" + suffix;
    return "integer_" + feature + suffix;
}

TEST(MotionGolden, FormulaClipsHaveLibvmafsBits) {
    for_each_instruction_set([](InstructionSet set) {
        for (const Golden& g : figures) {
            SCOPED_TRACE(std::string(g.kind) + " " + g.options);
            const ClipPair clip = formula_clip(moving_samples, g.kind, {g.width, g.height, g.bits, ChromaFormat::yuv420}, 6);
            const auto run = run_metric(motion_info(), {g.options}, clip, set);
            ASSERT_TRUE(run) << run.error().message;
            for (std::size_t i = 0; i < 6; ++i) {
                SCOPED_TRACE("frame " + std::to_string(i));
                EXPECT_SAME_BITS(g.scores[i][0], run->at(name("motion_sad", g.suffix), i));
                EXPECT_SAME_BITS(g.scores[i][1], run->at(name("motion2", g.suffix), i));
                EXPECT_SAME_BITS(g.scores[i][2], run->at(name("motion3", g.suffix), i));
            }
        }
    });
}

// One pass over the pictures gives several configurations.
TEST(MotionGolden, VariantsTogetherHaveTheSameBits) {
    const ClipPair clip = formula_clip(moving_samples, "smooth", {64, 48, 8, ChromaFormat::yuv420}, 6);
    const Golden &plain = figures[0], &window = figures[5];
    const auto run = run_metric(motion_info(), {window.options, "motion_force_zero=true", plain.options}, clip, best_instruction_set());
    ASSERT_TRUE(run) << run.error().message;
    for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_SAME_BITS(plain.scores[i][2], run->at(name("motion3", plain.suffix), i));
        EXPECT_SAME_BITS(window.scores[i][2], run->at(name("motion3", window.suffix), i));
        EXPECT_SAME_BITS(0.0, run->at("integer_motion3_force_0", i));
    }
}

TEST(MotionGolden, TablesHaveLibvmafsBits) {
    const auto cases = golden_cases();
    ASSERT_TRUE(cases) << cases.error().message;
    int compared = 0;
    for (const GoldenCase& golden : *cases)
        for (const GoldenRequest& request : golden.requests) {
            if (request.is_model || request.name != "motion") continue;
            SCOPED_TRACE(golden.name);
            ClipPair clip;
            for (const Picture& ref : make_clip(golden.clip.reference())) clip.push_back({ref, ref});
            const auto table = golden_table(golden.name);
            ASSERT_TRUE(table) << table.error().message;
            std::string options;
            for (const OptionText& option : request.options) options += (options.empty() ? "" : ":") + option.name + "=" + option.value;
            const auto run = run_metric(motion_info(), {options}, clip, best_instruction_set());
            ASSERT_TRUE(run) << run.error().message;
            for (const auto& [stored, values] : run->features) {
                std::string reported = stored;
                for (const FeatureSpec& feature : motion_info().features)
                    if (feature.name == stored) reported = feature.alias;
                const auto expected = table->feature(reported);
                ASSERT_EQ(expected.size(), values.size()) << reported;
                for (const auto& [frame, value] : expected)
                    EXPECT_SAME_BITS(value, values.at(std::size_t(frame))) << reported << " frame " << frame;
                compared += int(values.size());
            }
        }
    EXPECT_GE(compared, 70);
}

}  // namespace
}  // namespace isometric::test
