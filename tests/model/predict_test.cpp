// Prediction of made-up models of every kind, against the naive reference.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

#include "isometric/model.h"
#include "model/model_json.h"
#include "model/predictor.h"
#include "tests/model/model_support.h"
#include "tests/support/bits.h"

namespace isometric::test {
namespace {

std::vector<double> predict(const Model& model, const std::vector<double>& features) {
    std::vector<double> scores(model.score_names().size());
    model.predict(features, scores);
    return scores;
}

// Through JSON, the loader and predict(), under every combination of flags.
void expect_the_references_bits(const ModelSet& set, std::uint64_t seed, int vectors) {
    const std::string json = to_json(set);
    const auto parsed = parse_model_json(json, "made_up.json");
    ASSERT_TRUE(parsed) << parsed.error().message << "\n" << json;
    for (std::size_t m = 0; m < set.models.size(); ++m)
        ASSERT_EQ(difference(set.models[m], parsed->models[m]), "") << "seed " << seed << " model " << m;
    for (const ModelSettings& settings : all_flags()) {
        const auto model = Model::parse(json, "made_up.json", settings);
        ASSERT_TRUE(model) << model.error().message;
        for (const std::vector<double>& features : feature_vectors(set.models[0].features.size(), vectors, seed)) {
            const std::vector<double> expected = reference_scores(set, settings, features), actual = predict(*model, features);
            ASSERT_EQ(expected.size(), actual.size());
            for (std::size_t s = 0; s < expected.size(); ++s) {
                if (std::isnan(expected[s]) && std::isnan(actual[s])) continue;  // which NaN it is depends on the compiler
                ASSERT_SAME_BITS(expected[s], actual[s])
                    << "seed " << seed << " score " << s << " features " << testing::PrintToString(features);
            }
        }
    }
}

TEST(Predict, MadeUpModelsHaveTheReferencesBits) {
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        expect_the_references_bits(made_up_model(seed), seed, 20);
        if (HasFatalFailure()) return;
    }
}

TEST(Predict, MadeUpCollectionsHaveTheReferencesBits) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        expect_the_references_bits(made_up_collection(seed), seed, 12);
        if (HasFatalFailure()) return;
    }
}

// Infinite and NaN features: what takes no part in a dot product must not make a NaN.
TEST(Predict, InfiniteFeaturesMeetOnlyListedValues) {
    ModelSet set = made_up_model(3);
    ModelDefinition& model = set.models[0];
    model = {};
    model.normalisation = Normalisation::none;
    model.features = {{"a", {}}, {"b", {}}};
    model.regression.kernel.type = KernelType::linear;
    model.regression.coefficients = {2, 3};
    model.regression.values = {0.5, 0, 0.25, 0};
    model.regression.listed = {1, 1};
    const double infinity = std::numeric_limits<double>::infinity();
    const auto parsed = Model::parse(to_json(set), "made_up.json");
    ASSERT_TRUE(parsed) << parsed.error().message;
    EXPECT_SAME_BITS(predict(*parsed, {4, infinity}), std::vector<double>{7.0});
    EXPECT_SAME_BITS(predict(*parsed, {4, std::numeric_limits<double>::quiet_NaN()}), std::vector<double>{7.0});

    // A vector that lists a zero is another one than a vector that lists nothing there.
    model.regression.values = {0.5, 0, 0.5, 0};
    model.regression.listed = {1, 3};
    const auto zero_listed = Model::parse(to_json(set), "made_up.json");
    ASSERT_TRUE(zero_listed) << zero_listed.error().message;
    EXPECT_SAME_BITS(predict(*zero_listed, {4, 1}), std::vector<double>{10.0});
    EXPECT_TRUE(std::isnan(predict(*zero_listed, {4, infinity})[0]));
}

TEST(Predict, NanFeaturesGiveNanAndNothingWorse) {
    for (const char* version : {"vmaf_v0.6.1", "vmaf_b_v0.6.3", "vmaf_v1.0.16_3d0h"}) {
        const auto model = Model::builtin(version);
        ASSERT_TRUE(model);
        const std::vector<double> features(model->features().size(), std::numeric_limits<double>::quiet_NaN());
        for (double score : predict(*model, features)) EXPECT_TRUE(std::isnan(score)) << version;
    }
}

