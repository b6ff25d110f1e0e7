// The published models: their figures, and what they predict.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <sstream>

#include "isometric/model.h"
#include "model/builtin.h"
#include "model/model_json.h"
#include "model/table.h"
#include "tests/model/model_support.h"
#include "tests/support/bits.h"
#include "tests/support/golden.h"
#include "tools/model_table/table_writer.h"

namespace isometric::test {
namespace {

std::vector<std::string> versions() {
    std::vector<std::string> out;
    for (const BuiltinModel& model : builtin_models()) out.emplace_back(model.version);
    return out;
}

ModelSet definition(std::string_view version) {
    auto set = read_model_table(builtin_model_table(), version);
    EXPECT_TRUE(set) << set.error().message;
    return *std::move(set);
}

std::vector<double> predict(const Model& model, const std::vector<double>& features) {
    std::vector<double> scores(model.score_names().size());
    model.predict(features, scores);
    return scores;
}

// FNV-1a over the bytes of doubles.
class Digest {
public:
    void add(double value) {
        for (int byte = 0; byte < 8; ++byte) state_ = (state_ ^ (std::bit_cast<std::uint64_t>(value) >> 8 * byte & 0xff)) * 0x100000001b3u;
    }
    void add(const std::vector<double>& values) {
        for (double value : values) add(value);
    }
    std::uint64_t value() const { return state_; }

private:
    std::uint64_t state_ = 0xcbf29ce484222325u;
};

// In the order of the published files.
std::uint64_t digest(const ModelSet& set) {
    Digest digest;
    for (const ModelDefinition& model : set.models) {
        digest.add(model.output_slope);
        digest.add(model.slopes);
        digest.add(model.output_intercept);
        digest.add(model.intercepts);
        digest.add(model.regression.kernel.gamma);
        digest.add(model.regression.rho);
        const std::size_t features = model.features.size();
        for (std::size_t v = 0; v < model.regression.size(); ++v) {
            digest.add(model.regression.coefficients[v]);
            for (std::size_t i = 0; i < features; ++i) digest.add(model.regression.values[v * features + i]);
        }
        if (model.transform)
            for (const auto& factor : {model.transform->p0, model.transform->p1, model.transform->p2})
                if (factor) digest.add(*factor);
        digest.add(model.clip->min);
        digest.add(model.clip->max);
        digest.add(model.chroma_correction);
    }
    return digest.value();
}

std::vector<double> hex_floats(const std::string& text) {
    std::vector<double> out;
    std::istringstream words(text);
    for (std::string word; words >> word;) out.push_back(*parse_hex_float(word));
    return out;
}

// builtin_figures.tsv: lines "model VERSION DIGEST" and "scores FLAGS FEATURES SCORES" (flags: clip disabled, transform enabled),
// computed by another program from the published files.
template <class OnModel, class OnScores>
void for_each_figure(OnModel on_model, OnScores on_scores) {
    const auto text = read_whole_file(ISO_TEST_DATA "/model/builtin_figures.tsv");
    ASSERT_TRUE(text) << text.error().message;
    std::istringstream lines(*text);
    std::string version;
    for (std::string line; std::getline(lines, line);) {
        std::vector<std::string> fields;
        std::istringstream words(line);
        for (std::string field; std::getline(words, field, '\t');) fields.push_back(field);
        if (fields[0] == "model") {
            version = fields[1];
            on_model(version, std::stoull(fields[2], nullptr, 16));
        } else {
            on_scores(version, ModelSettings{"vmaf", fields[1][0] == '1', fields[1][1] == '1'}, hex_floats(fields[2]),
                      hex_floats(fields[3]));
        }
    }
}

TEST(BuiltinModels, AreThePublishedOnesInTheTablesOrder) {
    std::vector<std::string> in_table;
    for (std::string_view name : model_table_names(builtin_model_table())) in_table.emplace_back(name);
    EXPECT_EQ(versions(), in_table);
    EXPECT_EQ(versions().size(), 17u);
    for (const BuiltinModel& model : builtin_models()) EXPECT_FALSE(model.summary.empty()) << model.version;
}

TEST(BuiltinModels, HaveThePublishedFigures) {
    std::size_t seen = 0;
    for_each_figure(
        [&](const std::string& version, std::uint64_t expected) {
            EXPECT_EQ(digest(definition(version)), expected) << version;
            ++seen;
        },
        [](auto&&...) {});
    EXPECT_EQ(seen, builtin_models().size());
}

TEST(BuiltinModels, PredictThePublishedScores) {
    std::size_t seen = 0;
    for_each_figure([](auto&&...) {},
                    [&](const std::string& version, const ModelSettings& settings, const std::vector<double>& features,
                        const std::vector<double>& scores) {
                        const auto model = Model::builtin(version, settings);
                        ASSERT_TRUE(model) << model.error().message;
                        ASSERT_SAME_BITS(scores, predict(*model, features))
                            << version << " clip off " << settings.disable_clip << " transform on " << settings.enable_transform;
                        ++seen;
                    });
    EXPECT_EQ(seen, 196u);
}

TEST(BuiltinModels, ReadTheirFeaturesWithTheirOptions) {
    const auto neg = Model::builtin("vmaf_v0.6.1neg");
    ASSERT_TRUE(neg);
    ASSERT_EQ(neg->features().size(), 6u);
    EXPECT_EQ(neg->features()[0].name, "VMAF_integer_feature_adm2_score");
    EXPECT_EQ(neg->features()[0].options, (std::vector<OptionText>{{"adm_enhn_gain_limit", "1"}}));
    EXPECT_EQ(neg->features()[1].name, "VMAF_integer_feature_motion2_score");
    EXPECT_TRUE(neg->features()[1].options.empty());
    for (int scale = 0; scale < 4; ++scale) {
        EXPECT_EQ(neg->features()[std::size_t(2 + scale)].name, "VMAF_integer_feature_vif_scale" + std::to_string(scale) + "_score");
        EXPECT_EQ(neg->features()[std::size_t(2 + scale)].options, (std::vector<OptionText>{{"vif_enhn_gain_limit", "1"}}));
    }
    const auto floating = Model::builtin("vmaf_float_v0.6.1");
    ASSERT_TRUE(floating);
    EXPECT_EQ(floating->features()[0].name, "VMAF_feature_adm2_score");

    const auto v1 = Model::builtin("vmaf_v1.0.16_hfr_5d0h");
    ASSERT_TRUE(v1);
    ASSERT_EQ(v1->features().size(), 4u);
    EXPECT_EQ(v1->features()[0].options,
              (std::vector<OptionText>{{"cambi_high_res_speedup", "1080"}, {"cambi_vis_lum_threshold", "0.06"}, {"cambi_max_val", "17"}}));
    EXPECT_EQ(v1->features()[1].name, "Speed_chroma_feature_speed_chroma_uv_score");
    EXPECT_EQ(v1->features()[1].options, (std::vector<OptionText>{{"speed_nn_floor", "0.1"},
                                                                  {"speed_sigma_nn", "0.19"},
                                                                  {"speed_weight_var_mode", "5"},
                                                                  {"speed_prescale", "0.6"},
                                                                  {"speed_prescale_method", "bilinear"},
                                                                  {"speed_max_val", "45"}}));
    EXPECT_EQ(v1->features()[2].options, (std::vector<OptionText>{{"adm_dlm_weight", "0.7"},
                                                                  {"adm_enhn_gain_limit", "1"},
                                                                  {"adm_noise_weight", "0.02"},
                                                                  {"adm_norm_view_dist", "5"},
                                                                  {"adm_ref_display_height", "1080"},
                                                                  {"adm_min_val", "0.5"},
                                                                  {"adm_csf_mode", "2"}}));
    EXPECT_EQ(v1->features()[3].options,
              (std::vector<OptionText>{{"motion_max_val", "18"}, {"motion_five_frame_window", "true"}, {"motion_moving_average", "true"}}));
}

TEST(BuiltinModels, HaveNamesForAllScores) {
    ModelSettings settings;
    settings.name = "quality";
    const auto single = Model::builtin("vmaf_v0.6.1", settings);
    ASSERT_TRUE(single);
    EXPECT_FALSE(single->is_collection());
    EXPECT_EQ(single->version(), "vmaf_v0.6.1");
    EXPECT_EQ(single->score_names(), std::vector<std::string>{"quality"});
    const auto collection = Model::builtin("vmaf_b_v0.6.3", settings);
    ASSERT_TRUE(collection);
    EXPECT_TRUE(collection->is_collection());
    const std::vector<std::string> names = collection->score_names();
    ASSERT_EQ(names.size(), 25u);
    EXPECT_EQ(names[0], "quality");
    EXPECT_EQ(names[1], "quality_0001");
    EXPECT_EQ(names[20], "quality_0020");
    EXPECT_EQ((std::vector<std::string>(names.begin() + 21, names.end())),
              (std::vector<std::string>{"quality_bagging", "quality_stddev", "quality_ci_p95_lo", "quality_ci_p95_hi"}));
}

TEST(BuiltinModels, AnUnknownVersionNamesTheNearest) {
    const auto model = Model::builtin("vmaf_v0.6.1ng");
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().code, Code::bad_model);
    EXPECT_NE(model.error().message.find("did you mean 'vmaf_v0.6.1neg'"), std::string::npos) << model.error().message;
    EXPECT_FALSE(Model::builtin(""));
    EXPECT_FALSE(Model::builtin("vmaf_v0.6.1 "));
    EXPECT_FALSE(Model::builtin("regression"));
}

class Builtin : public testing::TestWithParam<std::string> {};

// 300 vectors, 4 combinations of flags.
TEST_P(Builtin, PredictsWithTheReferencesBits) {
    const ModelSet set = definition(GetParam());
    const auto vectors = feature_vectors(set.models[0].features.size(), set.collection ? 60 : 300, 11);
    for (const ModelSettings& settings : all_flags()) {
        const auto model = Model::builtin(GetParam(), settings);
        ASSERT_TRUE(model) << model.error().message;
        for (const std::vector<double>& features : vectors)
            ASSERT_SAME_BITS(reference_scores(set, settings, features), predict(*model, features)) << testing::PrintToString(features);
    }
}

TEST_P(Builtin, SurvivesTheWayThroughJson) {
    const ModelSet set = definition(GetParam());
    const auto again = parse_model_json(to_json(set), "written.json");
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->collection, set.collection);
    ASSERT_EQ(again->models.size(), set.models.size());
    for (std::size_t m = 0; m < set.models.size(); ++m) EXPECT_EQ(difference(set.models[m], again->models[m]), "") << "model " << m;
}

