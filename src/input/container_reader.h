// Video in containers, decoded by FFmpeg's libraries (docs/input.md, containers).
#pragma once

#include <memory>
#include <string>

#include "input/byte_source.h"
#include "isometric/input.h"

namespace isometric {

// For what is neither y4m nor given as raw. Without FFmpeg's libraries an error that says what the file seems to be.
Result<std::unique_ptr<FrameReader>> open_container(const std::string& name, ByteSource source, const InputOptions& options);

}  // namespace isometric
