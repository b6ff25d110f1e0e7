// The whole metric against the naive reference: sizes, depths, contents, options and instruction sets; and what it refuses.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "metrics/adm/adm.h"
#include "tests/metrics/adm_clip.h"
#include "tests/metrics/metric_run.h"
#include "tests/support/bits.h"
#include "tests/support/fill.h"
#include "tests/support/guarded.h"
#include "tests/support/instruction_sets.h"

namespace isometric::test {
namespace {

struct Case {
    const char* options;
    adm_reference::Options reference;
};

const std::vector<Case>& cases() {
    static const std::vector<Case> list = {
        {"debug=true", {.debug = true}},
        {"debug=true:adm_enhn_gain_limit=1", {.debug = true, .gain_limit = 1}},
        {"debug=true:adm_enhn_gain_limit=1.2", {.debug = true, .gain_limit = 1.2}},
        {"debug=true:adm_enhn_gain_limit=3", {.debug = true, .gain_limit = 3}},
        {"debug=true:adm_enhn_gain_limit=99.99", {.debug = true, .gain_limit = 99.99}},
        {"debug=true:adm_csf_mode=1", {.debug = true, .csf_mode = 1}},
        {"debug=true:adm_csf_mode=1:adm_csf_scale=50:adm_csf_diag_scale=31",
         {.debug = true, .csf_scale = 50, .csf_diag_scale = 31, .csf_mode = 1}},
        {"debug=true:adm_csf_mode=1:adm_csf_scale=0.01:adm_csf_diag_scale=0",
         {.debug = true, .csf_scale = 0.01, .csf_diag_scale = 0, .csf_mode = 1}},
        {"debug=true:adm_csf_mode=1:adm_csf_scale=0.3:adm_csf_diag_scale=0.6",
         {.debug = true, .csf_scale = 0.3, .csf_diag_scale = 0.6, .csf_mode = 1}},
        {"debug=true:adm_csf_mode=2:adm_norm_view_dist=5", {.debug = true, .view_distance = 5, .csf_mode = 2}},
        {"debug=true:adm_csf_mode=3:adm_norm_view_dist=1.5:adm_ref_display_height=2160",
         {.debug = true, .view_distance = 1.5, .display_height = 2160, .csf_mode = 3}},
        {"debug=true:adm_norm_view_dist=4.25", {.debug = true, .view_distance = 4.25}},
        {"debug=true:adm_noise_weight=0:adm_dlm_weight=0.7:adm_min_val=0.5",
         {.debug = true, .dlm_weight = 0.7, .noise_weight = 0, .min_val = 0.5}},
        {"debug=true:adm_skip_scale0=true", {.debug = true, .skip_scale0 = true}},
        {"debug=true:adm_skip_aim=true", {.debug = true, .skip_aim = true}},
    };
    return list;
}

// The reference's not-a-number has the sign that the processor gives it; the metric's is the same everywhere.
double as_emitted(double reference) { return reference == reference ? reference : -std::numeric_limits<double>::quiet_NaN(); }

void expect_reference(const FramePair& pair, const std::vector<Case>& variants, InstructionSet set) {
    std::vector<OptionValues> values;
    for (const Case& c : variants) values.push_back(*OptionValues::parse(adm_info(), option_texts(c.options)));
    auto metric = adm_info().create(values, pair.ref.format(), set);
    ASSERT_TRUE(metric) << metric.error().message;
    auto workspace = (*metric)->create_workspace();
    ASSERT_TRUE(workspace);
    FullTable table(1, std::size_t((*metric)->record_size()));
    ASSERT_TRUE((*metric)->measure({.index = 0, .current = pair, .earlier = {}}, **workspace, table.writable(0)));
    const auto ref = adm_reference_picture(pair.ref), dis = adm_reference_picture(pair.dis);
    for (std::size_t v = 0; v < variants.size(); ++v) {
        SCOPED_TRACE(variants[v].options);
        std::vector<double> scores((*metric)->emitted(int(v)).size());
        (*metric)->conclude(table, 0, int(v), scores);
        std::vector<double> expected = adm_reference::score_frame(ref, dis, variants[v].reference).emitted(variants[v].reference.debug);
        for (double& value : expected) value = as_emitted(value);
        ASSERT_SAME_BITS(expected, scores);
    }
}

TEST(Adm, HasTheReferenceBitsAtAwkwardSizes) {
    for_each_instruction_set([](InstructionSet set) {
        std::uint32_t seed = 1;
        for (int width : {17, 18, 19, 23, 31, 32, 33, 34, 47, 63, 64, 65, 66, 67, 79, 97, 131, 200, 259})
            for (int height : {17, 20, 33, 45}) {
                const int kind = adm_kinds[seed % std::size(adm_kinds)], bits = 8 + int(seed % 9);
                SCOPED_TRACE(std::to_string(width) + "x" + std::to_string(height) + " kind " + std::to_string(kind) + " bits " +
                             std::to_string(bits) + " seed " + std::to_string(seed));
                expect_reference(adm_pair(kind, width, height, bits, seed), {cases()[seed % cases().size()], cases()[0], cases()[1]}, set);
                if (HasFatalFailure()) return;
                seed += 7;
            }
    });
}

TEST(Adm, HasTheReferenceBitsOfEveryContentAndOption) {
    for_each_instruction_set([](InstructionSet set) {
        for (int bits : {8, 10, 16})
            for (int kind : adm_kinds) {
                SCOPED_TRACE("kind " + std::to_string(kind) + " bits " + std::to_string(bits));
                expect_reference(adm_pair(kind, 131, 67, bits, std::uint32_t(kind * 16 + bits)), cases(), set);
                if (HasFatalFailure()) return;
            }
    });
}

// Wide enough that window and picture differ at every scale, and that rows are summed in several parts.
TEST(Adm, HasTheReferenceBitsOfWidePictures) {
    for_each_instruction_set([](InstructionSet set) {
        for (const auto& [width, height, bits, kind] :
             {std::array{2600, 49, 8, 10}, std::array{1921, 90, 10, 1}, std::array{70, 1400, 8, 0}}) {
            SCOPED_TRACE(std::to_string(width) + "x" + std::to_string(height));
            expect_reference(adm_pair(kind, width, height, bits, 99), {cases()[0], cases()[2]}, set);
            if (HasFatalFailure()) return;
        }
    });
}

// Rows that end at an inaccessible page, at strides and alignments that only their sample promises.
TEST(Adm, ReadsNothingOutsideOfRows) {
    for_each_instruction_set([](InstructionSet set) {
        for (int bits : {8, 12})
            for (int width : {17, 33, 67, 130, 200}) {
                SCOPED_TRACE(std::to_string(width) + " bits " + std::to_string(bits));
                const FramePair pair = adm_pair(1, width, 40, bits, 5);
                expect_reference({guarded_picture(pair.ref), guarded_picture(pair.dis)}, {cases()[0]}, set);
                if (HasFatalFailure()) return;
            }
    });
}

// A workspace carries nothing from one frame to the next.
TEST(Adm, FramesAreIndependent) {
    ClipPair clip, reversed;
    for (int kind : {0, 11, 2, 10, 1}) clip.push_back(adm_pair(kind, 150, 90, 8, std::uint32_t(kind)));
    const auto run = run_metric(adm_info(), {"debug=true"}, clip, best_instruction_set());
    ASSERT_TRUE(run);
    for (std::size_t i = 0; i < clip.size(); ++i) {
        const auto alone = run_metric(adm_info(), {"debug=true"}, {clip[i]}, best_instruction_set());
        ASSERT_TRUE(alone);
        for (const auto& [name, values] : alone->features) EXPECT_SAME_BITS(values[0], run->at(name, i)) << name << " frame " << i;
    }
}

TEST(Adm, IdenticalPicturesScoreAboutOne) {
    const FramePair pair = adm_pair(2, 320, 240, 8, 3);
    const auto run = run_metric(adm_info(), {""}, {{pair.ref, pair.ref}}, best_instruction_set());
    ASSERT_TRUE(run);
    EXPECT_NEAR(1.0, run->at("VMAF_integer_feature_adm2_score", 0), 1e-3);
}

// ---- Interface --------------------------------------------------------------------------------------------------------------------------

TEST(Adm, EmitsFeaturesInLibvmafsOrder) {
    const std::vector<std::string> expected = {"VMAF_integer_feature_adm2_score",
                                               "VMAF_integer_feature_aim_score",
                                               "VMAF_integer_feature_adm3_score",
                                               "integer_adm_scale0",
                                               "integer_adm_scale1",
                                               "integer_adm_scale2",
                                               "integer_adm_scale3",
                                               "integer_adm",
                                               "integer_adm_num",
                                               "integer_adm_den",
                                               "integer_adm_num_scale0",
                                               "integer_adm_den_scale0",
                                               "integer_adm_num_scale1",
                                               "integer_adm_den_scale1",
                                               "integer_adm_num_scale2",
                                               "integer_adm_den_scale2",
                                               "integer_adm_num_scale3",
                                               "integer_adm_den_scale3"};
    for (const bool debug : {false, true}) {
        const OptionValues values = *OptionValues::parse(adm_info(), option_texts(debug ? "debug=true" : ""));
        auto metric = adm_info().create({&values, 1}, {64, 64, 8, ChromaFormat::yuv420}, best_instruction_set());
        ASSERT_TRUE(metric);
        std::vector<std::string> names;
        for (const EmittedFeature& feature : (*metric)->emitted(0))
            names.push_back(stored_name(values, adm_info().features[std::size_t(feature.feature)]));
        EXPECT_EQ(std::vector(expected.begin(), expected.begin() + (debug ? 18 : 7)), names);
    }
}

TEST(Adm, NamesCarryTheOptionsThatDiffer) {
    const OptionValues values = *OptionValues::parse(
        adm_info(),
        option_texts("adm_enhn_gain_limit=1.2:adm_norm_view_dist=3.5:adm_skip_scale0=true:debug=true:adm_skip_aim=true:adm_csf_mode=0"));
    EXPECT_EQ("integer_adm2_egl_1.2_nvd_3.5_ssz", stored_name(values, adm_info().features[0]));
    EXPECT_EQ("integer_adm_den_scale3_egl_1.2_nvd_3.5_ssz", stored_name(values, adm_info().features[17]));
}

std::string refusal(const std::string& options, const PictureFormat& format) {
    const auto values = OptionValues::parse(adm_info(), option_texts(options));
    if (!values) return values.error().message;
    auto metric = adm_info().create({&*values, 1}, format, best_instruction_set());
    return metric ? "" : metric.error().message;
}

TEST(Adm, RefusesWhatHasNoDefinedScore) {
    const PictureFormat usual{320, 240, 8, ChromaFormat::yuv420};
    EXPECT_EQ("", refusal("", usual));
    EXPECT_EQ("", refusal("", {17, 17, 16, ChromaFormat::yuv400}));
    EXPECT_EQ("metric adm needs pictures of 17x17 or more, not 16x240 4:2:0 8 bit", refusal("", {16, 240, 8, ChromaFormat::yuv420}));
    EXPECT_EQ("metric adm needs pictures of 17x17 or more, not 320x16 4:2:0 10 bit", refusal("", {320, 16, 10, ChromaFormat::yuv420}));
    EXPECT_EQ("metric adm: viewing distance 3 times display height 1079 is 3237; it must be 3240 or more (options adm_norm_view_dist and "
              "adm_ref_display_height)",
              refusal("adm_ref_display_height=1079", usual));
    EXPECT_EQ(
        "metric adm: adm_csf_mode 2 has no weights for display height 1440 at viewing distance 3: it has 1080 at 3, 2160 at 1.5, 1080 at "
        "5, "
        "2160 at 3, 2160 at 5",
        refusal("adm_csf_mode=2:adm_ref_display_height=1440", usual));
    EXPECT_EQ("", refusal("adm_csf_mode=0:adm_ref_display_height=1440", usual));
    EXPECT_NE("", refusal("adm_enhn_gain_limit=0.5", usual));
    EXPECT_NE("", refusal("adm_csf_mode=4", usual));
    EXPECT_NE("", refusal("egl=1", usual));
    EXPECT_NE("", refusal("adm_p_norm=3", usual));
}

}  // namespace
}  // namespace isometric::test
