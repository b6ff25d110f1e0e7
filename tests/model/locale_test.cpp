// A host program that sets a locale with a decimal comma must get the same model, the same scores and the same texts.
#include <gtest/gtest.h>

#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <locale>

#include "isometric/model.h"
#include "model/model_json.h"
#include "model/number.h"
#include "tests/model/model_support.h"
#include "tests/support/bits.h"

namespace isometric::test {
namespace {

// The process under a decimal comma, for C and for C++. Systems without such a locale get one compiled into a temporary folder.
class CommaLocale : public testing::Test {
protected:
    struct Comma : std::numpunct<char> {
        char do_decimal_point() const override { return ','; }
        char do_thousands_sep() const override { return '.'; }
        std::string do_grouping() const override { return "\3"; }
    };

    void SetUp() override {
        for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"})
            if (set(name)) return;
        folder_ = std::filesystem::path(testing::TempDir()) / ("isometric_locale_" + std::to_string(std::uintptr_t(this)));
        std::filesystem::create_directories(folder_);
        const std::string command = "localedef -i de_DE -f ISO-8859-1 '" + (folder_ / "comma").string() + "' > /dev/null 2>&1";
        if (std::system(command.c_str()) == 0 && setenv("LOCPATH", folder_.c_str(), 1) == 0) set("comma");
    }
    bool set(const char* name) {
        c_locale_ = std::setlocale(LC_ALL, name) != nullptr && std::localeconv()->decimal_point[0] == ',';
        std::locale::global(std::locale(std::locale(), new Comma));
        // global() of an unnamed locale leaves the C library's locale as it is.
        return c_locale_;
    }
    void TearDown() override {
        std::locale::global(std::locale::classic());
        std::setlocale(LC_ALL, "C");
        unsetenv("LOCPATH");
        if (!folder_.empty()) std::filesystem::remove_all(folder_);
    }

    bool c_locale_ = false;
    std::filesystem::path folder_;
};

TEST_F(CommaLocale, IsReallySet) {
    // Where neither a comma locale nor its sources are installed, only the C++ half can be tested.
    if (std::filesystem::exists("/usr/share/i18n/locales/de_DE")) {
        EXPECT_TRUE(c_locale_);
    }
    if (c_locale_) {
        EXPECT_EQ(std::strtod("1.5", nullptr), 1.0);
    }
}

TEST_F(CommaLocale, NumbersHaveAPoint) {
    EXPECT_SAME_BITS(parse_number("1.5").value_or(0), 1.5);
    EXPECT_FALSE(parse_number("1,5"));
}

TEST_F(CommaLocale, BuiltinModelsPredictTheSameBits) {
    const auto model = Model::builtin("vmaf_v0.6.1");
    ASSERT_TRUE(model) << model.error().message;
    const std::vector<double> features = {0x1.dc28f5c28f5c3p-1, 0x1.2p+2, 0x1.a3d70a3d70a3dp-2, 0x1.b851eb851eb85p-1, 0x1.d70a3d70a3d71p-1,
                                          0x1.e666666666666p-1};
    double score = 0;
    model->predict(features, {&score, 1});
    EXPECT_SAME_BITS(score, 0x1.4305e626c649bp+6);
}

TEST_F(CommaLocale, ModelFilesAreReadTheSame) {
    for (std::uint64_t seed : {2u, 3u, 5u, 8u, 13u}) {
        const ModelSet set = made_up_model(seed);
        const std::string json = to_json(set);
        const auto again = parse_model_json(json, "written.json");
        ASSERT_TRUE(again) << again.error().message;
        EXPECT_EQ(difference(set.models[0], again->models[0]), "") << seed;
    }
}

TEST_F(CommaLocale, OptionsAreNormalisedTheSame) {
    const std::string json =
        R"({"model_dict": {"norm_type": "none", "feature_names": ["f"], "feature_opts_dicts": [{"a": 1.25, "b": 1234567.0, "c": 0.5e-3}],
            "model": "svm_type nu_svr\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho 0.5\nSV\n1.5 1:0.25\n"}})";
    const auto set = parse_model_json(json, "options.json");
    ASSERT_TRUE(set) << set.error().message;
    EXPECT_EQ(set->models[0].features[0].options, (std::vector<OptionText>{{"a", "1.25"}, {"b", "1.23457e+06"}, {"c", "0.0005"}}));
    EXPECT_SAME_BITS(set->models[0].regression.rho, 0.5);
}

}  // namespace
}  // namespace isometric::test
