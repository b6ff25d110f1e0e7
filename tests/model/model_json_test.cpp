// Model files: what is read, and what is refused with which words.
#include "model/model_json.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "isometric/model.h"
#include "model/json_value.h"
#include "tests/model/model_support.h"
#include "tests/support/bits.h"

namespace isometric::test {
namespace {

const std::string svm =
    R"("svm_type nu_svr\nkernel_type rbf\ngamma 0.04\nnr_class 2\ntotal_sv 2\nrho -1.25\nSV\n-4 1:0.5 2:0.25 \n4 2:0.75 \n")";

const std::string good = R"({
  "param_dict": {"C": 4.0, "nested": [{"x": [null, true]}]},
  "model_dict": {
    "model_type": "LIBSVMNUSVR",
    "norm_type": "linear_rescale",
    "feature_names": ["some_adm3_score", "some_speed_chroma_score"],
    "feature_opts_dicts": [{"real": 1.0, "text": "bilinear", "on": true, "off": false, "absent": null}, {}],
    "slopes": [0.01, 1.5, 2.5],
    "intercepts": [-0.25, -1, 0.5],
    "score_clip": [0, 100.0],
    "score_transform": {"p0": 1.5, "p1": 0.5, "p2": -0.01, "knots": [[0, 0], [50, 40.5]], "out_gte_in": "true", "out_lte_in": "false", "enabled": true,
                        "other": 3},
    "chroma_correction_parameter": 120.0,
    "feature_dict": {"VMAF_feature": ["adm3"]},
    "model": )" + svm + R"(
  }
}
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

TEST(ModelFile, EveryKeyIsRead) {
    const auto set = parse_model_json(good, "good.json");
    ASSERT_TRUE(set) << set.error().message;
    EXPECT_FALSE(set->collection);
    const ModelDefinition& model = set->models.at(0);
    EXPECT_EQ(model.training, Training::nu_svr);
    EXPECT_EQ(model.normalisation, Normalisation::linear_rescale);
    ASSERT_EQ(model.features.size(), 2u);
    EXPECT_EQ(model.features[0].name, "some_adm3_score");
    EXPECT_EQ(model.features[0].options, (std::vector<OptionText>{{"real", "1"}, {"text", "bilinear"}, {"on", "true"}, {"off", "false"}}));
    EXPECT_TRUE(model.features[1].options.empty());
    EXPECT_SAME_BITS(model.output_slope, 0.01);
    EXPECT_SAME_BITS(model.output_intercept, -0.25);
    EXPECT_SAME_BITS(model.slopes, (std::vector<double>{1.5, 2.5}));
    EXPECT_SAME_BITS(model.intercepts, (std::vector<double>{-1, 0.5}));
    EXPECT_EQ(model.clip, (Clip{0, 100}));
    EXPECT_EQ(model.transform, (Transform{true, 1.5, 0.5, -0.01, std::vector<Knot>{{0, 0}, {50, 40.5}}, false, true}));
    EXPECT_SAME_BITS(model.chroma_correction, 120.0);
    EXPECT_EQ(model.regression.size(), 2u);
}

TEST(ModelFile, NullIsAbsent) {
    std::string text = good;
    for (const char* value : {"[0, 100.0]", "[{\"real\": 1.0, \"text\": \"bilinear\", \"on\": true, \"off\": false, \"absent\": null}, {}]",
                              "\"LIBSVMNUSVR\"", "120.0", "1.5,", "[[0, 0], [50, 40.5]]", "\"true\"", "true,\n"})
        text = replaced(text, std::string(": ") + value,
                        std::string(": null") + (std::string(value).find(',') == std::string(value).size() - 1 ? "," : "") +
                            (std::string(value).ends_with(",\n") ? ",\n" : ""));
    const auto set = parse_model_json(text, "null.json");
    ASSERT_TRUE(set) << set.error().message << text;
    const ModelDefinition& model = set->models.at(0);
    EXPECT_EQ(model.training, Training::unnamed);
    EXPECT_TRUE(model.features[0].options.empty());
    EXPECT_FALSE(model.clip);
    EXPECT_EQ(model.transform, (Transform{false, {}, 0.5, -0.01, {}, false, false}));
    EXPECT_SAME_BITS(model.chroma_correction, 0.0);

    const std::size_t start = good.find("{\"p0\""), end = good.find("}", start);
    std::string whole = good;
    const auto no_transform = parse_model_json(whole.replace(start, end + 1 - start, "null"), "null.json");
    ASSERT_TRUE(no_transform) << no_transform.error().message;
    EXPECT_FALSE(no_transform->models[0].transform);
}

TEST(ModelFile, WithoutRescalingNeedsNoSlopes) {
    std::string text = replaced(good, "\"linear_rescale\"", "\"none\"");
    text = replaced(text, "\"slopes\": [0.01, 1.5, 2.5],", "");
    text = replaced(text, "\"intercepts\": [-0.25, -1, 0.5],", "\"intercepts\": null,");
    const auto set = parse_model_json(text, "none.json");
    ASSERT_TRUE(set) << set.error().message;
    EXPECT_EQ(set->models[0].normalisation, Normalisation::none);
}

TEST(ModelFile, OptionNumbersAreNormalised) {
    const std::pair<const char*, const char*> cases[] = {
        {"1.0", "1"},       {"1.23456789", "1.23457"}, {"1234567", "1.23457e+06"}, {"0.06", "0.06"},
        {"-0", "-0"},       {"1e-3", "0.001"},         {"1080", "1080"},           {"1.9e3", "1900"},
        {"\"1.0\"", "1.0"}, {"\"a b\"", "a b"},        {"0.5e0", "0.5"},           {"18446744073709551615", "1.84467e+19"}};
    for (const auto& [json, text] : cases) {
        const auto set = parse_model_json(replaced(good, "\"real\": 1.0", std::string("\"real\": ") + json), "options.json");
        ASSERT_TRUE(set) << set.error().message;
        EXPECT_EQ(set->models[0].features[0].options.at(0), (OptionText{"real", text})) << json;
    }
}

TEST(ModelFile, WhatFollowsTheDocumentIsIgnored) {
    EXPECT_TRUE(parse_model_json(good + "trailing", "good.json"));
    EXPECT_TRUE(parse_model_json("\xEF\xBB\xBF" + good, "good.json"));  // a byte order mark
}

struct Broken {
    const char* from;
    const char* to;
    const char* message;
};

TEST(ModelFile, RefusesWhatIsIncompleteOrWrong) {
    const Broken cases[] = {
        // required keys
        {"\"model_dict\"", "\"model_dictionary\"", "there is no key 'model_dict'"},
        {"\"norm_type\": \"linear_rescale\",", "", "model_dict: the key 'norm_type' is missing"},
        {"\"norm_type\": \"linear_rescale\",", "\"norm_type\": null,", "model_dict: the key 'norm_type' is missing"},
        {"\"slopes\": [0.01, 1.5, 2.5],", "", "model_dict: the key 'slopes' is missing"},
        {"\"intercepts\": [-0.25, -1, 0.5],", "", "model_dict: the key 'intercepts' is missing"},
        {"\"feature_names\": [\"some_adm3_score\", \"some_speed_chroma_score\"],", "", "model_dict: the key 'feature_names' is missing"},
        {"\"model\":", "\"modell\":", "model_dict: the key 'model' is missing"},
        // known values
        {"\"LIBSVMNUSVR\"", "\"LIBSVM\"", "model_dict.model_type: 'LIBSVM' is unknown; allowed are LIBSVMNUSVR, BOOTSTRAP_LIBSVMNUSVR"},
        {"\"LIBSVMNUSVR\"", "3", "model_dict.model_type: a string is needed, a number is given"},
        {"\"linear_rescale\"", "\"clip_0to1\"", "model_dict.norm_type: 'clip_0to1' is unknown; allowed are linear_rescale, none"},
        // counts
        {"[0.01, 1.5, 2.5]", "[0.01, 1.5]", "model_dict.slopes: 2 numbers; 2 features and the output need 3"},
        {"[0.01, 1.5, 2.5]", "[0.01, 1.5, 2.5, 1]", "model_dict.slopes: 4 numbers"},
        {"[0.01, 1.5, 2.5]", "[]", "model_dict.slopes: 0 numbers"},
        {"[-0.25, -1, 0.5]", "[-0.25, -1]", "model_dict.intercepts: 2 numbers"},
        {"[\"some_adm3_score\", \"some_speed_chroma_score\"]", "[]", "model_dict.feature_names: 0 features"},
        {"[\"some_adm3_score\", \"some_speed_chroma_score\"]", "[\"x_adm3\", \"speed_chroma\", \"c\"]",
         "model_dict.feature_opts_dicts: 2 entries for 3 features"},
        {"\"feature_opts_dicts\": [", "\"feature_opts_dicts\": [{}, ", "model_dict.feature_opts_dicts: 3 entries for 2 features"},
        {"[0, 100.0]", "[0]", "model_dict.score_clip: 1 numbers"},
        {"[0, 100.0]", "[0, 1, 2]", "model_dict.score_clip: 3 numbers"},
        {"[50, 40.5]", "[50]", "model_dict.score_transform.knots[1]: 1 numbers; a knot has 2"},
        {"[50, 40.5]", "[1,1],[2,2],[3,3],[4,4],[5,5],[6,6],[7,7],[8,8],[9,9],[10,10]",
         "model_dict.score_transform.knots: 11 knots; at most 10"},
        // types
        {"[0.01, 1.5, 2.5]", "0.01", "model_dict.slopes: an array is needed, a number is given"},
        {"[0.01, 1.5, 2.5]", "[0.01, \"1.5\", 2.5]", "model_dict.slopes[1]: a number is needed, a string is given"},
        {"[0.01, 1.5, 2.5]", "[0.01, null, 2.5]", "model_dict.slopes[1]: a number is needed, null is given"},
        {"[0, 100.0]", "[\"0\", \"100\"]", "model_dict.score_clip[0]: a number is needed"},
        {"[0, 100.0]", "[0, null]", "model_dict.score_clip[1]: a number is needed"},
        {"[0, 100.0]", "\"0..100\"", "model_dict.score_clip: an array is needed"},
        {"\"some_adm3_score\",", "7,", "model_dict.feature_names[0]: a string is needed"},
        {"\"some_adm3_score\",", "\"\",", "model_dict.feature_names[0]: the text is empty"},
        {"\"some_adm3_score\",", "\"a\\u0000b\",", "model_dict.feature_names[0]: the text has a control character"},
        {"\"text\": \"bilinear\"", "\"text\": [1]",
         "model_dict.feature_opts_dicts[0].text: a number, a string or a boolean is needed, an array is given"},
        {"\"text\": \"bilinear\"", "\"text\": \"a\\nb\"", "model_dict.feature_opts_dicts[0].text: the text has a control character"},
        {"\"text\": \"bilinear\"", "\"te\\u0007xt\": 1", "model_dict.feature_opts_dicts[0]: the text has a control character"},
        {"\"text\": \"bilinear\"", "\"\": 1", "model_dict.feature_opts_dicts[0]: the text is empty"},
        {"}, {}]", "}, 1]", "model_dict.feature_opts_dicts[1]: an object is needed"},
        {"\"enabled\": true", "\"enabled\": \"true\"", "model_dict.score_transform.enabled: a boolean is needed"},
        {"\"out_gte_in\": \"true\"", "\"out_gte_in\": true", "model_dict.score_transform.out_gte_in: a string is needed"},
        {"\"out_gte_in\": \"true\"", "\"out_gte_in\": \"True\"",
         "model_dict.score_transform.out_gte_in: 'True' is unknown; allowed are true, false"},
        {"\"p0\": 1.5", "\"p0\": \"1.5\"", "model_dict.score_transform.p0: a number is needed"},
        {"\"score_transform\": {", "\"score_transform\": [], \"was\": {", "model_dict.score_transform: an object is needed"},
        {"120.0", "\"120\"", "model_dict.chroma_correction_parameter: a number is needed"},
        {"\"model_dict\": {", "\"model_dict\": [], \"was\": {", "model_dict: an object is needed"},
        {"\"model\": \"", "\"model\": 3, \"was\": \"", "model_dict.model: a string is needed"},
        // numbers
        {"[0.01, 1.5, 2.5]", "[0.01, 1e999, 2.5]", "1e999"},
        {"[0.01, 1.5, 2.5]", "[0.01, NaN, 2.5]", "syntax error"},
        {"[0.01, 1.5, 2.5]", "[0, 1.5, 2.5]", "model_dict.slopes[0]: the score is divided by it"},
        // chroma correction
        {"some_adm3_score", "some_adm2_score", "model_dict.chroma_correction_parameter: no feature has 'adm3' in its name"},
        {"some_speed_chroma_score", "some_speed_score",
         "model_dict.chroma_correction_parameter: no feature has 'speed_chroma' in its name"},
        {"some_adm3_score", "speed_chroma_adm3",
         "model_dict.chroma_correction_parameter: several features have 'speed_chroma' in their names"},
        {"some_speed_chroma_score", "speed_chroma_adm3",
         "model_dict.chroma_correction_parameter: several features have 'adm3' in their names"},
        // the model's text
        {"total_sv 2", "total_sv 3", "model_dict.model: line 10: the text ends after 2 support vectors; total_sv is 3"},
        {"2:0.25", "3:0.25", "model_dict.model: line 8: '3:0.25': the index must be 1 to 2"},
        // JSON
        {"\"param_dict\"", "\"norm_type\": 1, \"norm_type\"", "the key 'norm_type' stands twice"},
        {"\"real\": 1.0", "\"real\": 1.0, \"real\": 2.0", "the key 'real' stands twice"},
        {"\"C\": 4.0", "\"C\": 4.0,", "syntax error"},
        {"\"C\": 4.0", "\"C\": 04", "syntax error"},
        {"\"C\": 4.0", "\"C\": 4, /* comment */ \"D\": 5", "syntax error"},
        {"\"C\"", "\"\xff\"", "syntax error"},
        {"\"C\"", "'C'", "syntax error"},
    };
    for (const Broken& broken : cases) {
        const std::string text = replaced(good, broken.from, broken.to);
        const auto set = parse_model_json(text, "dir/broken.json");
        ASSERT_FALSE(set) << broken.from << " -> " << broken.to;
        EXPECT_EQ(set.error().code, Code::bad_model) << set.error().message;
        EXPECT_EQ(set.error().message.find("dir/broken.json: "), 0u) << set.error().message;
        EXPECT_NE(set.error().message.find(broken.message), std::string::npos) << set.error().message << "\nexpected: " << broken.message;
    }
}

TEST(ModelFile, Takes64FeaturesAndNoMore) {
    for (int count : {64, 65}) {
        std::string names, numbers = "0.01";
        for (int i = 0; i < count; ++i) {
            names += (i ? ", " : "") + std::string("\"f") + std::to_string(i) + "\"";
            numbers += ", 1";
        }
        const std::string text = R"({"model_dict": {"norm_type": "linear_rescale", "feature_names": [)" + names + R"(], "slopes": [)" +
                                 numbers + R"(], "intercepts": [)" + numbers + R"(], "model": )" + svm + "}}";
        EXPECT_EQ(bool(parse_model_json(text, "many.json")), count == 64);
    }
}

// Whatever a file is cut off at, it is refused or whole.
TEST(ModelFile, TruncatedFilesAreRefused) {
    const std::size_t end = good.rfind('}');
    for (std::size_t length = 0; length <= end; ++length) {
        const auto set = parse_model_json(good.substr(0, length), "cut.json");
        ASSERT_FALSE(set) << length;
        EXPECT_EQ(set.error().code, Code::bad_model);
    }
    EXPECT_TRUE(parse_model_json(good.substr(0, end + 1), "cut.json"));
}

TEST(ModelFile, DeepNestingIsRefused) {
    for (const char* open : {"[", "{\"a\":"}) {
        std::string deep = "{\"x\": ";
        for (int i = 0; i < 100000; ++i) deep += open;
        const auto set = parse_model_json(deep, "deep.json");
        ASSERT_FALSE(set);
        EXPECT_NE(set.error().message.find("nested deeper than 64"), std::string::npos) << set.error().message;
    }
}

TEST(ModelFile, OtherTopLevelValuesAreRefused) {
    for (const char* text : {"", " ", "1", "[]", "null", "\"model\"", "{}", "{\"model_dict\": null}", "{\"0\": {}}", "{\"0\": 1}"})
        EXPECT_FALSE(parse_model_json(text, "other.json")) << text;
}

std::string member(const char* type, const char* name = "f") {
    return std::string(R"({"model_dict": {"model_type": ")") + type + R"(", "norm_type": "none", "feature_names": [")" + name +
           R"("], "model": "svm_type nu_svr\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho 0\nSV\n1 1:1\n"}})";
}
const std::string boot = "BOOTSTRAP_LIBSVMNUSVR";

