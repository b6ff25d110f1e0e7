// Options of a model's features.
#include <gtest/gtest.h>

#include <algorithm>

#include "isometric/model.h"

namespace isometric::test {
namespace {

std::vector<OptionText> options_of(const Model& model, std::string_view part) {
    for (const ModelFeature& feature : model.features())
        if (feature.name.find(part) != std::string::npos) return feature.options;
    ADD_FAILURE() << "no feature " << part;
    return {};
}

std::string refused(Model& model, std::string_view metric, std::string_view option, std::string_view value) {
    std::vector<ModelFeature> before(model.features().begin(), model.features().end());
    const Status status = model.overload(metric, option, value);
    EXPECT_FALSE(status) << metric << "." << option << "=" << value;
    if (status) return "";
    EXPECT_EQ(status.error().code, Code::invalid_argument) << status.error().message;
    EXPECT_TRUE(std::equal(before.begin(), before.end(), model.features().begin(), model.features().end(),
                           [](const ModelFeature& a, const ModelFeature& b) { return a.name == b.name && a.options == b.options; }))
        << "a refused overload has left a trace";
    return status.error().message;
}

TEST(Overload, SetsTheOptionOfEveryFeatureOfTheMetric) {
    auto model = Model::builtin("vmaf_v0.6.1");
    ASSERT_TRUE(model);
    ASSERT_TRUE(model->overload("vif", "vif_enhn_gain_limit", "1.50"));
    for (const char* scale : {"vif_scale0", "vif_scale1", "vif_scale2", "vif_scale3"})
        EXPECT_EQ(options_of(*model, scale), (std::vector<OptionText>{{"vif_enhn_gain_limit", "1.5"}})) << scale;
    EXPECT_TRUE(options_of(*model, "adm2").empty());
    EXPECT_TRUE(options_of(*model, "motion2").empty());
    ASSERT_TRUE(model->overload("motion", "motion_force_zero", "true"));
    EXPECT_EQ(options_of(*model, "motion2"), (std::vector<OptionText>{{"motion_force_zero", "true"}}));
}

TEST(Overload, ReplacesAValueInItsPlace) {
    auto model = Model::builtin("vmaf_v1.0.16_hfr_3d0h");
    ASSERT_TRUE(model);
    ASSERT_TRUE(model->overload("motion", "motion_five_frame_window", "false"));
    EXPECT_EQ(
        options_of(*model, "motion3"),
        (std::vector<OptionText>{{"motion_max_val", "18"}, {"motion_five_frame_window", "false"}, {"motion_moving_average", "true"}}));
}

TEST(Overload, ChangesACopyOnly) {
    const auto model = Model::builtin("vmaf_b_v0.6.3");
    ASSERT_TRUE(model);
    Model copy = *model;
    ASSERT_TRUE(copy.overload("adm", "adm_enhn_gain_limit", "1"));
    EXPECT_TRUE(options_of(*model, "adm2").empty());
    EXPECT_EQ(options_of(copy, "adm2").size(), 1u);
}

TEST(Overload, NormalisesNumbersAsLibvmafDoes) {
    auto model = Model::builtin("vmaf_v0.6.1");
    ASSERT_TRUE(model);
    ASSERT_TRUE(model->overload("vif", "vif_enhn_gain_limit", "1.23456789"));
    EXPECT_EQ(options_of(*model, "vif_scale0"), (std::vector<OptionText>{{"vif_enhn_gain_limit", "1.23457"}}));
}

// Metrics whose option tables are not here: known by their features.
TEST(Overload, KnowsTheMetricsOfEveryPublishedModel) {
    auto v1 = Model::builtin("vmaf_v1.0.16_3d0h");
    ASSERT_TRUE(v1);
    EXPECT_TRUE(v1->overload("cambi", "cambi_max_val", "20"));
    EXPECT_TRUE(v1->overload("speed_chroma", "speed_max_val", "40"));
    EXPECT_EQ(options_of(*v1, "Cambi").back(), (OptionText{"cambi_max_val", "20"}));
    auto floating = Model::builtin("vmaf_float_v0.6.1");
    ASSERT_TRUE(floating);
    EXPECT_TRUE(floating->overload("float_adm", "adm_enhn_gain_limit", "1"));
    EXPECT_TRUE(floating->overload("float_vif", "vif_enhn_gain_limit", "1"));
    EXPECT_TRUE(floating->overload("float_motion", "motion_force_zero", "true"));
}

TEST(Overload, RefusesWhatTheModelDoesNotRead) {
    auto model = Model::builtin("vmaf_v0.6.1");
    ASSERT_TRUE(model);
    EXPECT_NE(refused(*model, "cambi", "cambi_max_val", "20").find("it reads adm, motion, vif"), std::string::npos);
    EXPECT_NE(refused(*model, "float_adm", "adm_enhn_gain_limit", "1").find("it reads adm, motion, vif"), std::string::npos);
    EXPECT_NE(refused(*model, "vifs", "vif_enhn_gain_limit", "1").find("did you mean 'vif'?"), std::string::npos);
    EXPECT_NE(refused(*model, "", "x", "1").find("it reads adm, motion, vif"), std::string::npos);
}

TEST(Overload, RefusesUnknownOptionsAndBadValues) {
    auto model = Model::builtin("vmaf_v0.6.1");
    ASSERT_TRUE(model);
    EXPECT_NE(refused(*model, "vif", "vif_enhn_gain_limt", "1").find("did you mean 'vif_enhn_gain_limit'?"), std::string::npos);
    EXPECT_FALSE(refused(*model, "vif", "vif_enhn_gain_limit", "0.5").empty());
    EXPECT_FALSE(refused(*model, "vif", "vif_enhn_gain_limit", "nan").empty());
    EXPECT_FALSE(refused(*model, "vif", "vif_enhn_gain_limit", "").empty());
    EXPECT_FALSE(refused(*model, "motion", "motion_force_zero", "yes").empty());
    EXPECT_FALSE(refused(*model, "adm", "adm_csf_mode", "1.5").empty());
}

const char* const file = R"({"model_dict": {"norm_type": "none", "feature_names": ["VMAF_integer_feature_vif_scale0_score"],
    "feature_opts_dicts": [{"%s": %s}], "model": "svm_type nu_svr\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho 0\nSV\n1 1:1\n"}})";

Result<Model> with_option(const char* name, const char* value) {
    char text[1024];
    std::snprintf(text, sizeof text, file, name, value);
    return Model::parse(text, "options.json");
}

TEST(ModelOptions, AreCheckedAtLoad) {
    EXPECT_TRUE(with_option("vif_enhn_gain_limit", "1.0"));
    EXPECT_TRUE(with_option("vif_skip_scale0", "true"));
    const auto unknown = with_option("vif_gain", "1.0");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, Code::bad_model);
    EXPECT_EQ(unknown.error().message.find("options.json: model_dict.feature_opts_dicts[0]: "), 0u) << unknown.error().message;
    EXPECT_NE(unknown.error().message.find("vif_gain"), std::string::npos) << unknown.error().message;
    EXPECT_FALSE(with_option("vif_enhn_gain_limit", "0.5"));
    EXPECT_FALSE(with_option("vif_enhn_gain_limit", "\"nan\""));
    EXPECT_FALSE(with_option("vif_skip_scale0", "1"));
}

}  // namespace
}  // namespace isometric::test
