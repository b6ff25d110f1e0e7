#include "isometric/report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

#include "tests/report/xml_check.h"

namespace isometric {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

Scores table(std::vector<std::vector<std::optional<double>>> columns) {
    Scores scores;
    scores.format = {64, 48, 8, ChromaFormat::yuv420};
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::string name(1, char('a' + i));
        scores.frames = std::max<std::int64_t>(scores.frames, std::int64_t(columns[i].size()));
        scores.columns.push_back({"stored_" + name, name, false, std::move(columns[i])});
    }
    return scores;
}

std::string render(const Scores& scores, ReportFormat format, double fps = 12.345) {
    return render_report(scores, {format, {}, "v1", fps});
}

TEST(Report, Xml) {
    Scores scores = table({{1.0, 2.0}, {3.0, std::nullopt}});
    scores.aggregates = {{"apsnr_y", 40.5}};
    EXPECT_EQ(render(scores, ReportFormat::xml), R"(<VMAF version="v1">
  <params qualityWidth="64" qualityHeight="48" />
  <fyi fps="12.35" />
  <frames>
    <frame frameNum="0" a="1.000000" b="3.000000" />
    <frame frameNum="1" a="2.000000" />
  </frames>
  <pooled_metrics>
    <metric name="a" min="1.000000" max="2.000000" mean="1.500000" harmonic_mean="1.400000" />
    <metric name="b" />
  </pooled_metrics>
  <aggregate_metrics apsnr_y="40.500000" />
</VMAF>
)");
}

TEST(Report, JsonWithFailedPoolAndNulls) {
    Scores scores = table({{nan, inf, 1.0}, {3.0, std::nullopt, nan}});
    scores.aggregates = {{"apsnr_y", 40.5}, {"apsnr_cb", inf}};
    const std::string text = render(scores, ReportFormat::json, inf);
    EXPECT_EQ(text, R"({
  "version": "v1",
  "fps": null,
  "frames": [
    {
      "frameNum": 0,
      "metrics": {
        "a": null,        "b": 3.000000
      }
    },
    {
      "frameNum": 1,
      "metrics": {
        "a": null      }
    },
    {
      "frameNum": 2,
      "metrics": {
        "a": 1.000000,
        "b": null      }
    }
  ],
  "pooled_metrics": {
    "a": {
      "min": null,
      "max": null,
      "mean": null,
      "harmonic_mean": null
    },
    "b": {
    }
  },
  "aggregate_metrics": {
    "apsnr_y": 40.500000,
    "apsnr_cb": null
  }
}
)");
    EXPECT_TRUE(nlohmann::json::accept(text));
}

TEST(Report, EmptyTables) {
    Scores scores;
    EXPECT_EQ(render(scores, ReportFormat::json),
              "{\n  \"version\": \"v1\",\n  \"fps\": 12.35,\n  \"frames\": [\n  ],\n  \"pooled_metrics\": {\n  },\n  "
              "\"aggregate_metrics\": {\n  }\n}\n");
    EXPECT_EQ(
        render(scores, ReportFormat::xml),
        "<VMAF version=\"v1\">\n  <params qualityWidth=\"0\" qualityHeight=\"0\" />\n  <fyi fps=\"12.35\" />\n  <frames>\n  </frames>\n"
        "  <pooled_metrics>\n  </pooled_metrics>\n  <aggregate_metrics />\n</VMAF>\n");
    EXPECT_EQ(render(scores, ReportFormat::csv), "Frame,\n");
    EXPECT_EQ(render(scores, ReportFormat::sub), "");
}

TEST(Report, CsvKeepsItsColumnsWhereScoresAreMissing) {
    const Scores scores = table({{1.0, std::nullopt, 2.0}, {std::nullopt, std::nullopt, inf}, {3.0, std::nullopt, -inf}});
    EXPECT_EQ(render(scores, ReportFormat::csv), "Frame,a,b,c,\n0,1.000000,,3.000000,\n2,2.000000,inf,-inf,\n");
}

TEST(Report, Sub) {
    const Scores scores = table({{1.0, 2.0}, {std::nullopt, nan}});
    EXPECT_EQ(render(scores, ReportFormat::sub), "{0}{1}frame: 0|a: 1.000000|\n{1}{2}frame: 1|a: 2.000000|b: nan|\n");
}

// Rows start where the scores do: no separator in front of the first.
TEST(Report, JsonMayStartAtAnyFrame) {
    const Scores scores = table({{std::nullopt, 1.0, 2.0}});
    const std::string text = render(scores, ReportFormat::json);
    ASSERT_TRUE(nlohmann::json::accept(text)) << text;
    const auto json = nlohmann::json::parse(text);
    ASSERT_EQ(json.at("frames").size(), 2u);
    EXPECT_EQ(json.at("frames").at(0).at("frameNum"), 1);
    EXPECT_TRUE(json.at("pooled_metrics").at("a").empty());  // frame 0 was read and has no score
}

