// What getopt_long does beyond CLI11: unambiguous prefixes of long options, and a say in what is unknown.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "isometric/status.h"

namespace isometric::cli {

struct KnownOption {
    std::string name;    // long, without dashes; empty: only a short one
    char letter = '\0';  // short; 0: none
    bool takes_value = false;
    bool from_libvmaf = false;  // a prefix that is unambiguous among these means what it means to libvmaf's tool
    bool hidden = false;        // not suggested
};

enum class UnknownArguments : bool { refuse, ignore };

struct Arguments {
    std::vector<std::string> words;    // "--name" or "-x", each value its own word after it
    std::vector<std::string> ignored;  // a message for each unknown option and operand
};

// Options in full, operands and unknown options gone. '-' and '_' in long names are one. Errors name the argument, with the nearest option.
Result<Arguments> expand_arguments(std::span<const std::string> given, std::span<const KnownOption> options, UnknownArguments unknown);

}  // namespace isometric::cli
