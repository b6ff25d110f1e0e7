/* Pictures: layout, ownership. */
#include <sys/resource.h>

#include "check.h"

static void check_layout(enum VmafPixelFormat format, unsigned bpc, unsigned w, unsigned h) {
    const unsigned bytes = bpc > 8 ? 2 : 1;
    VmafPicture picture;
    unsigned p;
    unsigned char *end = NULL;
    memset(&picture, 0x5a, sizeof picture);
    CHECK_OK(vmaf_picture_alloc(&picture, format, bpc, w, h));
    CHECK_INT(format, picture.pix_fmt);
    CHECK_INT(bpc, picture.bpc);
    CHECK(picture.ref != NULL);
    for (p = 0; p < 3; ++p) {
        const unsigned plane_w = p == 0 || format == VMAF_PIX_FMT_YUV444P ? w : format == VMAF_PIX_FMT_YUV400P ? 0 : w / 2;
        const unsigned plane_h = p == 0 ? h : format == VMAF_PIX_FMT_YUV400P ? 0 : format == VMAF_PIX_FMT_YUV420P ? h / 2 : h;
        const size_t size = (size_t)picture.stride[p] * plane_h;
        size_t i;
        CHECK_INT(plane_w, picture.w[p]);
        CHECK_INT(plane_h, picture.h[p]);
        CHECK_INT((plane_w + 31) / 32 * 32 * bytes, picture.stride[p]);
        if (p > 0 && format == VMAF_PIX_FMT_YUV400P) {
            CHECK(picture.data[p] == NULL);
            continue;
        }
        CHECK_INT(0, (uintptr_t)picture.data[p] % 32);
        if (p > 0) CHECK(picture.data[p] == (void *)end); /* one block, back to back */
        end = (unsigned char *)picture.data[p] + size;
        for (i = 0; i < size && ((unsigned char *)picture.data[p])[i] == 0; ++i) {
        }
        CHECK_INT(size, i);
        memset(picture.data[p], 0xa5, size); /* all of it is ours */
    }
    CHECK_OK(vmaf_picture_unref(&picture));
    CHECK(is_zero_picture(&picture));
}

static void layout(void) {
    static const unsigned sizes[][2] = {{1, 1}, {2, 2}, {33, 17}, {32, 32}, {351, 288}, {64, 1}, {1, 64}};
    static const unsigned depths[] = {8, 9, 10, 12, 16};
    size_t s, d;
    int format;
    for (format = VMAF_PIX_FMT_YUV420P; format <= VMAF_PIX_FMT_YUV400P; ++format)
        for (s = 0; s < sizeof sizes / sizeof sizes[0]; ++s)
            for (d = 0; d < sizeof depths / sizeof depths[0]; ++d)
                check_layout((enum VmafPixelFormat)format, depths[d], sizes[s][0], sizes[s][1]);
}

static void refused(enum VmafPixelFormat format, unsigned bpc, unsigned w, unsigned h) {
    VmafPicture picture;
    memset(&picture, 0x5a, sizeof picture);
    CHECK_INT(-EINVAL, vmaf_picture_alloc(&picture, format, bpc, w, h));
    CHECK(is_zero_picture(&picture));
    CHECK_INT(-EINVAL, vmaf_picture_unref(&picture)); /* harmless */
}

static void what_does_not_exist(void) {
    refused(VMAF_PIX_FMT_UNKNOWN, 8, 64, 64);
    refused((enum VmafPixelFormat)5, 8, 64, 64);
    refused((enum VmafPixelFormat)-1, 8, 64, 64);
    refused(VMAF_PIX_FMT_YUV420P, 7, 64, 64);
    refused(VMAF_PIX_FMT_YUV420P, 17, 64, 64);
    refused(VMAF_PIX_FMT_YUV420P, 4294967295u, 64, 64);
    refused(VMAF_PIX_FMT_YUV420P, 8, 0, 64);
    refused(VMAF_PIX_FMT_YUV420P, 8, 64, 0);
    refused(VMAF_PIX_FMT_YUV420P, 8, 4294967295u, 64);
    refused(VMAF_PIX_FMT_YUV420P, 8, 64, 65537);
    CHECK_INT(-EINVAL, vmaf_picture_alloc(NULL, VMAF_PIX_FMT_YUV420P, 8, 64, 64));
    CHECK_INT(-EINVAL, vmaf_picture_unref(NULL));
}

static void given_back_once(void) {
    VmafPicture picture = make_picture(VMAF_PIX_FMT_YUV420P, 8, 64, 64, 0, 0), copy = picture, never;
    CHECK_OK(vmaf_picture_unref(&picture));
    CHECK_INT(-EINVAL, vmaf_picture_unref(&picture));
    CHECK_INT(-EINVAL, vmaf_picture_unref(&copy)); /* a copy of the struct is the same picture */
    memset(&never, 0x5a, sizeof never);
    CHECK_INT(-EINVAL, vmaf_picture_unref(&never));
    CHECK(is_zero_picture(&never));
}

static void a_stale_picture_never_means_another(void) {
    VmafPicture first = make_picture(VMAF_PIX_FMT_YUV420P, 8, 16, 16, 0, 0), stale = first;
    unsigned i;
    CHECK_OK(vmaf_picture_unref(&first));
    for (i = 0; i < 300; ++i) {
        VmafPicture fresh = make_picture(VMAF_PIX_FMT_YUV420P, 8, 16, 16, 0, 0), copy = stale;
        CHECK_INT(-EINVAL, vmaf_picture_unref(&copy));
        CHECK_OK(vmaf_picture_unref(&fresh));
    }
}

/* Under sanitizers their allocators are told to refuse what is large (tests/capi/CMakeLists.txt). */
static void limit_memory(int limited) {
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
    static struct rlimit before;
    struct rlimit limit;
    if (limited) {
        getrlimit(RLIMIT_AS, &before);
        limit = before;
        limit.rlim_cur = (rlim_t)8 << 30;
        CHECK_OK(setrlimit(RLIMIT_AS, &limit));
    } else {
        CHECK_OK(setrlimit(RLIMIT_AS, &before));
    }
#else
    (void)limited;
#endif
}

static void out_of_memory(void) {
    VmafContext *vmaf = open_context(0);
    VmafPictureConfiguration cfg;
    VmafPicture picture;
    memset(&cfg, 0, sizeof cfg);
    cfg.pic_params.w = cfg.pic_params.h = 65536;
    cfg.pic_params.bpc = 16;
    cfg.pic_params.pix_fmt = VMAF_PIX_FMT_YUV444P; /* 24 GiB */
    cfg.pic_cnt = 2;
    limit_memory(1);
    CHECK_INT(-ENOMEM, vmaf_picture_alloc(&picture, VMAF_PIX_FMT_YUV444P, 16, 65536, 65536));
    CHECK(is_zero_picture(&picture));
    CHECK_CONTAINS(isometric_last_error(), "65536x65536");
    CHECK_INT(-ENOMEM, vmaf_preallocate_pictures(vmaf, cfg));
    limit_memory(0);
    CHECK_INT(-EINVAL, vmaf_fetch_preallocated_picture(vmaf, &picture)); /* there is no pool */
    CHECK_OK(vmaf_close(vmaf));
}

const TestCase picture_cases[] = {
    {"layout", layout},
    {"what_does_not_exist", what_does_not_exist},
    {"given_back_once", given_back_once},
    {"a_stale_picture_never_means_another", a_stale_picture_never_means_another},
    {"out_of_memory", out_of_memory},
    {NULL, NULL},
};