TEST(Report, SubsamplingLeavesRowsOut) {
    Scores scores = table({{1.0, 9.0, 2.0, 9.0, 6.0}});
    scores.subsample = 2;
    EXPECT_EQ(render(scores, ReportFormat::csv), "Frame,a,\n0,1.000000,\n2,2.000000,\n4,6.000000,\n");
    EXPECT_NE(render(scores, ReportFormat::xml).find("min=\"1.000000\" max=\"6.000000\" mean=\"3.000000\""), std::string::npos);
    scores.subsample = 0;
    EXPECT_EQ(render(scores, ReportFormat::csv).size(), std::string("Frame,a,\n").size() + 5 * std::string("0,1.000000,\n").size());
}

TEST(Report, AnEndedRunSaysSo) {
    Scores scores = table({{1.0, 3.0, 5.0}, {2.0, 4.0}});
    scores.frames = 4;
    scores.complete = false;
    scores.error = "dis.y4m: frame 4 \"cut\" short";
    const auto json = nlohmann::json::parse(render(scores, ReportFormat::json));
    EXPECT_EQ(json.at("complete"), false);
    EXPECT_EQ(json.at("pooled_frames"), 2);
    EXPECT_EQ(json.at("error"), scores.error);
    EXPECT_EQ(json.at("frames").size(), 3u);
    EXPECT_EQ(json.at("pooled_metrics").at("a").at("mean"), 2.0);
    std::string problem;
    const auto xml = test::parse_xml(render(scores, ReportFormat::xml), problem);
    ASSERT_TRUE(xml) << problem;
    EXPECT_EQ(xml->children[1].attributes.at("complete"), "false");
    EXPECT_EQ(xml->children[1].attributes.at("pooledFrames"), "2");
    EXPECT_EQ(xml->children[1].attributes.at("error"), scores.error);
    EXPECT_EQ(render(scores, ReportFormat::csv), "Frame,a,b,\n0,1.000000,2.000000,\n1,3.000000,4.000000,\n2,5.000000,,\n");
    EXPECT_EQ(render(table({{1.0}}), ReportFormat::json).find("complete"), std::string::npos);
}

TEST(Report, FramesPerSecondHaveTwoDecimals) {
    for (const auto& [fps, text] : std::vector<std::pair<double, const char*>>{{516.48, "516.48"},
                                                                               {0, "0.00"},
                                                                               {2.675, "2.67"},
                                                                               {0.125, "0.12"},
                                                                               {0.375, "0.38"},
                                                                               {1e6, "1000000.00"},
                                                                               {inf, "inf"},
                                                                               {-inf, "-inf"}})
        EXPECT_NE(render({}, ReportFormat::xml, fps).find("fps=\"" + std::string(text) + "\""), std::string::npos) << text;
}

TEST(Report, FormatsAreFoundByNameAndPath) {
    EXPECT_EQ(*report_format_from_name("JSON"), ReportFormat::json);
    EXPECT_FALSE(report_format_from_name("yaml"));
    EXPECT_EQ(*report_format_from_path("a.b/out.tmp.Csv"), ReportFormat::csv);
    EXPECT_EQ(*report_format_from_path("x.sub"), ReportFormat::sub);
    EXPECT_EQ(*report_format_from_path("x.xml"), ReportFormat::xml);
    for (const char* bad : {"out", "a.json/out", ".json", "out.", "out.txt", ""}) {
        const auto format = report_format_from_path(bad);
        ASSERT_FALSE(format) << bad;
        EXPECT_NE(format.error().message.find(".xml, .json, .csv or .sub"), std::string::npos) << format.error().message;
    }
}

TEST(Report, PrecisionReachesEveryNumber) {
    Scores scores = table({{0.1, 0.3}});
    scores.aggregates = {{"x", 0.7}};
    for (const ReportFormat format : {ReportFormat::xml, ReportFormat::json, ReportFormat::csv, ReportFormat::sub}) {
        const std::string text = render_report(scores, {format, *NumberFormat::parse("max"), "v", 1});
        EXPECT_NE(text.find("0.10000000000000001"), std::string::npos);
        EXPECT_EQ(text.find("0.100000\""), std::string::npos);
    }
    EXPECT_NE(render_report(scores, {ReportFormat::json, *NumberFormat::parse("max"), "v", 1}).find("\"x\": 0.69999999999999996"),
              std::string::npos);
}

}  // namespace
}  // namespace isometric
