// Pictures behind the struct that callers see: VmafPicture::ref is the handle of a PictureRecord.
#pragma once

#include <memory>

#include "capi/interface.h"
#include "isometric/picture.h"
#include "isometric/status.h"

namespace isometric::capi {

class PicturePool;

Result<PictureFormat> format_of(VmafPixelFormat pix_fmt, unsigned bpc, unsigned width, unsigned height);

// Zeroed memory for the planes of a picture, aligned to 32 bytes.
using PictureMemory = std::shared_ptr<std::byte>;
Result<PictureMemory> allocate_planes(const PictureFormat& format);

// A picture in the hands of the caller. `pool`: told when the picture leaves them; null for one of its own.
VmafPicture hand_out(const PictureFormat& format, PictureMemory memory, std::shared_ptr<PicturePool> pool = nullptr);

// Takes a pair out of the hands of the caller; both structs are zeroed in any case. An error for a picture that was given back before. The
// planes are where the structs say, so a caller may have redirected them; format and sides must be as they were allocated. One picture in
// both places is a pair of it with itself.
struct PicturePair {
    Picture ref, dis;
};
Result<PicturePair> take_pair(VmafPicture& ref, VmafPicture& dis);

// Sees to it that a pair is consumed on every path out of a function; when one of them is NULL the other one stays.
class ConsumedPictures {
public:
    ConsumedPictures(VmafPicture* ref, VmafPicture* dis) : ref_(ref), dis_(dis) {}
    ~ConsumedPictures();
    ConsumedPictures(const ConsumedPictures&) = delete;
    ConsumedPictures& operator=(const ConsumedPictures&) = delete;

private:
    VmafPicture* const ref_;
    VmafPicture* const dis_;
};

}  // namespace isometric::capi
