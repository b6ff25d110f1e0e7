#include "input/stream_reader.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "base/error.h"

namespace isometric {
namespace {

// A stream without a size (a pipe) may claim frames of up to this; so may a file that is shorter than one frame.
constexpr std::uint64_t largest_frame_on_trust = std::uint64_t(1) << 32;
constexpr std::uint64_t largest_frame_in_vain = std::uint64_t(1) << 26;

// Whether any sample has one of the bits.
bool any_bits(const std::uint16_t* row, int width, std::uint16_t bits) {
    std::uint16_t seen = 0;
    for (int x = 0; x < width; ++x) seen = std::uint16_t(seen | row[x]);
    return (seen & bits) != 0;
}

void store_shifted(const ChromaPlane& from, PlaneView<std::uint16_t> to, int shift) {
    for (int y = 0; y < to.height; ++y) {
        const std::uint8_t* in = from.samples.data() + std::size_t(y) * std::size_t(from.width);
        std::uint16_t* out = to.row(y);
        for (int x = 0; x < to.width; ++x) out[x] = std::uint16_t(in[x] << shift);
    }
}

void store(const ChromaPlane& from, PlaneView<std::uint8_t> to) {
    for (int y = 0; y < to.height; ++y) std::copy_n(from.samples.data() + std::size_t(y) * std::size_t(from.width), to.width, to.row(y));
}

void shift_in_place(PlaneView<std::uint16_t> plane, int shift) {
    for (int y = 0; y < plane.height; ++y) {
        std::uint16_t* row = plane.row(y);
        for (int x = 0; x < plane.width; ++x) row[x] = std::uint16_t(row[x] << shift);
    }
}

}  // namespace

std::uint64_t StreamLayout::frame_bytes() const {
    return std::accumulate(planes.begin(), planes.end(), std::uint64_t(0),
                           [&](std::uint64_t sum, const FilePlane& p) { return sum + plane_bytes(p); });
}

StreamLayout plain_layout(const PictureFormat& format) {
    constexpr const char* names[3] = {"luma", "Cb", "Cr"};
    StreamLayout layout{format, ChromaConversion::none, {}};
    for (int p = 0; p < format.planes(); ++p) {
        const bool half_width = p > 0 && format.chroma != ChromaFormat::yuv444,
                   half_height = p > 0 && format.chroma == ChromaFormat::yuv420;
        layout.planes.push_back(
            {names[p], half_width ? (format.width + 1) / 2 : format.width, half_height ? (format.height + 1) / 2 : format.height, p});
    }
    return layout;
}

StreamReader::StreamReader(std::string name, ByteSource source, StreamLayout layout, bool check_samples)
    : name_(std::move(name)),
      source_(std::move(source)),
      layout_(std::move(layout)),
      format_(layout_.format),
      check_samples_(check_samples) {}

Status StreamReader::check_plausible() const {
    const std::uint64_t needed = layout_.frame_bytes();
    const auto left = source_.remaining();
    if (left ? needed > *left && needed > largest_frame_in_vain : needed > largest_frame_on_trust)
        return error(Code::bad_input, "{}: frames of {} take {} bytes{}", name_, layout_.format.describe(), needed,
                     left ? fmt::format(", but the file has only {} more", *left)
                          : fmt::format("; at most {} are read from a pipe", largest_frame_on_trust));
    return {};
}

Status StreamReader::set_output_bit_depth(int bit_depth) {
    if (bit_depth < layout_.format.bit_depth || bit_depth > PictureFormat::max_bit_depth)
        return error(Code::invalid_argument, "{}: samples of {} bits cannot be given in {}: from {} to {} bits are possible", name_,
                     layout_.format.bit_depth, bit_depth, layout_.format.bit_depth, PictureFormat::max_bit_depth);
    format_.bit_depth = bit_depth;
    return {};
}

std::optional<std::int64_t> StreamReader::frames_left() const {
    const auto bytes = source_.remaining();
    if (!bytes) return std::nullopt;
    return std::int64_t(*bytes / (layout_.frame_bytes() + frame_header_bytes()));
}

Error StreamReader::frame_error(std::uint64_t offset, std::string_view what) const {
    return error(Code::bad_input, "{}: frame {}, byte {}: {}", name_, frame_, offset, what);
}

Result<bool> StreamReader::read(Picture& picture) {
    if (picture.empty() || picture.format() != format_)
        return error(Code::invalid_argument, "{}: frames of {} need pictures of that format{}", name_, format_.describe(),
                     picture.empty() ? "" : ", not " + picture.format().describe());
    return next_frame(&picture);
}

Result<std::int64_t> StreamReader::skip(std::int64_t frames) {
    std::int64_t skipped = 0;
    for (; skipped < frames; ++skipped) {
        ISO_TRY(const bool more, next_frame(nullptr));
        if (!more) break;
    }
    return skipped;
}

Result<bool> StreamReader::next_frame(Picture* picture) {
    if (failed_) return *failed_;
    Result<bool> more = begin_frame();
    if (more && *more) {
        if (const Status whole = read_planes(picture); !whole) more = whole.error();
    }
    if (!more) failed_ = more.error();
    else if (*more) ++frame_;
    return more;
}

Status StreamReader::read_planes(Picture* picture) {
    for (const FilePlane& plane : layout_.planes) {
        const bool unused = !picture || plane.picture_plane == FilePlane::dropped || (luma_only_ && plane.picture_plane > 0);
        ISO_DO(unused ? skip_plane(plane) : read_plane(plane, *picture));
    }
    return {};
}

Status StreamReader::check_complete(const FilePlane& plane, std::uint64_t got) const {
    const std::uint64_t expected = layout_.plane_bytes(plane);
    if (got == expected) return {};
    return frame_error(source_.offset(), fmt::format("the stream ends inside the {} plane, after {} of {} bytes{}", plane.name, got,
                                                     expected, truncation_hint()));
}

Status StreamReader::skip_plane(const FilePlane& plane) {
    const auto skipped = source_.skip(layout_.plane_bytes(plane));
    if (!skipped) return frame_error(source_.offset(), skipped.error().message);
    return check_complete(plane, *skipped);
}

Status StreamReader::read_plane(const FilePlane& plane, Picture& picture) {
    const bool converted = plane.picture_plane > 0 && layout_.conversion != ChromaConversion::none;
    if (converted || format_.bytes_per_sample() != layout_.format.bytes_per_sample()) return read_converted(plane, picture);
    return read_in_place(plane, picture);
}

// The file's samples are the picture's: rows are read to where they belong.
Status StreamReader::read_in_place(const FilePlane& plane, Picture& picture) {
    const int p = plane.picture_plane;
    const auto sample = std::size_t(format_.bytes_per_sample());
    const std::size_t row_bytes = sample * std::size_t(format_.plane_width(p)), file_row_bytes = sample * std::size_t(plane.width);
    const PlaneMemory memory = picture.memory(p);
    const int rows = format_.plane_height(p);
    surplus_.resize(std::max(surplus_.size(), file_row_bytes));

    destinations_.clear();
    if (row_bytes == file_row_bytes && memory.stride_bytes == std::ptrdiff_t(row_bytes)) {
        destinations_.push_back({memory.data, row_bytes * std::size_t(rows)});
    } else {
        for (int y = 0; y < rows; ++y) {
            destinations_.push_back({memory.data + y * memory.stride_bytes, row_bytes});
            if (file_row_bytes > row_bytes) destinations_.push_back({surplus_.data(), file_row_bytes - row_bytes});
        }
    }
    for (int y = rows; y < plane.height; ++y) destinations_.push_back({surplus_.data(), file_row_bytes});

    const std::uint64_t plane_offset = source_.offset();
    const auto got = source_.read(destinations_);
    if (!got) return frame_error(source_.offset(), got.error().message);
    ISO_DO(check_complete(plane, *got));
    if (check_samples_ && layout_.format.bytes_per_sample() == 2) ISO_DO(check_samples(plane, picture, plane_offset));
    if (const int shift = format_.bit_depth - layout_.format.bit_depth; shift > 0)
        shift_in_place(picture.writable_plane<std::uint16_t>(p), shift);
    return {};
}

Status StreamReader::check_samples(const FilePlane& plane, const Picture& picture, std::uint64_t plane_offset) const {
    const unsigned maximum = (1u << layout_.format.bit_depth) - 1;
    const auto view = picture.plane<std::uint16_t>(plane.picture_plane);
    for (int y = 0; y < view.height; ++y) {
        if (!any_bits(view.row(y), view.width, std::uint16_t(~maximum))) continue;
        const std::uint16_t* sample = std::find_if(view.row(y), view.row(y) + view.width, [&](std::uint16_t s) { return s > maximum; });
        const auto x = sample - view.row(y);
        return frame_error(plane_offset + (std::uint64_t(y) * std::uint64_t(plane.width) + std::uint64_t(x)) * 2,
                           fmt::format("the {} sample at column {}, row {} is {}, above the {} of {} bits", plane.name, x, y, *sample,
                                       maximum, layout_.format.bit_depth));
    }
    return {};
}

// 8-bit samples that are resampled or widened on the way.
Status StreamReader::read_converted(const FilePlane& plane, Picture& picture) {
    plane_.width = plane.width;
    plane_.height = plane.height;
    plane_.samples.resize(std::size_t(plane.width) * std::size_t(plane.height));
    const auto got = source_.read(plane_.samples.data(), plane_.samples.size());
    if (!got) return frame_error(source_.offset(), got.error().message);
    ISO_DO(check_complete(plane, *got));
    const ChromaPlane& samples = convert(plane);
    const int shift = format_.bit_depth - layout_.format.bit_depth;
    if (format_.bytes_per_sample() == 1) store(samples, picture.writable_plane<std::uint8_t>(plane.picture_plane));
    else store_shifted(samples, picture.writable_plane<std::uint16_t>(plane.picture_plane), shift);
    return {};
}

const ChromaPlane& StreamReader::convert(const FilePlane& plane) {
    if (plane.picture_plane == 0) return plane_;
    const int width = (layout_.format.width + 1) / 2;  // of the file's chroma, were it not 4:1:1
    switch (layout_.conversion) {
        case ChromaConversion::none: return plane_;
        case ChromaConversion::move_422: move_chroma_right(plane_, converted_[0]); return converted_[0];
        case ChromaConversion::widen_411: widen_411(plane_, width, converted_[0]); return converted_[0];
        case ChromaConversion::repeat_411: repeat_411(plane_, width, converted_[0]); return converted_[0];
        case ChromaConversion::pal_dv: break;
    }
    move_chroma_right(plane_, converted_[0]);
    if (plane.picture_plane == 1) move_chroma_up(converted_[0], converted_[1]);
    else move_chroma_down(converted_[0], converted_[1]);
    return converted_[1];
}

}  // namespace isometric