TEST(ModelCollection, ReadsItsMembersInOrder) {
    std::string text = "{\"comment\": {\"model_dict\": 3}";
    for (int i = 0; i <= 12; ++i)
        text += ", \"" + std::to_string(i) + "\": " + member(i % 2 ? boot.c_str() : "RESIDUEBOOTSTRAP_LIBSVMNUSVR");
    const auto set = parse_model_json(text + ", \"about\": []}", "collection.json");
    ASSERT_TRUE(set) << set.error().message;
    EXPECT_TRUE(set->collection);
    EXPECT_EQ(set->models.size(), 13u);
}

TEST(ModelCollection, RefusesWhatCannotBeOne) {
    const std::pair<std::string, const char*> cases[] = {
        {"{\"0\": " + member(boot.c_str()) + "}", "needs the models 0 and 1"},
        {"{\"1\": " + member(boot.c_str()) + "}", "the key '1' where '0' is expected"},
        {"{\"0\": " + member(boot.c_str()) + ", \"2\": " + member(boot.c_str()) + "}", "the key '2' where '1' is expected"},
        {"{\"0\": " + member(boot.c_str()) + ", \"1\": " + member(boot.c_str()) + ", \"10\": " + member(boot.c_str()) + "}",
         "the key '10' where '2' is expected"},
        {"{\"0\": " + member(boot.c_str()) + ", \"01\": " + member(boot.c_str()) + "}", "the key '01' where '1' is expected"},
        {"{\"0\": " + member(boot.c_str()) + ", \"1\": " + member("LIBSVMNUSVR") + "}",
         "1.model_dict.model_type: members of a collection have a bootstrap type"},
        {"{\"0\": " + member(boot.c_str()) + ", \"1\": " + member(boot.c_str(), "g") + "}",
         "1.model_dict: its features and their options differ"},
        {"{\"0\": " + member(boot.c_str()) + ", \"1\": {}}", "1: the key 'model_dict' is missing"},
        {"{\"0\": " + member(boot.c_str()) + ", \"1\": 7}", "1: an object is needed"},
    };
    for (const auto& [text, message] : cases) {
        const auto set = parse_model_json(text, "broken.json");
        ASSERT_FALSE(set) << text;
        EXPECT_EQ(set.error().code, Code::bad_model);
        EXPECT_NE(set.error().message.find(message), std::string::npos) << set.error().message << "\nexpected: " << message;
        EXPECT_EQ(set.error().message.find("broken.json: "), 0u) << set.error().message;
    }
}

