// The stream header of y4m files (docs/input.md, y4m).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "input/stream_layout.h"
#include "isometric/status.h"

namespace isometric {

inline constexpr std::string_view y4m_signature = "YUV4MPEG";

struct Y4mHeader {
    StreamLayout layout;
    std::vector<std::string> remarks;  // frame rate, sample aspect, X tags
};

// The header's line without its end. Errors say what is wrong, not in which file.
Result<Y4mHeader> parse_y4m_header(std::string_view line, bool convert_chroma_siting);

}  // namespace isometric
