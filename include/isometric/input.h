// Reading video: y4m and raw YUV, from files, pipes and standard input (docs/input.md).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "isometric/picture.h"
#include "isometric/status.h"

namespace [[gnu::visibility("default")]] isometric {

struct InputOptions {
    // Raw YUV when set; else the stream's own header tells.
    bool raw = false;
    PictureFormat raw_format;
    // Samples that do not fit the bit depth are an error (plane, row, column and value named). Unset: for raw input only.
    std::optional<bool> check_sample_range;
    // 8-bit 4:2:2, 4:1:1 and PAL-DV y4m chroma is moved to the reference's siting, as the reference tool does; false: taken as it is.
    bool convert_chroma_siting = true;
    // Bit depth of the pictures returned, at least the file's: samples are shifted left. 0: the file's.
    int output_bit_depth = 0;
    // Chroma is skipped: pictures come out with chroma planes that nobody may look at.
    bool luma_only = false;
};

class FrameReader {
public:
    virtual ~FrameReader() = default;

    virtual const std::string& name() const = 0;      // the path as given
    virtual const PictureFormat& format() const = 0;  // of the pictures that read() fills
    // What the stream says and nothing uses for scoring ("frame rate 25:1", "XCOLORRANGE=LIMITED"), to warn when two inputs differ.
    virtual const std::vector<std::string>& remarks() const = 0;

    // Before the first read(), for who knows them only after opening: as InputOptions::output_bit_depth and luma_only.
    virtual Status set_output_bit_depth(int bit_depth) = 0;
    virtual void set_luma_only(bool luma_only) = 0;

    // Fills a picture of format(). False at the end of the stream. An error names the file, the frame (counted from the file's first, which
    // is 0) and the byte offset; frames read before it were whole. After an error every further call gives it again.
    virtual Result<bool> read(Picture& picture) = 0;
    // Reads frames and drops them. The number dropped: fewer than asked at the end of the stream.
    virtual Result<std::int64_t> skip(std::int64_t frames) = 0;
    // Frames between here and the end, as far as the size of the file tells; nothing for pipes. For progress displays: a damaged file has fewer.
    virtual std::optional<std::int64_t> frames_left() const { return std::nullopt; }
};

// "-" is standard input. Without raw geometry the file is y4m or, in builds with FFmpeg's libraries, any container they read.
Result<std::unique_ptr<FrameReader>> open_input(const std::string& path, const InputOptions& options = {});

}  // namespace isometric
