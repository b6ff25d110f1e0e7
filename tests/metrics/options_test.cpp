#include "metrics/options.h"

#include <gtest/gtest.h>

#include <array>
#include <clocale>

#include "metrics/metric.h"

namespace isometric {
namespace {

constexpr std::array<OptionSpec, 5> table = {{
    flag("debug", "", false, Naming::unnamed, "debug outputs"),
    real("gain_limit", "egl", 100, 1, 100, Naming::named, "gain limit"),
    integer("csf_mode", "csf", 0, 0, 3, Naming::named, "contrast sensitivity function"),
    flag("skip_scale0", "ssz", false, Naming::named, "leave scale 0 out"),
    text("method", "pm", "nearest", Naming::named, "scaling method"),
}};
constexpr std::array<FeatureSpec, 2> features = {{{"VMAF_x_score", "x", true}, {"x_debug", "x_debug", false}}};
const MetricInfo info = {"sample", "for this test", table, features, false, nullptr};

Result<OptionValues> parse(std::vector<OptionText> texts) { return OptionValues::parse(info, texts); }

TEST(Options, DefaultsGiveNoSuffix) {
    const auto values = parse({});
    ASSERT_TRUE(values);
    EXPECT_EQ(values->real("gain_limit"), 100);
    EXPECT_EQ(values->text("method"), "nearest");
    EXPECT_EQ(values->name_suffix(), "");
    EXPECT_EQ(stored_name(*values, features[0]), "VMAF_x_score");
    EXPECT_EQ(report_name(*values, features[0]), "x");
}

TEST(Options, SuffixIsSortedByOptionName) {
    const auto values = parse({{"skip_scale0", "true"}, {"gain_limit", "1.2"}, {"csf_mode", "2"}, {"debug", "true"}});
    ASSERT_TRUE(values);
    EXPECT_EQ(values->name_suffix(), "_csf_2_egl_1.2_ssz");
    EXPECT_EQ(stored_name(*values, features[0]), "x_csf_2_egl_1.2_ssz");
    EXPECT_EQ(stored_name(*values, features[1]), "x_debug") << "features that no model can ask for keep their names";
}

TEST(Options, NumbersPassThroughFloatAndSixDigits) {
    EXPECT_EQ(normalised_number("1.23456789"), "1.23457");
    EXPECT_EQ(normalised_number("1234567"), "1.23457e+06");
    EXPECT_EQ(normalised_number("1.20000001"), "1.2");
    EXPECT_EQ(normalised_number("0x1p-2"), "0.25");
    EXPECT_EQ(normalised_number("true"), "true");
    EXPECT_EQ(normalised_number(""), "");
    EXPECT_EQ(normalised_number("+-5"), "+-5");
    EXPECT_EQ(normalised_number("-5 "), "-5");
    EXPECT_EQ(parse({{"gain_limit", "1.20000001"}})->real("gain_limit"), 1.2);
}

TEST(Options, NumbersDoNotFollowTheLocale) {
    const std::string before = std::setlocale(LC_ALL, nullptr);
    std::setlocale(LC_ALL, "de_DE.UTF-8");  // stays as it is where the locale is not installed
    EXPECT_EQ(parse({{"gain_limit", "1.5"}})->real("gain_limit"), 1.5);
    EXPECT_EQ(parse({{"gain_limit", "1.5"}})->name_suffix(), "_egl_1.5");
    std::setlocale(LC_ALL, before.c_str());
}

TEST(Options, RefusalsNameWhatIsAllowed) {
    const std::vector<std::pair<OptionText, std::string>> cases = {
        {{"gain_limit", "0.5"}, "from 1 to 100"},  {{"gain_limit", "nan"}, "from 1 to 100"}, {{"gain_limit", ""}, "from 1 to 100"},
        {{"gain_limit", "5x"}, "from 1 to 100"},   {{"csf_mode", "1.5"}, "an integer"},      {{"csf_mode", "4"}, "from 0 to 3"},
        {{"debug", "1"}, "true or false"},         {{"gain_limt", "5"}, "'gain_limit'"},     {{"zzzzzzzz", "5"}, "it has debug"},
    };
    for (const auto& [option, part] : cases) {
        const auto values = parse({option});
        ASSERT_FALSE(values) << option.name << "=" << option.value;
        EXPECT_EQ(values.error().code, Code::invalid_argument);
        EXPECT_NE(values.error().message.find(part), std::string::npos) << values.error().message;
    }
}

TEST(Options, MergeAddsWhatTheOtherGivesAndRefusesContradictions) {
    auto plain = *parse({});
    ASSERT_TRUE(plain.merge(*parse({{"debug", "true"}})));
    EXPECT_TRUE(plain.flag("debug"));
    auto off = *parse({{"debug", "false"}});
    EXPECT_FALSE(off.merge(*parse({{"debug", "true"}})));
    EXPECT_FALSE(parse({{"debug", "false"}, {"debug", "true"}}));
}

}  // namespace
}  // namespace isometric
