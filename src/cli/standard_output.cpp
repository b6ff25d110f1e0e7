#include "cli/standard_output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/error.h"

namespace isometric::cli {

Status write_standard_output(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return {};
    return error(Code::output_failed, "standard output: {}", std::strerror(errno));
}

}  // namespace isometric::cli
