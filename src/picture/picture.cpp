#include "isometric/picture.h"

#include "base/aligned_memory.h"
#include "base/error.h"

namespace isometric {
namespace {

constexpr std::size_t row_alignment = 64;

std::size_t aligned_row_bytes(const PictureFormat& format, int plane) {
    const std::size_t bytes = std::size_t(format.plane_width(plane)) * std::size_t(format.bytes_per_sample());
    return (bytes + row_alignment - 1) / row_alignment * row_alignment;
}

}  // namespace

const char* to_string(ChromaFormat chroma) {
    switch (chroma) {
        case ChromaFormat::yuv400: return "4:0:0";
        case ChromaFormat::yuv420: return "4:2:0";
        case ChromaFormat::yuv422: return "4:2:2";
        case ChromaFormat::yuv444: return "4:4:4";
    }
    return "unknown";
}

int PictureFormat::plane_width(int plane) const {
    if (plane == 0) return width;
    if (chroma == ChromaFormat::yuv400) return 0;
    return chroma == ChromaFormat::yuv444 ? width : width / 2;
}

int PictureFormat::plane_height(int plane) const {
    if (plane == 0) return height;
    if (chroma == ChromaFormat::yuv400) return 0;
    return chroma == ChromaFormat::yuv420 ? height / 2 : height;
}

Status PictureFormat::check() const {
    if (width < 1 || height < 1 || width > max_side || height > max_side)
        return error(Code::invalid_argument, "picture of {}x{}: sides must be 1..{}", width, height, max_side);
    if (bit_depth < min_bit_depth || bit_depth > max_bit_depth)
        return error(Code::invalid_argument, "bit depth {}: must be {}..{}", bit_depth, min_bit_depth, max_bit_depth);
    if (chroma > ChromaFormat::yuv444) return error(Code::invalid_argument, "unknown chroma format {}", int(chroma));
    return {};
}

std::string PictureFormat::describe() const {
    return fmt::format("{}x{} {} {} bit", width, height, to_string(chroma), bit_depth);
}

Result<Picture> Picture::allocate(const PictureFormat& format) {
    ISO_DO(format.check());
    std::size_t size = 0;
    std::array<std::size_t, 3> offsets{};
    for (int p = 0; p < format.planes(); ++p) {
        offsets[std::size_t(p)] = size;
        size += aligned_row_bytes(format, p) * std::size_t(format.plane_height(p));
    }
    // Never empty: 1x1 4:2:0 has no chroma samples.
    ISO_TRY(AlignedArray<std::byte> block, make_aligned<std::byte>(size + row_alignment, "a picture"));
    std::array<PlaneMemory, 3> planes{};
    for (int p = 0; p < format.planes(); ++p)
        planes[std::size_t(p)] = {block.get() + offsets[std::size_t(p)], std::ptrdiff_t(aligned_row_bytes(format, p))};
    return wrap(format, planes, std::shared_ptr<std::byte[]>(std::move(block)));
}

Result<Picture> Picture::wrap(const PictureFormat& format, const std::array<PlaneMemory, 3>& planes, std::shared_ptr<void> owner) {
    ISO_DO(format.check());
    const std::ptrdiff_t sample = format.bytes_per_sample();
    for (int p = 0; p < format.planes(); ++p) {
        const PlaneMemory& memory = planes[std::size_t(p)];
        if (format.plane_width(p) == 0 || format.plane_height(p) == 0) continue;
        if (!memory.data) return error(Code::invalid_argument, "plane {} of a picture of {} has no memory", p, format.describe());
        if (memory.stride_bytes < format.plane_width(p) * sample || memory.stride_bytes % sample != 0)
            return error(Code::invalid_argument, "plane {} of a picture of {}: a stride of {} bytes does not hold whole rows", p,
                         format.describe(), memory.stride_bytes);
        if (reinterpret_cast<std::uintptr_t>(memory.data) % std::uintptr_t(sample) != 0)
            return error(Code::invalid_argument, "plane {} of a picture of {}: samples are not aligned", p, format.describe());
    }
    Picture picture;
    auto body = std::make_shared<Body>();
    body->format = format;
    body->planes = planes;
    body->owner = std::move(owner);
    picture.body_ = std::move(body);
    return picture;
}

Result<Picture> Picture::wrap_device(const PictureFormat& format, const std::array<PlaneMemory, 3>& planes, std::shared_ptr<void> owner,
                                     std::string backend, int index) {
    if (backend.empty()) return error(Code::invalid_argument, "a picture on a device needs the name of its backend");
    ISO_TRY(Picture picture, wrap(format, planes, std::move(owner)));
    auto body = std::make_shared<Body>(*picture.body_);
    body->backend = std::move(backend);
    body->device_index = index;
    picture.body_ = std::move(body);
    return picture;
}

}  // namespace isometric
