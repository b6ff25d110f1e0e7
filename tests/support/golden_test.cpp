#include "tests/support/golden.h"

#include <gtest/gtest.h>

#include "tests/support/bits.h"

namespace isometric::test {
namespace {

TEST(Golden, HexFloatsAreExact) {
    EXPECT_SAME_BITS(*parse_hex_float("0x1.00777bf62ad7ap+7"), 0x1.00777bf62ad7ap+7);
    EXPECT_SAME_BITS(*parse_hex_float("-0x0p+0"), -0.0);
    EXPECT_SAME_BITS(*parse_hex_float("0x0.0000000000001p-1022"), 0x1p-1074);
    EXPECT_TRUE(std::isnan(*parse_hex_float("nan")));
    EXPECT_SAME_BITS(*parse_hex_float("-inf"), -HUGE_VAL);
    for (const char* bad : {"", "-", "0x", "0x1.8p+1 ", "1,5", "x"}) EXPECT_FALSE(parse_hex_float(bad)) << bad;
}

TEST(Golden, CasesAreParsed) {
    const auto parsed =
        parse_golden_case("adm_v1 | 576x324 8 420 2 texture gain:110 21     | m:vmaf_v0.6.1 adm:adm_dlm_weight=0.7:debug=true psnr");
    ASSERT_TRUE(parsed) << parsed.error().message;
    EXPECT_EQ(parsed->name, "adm_v1");
    EXPECT_EQ(parsed->clip.describe(), "576x324 8 420 2 texture gain:110 21");
    ASSERT_EQ(parsed->requests.size(), 3u);
    EXPECT_TRUE(parsed->requests[0].is_model);
    EXPECT_EQ(parsed->requests[0].name, "vmaf_v0.6.1");
    EXPECT_EQ(parsed->requests[1].name, "adm");
    EXPECT_EQ(parsed->requests[1].options, (std::vector<OptionText>{{"adm_dlm_weight", "0.7"}, {"debug", "true"}}));
    EXPECT_TRUE(parsed->requests[2].options.empty());
}

TEST(Golden, TablesAreParsed) {
    const auto table = parse_golden_table("# comment\n0\tpsnr_y\t0x1.8p+1\t3\n1\tpsnr_y\t0x1p+0\t1\nMEAN\tpsnr_y\t0x1p+1\t2\n");
    ASSERT_TRUE(table) << table.error().message;
    EXPECT_EQ(table->rows.size(), 2u);
    EXPECT_EQ(table->feature("psnr_y"), (std::map<std::int64_t, double>{{0, 3.0}, {1, 1.0}}));
    EXPECT_EQ(table->pooled.at("MEAN").at("psnr_y"), 2.0);
    EXPECT_TRUE(table->feature("psnr_cb").empty());
    EXPECT_FALSE(parse_golden_table("0\tpsnr_y\t3\n"));
}

// Every case has its table, made from the clip that the case names.
TEST(Golden, EveryCaseHasItsTable) {
    const auto cases = golden_cases();
    ASSERT_TRUE(cases) << cases.error().message;
    EXPECT_GE(cases->size(), 50u);
    for (const GoldenCase& c : *cases) {
        const auto table = golden_table(c.name);
        ASSERT_TRUE(table) << table.error().message;
        EXPECT_FALSE(table->rows.empty()) << c.name;
        EXPECT_FALSE(table->pooled.empty()) << c.name;
        const auto text = read_whole_file(std::string(ISO_TEST_DATA) + "/golden/tables/" + c.name + ".tsv");
        EXPECT_NE(text->find("# clip: " + c.clip.describe() + "\n"), std::string::npos) << c.name;
    }
}

}  // namespace
}  // namespace isometric::test
