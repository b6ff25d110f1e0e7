// Running a test body once per instruction set that this processor has.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "base/instruction_set.h"

namespace isometric::test {

// f(InstructionSet); failures inside name the set.
template <class F>
void for_each_instruction_set(F f) {
    for (const InstructionSet set : available_instruction_sets()) {
        SCOPED_TRACE("instruction set " + std::string(to_string(set)));
        f(set);
        if (testing::Test::HasFatalFailure()) return;
    }
}

}  // namespace isometric::test