// A NaN among members' scores must not upset the sorting.
TEST(Predict, BootstrapScoresSortNanLast) {
    const Conclusion conclude(ModelDefinition{});
    for (std::size_t members : {1u, 2u, 20u, 40u, 100u}) {
        std::vector<double> raw(members);
        for (std::size_t m = 0; m < members; ++m)
            raw[m] = m % 3 == 0 ? std::numeric_limits<double>::quiet_NaN() : double((m * 7) % members);
        std::array<double, 4> scores;
        bootstrap_scores(raw, conclude, {}, scores);
        EXPECT_TRUE(std::isnan(scores[0]));
        const auto first_nan = std::find_if(raw.begin(), raw.end(), [](double r) { return std::isnan(r); });
        EXPECT_TRUE(std::is_sorted(raw.begin(), first_nan));
        EXPECT_TRUE(std::all_of(first_nan, raw.end(), [](double r) { return std::isnan(r); }));
    }
}

// More vectors than the stack holds, in a number that is no multiple of a block.
TEST(Predict, LargeModelsHaveTheReferencesBits) {
    ModelSet set = made_up_model(5);
    ModelDefinition& model = set.models[0];
    model.chroma_correction = 0;
    model.regression = {};
    model.regression.kernel.gamma = 0.04;
    model.regression.rho = -1.25;
    Random random(9);
    for (int v = 0; v < 3001; ++v) {
        model.regression.coefficients.push_back(random.unit() - 0.5);
        model.regression.listed.push_back((std::uint64_t(1) << model.features.size()) - 1);
        for (std::size_t i = 0; i < model.features.size(); ++i) model.regression.values.push_back(random.unit());
    }
    expect_the_references_bits(set, 5, 6);
}

TEST(Predict, AModelHasUpTo64FeaturesAnd10Knots) {
    ModelSet set = made_up_model(7);
    ModelDefinition& model = set.models[0];
    model = {};
    for (int i = 0; i < 64; ++i) {
        model.features.push_back({"feature_" + std::to_string(i), {}});
        model.slopes.push_back(0.5 + i * 0.01);
        model.intercepts.push_back(-0.1 * i);
    }
    model.output_slope = 0.012;
    model.output_intercept = -0.3;
    model.transform = Transform{.enabled = true, .p0 = {}, .p1 = {}, .p2 = {}, .knots = std::vector<Knot>{}};
    for (int k = 0; k < 10; ++k) model.transform->knots->push_back({k * 10.0, k * 9.0});
    model.regression.kernel.gamma = 0.01;
    Random random(3);
    for (int v = 0; v < 40; ++v) {
        model.regression.coefficients.push_back(random.unit() - 0.5);
        model.regression.listed.push_back(random());
        for (int i = 0; i < 64; ++i) model.regression.values.push_back(model.regression.listed.back() >> i & 1 ? random.unit() : 0);
    }
    expect_the_references_bits(set, 7, 20);
}

TEST(Predict, ThreadsShareAModel) {
    const auto model = Model::builtin("vmaf_b_v0.6.3");
    ASSERT_TRUE(model);
    const auto vectors = feature_vectors(6, 50, 3);
    std::vector<std::vector<double>> expected;
    for (const auto& features : vectors) expected.push_back(predict(*model, features));
    std::vector<std::vector<std::vector<double>>> actual(4);
    {
        std::vector<std::jthread> threads;
        for (auto& scores : actual)
            threads.emplace_back([&] {
                for (const auto& features : vectors) scores.push_back(predict(*model, features));
            });
    }
    for (const auto& scores : actual)
        for (std::size_t i = 0; i < vectors.size(); ++i) ASSERT_SAME_BITS(expected[i], scores[i]);
}

