// Golden figures of the scores that libvmaf 3.2.0 stores: clips defined by formulas, and the tables of tests/golden/.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "metrics/vif/vif.h"
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
    double values[5][4];  // [scale, then all together][num and den of frame 0, score of frame 0, score of frame 1]
};

const Golden figures[] = {
    {"noisy",
     64,
     64,
     8,
     "",
     "",
     {{0x1.83bae2p+14, 0x1.6d55fcp+15, 0x1.0fb13p-1, 0x1.0e01e8p-1},
      {0x1.44ffeep+12, 0x1.727a6ap+12, 0x1.c1261cp-1, 0x1.bc3e92p-1},
      {0x1.0405ap+10, 0x1.16b6b8p+10, 0x1.dda9bcp-1, 0x1.d572b2p-1},
      {0x1.802dcp+7, 0x1.958e8p+7, 0x1.e502dcp-1, 0x1.df190ep-1},
      {0x1.e83b93p+14, 0x1.a5f08d8p+15, 0x1.2838b06a94b77p-1, 0x1.2597501bd30dfp-1}}},
    {"smooth",
     48,
     36,
     10,
     "",
     "",
     {{0x1.f06634p+11, 0x1.4b6ff6p+13, 0x1.7f6a5cp-2, 0x1.7ee888p-2},
      {0x1.33fb64p+11, 0x1.4271dcp+11, 0x1.e908f8p-1, 0x1.e646a6p-1},
      {0x1.4868p+9, 0x1.4e28cp+9, 0x1.f72f72p-1, 0x1.f565f2p-1},
      {0x1.3ba6p+7, 0x1.3e954p+7, 0x1.fb48a8p-1, 0x1.fab024p-1},
      {0x1.c51afcp+12, 0x1.b5e94ep+13, 0x1.08e1e15dc3a85p-1, 0x1.0821cd7c82973p-1}}},
    {"move",
     65,
     49,
     12,
     "vif_enhn_gain_limit=1.0",
     "_egl_1",
     {{0x1.6226a8p+14, 0x1.ca5e5ep+14, 0x1.8b96a2p-1, 0x1.9b3b22p-1},
      {0x1.210d28p+12, 0x1.60a6e8p+12, 0x1.a3a93ep-1, 0x1.b349fep-1},
      {0x1.02afa8p+10, 0x1.30e89p+10, 0x1.b26246p-1, 0x1.bd33p-1},
      {0x1.d862p+7, 0x1.11564p+8, 0x1.ba6bc8p-1, 0x1.c0eb04p-1},
      {0x1.be45b08p+14, 0x1.1cedfdp+15, 0x1.90f607a20fb49p-1, 0x1.a044d0206eb82p-1}}},
    {"check",
     40,
     33,
     16,
     "",
     "",
     {{0x1.98b754p+11, 0x1.0a358ep+14, 0x1.890abp-3, 0x1.890ac2p-3},
      {0x1.3b0edp+9, 0x1.bcafbcp+11, 0x1.6abfc6p-3, 0x1.6abf96p-3},
      {0x1.e9548p+6, 0x1.87c62p+9, 0x1.3fbf36p-3, 0x1.3fbf1ep-3},
      {0x1.cbc6p+4, 0x1.55294p+7, 0x1.59010ep-3, 0x1.58f204p-3},
      {0x1.fa5d38p+11, 0x1.50b409p+14, 0x1.80fed4ca3a27ap-3, 0x1.80febb7fcaa8fp-3}}},
    {"dots",
     64,
     64,
     8,
     "",
     "",
     {{0x1.ffffa6p+11, 0x1p+12, 0x1.ffffa6p-1, 0x1.ffffa6p-1},
      {0x1.ffff84p+9, 0x1p+10, 0x1.ffff84p-1, 0x1.ffff84p-1},
      {0x1.ffff94p+7, 0x1p+8, 0x1.ffff94p-1, 0x1.ffff94p-1},
      {0x1.ffff04p+5, 0x1p+6, 0x1.ffff04p-1, 0x1.ffff04p-1},
      {0x1.53ffbe28p+12, 0x1.54p+12, 0x1.ffff9cd8d8d8ep-1, 0x1.ffff9cd8d8d8ep-1}}},
    {"noise",
     33,
     47,
     8,
     "",
     "",
     {{0x1.1fa8p+4, 0x1.14a44ep+14, 0x1.0a314ep-10, 0x1.c2aeeap-12},
      {0x1.9c6ep+5, 0x1.fa5378p+10, 0x1.a10d2ap-6, 0x1.1a4726p-6},
      {0x1.35dp+3, 0x1.61aaap+8, 0x1.c0835p-6, 0x1.527c74p-5},
      {0x1.cb6p+1, 0x1.028e8p+6, 0x1.c6d528p-5, 0x1.84166p-4},
      {0x1.4b36p+6, 0x1.3ad2be8p+14, 0x1.0d53646c7c8ecp-8, 0x1.8f94a37fb3241p-9}}},
    {"noisy",
     12,
     9,
     8,
     "",
     "",
     {{0x1.53eb5p+9, 0x1.3ab228p+10, 0x1.1484cap-1, 0x1.139936p-1},
      {0x1.1306p+7, 0x1.1e5ap+7, 0x1.ebbec4p-1, 0x1.c712eep-1},
      {0x1.9d02p+4, 0x1.9e8cp+4, 0x1.fe196p-1, 0x1.d98de8p-1},
      {0x1.c93p+1, 0x1.bd8p+1, 0x1.06b75p+0, 0x1.e0dd86p-1},
      {0x1.a75e1p+9, 0x1.65d658p+10, 0x1.2ee17fea2b39ap-1, 0x1.2861dc6a5b931p-1}}},
    {"noisy",
     64,
     64,
     8,
     "vif_skip_scale0=true",
     "_ssclz",
     {{0x0p+0, -0x1p+0, 0x0p+0, 0x0p+0},
      {0x1.44ffeep+12, 0x1.727a6ap+12, 0x1.c1261cp-1, 0x1.bc3e92p-1},
      {0x1.0405ap+10, 0x1.16b6b8p+10, 0x1.dda9bcp-1, 0x1.d572b2p-1},
      {0x1.802dcp+7, 0x1.958e8p+7, 0x1.e502dcp-1, 0x1.df190ep-1},
      {0x1.9202c4p+12, 0x1.c4d48cp+12, 0x1.c68a46bf50ebdp-1, 0x1.c156eb62bd15ep-1}}},
};

