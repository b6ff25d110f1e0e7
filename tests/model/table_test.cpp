// The project's table format.
#include "model/table.h"

#include <gtest/gtest.h>

#include "tests/model/model_support.h"
#include "tools/model_table/table_writer.h"

namespace isometric::test {
namespace {

TEST(ModelTable, HoldsEveryKindOfModel) {
    std::vector<NamedModels> models;
    for (std::uint64_t seed = 1; seed <= 150; ++seed) models.push_back({"single_" + std::to_string(seed), made_up_model(seed)});
    for (std::uint64_t seed = 1; seed <= 40; ++seed) models.push_back({"collection_" + std::to_string(seed), made_up_collection(seed)});
    const auto text = write_model_table(models);
    ASSERT_TRUE(text) << text.error().message;
    EXPECT_EQ(model_table_names(*text).size(), models.size());
    for (const NamedModels& entry : models) {
        const auto set = read_model_table(*text, entry.name);
        ASSERT_TRUE(set) << set.error().message;
        EXPECT_EQ(set->collection, entry.set.collection);
        ASSERT_EQ(set->models.size(), entry.set.models.size()) << entry.name;
        for (std::size_t m = 0; m < set->models.size(); ++m)
            ASSERT_EQ(difference(set->models[m], entry.set.models[m]), "") << entry.name << " " << m;
    }
}

TEST(ModelTable, HoldsNoBlanksInNames) {
    ModelSet set = made_up_model(2);
    set.models[0].features[0].options = {{"option", "two words"}};
    EXPECT_FALSE(write_model_table({{"name", set}}));
    set.models[0].features[0].options.clear();
    EXPECT_TRUE(write_model_table({{"name", set}}));
    EXPECT_FALSE(write_model_table({{"a name", set}}));
}

const std::string good =
    "# comment\n\nvectors v 2\n0.5 -\n1 0.25\n\nregression r v rbf rho=1 gamma=0.5\n1 2 0:3\n\n"
    "model m\ntype nu_svr linear_rescale\noutput 1 0\nfeature a 1 0\nfeature b 1 0 x=1\nclip 0 100\nregression r\n";

TEST(ModelTable, ReadsASmallTable) {
    const auto set = read_model_table(good, "m");
    ASSERT_TRUE(set) << set.error().message;
    const ModelDefinition& model = set->models.at(0);
    EXPECT_EQ(model.regression.coefficients, (std::vector<double>{1, 2, 3}));
    EXPECT_EQ(model.regression.values, (std::vector<double>{0.5, 0, 1, 0.25, 0.5, 0}));
    EXPECT_EQ(model.regression.listed, (std::vector<std::uint64_t>{1, 3, 1}));
    EXPECT_EQ(model.features.at(1).options, (std::vector<OptionText>{{"x", "1"}}));
}

TEST(ModelTable, RefusesDamage) {
    const std::pair<const char*, const char*> changes[] = {
        {"model m", "model n"},
        {"regression r\n", "regression s\n"},
        {"r v rbf", "r w rbf"},
        {"0.5 -", "0.5 x"},
        {"rbf", "cubic"},
        {"gamma=0.5", "gama=0.5"},
        {"gamma=0.5", "gamma="},
        {"0:3", "2:3"},
        {"0:3", "x:3"},
        {"1 2 0:3", "1 y"},
        {"output 1 0", "output 0 0"},
        {"output 1 0", "output 1"},
        {"type nu_svr", "type svr"},
        {"linear_rescale", "rescale"},
        {"feature b 1 0 x=1\n", ""},
        {"clip 0 100", "clip 0"},
        {"clip 0 100", "cut 0 100"},
        {"vectors v 2", "vectors v"},
        {"clip 0 100", "transform maybe"},
        {"clip 0 100", "transform on p3=1"},
        {"\nregression r\n", "\n"},
    };
    for (const auto& [from, to] : changes) {
        std::string text = good;
        const std::size_t at = text.rfind(from);
        ASSERT_NE(at, std::string::npos) << from;
        text.replace(at, std::string(from).size(), to);
        const auto set = read_model_table(text, "m");
        ASSERT_FALSE(set) << from << " -> " << to;
        EXPECT_EQ(set.error().code, Code::bad_model) << set.error().message;
    }
}

}  // namespace
}  // namespace isometric::test
