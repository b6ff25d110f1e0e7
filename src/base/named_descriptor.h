// Paths that name a descriptor which is already open. Such a file is duplicated and not opened anew: opening would start a redirected file
// from its beginning or truncate it, and wait for a new partner at a named pipe.
#pragma once

#include <unistd.h>

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace isometric {

// 0 for /dev/stdin, 1 for /dev/stdout, 5 for /dev/fd/5; `dash` for "-", which is standard input or output.
inline std::optional<int> named_descriptor(std::string_view path, int dash) {
    if (path == "-") return dash;
    if (path == "/dev/stdin") return STDIN_FILENO;
    if (path == "/dev/stdout") return STDOUT_FILENO;
    if (path == "/dev/stderr") return STDERR_FILENO;
    for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
        if (!path.starts_with(folder)) continue;
        int number = -1;
        const auto [end, code] = std::from_chars(path.data() + folder.size(), path.data() + path.size(), number);
        if (code == std::errc() && end == path.data() + path.size() && number >= 0) return number;
    }
    return std::nullopt;
}

}  // namespace isometric
