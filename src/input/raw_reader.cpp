// Raw YUV: frame after frame, plane after plane, nothing in between.
#include <utility>

#include "base/error.h"
#include "input/stream_reader.h"

namespace isometric {
namespace {

class RawReader final : public StreamReader {
public:
    RawReader(std::string name, ByteSource source, const PictureFormat& format, bool check_samples)
        : StreamReader(std::move(name), std::move(source), plain_layout(format), check_samples), size_(this->source().remaining()) {}

    Status check() {
        ISO_TRY(const std::string_view start, source().peek(8));
        if (start == "YUV4MPEG")
            return error(Code::bad_input,
                         "{}: is a y4m stream, whose header has the geometry; read it without width, height, format and bit depth", name());
        return check_plausible();
    }

private:
    Result<bool> begin_frame() override {
        const auto next = source().peek(1);
        if (!next) return frame_error(source().offset(), next.error().message);
        return !next->empty();
    }

    std::string truncation_hint() const override {
        if (!size_ || *size_ % layout().frame_bytes() == 0) return {};
        return fmt::format("; the file's {} bytes are no multiple of the {} of a frame of {}: are size, format and bit depth right?",
                           *size_, layout().frame_bytes(), layout().format.describe());
    }

    std::optional<std::uint64_t> size_;
};

}  // namespace

Result<std::unique_ptr<FrameReader>> open_raw(const std::string& name, ByteSource source, const InputOptions& options) {
    if (const Status valid = options.raw_format.check(); !valid) return within(name, valid.error());
    auto reader = std::make_unique<RawReader>(name, std::move(source), options.raw_format, options.check_sample_range.value_or(true));
    if (const Status valid = reader->check(); !valid) return valid.error();
    return std::unique_ptr<FrameReader>(std::move(reader));
}

}  // namespace isometric
