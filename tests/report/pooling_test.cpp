#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "isometric/scores.h"
#include "tests/support/bits.h"
#include "tests/support/fill.h"
#include "tests/support/golden.h"

namespace isometric {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr Pooling all_poolings[] = {Pooling::min, Pooling::max, Pooling::mean, Pooling::harmonic_mean};

ScoreColumn column(std::vector<std::optional<double>> values) { return {"column", "column", false, std::move(values)}; }

// The formulas of docs/reports.md, naively.
double reference(const ScoreColumn& c, Pooling method, int first, int last, int subsample) {
    double sum = 0, reciprocals = 0, count = 0, min = 0, max = 0;
    for (int i = first; i <= last; ++i) {
        if (subsample > 1 && i % subsample != 0) continue;
        const double s = *c.values[std::size_t(i)];
        if (count == 0) min = max = s;
        min = s < min ? s : min;
        max = s > max ? s : max;
        sum += s;
        reciprocals += 1.0 / (s + 1.0);
        count += 1;
    }
    return method == Pooling::min ? min : method == Pooling::max ? max : method == Pooling::mean ? sum / count : count / reciprocals - 1.0;
}

TEST(Pooling, EqualsTheFormulasOnEveryInterval) {
    test::Random random(5);
    std::vector<std::optional<double>> values;
    for (int i = 0; i < 40; ++i) values.push_back(random.unit() * 120 - 10);
    const ScoreColumn c = column(values);
    for (int subsample = 0; subsample <= 4; ++subsample)
        for (int first = 0; first < 40; ++first)
            for (int last = first; last < 40; ++last) {
                const int step = std::max(subsample, 1);
                const bool empty = (first + step - 1) / step * step > last;
                for (const Pooling method : all_poolings) {
                    const auto pooled = pool(c, method, first, last, subsample);
                    ASSERT_EQ(pooled.has_value(), !empty) << first << ".." << last << " / " << subsample;
                    if (empty) EXPECT_EQ(pooled.error().code, Code::invalid_argument);
                    else
                        ASSERT_SAME_BITS(*pooled, reference(c, method, first, last, subsample))
                            << first << ".." << last << " / " << subsample;
                }
            }
}

// The means of the golden tables are of the reference's own frames, so every bit of the sums' order shows.
TEST(Pooling, HasTheGoldenBits) {
    const std::map<Pooling, const char*> names{
        {Pooling::min, "MIN"}, {Pooling::max, "MAX"}, {Pooling::mean, "MEAN"}, {Pooling::harmonic_mean, "HMEAN"}};
    for (const char* name : {"default_576_8", "default_cut", "models_v1", "small_64", "psnr_8"}) {
        const auto table = test::golden_table(name);
        ASSERT_TRUE(table) << table.error().message;
        for (const auto& [pooling, features] : table->pooled)
            for (const auto& [feature, expected] : features) {
                std::vector<std::optional<double>> values;
                for (const auto& [frame, value] : table->feature(feature)) {
                    values.resize(std::size_t(frame) + 1);
                    values[std::size_t(frame)] = value;
                }
                for (const auto& [method, label] : names) {
                    if (pooling != label) continue;
                    const auto pooled = pool(column(values), method, 0, std::int64_t(values.size()) - 1);
                    ASSERT_TRUE(pooled) << pooled.error().message;
                    EXPECT_SAME_BITS(*pooled, expected) << name << " " << feature << " " << label;
                }
            }
    }
}

TEST(Pooling, RefusesWhatHasNoAnswer) {
    const ScoreColumn c = column({1.0, std::nullopt, 3.0});
    EXPECT_EQ(pool(c, Pooling::mean, 2, 1).error().code, Code::invalid_argument);
    EXPECT_EQ(pool(c, Pooling::mean, -1, 1).error().code, Code::invalid_argument);
    EXPECT_EQ(pool(c, Pooling::mean, 1, 1, 2).error().code, Code::invalid_argument);
    EXPECT_EQ(pool(c, Pooling::mean, 0, 2).error().code, Code::not_found);
    EXPECT_NE(pool(c, Pooling::mean, 0, 2).error().message.find("frame 1 has no score"), std::string::npos);
    EXPECT_EQ(pool(c, Pooling::mean, 0, 3).error().code, Code::not_found);
    EXPECT_EQ(pool(c, Pooling::mean, 0, std::numeric_limits<std::int64_t>::max() - 1).error().code, Code::not_found);
    EXPECT_SAME_BITS(*pool(c, Pooling::mean, 0, 2, 2), 2.0);  // frame 1 is not asked for
    EXPECT_EQ(pool(column({}), Pooling::min, 0, 0).error().code, Code::not_found);
}

// Minimum and maximum are of the interval's scores, also where its start is no multiple of the subsampling.
TEST(Pooling, MinimumAndMaximumAreOfTheInterval) {
    const ScoreColumn c = column({9.0, 5.0, 6.0, 7.0, 8.0});
    EXPECT_SAME_BITS(*pool(c, Pooling::min, 1, 4, 2), 6.0);
    EXPECT_SAME_BITS(*pool(c, Pooling::max, 1, 4, 2), 8.0);
    const ScoreColumn negative = column({-9.0, -5.0, -6.0});
    EXPECT_SAME_BITS(*pool(negative, Pooling::max, 1, 2, 2), -6.0);
}

TEST(Pooling, OddScores) {
    EXPECT_SAME_BITS(*pool(column({-1.0, 5.0}), Pooling::harmonic_mean, 0, 1), -1.0);
    EXPECT_SAME_BITS(*pool(column({nan, 5.0}), Pooling::min, 0, 1), nan);
    EXPECT_SAME_BITS(*pool(column({5.0, nan, 4.0}), Pooling::min, 0, 2), 4.0);
    EXPECT_TRUE(std::isnan(*pool(column({5.0, nan}), Pooling::mean, 0, 1)));
    EXPECT_SAME_BITS(*pool(column({HUGE_VAL}), Pooling::mean, 0, 0), HUGE_VAL);
}

TEST(Scores, FindsByStoredNameFirst) {
    Scores scores;
    scores.columns = {{"VMAF_b", "a", false, {}}, {"a", "c", false, {}}};
    EXPECT_EQ(scores.find("a"), &scores.columns[1]);
    EXPECT_EQ(scores.find("c"), &scores.columns[1]);
    EXPECT_EQ(scores.find("VMAF_b"), &scores.columns[0]);
    EXPECT_EQ(scores.find("b"), nullptr);
}

}  // namespace
}  // namespace isometric
