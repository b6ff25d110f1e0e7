// One way to run a session: where, with which instruction set, on how many threads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isometric/session.h"

namespace isometric {

struct ExecutionPath {
    std::string backend = "cpu";
    std::string instruction_set;  // cpu: a name of base/instruction_set.h; empty: the best
    std::string device;           // other backends: which
    int threads = 1;

    // "cpu", "cpu:avx2", "cpu:portable:threads=8", "emulated", "cuda:device=1".
    static Result<ExecutionPath> parse(std::string_view text);
    std::string describe() const;  // the text that parse() reads
    SessionConfig config() const;
};

// Every way that this build and machine have, the reference (portable code on one thread) first.
std::vector<ExecutionPath> available_paths();

}  // namespace isometric
