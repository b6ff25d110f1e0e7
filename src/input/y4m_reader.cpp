// y4m streams: a header line, then frames with a line in front of each.
#include <utility>

#include "base/error.h"
#include "input/stream_reader.h"
#include "input/y4m_header.h"

namespace isometric {
namespace {

constexpr std::size_t longest_line = 64 << 10;
constexpr std::string_view frame_mark = "FRAME";

class Y4mReader final : public StreamReader {
public:
    Y4mReader(std::string name, ByteSource source, Y4mHeader header, bool check_samples)
        : StreamReader(std::move(name), std::move(source), std::move(header.layout), check_samples) {
        remarks_ = std::move(header.remarks);
    }

    Status check() { return check_plausible(); }

private:
    std::uint64_t frame_header_bytes() const override { return frame_mark.size() + 1; }

    // Up to five bytes that do not begin a frame end the stream, as they do in the reference; the beginning of a mark is a cut.
    Result<bool> begin_frame() override {
        const std::uint64_t start = source().offset();
        const auto next = source().peek(frame_mark.size() + 1);
        if (!next) return frame_error(start, next.error().message);
        if (next->empty()) return false;
        if (next->size() <= frame_mark.size()) {
            if (!frame_mark.starts_with(*next)) return false;
            return frame_error(start + next->size(), fmt::format("the stream ends inside the '{}' that starts a frame", frame_mark));
        }
        if (!next->starts_with(frame_mark))
            return frame_error(start, fmt::format("no '{}' where a frame should start: the stream is damaged{}", frame_mark,
                                                  y4m_signature.starts_with(next->substr(0, frame_mark.size()))
                                                      ? " or a second one was appended to it (files must be joined without their headers)"
                                                      : ""));
        const auto line = source().take_line(longest_line);
        if (!line) return frame_error(source().offset(), line.error().message);
        if (!*line) return frame_error(start, fmt::format("the line that starts the frame has no end within {} bytes", longest_line));
        return true;
    }
};

}  // namespace

Result<std::unique_ptr<FrameReader>> open_y4m(const std::string& name, ByteSource source, const InputOptions& options) {
    auto line = source.take_line(longest_line);
    if (!line) return within(name, line.error());
    if (!*line) return error(Code::bad_input, "{}: the y4m header has no end within {} bytes", name, longest_line);
    auto header = parse_y4m_header(**line, options.convert_chroma_siting);
    if (!header) return within(name, header.error());
    auto reader = std::make_unique<Y4mReader>(name, std::move(source), *std::move(header), options.check_sample_range.value_or(false));
    if (const Status valid = reader->check(); !valid) return valid.error();
    return std::unique_ptr<FrameReader>(std::move(reader));
}

}  // namespace isometric
