// Allocations of a whole test program that fail on demand: operator new is replaced in every program that this is part of.
#pragma once

namespace isometric::test {

// The n-th allocation from now on fails, once; n = 0 is the next.
void fail_allocation(long n);
// No allocation fails from now on. Whether the one that was to fail was reached.
bool end_failing();
// Since the program's start.
long allocations();

}  // namespace isometric::test
