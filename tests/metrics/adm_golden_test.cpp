// Golden figures of the scores that libvmaf 3.2.0 stores with its plain C paths: docs/metrics/adm.md, section 8, and the tables of
// tests/golden/.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "metrics/adm/adm.h"
#include "tests/metrics/adm_clip.h"
#include "tests/metrics/metric_run.h"
#include "tests/support/bits.h"
#include "tests/support/clip.h"
#include "tests/support/golden.h"
#include "tests/support/instruction_sets.h"

namespace isometric::test {
namespace {

struct Input {
    int kind, width, height, bits;
    std::uint32_t seed;
};

struct Golden {
    Input input;
    double scores[7];  // adm2 aim adm3 scale0..3
};

constexpr Input g2 = {2, 176, 144, 8, 2};

const Golden figures[] = {
    {{1, 64, 64, 8, 1},
     {0x1.e9d926531bc44p-1, 0x0p+0, 0x1.f4ec93298de22p-1, 0x1.e968b21ca23d6p-1, 0x1.e9796df1f41a1p-1, 0x1.ea5291b9b3e13p-1,
      0x1.ea494ec42c0e9p-1}},
    {g2,
     {0x1.ee23987cc3f6ap-1, 0x1.637f339265218p-6, 0x1.f183cf701866cp-1, 0x1.eb2203aed621fp-1, 0x1.de185b3e2a393p-1, 0x1.e64db253fbe73p-1,
      0x1.faa6c7c2367d5p-1}},
    {{0, 160, 90, 10, 3},
     {0x1.7792f415a3fa9p-2, 0x1.476830847d4edp-1, 0x1.7461498654ae8p-2, 0x1.d7cd7be9d61f2p-2, 0x1.7600d02bd9934p-2, 0x1.4fccf45eaec01p-2,
      0x1.34faf08c8a26bp-2}},
    {{3, 577, 323, 8, 4},
     {0x1.fed424cc74222p-1, 0x1.2f481d1cb6c61p-7, 0x1.fd0b822c00a38p-1, 0x1.fffa3796c71fap-1, 0x1.ff3d56d2630b8p-1, 0x1.fdc076971fc3bp-1,
      0x1.fb4405c5a5eep-1}},
    {{8, 128, 72, 12, 5},
     {0x1.22005664313f5p-1, 0x0p+0, 0x1.91002b32189fap-1, 0x1.36f8e5fde0655p-1, 0x1.20c8e1e434c43p-1, 0x1.16c8ddb9f2cb6p-1,
      0x1.1687d18aa4f69p-1}},
    {{9, 96, 80, 16, 6},
     {0x1.4f4c560b378ecp+0, 0x0p+0, 0x1.27a62b059bc76p+0, 0x1.3d929737475fdp+0, 0x1.51ead3b540b46p+0, 0x1.5a73e1cf0ecacp+0,
      0x1.5bcc32a84d373p+0}},
    {{1, 481, 271, 8, 7},
     {0x1.e7b4f4133cdd8p-1, 0x1.2d01063c6b2a3p-10, 0x1.f38f39c80f54p-1, 0x1.e8ecb02f75889p-1, 0x1.e7ad7a308838dp-1, 0x1.e89d556724695p-1,
      0x1.e4bd41db94653p-1}},
    {{10, 64, 64, 8, 8},
     {0x1.45fe25e3a6ee4p-2, 0x1.6d701172eaccbp-1, 0x1.358f017ee8aa7p-2, 0x1.9abc0494478f8p-2, 0x1.6ed360683f904p-2, 0x1.3a7c699ae2fcep-2,
      0x1.3a0ff61425165p-3}},
};

struct GoldenOptions {
    const char* options;
    const char* suffix;
    double adm2, aim, adm3;
};

// On g2.
const GoldenOptions option_figures[] = {
    {"adm_enhn_gain_limit=1", "_egl_1", 0x1.eb3ff48020dd2p-1, 0x1.666f3c58faafcp-6, 0x1.f0063d4eac83dp-1},
    {"adm_enhn_gain_limit=1.2", "_egl_1.2", 0x1.ed8c858b66a1ap-1, 0x1.64dad0d20423dp-6, 0x1.f132d7826b404p-1},
    {"adm_norm_view_dist=5", "_nvd_5", 0x1.f4ff21764f36fp-1, 0x1.ac8593fed8a23p-7, 0x1.f726859329ea3p-1},
    {"adm_csf_mode=1", "_csf_1", 0x1.28eb6801e8cebp-5, 0x1.d17cdc0e79cfp-12, 0x1.092a43724e5edp-1},
    {"adm_csf_mode=1:adm_csf_scale=0.01:adm_csf_diag_scale=0.005", "_scfd_0.005_csf_1_scf_0.01", 0x1.f202f4c6c3abdp-1, 0x1.af8d38b5fe863p-7,
     0x1.f5a25ff1f5d8ep-1},
    {"adm_csf_mode=2", "_csf_2", 0x1.f16ffed69410cp-1, 0x1.0c6c022d77f52p-6, 0x1.f4864f6294288p-1},
    {"adm_csf_mode=3:adm_ref_display_height=2160", "_csf_3_rdh_2160", 0x1.f79eca4cfa7c6p-1, 0x1.21c88361e8cafp-7, 0x1.f98bd41fb96cap-1},
    {"adm_noise_weight=0", "_nw_0", 0x1.dfbd43d485b0fp-1, 0x1.410d2f14489dp-5, 0x1.e5d63871a0939p-1},
    {"adm_skip_scale0=true", "_ssz", 0x1.ef0e2e622f73ep-1, 0x1.3aa93d07ca13p-6, 0x1.f29c723cf891ap-1},
    {"adm_dlm_weight=0.25:adm_min_val=0.99", "_dlmw_0.25_min_0.99", 0x1.ee23987cc3f6ap-1, 0x1.637f339265218p-6, 0x1.fae147ae147aep-1},
    {"adm_skip_aim=true", "", 0x1.ee23987cc3f6ap-1, 0x0p+0, 0x1.f711cc3e61fb5p-1},
};

ClipPair clip_of(const Input& in) { return {adm_pair(in.kind, in.width, in.height, in.bits, in.seed)}; }

std::string name(const std::string& feature, const std::string& suffix) {
    return suffix.empty() ? "VMAF_integer_feature_" + feature + "_score" : "integer_" + feature + suffix;
}

TEST(AdmGolden, FormulaClipsHaveLibvmafsBits) {
    for_each_instruction_set([](InstructionSet set) {
        for (const Golden& g : figures) {
            SCOPED_TRACE("kind " + std::to_string(g.input.kind) + " " + std::to_string(g.input.width) + "x" +
                         std::to_string(g.input.height));
            const auto run = run_metric(adm_info(), {""}, clip_of(g.input), set);
            ASSERT_TRUE(run) << run.error().message;
            EXPECT_SAME_BITS(g.scores[0], run->at(name("adm2", ""), 0));
            EXPECT_SAME_BITS(g.scores[1], run->at(name("aim", ""), 0));
            EXPECT_SAME_BITS(g.scores[2], run->at(name("adm3", ""), 0));
            for (std::size_t s = 0; s < 4; ++s) EXPECT_SAME_BITS(g.scores[3 + s], run->at("integer_adm_scale" + std::to_string(s), 0));
        }
    });
}

TEST(AdmGolden, OptionsHaveLibvmafsBits) {
    const ClipPair clip = clip_of(g2);
    for_each_instruction_set([&](InstructionSet set) {
        for (const GoldenOptions& g : option_figures) {
            SCOPED_TRACE(g.options);
            const auto run = run_metric(adm_info(), {g.options}, clip, set);
            ASSERT_TRUE(run) << run.error().message;
            EXPECT_SAME_BITS(g.adm2, run->at(name("adm2", g.suffix), 0));
            EXPECT_SAME_BITS(g.aim, run->at(name("aim", g.suffix), 0));
            EXPECT_SAME_BITS(g.adm3, run->at(name("adm3", g.suffix), 0));
        }
    });
}

TEST(AdmGolden, DebugSumsHaveLibvmafsBits) {
    const auto run = run_metric(adm_info(), {"debug=true"}, clip_of(g2), best_instruction_set());
    ASSERT_TRUE(run) << run.error().message;
    EXPECT_SAME_BITS(0x1.ee23987cc3f6ap-1, run->at("integer_adm", 0));
    EXPECT_SAME_BITS(0x1.382fbbcp+6, run->at("integer_adm_num", 0));
    EXPECT_SAME_BITS(0x1.43787bp+6, run->at("integer_adm_den", 0));
    const double num[] = {0x1.21f28ap+4, 0x1.af8fc4p+3, 0x1.c97236p+3, 0x1.0125b4p+5};
    const double den[] = {0x1.2e4442p+4, 0x1.ce2a9cp+3, 0x1.e19e28p+3, 0x1.03dca4p+5};
    for (std::size_t s = 0; s < 4; ++s) {
        EXPECT_SAME_BITS(num[s], run->at("integer_adm_num_scale" + std::to_string(s), 0));
        EXPECT_SAME_BITS(den[s], run->at("integer_adm_den_scale" + std::to_string(s), 0));
    }
}

// Measured in one pass, different in every part that could be shared by mistake.
TEST(AdmGolden, VariantsTogetherHaveTheSameBits) {
    const ClipPair clip = clip_of(g2);
    for_each_instruction_set([&](InstructionSet set) {
        std::vector<std::string> variants;
        for (const GoldenOptions& g : option_figures)
            if (*g.suffix) variants.push_back(g.options);
        variants.push_back("debug=true");
        const auto run = run_metric(adm_info(), variants, clip, set);
        ASSERT_TRUE(run) << run.error().message;
        for (const GoldenOptions& g : option_figures) {
            if (!*g.suffix) continue;
            SCOPED_TRACE(g.options);
            EXPECT_SAME_BITS(g.adm2, run->at(name("adm2", g.suffix), 0));
            EXPECT_SAME_BITS(g.aim, run->at(name("aim", g.suffix), 0));
            EXPECT_SAME_BITS(g.adm3, run->at(name("adm3", g.suffix), 0));
        }
        EXPECT_SAME_BITS(figures[1].scores[0], run->at(name("adm2", ""), 0));
        EXPECT_SAME_BITS(0x1.03dca4p+5, run->at("integer_adm_den_scale3", 0));
    });
}

std::string joined(const std::vector<OptionText>& options) {
    std::string text;
    for (const OptionText& option : options) text += (text.empty() ? "" : ":") + option.name + "=" + option.value;
    return text;
}

std::string reported(const std::string& stored) {
    for (const FeatureSpec& feature : adm_info().features)
        if (feature.name == stored) return std::string(feature.alias);
    return stored;
}

// Every table that has scores of `adm`, from a request or through a model.
TEST(AdmGolden, TablesHaveLibvmafsBits) {
    const auto cases = golden_cases();
    ASSERT_TRUE(cases) << cases.error().message;
    const std::string v1 = "adm_dlm_weight=0.7:adm_enhn_gain_limit=1:adm_noise_weight=0.02:adm_min_val=0.5:adm_csf_mode=2";
    const std::vector<std::string> of_models = {"", "adm_enhn_gain_limit=1", v1, v1 + ":adm_norm_view_dist=5"};
    int compared = 0;
    for (const GoldenCase& golden : *cases) {
        std::vector<std::string> variants;
        bool models = false;
        for (const GoldenRequest& request : golden.requests) {
            models |= request.is_model;
            if (!request.is_model && request.name == "adm") variants.push_back(joined(request.options));
        }
        if (models) variants.insert(variants.end(), of_models.begin(), of_models.end());
        if (variants.empty()) continue;
        SCOPED_TRACE(golden.name);
        const auto table = golden_table(golden.name);
        ASSERT_TRUE(table) << table.error().message;
        ClipPair clip;
        const auto refs = make_clip(golden.clip.reference()), diss = make_clip(golden.clip);
        for (std::size_t i = 0; i < refs.size(); ++i) clip.push_back({refs[i], diss[i]});
        const auto run = run_metric(adm_info(), variants, clip, best_instruction_set());
        ASSERT_TRUE(run) << run.error().message;
        int here = 0;
        for (const auto& [stored, values] : run->features)
            for (const auto& [frame, value] : table->feature(reported(stored))) {
                EXPECT_SAME_BITS(value, values.at(std::size_t(frame))) << stored << " frame " << frame;
                ++here;
            }
        EXPECT_GT(here, 0);
        compared += here;
    }
    EXPECT_GE(compared, 600);
}

}  // namespace
}  // namespace isometric::test
