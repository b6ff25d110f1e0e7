#include "input/container_guess.h"

#include "base/error.h"

namespace isometric {
namespace {

// The name of the container whose signature the bytes are.
const char* guess(std::string_view start) {
    using namespace std::string_view_literals;
    if (start.starts_with("\x1A\x45\xDF\xA3"sv)) return "Matroska or WebM";
    if (start.size() >= 8 && start.substr(4, 4) == "ftyp"sv) return "MP4";
    if (start.starts_with("RIFF"sv)) return "AVI";
    if (start.starts_with("DKIF"sv)) return "IVF";
    if (start.starts_with("\0\0\0\1"sv) || start.starts_with("\0\0\1"sv)) return "an H.264, H.265 or MPEG stream";
    return nullptr;
}

}  // namespace

Error not_readable(const std::string& name, std::string_view start, std::string_view why) {
    if (const char* kind = guess(start)) return error(Code::bad_input, "{}: looks like {}, but {}", name, kind, why);
    return error(Code::bad_input,
                 "{}: is not y4m (it does not start with YUV4MPEG2) and no known container; for raw YUV give width, height, pixel format "
                 "and bit depth",
                 name);
}

}  // namespace isometric
