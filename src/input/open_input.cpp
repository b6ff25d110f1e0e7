#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"
#include "input/container_reader.h"
#include "input/stream_reader.h"
#include "input/y4m_header.h"

namespace isometric {
namespace {

// Sets what may also be set later, for the reader that was opened.
Result<std::unique_ptr<FrameReader>> with_options(Result<std::unique_ptr<FrameReader>> reader, const InputOptions& options) {
    if (!reader) return reader;
    if (options.output_bit_depth != 0) ISO_DO((*reader)->set_output_bit_depth(options.output_bit_depth));
    (*reader)->set_luma_only(options.luma_only);
    return reader;
}

}  // namespace

Result<std::unique_ptr<FrameReader>> open_input(const std::string& path, const InputOptions& options) {
    const std::string name = path == "-" ? "standard input" : path;
    auto source = ByteSource::open(path);
    if (!source) return within(name, source.error());
    if (options.raw) return with_options(open_raw(name, *std::move(source), options), options);
    const auto start = source->peek(y4m_signature.size());
    if (!start) return within(name, start.error());
    if (start->empty()) return error(Code::bad_input, "{}: is empty", name);
    if (*start == y4m_signature) return with_options(open_y4m(name, *std::move(source), options), options);
    return with_options(open_container(name, *std::move(source), options), options);
}

}  // namespace isometric