// Scores that fall exactly on knots, and between, before and after them (docs/metrics/model.md, section 4).
TEST(Conclusion, KnotsBelongToTheSegmentOnTheirRight) {
    ModelDefinition model;
    model.transform =
        Transform{.enabled = true, .p0 = {}, .p1 = {}, .p2 = {}, .knots = std::vector<Knot>{{0, 10}, {20, 30}, {40, 30}, {60, 90}}};
    const Conclusion conclude(model);
    const std::pair<double, double> cases[] = {{-10, 0}, {0, 10}, {10, 20}, {20, 30}, {30, 30}, {40, 30}, {50, 60}, {60, 90}, {70, 120}};
    for (const auto& [score, expected] : cases) EXPECT_SAME_BITS(conclude(score, {}), expected) << score;

    // On this knot the two segments round to different values.
    model.transform->knots = std::vector<Knot>{{0, 0}, {1, 0.1}, {2, 3.3}};
    const double slope = (3.3 - 0.1) / (2.0 - 1.0), on_the_right = slope * 1 + (0.1 - 1 * slope);
    EXPECT_NE(on_the_right, 0.1);
    EXPECT_SAME_BITS(Conclusion(model)(1, {}), on_the_right);
}

TEST(Conclusion, ACurveEndsAtTheFirstSegmentThatDoesNotAscend) {
    ModelDefinition model;
    model.transform =
        Transform{.enabled = true, .p0 = {}, .p1 = {}, .p2 = {}, .knots = std::vector<Knot>{{0, 0}, {10, 20}, {5, 30}, {60, 90}}};
    const Conclusion conclude(model);
    EXPECT_SAME_BITS(conclude(5, {}), 10.0);
    EXPECT_SAME_BITS(conclude(50, {}), 0.0);
    model.transform->knots = std::vector<Knot>{{10, 20}};
    EXPECT_SAME_BITS(Conclusion(model)(50, {}), 50.0);
    model.transform->knots = std::vector<Knot>{{10, 20}, {10, 30}};
    EXPECT_SAME_BITS(Conclusion(model)(50, {}), 0.0);
}

TEST(Conclusion, FlagsAndTheFileDecideOnTheTransform) {
    for (bool enabled : {false, true}) {
        for (bool asked : {false, true}) {
            ModelDefinition model;
            model.transform = Transform{.enabled = enabled, .p0 = 200, .p1 = {}, .p2 = {}, .knots = {}};
            model.clip = Clip{0, 100};
            const Conclusion conclude(model);
            EXPECT_SAME_BITS(conclude(7, {"vmaf", false, asked}), enabled || asked ? 100.0 : 7.0);
            EXPECT_SAME_BITS(conclude(7, {"vmaf", true, asked}), enabled || asked ? 200.0 : 7.0);
        }
    }
    EXPECT_SAME_BITS(Conclusion(ModelDefinition{})(7, {"vmaf", false, true}), 7.0);
}

// Section 3.2 on a built-in model: only an exact zero of SpEED-chroma is replaced, by 120 * (1 - adm3).
TEST(Predict, ChromaCorrectionActsOnExactZerosOnly) {
    const auto model = Model::builtin("vmaf_v1.0.16_3d0h");
    ASSERT_TRUE(model);
    const std::vector<double> zero = predict(*model, {1, 0, 0.75, 4}), as_if = predict(*model, {1, 30, 0.75, 4}),
                              small = predict(*model, {1, 1e-9, 0.75, 4});
    EXPECT_NEAR(zero[0], as_if[0], 1e-9);
    EXPECT_GT(small[0] - zero[0], 10);
}

std::string with_chroma(const char* parameter) {
    return R"({"model_dict": {"norm_type": "linear_rescale", "feature_names": ["x_adm3", "x_speed_chroma"], "slopes": [0.01, 1, 1],
               "intercepts": [0, 0, 0], "chroma_correction_parameter": )" +
           std::string(parameter) +
           R"(, "model": "svm_type nu_svr\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho 0\nSV\n1 1:0.01 2:0.02\n"}})";
}

TEST(Predict, ChromaCorrectionZeroOrNullIsNone) {
    for (const char* off : {"0", "0.0", "-0", "null"}) {
        const auto model = Model::parse(with_chroma(off), "chroma.json");
        ASSERT_TRUE(model) << model.error().message;
        EXPECT_SAME_BITS(predict(*model, {0.5, 0}), std::vector<double>{0.01 * 0.5 / 0.01}) << off;
    }
    const auto on = Model::parse(with_chroma("2"), "chroma.json");
    ASSERT_TRUE(on) << on.error().message;
    EXPECT_SAME_BITS(predict(*on, {0.5, 0}), std::vector<double>{(0.5 * 0.01 + 1 * 0.02) / 0.01});
}

}  // namespace
}  // namespace isometric::test