INSTANTIATE_TEST_SUITE_P(All, Builtin, testing::ValuesIn(versions()), [](const auto& parameter) {
    std::string name = parameter.param;
    for (char& c : name)
        if (c == '.') c = '_';
    return name;
});

TEST(BuiltinModels, TheTableIsWhatItsWriterWrites) {
    std::vector<NamedModels> models;
    for (const std::string& version : versions()) {
        const auto set = parse_model_json(to_json(definition(version)), version);
        ASSERT_TRUE(set) << set.error().message;
        models.push_back({version, *set});
    }
    const auto text = write_model_table(models);
    ASSERT_TRUE(text) << text.error().message;
    const std::string_view table = builtin_model_table();
    EXPECT_TRUE(table.substr(table.find("vectors ")) == *text);
}

// Scores of libvmaf on real frames. The names are those of its reports.
struct GoldenModel {
    const char* table;
    const char* version;
    std::vector<std::string> features;
};

const std::vector<std::string> integer_features = {"integer_adm2",       "integer_motion2",    "integer_vif_scale0",
                                                   "integer_vif_scale1", "integer_vif_scale2", "integer_vif_scale3"};
const std::vector<std::string> neg_features = {"integer_adm2_egl_1",       "integer_motion2",          "integer_vif_scale0_egl_1",
                                               "integer_vif_scale1_egl_1", "integer_vif_scale2_egl_1", "integer_vif_scale3_egl_1"};

