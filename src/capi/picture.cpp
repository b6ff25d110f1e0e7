#include "capi/picture.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>

#include "base/error.h"
#include "capi/boundary.h"
#include "capi/handle_table.h"
#include "capi/picture_pool.h"

namespace isometric::capi {
namespace {

static_assert(sizeof(void*) != 8 ||
              (sizeof(VmafPicture) == 96 && offsetof(VmafPicture, stride) == 32 && offsetof(VmafPicture, data) == 56 &&
               offsetof(VmafPicture, ref) == 80 && offsetof(VmafPicture, priv) == 88));

constexpr std::size_t alignment = 32;

struct PictureRecord {
    PictureFormat format;
    PictureMemory memory;
    std::shared_ptr<PicturePool> pool;
};

HandleTable<VmafRef, PictureRecord>& pictures() {
    static auto& table = *new HandleTable<VmafRef, PictureRecord>;  // outlives static destructors of the program
    return table;
}

std::size_t row_bytes(const PictureFormat& format, int plane) {
    const std::size_t samples = (std::size_t(format.plane_width(plane)) + 31) / 32 * 32;
    return samples * std::size_t(format.bytes_per_sample());
}

VmafPixelFormat pixel_format(ChromaFormat chroma) {
    switch (chroma) {
        case ChromaFormat::yuv420: return VMAF_PIX_FMT_YUV420P;
        case ChromaFormat::yuv422: return VMAF_PIX_FMT_YUV422P;
        case ChromaFormat::yuv444: return VMAF_PIX_FMT_YUV444P;
        case ChromaFormat::yuv400: break;
    }
    return VMAF_PIX_FMT_YUV400P;
}

Result<Picture> wrap(const VmafPicture& shown, const PictureRecord& record) {
    const PictureFormat& format = record.format;
    bool same = shown.pix_fmt == pixel_format(format.chroma) && shown.bpc == unsigned(format.bit_depth);
    std::array<PlaneMemory, 3> planes{};
    for (int p = 0; p < 3; ++p) {
        const std::size_t i = std::size_t(p);
        same = same && shown.w[i] == unsigned(format.plane_width(p)) && shown.h[i] == unsigned(format.plane_height(p));
        if (p < format.planes()) planes[i] = {static_cast<std::byte*>(shown.data[i]), shown.stride[i]};
    }
    if (!same)
        return error(Code::invalid_argument, "the picture's format or size is not what it was allocated with, {}", format.describe());
    return Picture::wrap(format, planes, record.memory);
}

std::shared_ptr<PictureRecord> take_record(VmafPicture& picture) {
    std::shared_ptr<PictureRecord> record = pictures().remove(picture.ref);
    picture = {};
    if (record && record->pool) record->pool->left_caller();
    return record;
}

Error not_ours(const char* which) {
    return error(Code::invalid_argument, "the {} is not in the caller's hands: it was given back or read before, or was not allocated here",
                 which);
}

}  // namespace

Result<PictureFormat> format_of(VmafPixelFormat pix_fmt, unsigned bpc, unsigned width, unsigned height) {
    PictureFormat format;
    switch (pix_fmt) {
        case VMAF_PIX_FMT_YUV420P: format.chroma = ChromaFormat::yuv420; break;
        case VMAF_PIX_FMT_YUV422P: format.chroma = ChromaFormat::yuv422; break;
        case VMAF_PIX_FMT_YUV444P: format.chroma = ChromaFormat::yuv444; break;
        case VMAF_PIX_FMT_YUV400P: format.chroma = ChromaFormat::yuv400; break;
        default:
            return error(Code::invalid_argument, "pixel format {}: must be 1 (4:2:0), 2 (4:2:2), 3 (4:4:4) or 4 (4:0:0)", int(pix_fmt));
    }
    const auto bounded = [](unsigned value) {
        return value > unsigned(PictureFormat::max_side) ? PictureFormat::max_side + 1 : int(value);
    };
    format.width = bounded(width);
    format.height = bounded(height);
    format.bit_depth = bounded(bpc);
    ISO_DO(format.check());
    return format;
}

Result<PictureMemory> allocate_planes(const PictureFormat& format) {
    std::size_t size = alignment;  // for alignment, and so that no block is empty
    for (int p = 0; p < format.planes(); ++p) size += row_bytes(format, p) * std::size_t(format.plane_height(p));
    void* block = std::calloc(size, 1);
    if (!block) return error(Code::out_of_memory, "no memory for a picture of {} ({} bytes)", format.describe(), size);
    const std::uintptr_t start = (reinterpret_cast<std::uintptr_t>(block) + alignment - 1) / alignment * alignment;
    return PictureMemory(reinterpret_cast<std::byte*>(start), [block](std::byte*) { std::free(block); });
}

VmafPicture hand_out(const PictureFormat& format, PictureMemory memory, std::shared_ptr<PicturePool> pool) {
    VmafPicture picture{};
    picture.pix_fmt = pixel_format(format.chroma);
    picture.bpc = unsigned(format.bit_depth);
    std::byte* plane = memory.get();
    for (int p = 0; p < format.planes(); ++p) {
        const std::size_t i = std::size_t(p);
        picture.w[i] = unsigned(format.plane_width(p));
        picture.h[i] = unsigned(format.plane_height(p));
        picture.stride[i] = std::ptrdiff_t(row_bytes(format, p));
        picture.data[i] = plane;
        plane += row_bytes(format, p) * picture.h[i];
    }
    picture.ref = pictures().add(std::make_shared<PictureRecord>(PictureRecord{format, std::move(memory), std::move(pool)}));
    return picture;
}

Result<PicturePair> take_pair(VmafPicture& ref, VmafPicture& dis) {
    const VmafPicture shown_ref = ref, shown_dis = dis;
    const std::shared_ptr<PictureRecord> ref_record = take_record(ref);
    std::shared_ptr<PictureRecord> dis_record = take_record(dis);
    if (shown_dis.ref && shown_dis.ref == shown_ref.ref) dis_record = ref_record;
    if (!ref_record) return not_ours("reference picture");
    if (!dis_record) return not_ours("distorted picture");
    ISO_TRY(Picture ref_picture, wrap(shown_ref, *ref_record));
    ISO_TRY(Picture dis_picture, wrap(shown_dis, *dis_record));
    return PicturePair{std::move(ref_picture), std::move(dis_picture)};
}

ConsumedPictures::~ConsumedPictures() {
    if (!ref_ || !dis_) return;
    take_record(*ref_);
    take_record(*dis_);
}

ISO_C_INTERFACE_BEGIN

int vmaf_picture_alloc(VmafPicture* pic, enum VmafPixelFormat pix_fmt, unsigned bpc, unsigned w, unsigned h) {
    return guarded("vmaf_picture_alloc", [&]() -> Status {
        ISO_DO(not_null(pic, "pic"));
        *pic = {};
        ISO_TRY(const PictureFormat format, format_of(pix_fmt, bpc, w, h));
        ISO_TRY(PictureMemory memory, allocate_planes(format));
        *pic = hand_out(format, std::move(memory));
        return {};
    });
}

int vmaf_picture_unref(VmafPicture* pic) {
    if (pic && !pic->ref) return -EINVAL;  // consumed by a call that failed, which libvmaf's header tells callers to give back: no message
    return guarded("vmaf_picture_unref", [&]() -> Status {
        ISO_DO(not_null(pic, "pic"));
        if (!take_record(*pic)) return not_ours("picture");
        return {};
    });
}

ISO_C_INTERFACE_END

}  // namespace isometric::capi
