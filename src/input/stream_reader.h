// What y4m and raw streams share: frames of planes, read into pictures.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "input/byte_source.h"
#include "input/chroma_siting.h"
#include "input/stream_layout.h"
#include "isometric/input.h"

namespace isometric {

class StreamReader : public FrameReader {
public:
    const std::string& name() const override { return name_; }
    const PictureFormat& format() const override { return format_; }
    const std::vector<std::string>& remarks() const override { return remarks_; }
    Status set_output_bit_depth(int bit_depth) override;
    void set_luma_only(bool luma_only) override { luma_only_ = luma_only; }
    Result<bool> read(Picture& picture) override;
    Result<std::int64_t> skip(std::int64_t frames) override;
    std::optional<std::int64_t> frames_left() const override;

protected:
    StreamReader(std::string name, ByteSource source, StreamLayout layout, bool check_samples);

    // Refuses what no file of this size can hold, before anyone allocates pictures.
    Status check_plausible() const;

    // Takes what stands in front of a frame. False at the end of the stream.
    virtual Result<bool> begin_frame() = 0;
    // Bytes of that, at least.
    virtual std::uint64_t frame_header_bytes() const { return 0; }
    // What more to say about a frame that is cut short.
    virtual std::string truncation_hint() const { return {}; }

    // Names file, frame and offset.
    Error frame_error(std::uint64_t offset, std::string_view what) const;
    ByteSource& source() { return source_; }
    const ByteSource& source() const { return source_; }
    const StreamLayout& layout() const { return layout_; }
    std::vector<std::string> remarks_;

private:
    Result<bool> next_frame(Picture* picture);
    Status read_planes(Picture* picture);
    Status skip_plane(const FilePlane& plane);
    Status read_plane(const FilePlane& plane, Picture& picture);
    Status read_in_place(const FilePlane& plane, Picture& picture);
    Status read_converted(const FilePlane& plane, Picture& picture);
    const ChromaPlane& convert(const FilePlane& plane);
    Status check_complete(const FilePlane& plane, std::uint64_t got) const;
    Status check_samples(const FilePlane& plane, const Picture& picture, std::uint64_t plane_offset) const;

    std::string name_;
    ByteSource source_;
    StreamLayout layout_;
    PictureFormat format_;  // of the pictures given: the layout's, but for the depth
    bool check_samples_;
    bool luma_only_ = false;
    std::int64_t frame_ = 0;  // of the file
    std::optional<Error> failed_;

    std::vector<iovec> destinations_;
    std::vector<std::byte> surplus_;  // takes the file's last chroma column and row
    ChromaPlane plane_, converted_[2];
};

Result<std::unique_ptr<FrameReader>> open_y4m(const std::string& name, ByteSource source, const InputOptions& options);
Result<std::unique_ptr<FrameReader>> open_raw(const std::string& name, ByteSource source, const InputOptions& options);

}  // namespace isometric
