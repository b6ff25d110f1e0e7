#include "cli/summary.h"

#include <gtest/gtest.h>

#include "cli/console.h"
#include "cli/exit_status.h"

namespace isometric::cli {
namespace {

ScoreColumn column(const char* name, std::vector<std::optional<double>> values, bool is_model = false) {
    ScoreColumn c;
    c.name = c.report_name = name;
    c.is_model = is_model;
    c.values = std::move(values);
    return c;
}

Command with_model() {
    Command command;
    ModelRequest model;
    model.version = "vmaf_v0.6.1";
    command.models.push_back(model);
    return command;
}

Scores with_columns(std::vector<ScoreColumn> columns) {
    Scores scores;
    scores.columns = std::move(columns);
    scores.frames = std::int64_t(scores.columns.front().values.size());
    return scores;
}

TEST(Summary, HasOneLineForAModel) {
    const Scores scores = with_columns({column("integer_adm2", {1, 1, 1, 1}), column("vmaf", {90, 80.5, 70.25, 95}, true)});
    EXPECT_EQ(summary_text(with_model(), scores), "vmaf: 83.937500 (vmaf_v0.6.1, mean of 4 frames, lowest 70.250000 at frame 2)\n");
}

TEST(Summary, ListsTheWorstFrames) {
    Command command = with_model();
    command.worst = 3;
    const Scores scores = with_columns({column("vmaf", {90, 70, 80, 70, 95}, true)});
    EXPECT_EQ(summary_text(command, scores),
              "vmaf: 81.000000 (vmaf_v0.6.1, mean of 5 frames, lowest 70.000000 at frame 1)\n"
              "  frame 1: 70.000000\n  frame 3: 70.000000\n  frame 2: 80.000000\n");
    command.worst = 100;
    EXPECT_NE(summary_text(command, scores).find("  frame 4: 95.000000\n"), std::string::npos);
}

TEST(Summary, CountsSubsampledFrames) {
    Scores scores = with_columns({column("vmaf", {90, std::nullopt, 80, std::nullopt, 70}, true)});
    scores.subsample = 2;
    EXPECT_EQ(summary_text(with_model(), scores),
              "vmaf: 80.000000 (vmaf_v0.6.1, mean of 3 frames, one in 2, lowest 70.000000 at frame 4)\n");
}

TEST(Summary, SaysThatARunIsIncomplete) {
    Scores scores = with_columns({column("vmaf", {90, std::nullopt, 80}, true)});
    scores.complete = false;
    EXPECT_EQ(summary_text(with_model(), scores),
              "vmaf: 90.000000 (vmaf_v0.6.1, mean of 1 frame, lowest 90.000000 at frame 0, run incomplete)\n");
}

TEST(Summary, GivesTheIntervalOfACollection) {
    const Scores scores = with_columns({column("vmaf", {90, 80}, true), column("vmaf_0001", {1, 1}, true),
                                        column("vmaf_bagging", {91, 81}, true), column("vmaf_stddev", {1, 2}, true),
                                        column("vmaf_ci_p95_lo", {88, 78}, true), column("vmaf_ci_p95_hi", {92, 82}, true)});
    EXPECT_EQ(summary_text(with_model(), scores),
              "vmaf: 85.000000 (vmaf_v0.6.1, mean of 2 frames, lowest 80.000000 at frame 1, bagging 86.000000, 95% interval 83.000000 to "
              "87.000000, "
              "stddev 1.500000)\n");
}

TEST(Summary, ShowsFeaturesThatNothingElseShows) {
    Scores scores = with_columns({column("psnr_y", {30, 40}), column("vmaf", {90, 80}, true)});
    scores.aggregates.push_back({"apsnr_y", 34.5});
    Command command = with_model();
    EXPECT_EQ(summary_text(command, scores).find("psnr_y"), std::string::npos);
    command.features.push_back({"psnr", {}, ""});
    EXPECT_NE(summary_text(command, scores).find("\npsnr_y: 35.000000 (mean of 2 frames)\napsnr_y: 34.500000\n"), std::string::npos);
    command.reports.push_back({"report.xml"});
    EXPECT_EQ(summary_text(command, scores).find("psnr_y"), std::string::npos) << "the report has it";
    command.models.clear();
    EXPECT_NE(summary_text(command, scores).find("psnr_y: 35.000000"), std::string::npos) << "there is no other line";
}

TEST(Summary, UsesThePrecisionAskedFor) {
    Command command = with_model();
    command.numbers = *NumberFormat::parse("max");
    command.numbers_given = true;
    const Scores scores = with_columns({column("vmaf", {0.1}, true)});
    EXPECT_EQ(summary_text(command, scores),
              "vmaf: 0.10000000000000001 (vmaf_v0.6.1, mean of 1 frame, lowest 0.10000000000000001 at frame 0)\n");
}

TEST(Progress, ShowsRateAndTimeLeft) {
    EXPECT_EQ(progress_line({60, 240, 2.0}, 120), "60/240 frames [=======>                      ]  25%  30.0 frames/s, 6 s left");
    EXPECT_EQ(progress_line({240, 240, 2.0}, 120), "240/240 frames [==============================] 100%  120.0 frames/s, 0 s left");
    EXPECT_EQ(progress_line({1, std::nullopt, 0.5}, 120), "1 frame  2.0 frames/s");
    EXPECT_EQ(progress_line({0, 100000, 0}, 120), "0/100000 frames [>                             ]   0%  0.0 frames/s");
    EXPECT_TRUE(progress_line({100, 20000, 100}, 120).ends_with("  1.0 frames/s, 5:31 h left"));
    EXPECT_TRUE(progress_line({100, 400, 100}, 120).ends_with("  1.0 frames/s, 5:00 min left"));
    EXPECT_EQ(progress_line({30, 20, 2.0}, 120), "30 frames  15.0 frames/s") << "more frames than the size promised";
}

TEST(Progress, FitsTheTerminal) {
    for (int columns = 1; columns < 100; ++columns) EXPECT_LT(int(progress_line({1234, 56789, 12.0}, columns).size()), columns);
    EXPECT_EQ(progress_line({60, 240, 2.0}, 50), "60/240  25%  30.0 frames/s, 6 s left");
}

TEST(ExitStatus, IsDistinctForEachKind) {
    EXPECT_EQ(int(exit_status(Code::invalid_argument)), 1);
    EXPECT_EQ(int(exit_status(Code::bad_input)), 2);
    EXPECT_EQ(int(exit_status(Code::bad_model)), 3);
    EXPECT_EQ(int(exit_status(Code::metric_failed)), 4);
    EXPECT_EQ(int(exit_status(Code::output_failed)), 5);
    EXPECT_EQ(int(exit_status(Code::out_of_memory)), 6);
    EXPECT_EQ(int(exit_status(Code::internal)), 6);
    EXPECT_EQ(int(exit_status(Code::backend_unavailable)), 100);
    EXPECT_EQ(int(exit_status(Code::no_frames)), 101);
}

}  // namespace
}  // namespace isometric::cli
