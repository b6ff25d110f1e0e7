/* Pictures of the C interface (docs/c_api.md, "Pictures"). */
#ifndef ISO_LIBVMAF_PICTURE_H
#define ISO_LIBVMAF_PICTURE_H

#include <stddef.h>

#include "libvmaf/c_enum.h"

#ifdef __cplusplus
extern "C" {
#endif

ISO_C_ENUM(VmafPixelFormat) {
    VMAF_PIX_FMT_UNKNOWN = 0,
    VMAF_PIX_FMT_YUV420P = 1,
    VMAF_PIX_FMT_YUV422P = 2,
    VMAF_PIX_FMT_YUV444P = 3,
    VMAF_PIX_FMT_YUV400P = 4
};

typedef struct VmafRef VmafRef;

/* Samples are bytes at 8 bits, else 16-bit words in native byte order with the value in the low bits. Fill w[i] samples of h[i] rows of every
 * plane, row y at data[i] + y * stride[i]. Chroma sides round down; 4:0:0 has no chroma planes. `ref` and `priv` belong to the library. */
typedef struct VmafPicture {
    enum VmafPixelFormat pix_fmt;
    unsigned bpc;        /* bits per component, 8 .. 16 */
    unsigned w[3], h[3]; /* sides of the planes in samples */
    ptrdiff_t stride[3]; /* bytes from row to row */
    void *data[3];
    VmafRef *ref;
    void *priv;
} VmafPicture;

/* A new picture of zeroed memory, aligned to 32 bytes; what `pic` held before is overwritten. It is given back with vmaf_picture_unref() or
 * by reading it. -EINVAL: a format, depth or size that does not exist; -ENOMEM. On failure the struct is zeroed. */
int vmaf_picture_alloc(VmafPicture *pic, enum VmafPixelFormat pix_fmt, unsigned bpc, unsigned w, unsigned h);

/* Gives a picture back and zeroes the struct. -EINVAL: NULL, or a picture that was given back or read before: harmless. */
int vmaf_picture_unref(VmafPicture *pic);

#ifdef __cplusplus
}
#endif
#endif
