// How a frame lies in a y4m or raw file, and what is done to its chroma.
#pragma once

#include <cstdint>
#include <vector>

#include "isometric/picture.h"

namespace isometric {

// What a y4m file's chroma goes through before it is a picture's (chroma_siting.h).
enum class ChromaConversion : std::uint8_t { none, move_422, widen_411, repeat_411, pal_dv };

struct FilePlane {
    const char* name = "";  // in messages
    int width = 0;          // chroma sides are rounded up, unlike a picture's
    int height = 0;
    int picture_plane = 0;  // where it goes; dropped: nowhere
    static constexpr int dropped = -1;
};

struct StreamLayout {
    PictureFormat format;  // of the pictures; its depth is the file's
    ChromaConversion conversion = ChromaConversion::none;
    std::vector<FilePlane> planes;

    std::uint64_t plane_bytes(const FilePlane& plane) const {
        return std::uint64_t(plane.width) * std::uint64_t(plane.height) * std::uint64_t(format.bytes_per_sample());
    }
    std::uint64_t frame_bytes() const;
};

// Planes of a file with the format's chroma. The format must be checked.
StreamLayout plain_layout(const PictureFormat& format);

}  // namespace isometric
