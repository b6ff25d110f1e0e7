// In place of container_reader.cpp in builds without FFmpeg's libraries.
#include "base/error.h"
#include "input/container_reader.h"

namespace isometric {
namespace {

// What a file's first bytes give away.
const char* guess(std::string_view start) {
    using namespace std::string_view_literals;
    if (start.starts_with("\x1A\x45\xDF\xA3"sv)) return "Matroska or WebM";
    if (start.size() >= 8 && start.substr(4, 4) == "ftyp"sv) return "MP4";
    if (start.starts_with("RIFF"sv)) return "AVI";
    if (start.starts_with("DKIF"sv)) return "IVF";
    if (start.starts_with("\0\0\0\1"sv) || start.starts_with("\0\0\1"sv)) return "an H.264 or H.265 stream";
    if (start.starts_with("\x47"sv)) return "an MPEG transport stream";
    return nullptr;
}

}  // namespace

Result<std::unique_ptr<FrameReader>> open_container(const std::string& name, ByteSource source, const InputOptions&) {
    ISO_TRY(const std::string_view start, source.peek(12));
    if (const char* kind = guess(start))
        return error(Code::bad_input, "{}: looks like {}, and this build cannot decode it (it was made without FFmpeg's libraries); convert it to y4m", name, kind);
    return error(Code::bad_input,
                 "{}: does not start with YUV4MPEG2, so it is no y4m stream; for raw YUV give width, height, pixel format and bit depth", name);
}

}  // namespace isometric
