// Running the program as a shell would: arguments, standard input from bytes or a pipe, what it wrote, and how it ended.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace isometric::cli {

struct Launch {
    std::vector<std::string> arguments;
    std::string standard_input;                        // its bytes, through a pipe
    std::string output_file;                           // standard output goes to this file instead, "/dev/full"
    bool output_is_broken_pipe = false;                // nobody reads standard output
    bool error_is_terminal = false;                    // standard error is a terminal of 80 columns
    std::vector<std::string> environment;              // added: "NAME=value"
    std::vector<std::pair<int, std::string>> piped{};  // bytes that the program reads from /dev/fd/N
};

struct Finished {
    int status = -1;  // exit status; -1 when a signal ended it
    int signal = 0;
    std::string out;
    std::string err;
};

Finished run_program(const Launch& launch);
Finished run_program(std::vector<std::string> arguments);

}  // namespace isometric::cli
