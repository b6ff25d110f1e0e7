#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <cstdio>
#include <limits>
#include <locale>

#include "isometric/report.h"
#include "tests/support/bits.h"
#include "tests/support/fill.h"

namespace isometric {
namespace {

using test::Random;

std::string printf_text(const char* format, double value) {
    char text[400];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

// Values of every magnitude, and such whose fraction is close to the rule's limit of six zeros.
double some_value(Random& random) {
    const double unit = random.unit();
    switch (random.below(6)) {
        case 0: return std::bit_cast<double>(random());
        case 1: return unit * 100;
        case 2: return double(random.below(100)) + unit * std::pow(10.0, -double(random.below(20)));
        case 3: return std::pow(10.0, -double(random.below(12))) * (1 + unit * 1e-15);
        case 4: return -unit * std::pow(10.0, double(random.below(30)));
        default: return double(random.below(1u << 20)) / double(1u << random.below(20));  // exact ties
    }
}

TEST(NumberFormat, StandardHasTheReferencesDigits) {
    const NumberFormat standard;
    const std::pair<double, const char*> known[] = {
        {5.00000001, "5.0000000099999999"},
        {1e-7, "0.0000001000000000"},
        {1e-6, "0.000001"},
        {0.0, "0.000000"},
        {-0.0, "-0.000000"},
        {99.9999999999999, "100.000000"},
        {std::numeric_limits<double>::denorm_min(), "0.0000000000000000"},
        {0.899085, "0.899085"},
        {-5.00000001, "-5.0000000099999999"},
        {72.0, "72.000000"},
        {2147483647.00000001, "2147483647.000000"},
        {2147483647.0000002, "2147483647.0000002384185791"},
        {2147483648.0000005, "2147483648.000000"},
    };
    for (const auto& [value, text] : known) EXPECT_EQ(standard.print(value), text);
    EXPECT_EQ(standard.print(1e300), printf_text("%.6f", 1e300));
    EXPECT_EQ(standard.print(1e300).size(), 308u);
}

// The rule of docs/reports.md once more, with printf in the C locale.
TEST(NumberFormat, StandardEqualsPrintfOnEveryMagnitude) {
    Random random(1);
    for (int i = 0; i < 100000; ++i) {
        const double value = some_value(random);
        if (!std::isfinite(value)) continue;
        const double magnitude = std::fabs(value);
        int shifts = 0;
        double fraction = magnitude < 2147483648.0 ? magnitude - std::trunc(magnitude) : 0;
        while (fraction < 1 && fraction != 0) fraction *= 10, ++shifts;
        ASSERT_EQ(NumberFormat{}.print(value), printf_text(shifts <= 6 ? "%.6f" : "%.16f", value)) << test::show_bits(value);
        ASSERT_EQ((NumberFormat{NumberFormat::Kind::legacy, 0}.print(value)), printf_text("%.6f", value));
    }
}

TEST(NumberFormat, DigitsArePrintfsG) {
    Random random(2);
    for (int digits = 1; digits <= 17; ++digits) {
        const NumberFormat format = *NumberFormat::parse(std::to_string(digits));
        char text[400];
        for (int i = 0; i < 2000; ++i) {
            const double value = some_value(random);
            if (!std::isfinite(value)) continue;
            std::snprintf(text, sizeof text, "%.*g", digits, value);
            ASSERT_EQ(format.print(value), text) << digits << " " << test::show_bits(value);
        }
    }
}

TEST(NumberFormat, RoundTripReadsBackEveryBit) {
    const NumberFormat format = *NumberFormat::parse("max");
    EXPECT_EQ(format.print(0.1), "0.10000000000000001");
    EXPECT_EQ(format.print(5), "5");
    Random random(3);
    for (int i = 0; i < 100000; ++i) {
        const double value = some_value(random);
        if (!std::isfinite(value)) continue;
        const std::string text = format.print(value);
        ASSERT_SAME_BITS(std::strtod(text.c_str(), nullptr), value) << text;
    }
    for (const double value :
         {std::numeric_limits<double>::denorm_min(), -0.0, std::numeric_limits<double>::max(), std::numeric_limits<double>::min()})
        EXPECT_SAME_BITS(std::strtod(format.print(value).c_str(), nullptr), value);
}

TEST(NumberFormat, WhatIsNotFiniteHasPrintfsNames) {
    constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    for (const char* name : {"max", "full", "legacy", "6"}) {
        const NumberFormat format = *NumberFormat::parse(name);
        EXPECT_EQ(format.print(inf), "inf");
        EXPECT_EQ(format.print(-inf), "-inf");
        EXPECT_EQ(format.print(nan), "nan");
        EXPECT_EQ(format.print(std::copysign(nan, -1.0)), "-nan");
    }
    EXPECT_EQ(NumberFormat{}.print(inf), "inf");
}

TEST(NumberFormat, ParseTakesWhatItSays) {
    EXPECT_EQ(NumberFormat::parse("17")->digits, 17);
    EXPECT_EQ(NumberFormat::parse("full")->kind, NumberFormat::Kind::round_trip);
    EXPECT_EQ(NumberFormat::parse("legacy")->kind, NumberFormat::Kind::legacy);
    for (const char* bad : {"", "0", "18", "-1", "+5", "6 ", " 6", "6.0", "Max", "99999999999999999999", "standard"}) {
        const auto parsed = NumberFormat::parse(bad);
        ASSERT_FALSE(parsed) << bad;
        EXPECT_EQ(parsed.error().code, Code::invalid_argument);
        EXPECT_NE(parsed.error().message.find("1 to 17"), std::string::npos);
    }
}

struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

// Neither the C nor the C++ locale reaches a number.
TEST(NumberFormat, IgnoresTheLocale) {
    const std::string c_locale = std::setlocale(LC_ALL, nullptr);
    const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
    for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "cs_CZ.UTF-8"})
        if (std::setlocale(LC_ALL, name)) break;  // where the system has one
    EXPECT_EQ(NumberFormat{}.print(1234.5), "1234.500000");
    EXPECT_EQ(NumberFormat::parse("max")->print(0.9), "0.90000000000000002");
    Scores scores;
    scores.columns.push_back({"a", "a", false, std::vector<std::optional<double>>(2000, 0.5)});
    scores.frames = 2000;
    for (const ReportFormat format : {ReportFormat::xml, ReportFormat::json, ReportFormat::csv, ReportFormat::sub}) {
        const std::string text = render_report(scores, {format, {}, "v", 1234.5});
        EXPECT_EQ(text.find("0,5"), std::string::npos);
        EXPECT_EQ(text.find("1.999"), std::string::npos);
        EXPECT_NE(text.find("1999"), std::string::npos);
    }
    std::locale::global(before);
    std::setlocale(LC_ALL, c_locale.c_str());
}

}  // namespace
}  // namespace isometric
