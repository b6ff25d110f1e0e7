#include "base/instruction_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace isometric {
namespace {

class Environment : public testing::Test {
protected:
    void SetUp() override { unsetenv("ISOMETRIC_CPU"); }
    void TearDown() override { unsetenv("ISOMETRIC_CPU"); }
};

TEST_F(Environment, TheBestIsTheLastAvailable) {
    const auto sets = available_instruction_sets();
    ASSERT_FALSE(sets.empty());
    EXPECT_EQ(best_instruction_set(), sets.back());
    EXPECT_TRUE(std::is_sorted(sets.begin(), sets.end()));
}

TEST_F(Environment, TheWholeMaskLeavesPortableCode) { EXPECT_EQ(best_instruction_set(~std::uint64_t(0)), available_instruction_sets().front()); }

#if defined(__x86_64__)
TEST_F(Environment, MaskBitsSwitchOffTheBetterSetsToo) {
    EXPECT_EQ(best_instruction_set(8), InstructionSet::portable);
    EXPECT_LE(best_instruction_set(16), InstructionSet::avx2);
    EXPECT_LE(best_instruction_set(32), InstructionSet::avx512);
    EXPECT_EQ(best_instruction_set(1), best_instruction_set()) << "SSE2 alone has no passes of its own";
}
#endif

TEST_F(Environment, NamesRoundTripAndUnknownOnesNameTheChoice) {
    for (InstructionSet set : available_instruction_sets()) {
        const auto found = instruction_set_from_name(to_string(set));
        ASSERT_TRUE(found);
        EXPECT_EQ(*found, set);
    }
    const auto unknown = instruction_set_from_name("mmx");
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().message.find(to_string(available_instruction_sets().front())), std::string::npos) << unknown.error().message;
}

TEST_F(Environment, TheEnvironmentOverridesTheMask) {
    const auto sets = available_instruction_sets();
    setenv("ISOMETRIC_CPU", std::string(to_string(sets.front())).c_str(), 1);
    EXPECT_EQ(best_instruction_set(), sets.front());
    setenv("ISOMETRIC_CPU", "no such set", 1);
    EXPECT_EQ(best_instruction_set(), sets.back());
}

}  // namespace
}  // namespace isometric