void expect_figures(const Golden& g, const RunScores& run) {
    const std::string suffix = g.suffix;
    for (int scale = 0; scale < 4; ++scale) {
        SCOPED_TRACE("scale " + std::to_string(scale));
        const std::string s = std::to_string(scale);
        const std::string score = suffix.empty() ? "VMAF_integer_feature_vif_scale" + s + "_score" : "integer_vif_scale" + s + suffix;
        EXPECT_SAME_BITS(g.values[scale][0], run.at("integer_vif_num_scale" + s + suffix, 0));
        EXPECT_SAME_BITS(g.values[scale][1], run.at("integer_vif_den_scale" + s + suffix, 0));
        EXPECT_SAME_BITS(g.values[scale][2], run.at(score, 0));
        EXPECT_SAME_BITS(g.values[scale][3], run.at(score, 1));
    }
    EXPECT_SAME_BITS(g.values[4][0], run.at("integer_vif_num" + suffix, 0));
    EXPECT_SAME_BITS(g.values[4][1], run.at("integer_vif_den" + suffix, 0));
    EXPECT_SAME_BITS(g.values[4][2], run.at("integer_vif" + suffix, 0));
    EXPECT_SAME_BITS(g.values[4][3], run.at("integer_vif" + suffix, 1));
}

TEST(VifGolden, FormulaClipsHaveLibvmafsBits) {
    for_each_instruction_set([](InstructionSet set) {
        for (const Golden& g : figures) {
            SCOPED_TRACE(std::string(g.kind) + " " + g.options);
            const ClipPair clip = formula_clip(moving_samples, g.kind, {g.width, g.height, g.bits, ChromaFormat::yuv420}, 2);
            const std::string options = std::string(g.options) + (*g.options ? ":" : "") + "debug=true";
            const auto run = run_metric(vif_info(), {options}, clip, set);
            ASSERT_TRUE(run) << run.error().message;
            EXPECT_EQ(15u, run->features.size());
            expect_figures(g, *run);
        }
    });
}

// Whole tables, and the features of the default model in the tables of models (a reports' name there is the alias).
void compare_with_table(const GoldenCase& golden, const std::string& options, int& compared) {
    SCOPED_TRACE(golden.name + " " + options);
    ClipPair clip;
    const std::vector<Picture> ref = make_clip(golden.clip.reference()), dis = make_clip(golden.clip);
    for (std::size_t i = 0; i < ref.size(); ++i) clip.push_back({ref[i], dis[i]});
    const auto table = golden_table(golden.name);
    ASSERT_TRUE(table) << table.error().message;
    const auto run = run_metric(vif_info(), {options}, clip, best_instruction_set());
    ASSERT_TRUE(run) << run.error().message;
    for (const auto& [stored, values] : run->features) {
        std::string reported = stored;
        for (const FeatureSpec& feature : vif_info().features)
            if (feature.name == stored) reported = feature.alias;
        const auto expected = table->feature(reported);
        ASSERT_EQ(expected.size(), values.size()) << reported;
        for (const auto& [frame, value] : expected)
            EXPECT_SAME_BITS(value, values.at(std::size_t(frame))) << reported << " frame " << frame;
        compared += int(values.size());
    }
}

TEST(VifGolden, TablesHaveLibvmafsBits) {
    const auto cases = golden_cases();
    ASSERT_TRUE(cases) << cases.error().message;
    int compared = 0;
    for (const GoldenCase& golden : *cases)
        for (const GoldenRequest& request : golden.requests) {
            std::string options;
            for (const OptionText& option : request.options) options += (options.empty() ? "" : ":") + option.name + "=" + option.value;
            if (request.is_model ? request.name == "vmaf_v0.6.1" : request.name == "vif") compare_with_table(golden, options, compared);
            if (request.is_model && request.name == "vmaf_v0.6.1neg") compare_with_table(golden, "vif_enhn_gain_limit=1", compared);
        }
    EXPECT_GE(compared, 380);
}

}  // namespace
}  // namespace isometric::test