const std::vector<GoldenModel> golden_models = {
    {"default_576_8", "vmaf_v0.6.1", integer_features},
    {"default_odd_8", "vmaf_v0.6.1", integer_features},
    {"default_720_8", "vmaf_v0.6.1", integer_features},
    {"default_720_8", "vmaf_v0.6.1neg", neg_features},
    {"default_10", "vmaf_v0.6.1", integer_features},
    {"default_12", "vmaf_v0.6.1", integer_features},
    {"default_cut", "vmaf_v0.6.1", integer_features},
    {"default_identical", "vmaf_v0.6.1", integer_features},
    {"default_noise", "vmaf_v0.6.1", integer_features},
    {"default_flatdots", "vmaf_v0.6.1", integer_features},
    {"default_checker1", "vmaf_v0.6.1", integer_features},
    {"default_checker10", "vmaf_v0.6.1", integer_features},
    {"models_all", "vmaf_4k_v0.6.1", integer_features},
    {"models_all", "vmaf_4k_v0.6.1neg", neg_features},
    {"models_all", "vmaf_b_v0.6.3", integer_features},
    {"models_v1",
     "vmaf_v1.0.16_3d0h",
     {"cambi_hrs_1080_cmxv_17_vlt_0.06", "speed_chroma_uv_mxv_45_nnf_0.1_snn_0.19_wvm_5",
      "integer_adm3_csf_2_dlmw_0.7_egl_1_min_0.5_nw_0.02", "integer_motion3_mmxv_18"}},
    {"models_v1_10",
     "vmaf_v1.0.16_5d0h",
     {"cambi_hrs_1080_cmxv_17_vlt_0.06", "speed_chroma_uv_mxv_45_nnf_0.1_ps_0.6_psm_bilinear_snn_0.19_wvm_5",
      "integer_adm3_csf_2_dlmw_0.7_egl_1_min_0.5_nw_0.02_nvd_5", "integer_motion3_mmxv_18"}},
    {"models_v1_hfr",
     "vmaf_v1.0.16_hfr_3d0h",
     {"cambi_hrs_1080_cmxv_17_vlt_0.06", "speed_chroma_uv_mxv_45_nnf_0.1_snn_0.19_wvm_5",
      "integer_adm3_csf_2_dlmw_0.7_egl_1_min_0.5_nw_0.02", "integer_motion3_mffw_mmxv_18_mma"}},
};

