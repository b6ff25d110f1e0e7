#include "report/report_names.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "isometric/report.h"
#include "tests/report/xml_check.h"
#include "tests/support/fill.h"

namespace isometric {
namespace {

// What users, and those who mean harm, may call a model.
const std::vector<std::string> nasty_names{"a\"b",
                                           "a&b<c>d'e",
                                           "two words",
                                           "4k",
                                           "frameNum",
                                           "comma,semi;",
                                           "tab\there",
                                           "line\nend",
                                           "back\\slash",
                                           "r\xC3\xA9sum\xC3\xA9",
                                           "\xFF\xFE",
                                           "\x01",
                                           "xmlns:a",
                                           "a=b",
                                           "_x0041_",
                                           "pipe|brace{}",
                                           "\xF0\x9F\x8E\xA5",
                                           "\xED\xA0\x80",
                                           "\xC0\xAF",
                                           "ends\xE2\x82",
                                           "",
                                           "-",
                                           "]]>",
                                           "\xEF\xBF\xBE"};

TEST(ReportNames, OrdinaryNamesAreLeftAlone) {
    for (const char* name :
         {"VMAF_integer_feature_motion_sad_score", "integer_adm2_egl_1.2", "vmaf_ci_p95_lo", "psnr_hvs", "_x", "_x41_", "a_b-c"}) {
        EXPECT_EQ(xml_attribute_name(name), name);
        EXPECT_EQ(xml_text(name), name);
        EXPECT_EQ(json_text(name), '"' + std::string(name) + '"');
        EXPECT_EQ(csv_text(name), name);
        EXPECT_EQ(sub_text(name), name);
    }
}

TEST(ReportNames, EscapesAreThoseThatTheDocumentationNames) {
    EXPECT_EQ(xml_text("a\"&<>\n\x01\xFF"), "a&quot;&amp;&lt;&gt;&#10;\xEF\xBF\xBD\xEF\xBF\xBD");
    EXPECT_EQ(xml_attribute_name("my model"), "my_x0020_model");
    EXPECT_EQ(xml_attribute_name("4k"), "_x0034_k");
    EXPECT_EQ(xml_attribute_name("_x0034_k"), "_x005F_x0034_k");
    EXPECT_EQ(xml_attribute_name("\xC3\xA9\xFF"), "_x00E9__xDCFF_");
    EXPECT_EQ(xml_attribute_name("frameNum"), "_x0066_rameNum");
    EXPECT_EQ(json_text("a\"\\\n\x1F\xFF\xC3\xA9"), "\"a\\\"\\\\\\u000a\\u001f\xEF\xBF\xBD\xC3\xA9\"");
    EXPECT_EQ(csv_text("a,\"b\""), "\"a,\"\"b\"\"\"");
    EXPECT_EQ(sub_text("a|b\nc"), "a_b_c");
}

TEST(ReportNames, DifferentAttributeNamesStayDifferent) {
    std::map<std::string, std::string> seen;
    for (const std::string& name : nasty_names) {
        const auto [at, is_new] = seen.emplace(xml_attribute_name(name), name);
        EXPECT_TRUE(is_new) << name << " and " << at->second << " are both " << at->first;
    }
}

Scores scores_named(const std::vector<std::string>& names) {
    Scores scores;
    scores.frames = 2;
    for (const std::string& name : names) scores.columns.push_back({name, name, true, {1.5, 2.5}});
    scores.aggregates = {{"apsnr_\"y", 3}};
    return scores;
}

// A CSV reader per RFC 4180.
std::vector<std::vector<std::string>> parse_csv(std::string_view text) {
    std::vector<std::vector<std::string>> lines(1, {""});
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"' && quoted && i + 1 < text.size() && text[i + 1] == '"') lines.back().back() += text[++i];
        else if (c == '"') quoted = !quoted;
        else if (c == ',' && !quoted) lines.back().emplace_back();
        else if (c == '\n' && !quoted) lines.push_back({""});
        else lines.back().back() += c;
    }
    lines.pop_back();
    return lines;
}

TEST(ReportNames, EveryFormatStaysReadable) {
    const Scores scores = scores_named(nasty_names);
    ReportSettings settings{ReportFormat::json, {}, "v\"<&", 10};
    const auto json = nlohmann::json::parse(render_report(scores, settings), nullptr, false);
    ASSERT_FALSE(json.is_discarded());
    EXPECT_EQ(json.at("frames").at(0).at("metrics").at("a\"b").get<double>(), 1.5);

    settings.format = ReportFormat::xml;
    std::string problem;
    const auto xml = test::parse_xml(render_report(scores, settings), problem);
    ASSERT_TRUE(xml) << problem;
    EXPECT_EQ(xml->attributes.at("version"), "v\"<&");
    EXPECT_EQ(xml->children[2].children[0].attributes.size(), nasty_names.size() + 1);
    EXPECT_EQ(xml->children[3].children[1].attributes.at("name"), "a&b<c>d'e");

    settings.format = ReportFormat::csv;
    const auto csv = parse_csv(render_report(scores, settings));
    ASSERT_EQ(csv.size(), 3u);
    for (const auto& line : csv) EXPECT_EQ(line.size(), nasty_names.size() + 2);
    for (std::size_t i = 0; i < nasty_names.size(); ++i) EXPECT_EQ(csv[0][i + 1], nasty_names[i]);

    settings.format = ReportFormat::sub;
    const std::string sub = render_report(scores, settings);
    EXPECT_EQ(std::count(sub.begin(), sub.end(), '\n'), 2);
    EXPECT_EQ(std::count(sub.begin(), sub.end(), '|'), std::ptrdiff_t(2 * (nasty_names.size() + 1)));
}

TEST(ReportNames, AnyBytesGiveReadableReports) {
    test::Random random(9);
    for (int run = 0; run < 2000; ++run) {
        std::string name;
        for (std::uint64_t n = random.below(12); n > 0; --n) name += char(random.below(run % 2 ? 256 : 128));
        std::string problem;
        const Scores scores = scores_named({name, "other"});
        ASSERT_TRUE(test::parse_xml(render_report(scores, {ReportFormat::xml, {}, name, 1}), problem)) << problem;
        ASSERT_TRUE(nlohmann::json::accept(render_report(scores, {ReportFormat::json, {}, name, 1})));
    }
}

}  // namespace
}  // namespace isometric
