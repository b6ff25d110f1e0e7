// In place of container_reader.cpp in builds without FFmpeg's headers.
#include "base/error.h"
#include "input/container_guess.h"
#include "input/container_reader.h"

namespace isometric {

Result<std::unique_ptr<FrameReader>> open_container(const std::string& name, ByteSource source, const InputOptions&) {
    ISO_TRY(const std::string_view start, source.peek(12));
    return not_readable(name, start, "this build cannot decode it (FFmpeg support is off); convert it to y4m");
}

}  // namespace isometric