TEST(BuiltinModels, PredictLibvmafsScoresOfRealFrames) {
    std::size_t compared = 0;
    for (const GoldenModel& golden : golden_models) {
        const auto table = golden_table(golden.table);
        ASSERT_TRUE(table) << table.error().message;
        ModelSettings settings;
        settings.name = golden.version;
        const auto model = Model::builtin(golden.version, settings);
        ASSERT_TRUE(model) << model.error().message;
        const std::vector<std::string> names = model->score_names();
        const auto frames = table->feature(golden.features[0]);
        ASSERT_FALSE(frames.empty()) << golden.table;
        for (const auto& [frame, unused] : frames) {
            std::vector<double> features;
            for (const std::string& name : golden.features) {
                const auto column = table->feature(name);
                ASSERT_TRUE(column.contains(frame)) << golden.table << " " << name;
                features.push_back(column.at(frame));
            }
            const std::vector<double> scores = predict(*model, features);
            // The base model of a collection is in no table.
            for (std::size_t s = model->is_collection() ? 1 : 0; s < names.size(); ++s, ++compared) {
                const auto column = table->feature(names[s]);
                ASSERT_TRUE(column.contains(frame)) << golden.table << " " << names[s];
                ASSERT_SAME_BITS(column.at(frame), scores[s]) << golden.table << " " << names[s] << " frame " << frame;
            }
        }
    }
    EXPECT_EQ(compared, 177u);
}

}  // namespace
}  // namespace isometric::test