TEST(ModelCollection, OptionsOfMembersMustAgree) {
    ModelSet set = made_up_collection(4);
    EXPECT_TRUE(parse_model_json(to_json(set), "x.json"));
    set.models[1].features[0].options = {{"a", "1"}};
    EXPECT_FALSE(parse_model_json(to_json(set), "x.json"));
}

TEST(Json, ValuesKeepTheirTextAndSign) {
    const auto value = parse_json(R"([-0, 0, -0.0, 1.50, 12345678901234567890123, -7, "x", true, null, {"a": 1}])", "values");
    ASSERT_TRUE(value) << value.error().message;
    EXPECT_SAME_BITS(value->items[0].number, -0.0);
    EXPECT_SAME_BITS(value->items[1].number, 0.0);
    EXPECT_SAME_BITS(value->items[2].number, -0.0);
    EXPECT_EQ(value->items[3].text, "1.50");
    EXPECT_SAME_BITS(value->items[4].number, 12345678901234567890123.0);
    EXPECT_SAME_BITS(value->items[5].number, -7.0);
    EXPECT_NE(value->items[9].find("a"), nullptr);
    EXPECT_EQ(value->items[9].find("b"), nullptr);
}

class ModelOnDisk : public testing::Test {
protected:
    ModelOnDisk()
        : path_(std::filesystem::path(testing::TempDir()) / ("isometric_model_" + std::to_string(std::uintptr_t(this)) + ".json")) {}
    ~ModelOnDisk() override { std::filesystem::remove(path_); }
    std::filesystem::path path_;
};

