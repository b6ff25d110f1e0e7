// Every golden table, through a session: all frames, all scores, all pools, every bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "isometric/session.h"
#include "metrics/registry.h"
#include "tests/support/bits.h"
#include "tests/support/clip.h"
#include "tests/support/golden.h"

namespace isometric::test {
namespace {

// Scores in the tables whose metrics do not exist yet, by the start of their names. A metric that has been built must not stay here:
// MissingMetricsAreMissing fails then.
struct Missing {
    std::string_view metric;
    std::vector<std::string_view> names;
};
const std::vector<Missing> missing = {
    {"cambi", {"cambi"}},
    {"speed_chroma", {"speed_chroma"}},
    {"speed_temporal", {"speed_temporal"}},
    {"float_psnr", {"float_psnr"}},
    {"float_ssim", {"float_ssim"}},
    {"float_ms_ssim", {"float_ms_ssim"}},
    {"psnr_hvs", {"psnr_hvs"}},
    {"ciede", {"ciede2000"}},
    {"float_ansnr", {"float_ansnr", "float_anpsnr"}},
    {"float_vif", {"vif"}},
    {"float_motion", {"motion"}},
};

bool from_missing_metric(std::string_view score) {
    for (const Missing& m : missing)
        for (std::string_view name : m.names)
            if (score.starts_with(name)) return true;
    return false;
}

// What a session can run of a request: the metric or model, or the metrics that a model needs and that exist.
struct GoldenRun {
    Session session;
    std::set<std::string> absent_models;
};

GoldenRun set_up(const GoldenCase& golden, int threads) {
    SessionConfig config;
    config.threads = threads;
    GoldenRun run{*Session::create(config), {}};
    for (const GoldenRequest& request : golden.requests) {
        if (!request.is_model) {
            if (find_metric(request.name)) {
                const Status status = run.session.add_metric(request.name, request.options);
                EXPECT_TRUE(status) << status.error().message;
            } else {
                EXPECT_TRUE(std::any_of(missing.begin(), missing.end(), [&](const Missing& m) { return m.metric == request.name; })) << request.name;
            }
            continue;
        }
        ModelSettings settings;
        settings.name = request.name;
        const auto model = Model::builtin(request.name, settings);
        EXPECT_TRUE(model) << model.error().message;
        const bool runs = std::all_of(model->features().begin(), model->features().end(),
                                      [](const ModelFeature& feature) { return find_metric_of_feature(feature.name) != nullptr; });
        if (runs) {
            const Status status = run.session.add_model(*model);
            EXPECT_TRUE(status) << status.error().message;
            continue;
        }
        const Status refused = run.session.add_model(*model);
        EXPECT_FALSE(refused) << "a model that needs a missing metric";
        run.absent_models.insert(request.name);
        for (const ModelFeature& feature : model->features())
            if (const MetricInfo* info = find_metric_of_feature(feature.name)) {
                const Status status = run.session.add_metric(info->name, feature.options);
                EXPECT_TRUE(status) << status.error().message;
            }
    }
    return run;
}

class GoldenScores : public testing::TestWithParam<std::string> {};

TEST_P(GoldenScores, EveryBitIsThere) {
    const auto cases = *golden_cases();
    const auto golden = std::find_if(cases.begin(), cases.end(), [](const GoldenCase& c) { return c.name == GetParam(); });
    ASSERT_NE(golden, cases.end());
    const auto table = golden_table(golden->name);
    ASSERT_TRUE(table) << table.error().message;
    for (const int threads : {1, 3}) {
        GoldenRun run = set_up(*golden, threads);
        for (int frame = 0; frame < golden->clip.frames; ++frame) {
            const Status status = run.session.push(make_picture(golden->clip.reference(), frame), make_picture(golden->clip, frame));
            ASSERT_TRUE(status) << status.error().message;
        }
        const Status status = run.session.finish();
        ASSERT_TRUE(status) << status.error().message;
        const Scores scores = run.session.scores();
        std::size_t compared = 0;
        const auto absent = [&](const std::string& name) { return from_missing_metric(name) || run.absent_models.contains(name); };
        for (const GoldenRow& row : table->rows) {
            const ScoreColumn* column = scores.find(row.feature);
            if (!column) {
                EXPECT_TRUE(absent(row.feature)) << row.feature << " is in the golden table and has no column";
                continue;
            }
            ASSERT_TRUE(column->values.at(std::size_t(row.frame))) << row.feature << " frame " << row.frame;
            EXPECT_SAME_BITS(row.value, *column->values[std::size_t(row.frame)])
                << golden->name << " " << row.feature << " frame " << row.frame << " threads " << threads;
            ++compared;
        }
        const std::array<std::pair<const char*, Pooling>, 4> pools = {
            {{"MIN", Pooling::min}, {"MAX", Pooling::max}, {"MEAN", Pooling::mean}, {"HMEAN", Pooling::harmonic_mean}}};
        for (const auto& [name, method] : pools) {
            for (const auto& [feature, value] : table->pooled.at(name)) {
                if (!scores.find(feature)) continue;
                const auto pooled = run.session.pooled(feature, method);
                ASSERT_TRUE(pooled) << pooled.error().message;
                EXPECT_SAME_BITS(value, *pooled) << golden->name << " " << feature << " " << name;
                ++compared;
            }
        }
        RecordProperty("compared", int(compared));
        const bool nothing_to_run = scores.columns.empty();
        EXPECT_EQ(compared == 0, nothing_to_run);
    }
}

std::vector<std::string> case_names() {
    std::vector<std::string> names;
    const auto cases = golden_cases();
    if (cases)
        for (const GoldenCase& c : *cases) {
            // A case of missing metrics alone has nothing to compare.
            const bool runs = std::any_of(c.requests.begin(), c.requests.end(), [](const GoldenRequest& r) { return r.is_model || find_metric(r.name); });
            if (runs) names.push_back(c.name);
        }
    return names;
}

INSTANTIATE_TEST_SUITE_P(All, GoldenScores, testing::ValuesIn(case_names()), [](const auto& instance) { return instance.param; });

TEST(GoldenTables, MissingMetricsAreMissing) {
    for (const Missing& m : missing) EXPECT_EQ(find_metric(m.metric), nullptr) << m.metric << " exists: take it off the list of missing metrics";
}

TEST(GoldenTables, AllCasesLoad) {
    const auto cases = golden_cases();
    ASSERT_TRUE(cases) << cases.error().message;
    EXPECT_EQ(cases->size(), 50u);
    EXPECT_GE(case_names().size(), 30u);
}

}  // namespace
}  // namespace isometric::test
