// The reports of libvmaf's own tool (tests/report/golden/), byte for byte but for the version and the frame rate.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <cmath>

#include "isometric/report.h"
#include "tests/support/fill.h"
#include "tests/support/golden.h"

namespace isometric {
namespace {

using Json = nlohmann::ordered_json;

std::string golden(const std::string& name) {
    const auto text = test::read_whole_file(std::string(ISO_TEST_DATA) + "/report/golden/" + name);
    EXPECT_TRUE(text) << name;
    return text ? *text : std::string();
}

bool prints_like(double value, double printed) { return NumberFormat{}.print(value) == NumberFormat{}.print(printed); }

// A report rounds to six decimals, and means of rounded scores are not the rounded means. Searches for scores that print as the report's
// rows do and pool to what it prints: the sums and formulas of pool() must have such scores, as they had in the run that wrote the report.
void refine(ScoreColumn& column, const Json& pooled, int subsample, std::int64_t frames) {
    const std::vector<std::optional<double>> printed = column.values;
    test::Random random(11);
    const auto fits = [&](Pooling method, const char* name) {
        const auto value = pool(column, method, 0, frames - 1, subsample);
        return value && prints_like(*value, pooled.at(name).get<double>());
    };
    for (int attempt = 0; attempt < 200000; ++attempt) {
        if (fits(Pooling::mean, "mean") && fits(Pooling::harmonic_mean, "harmonic_mean") && fits(Pooling::min, "min") &&
            fits(Pooling::max, "max"))
            return;
        for (std::size_t i = 0; i < printed.size(); ++i) {
            if (!printed[i]) continue;
            const double candidate = *printed[i] + (random.unit() - 0.5) * 1e-6;
            if (prints_like(candidate, *printed[i])) column.values[i] = candidate;
        }
    }
    FAIL() << column.name << ": no scores pool to the report's values";
}

Scores scores_of(const Json& report, int subsample) {
    Scores scores;
    scores.subsample = subsample;
    scores.format = {352, 288, 8, ChromaFormat::yuv420};
    scores.frames = 4;
    for (const auto& [name, pooled] : report.at("pooled_metrics").items()) {
        ScoreColumn column{name, name, false, std::vector<std::optional<double>>(4)};
        for (const Json& frame : report.at("frames"))
            column.values[frame.at("frameNum").get<std::size_t>()] = frame.at("metrics").at(name).get<double>();
        refine(column, pooled, subsample, scores.frames);
        scores.columns.push_back(std::move(column));
    }
    for (const auto& [name, value] : report.at("aggregate_metrics").items()) scores.aggregates.push_back({name, value.get<double>()});
    return scores;
}

// The text between two marks.
std::string between(const std::string& text, const std::string& before, const std::string& after) {
    const std::size_t start = text.find(before) + before.size();
    return text.substr(start, text.find(after, start) - start);
}

void compare(const std::string& name, int subsample, std::initializer_list<const char*> formats) {
    const Scores scores = scores_of(Json::parse(golden(name + ".json")), subsample);
    for (const std::string format : formats) {
        const std::string expected = golden(name + "." + format);
        ReportSettings settings{*report_format_from_name(format), {}, "f85a8536", 0};
        if (format == "xml") settings.fps = std::strtod(between(expected, "fps=\"", "\"").c_str(), nullptr);
        if (format == "json") settings.fps = std::strtod(between(expected, "\"fps\": ", ",").c_str(), nullptr);
        EXPECT_EQ(render_report(scores, settings), expected) << name << "." << format;
    }
}

TEST(GoldenReport, Default) { compare("default", 1, {"xml", "json", "csv", "sub"}); }
TEST(GoldenReport, BootstrapCollectionSubsampled) { compare("bootstrap_subsample2", 2, {"xml", "json", "csv"}); }
TEST(GoldenReport, AomCtcWithAggregates) { compare("aom_ctc_v6", 1, {"xml", "json", "csv"}); }

}  // namespace
}  // namespace isometric