TEST_F(ModelOnDisk, IsLoadedByPath) {
    std::ofstream(path_, std::ios::binary) << good;
    const auto model = Model::load(path_.string(), {"quality", false, false});
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_EQ(model->name(), "quality");
    EXPECT_EQ(model->version(), path_.string());
    EXPECT_EQ(model->features().size(), 2u);
}

TEST_F(ModelOnDisk, IsRefusedWithItsPath) {
    const auto missing = Model::load(path_.string());
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, Code::bad_model);
    EXPECT_NE(missing.error().message.find(path_.string() + ": No such file"), std::string::npos) << missing.error().message;
    const auto directory = Model::load(testing::TempDir());
    ASSERT_FALSE(directory);
    EXPECT_NE(directory.error().message.find("directory"), std::string::npos) << directory.error().message;
    std::ofstream(path_, std::ios::binary) << good.substr(0, 300);
    const auto cut = Model::load(path_.string());
    ASSERT_FALSE(cut);
    EXPECT_EQ(cut.error().message.find(path_.string()), 0u) << cut.error().message;
    EXPECT_FALSE(Model::load("/dev/zero"));
    EXPECT_FALSE(Model::load(""));
}

TEST(Model, NeedsAName) {
    const auto model = Model::parse(good, "good.json", {"", false, false});
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().code, Code::invalid_argument);
    EXPECT_FALSE(Model::builtin("vmaf_v0.6.1", {"", false, false}));
}

}  // namespace
}  // namespace isometric::test
