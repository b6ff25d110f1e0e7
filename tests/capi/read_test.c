/* Reading pictures: what is consumed, what must match, the order of indices, the flush. */
#include "check.h"

typedef struct Format {
    enum VmafPixelFormat pix_fmt;
    unsigned bpc, w, h;
} Format;

static VmafPicture picture_of(Format f, unsigned damage) { return make_picture(f.pix_fmt, f.bpc, f.w, f.h, 0, damage); }

/* Reads a pair that must be refused, and consumed. */
static void refused(VmafContext *vmaf, Format ref_format, Format dis_format, unsigned index, const char *message) {
    VmafPicture ref = picture_of(ref_format, 0), dis = picture_of(dis_format, 6), ref_copy = ref;
    CHECK_INT(-EINVAL, vmaf_read_pictures(vmaf, &ref, &dis, index));
    CHECK_CONTAINS(isometric_last_error(), message);
    CHECK(is_zero_picture(&ref) && is_zero_picture(&dis));
    CHECK_INT(-EINVAL, vmaf_picture_unref(&ref_copy)); /* really gone; the caller's unref is harmless */
}

static const Format usual = {VMAF_PIX_FMT_YUV420P, 8, clip_width, clip_height};

static void pairs_must_match(void) {
    VmafContext *vmaf = open_context(0);
    Format wide = usual, tall = usual, full = usual, deep = usual;
    wide.w += 2;
    tall.h += 2;
    full.pix_fmt = VMAF_PIX_FMT_YUV444P;
    deep.bpc = 10;
    use_extractor(vmaf, "psnr");
    refused(vmaf, usual, wide, 0, "98x64");
    refused(vmaf, usual, tall, 0, "96x66");
    refused(vmaf, usual, full, 0, "4:4:4");
    refused(vmaf, usual, deep, 0, "10 bit");
    CHECK_OK(read_frame(vmaf, 0));
    refused(vmaf, wide, wide, 1, "98x64");
    refused(vmaf, tall, tall, 1, "96x66");
    refused(vmaf, full, full, 1, "4:4:4");
    refused(vmaf, deep, deep, 1, "10 bit"); /* libvmaf accepts a change of both */
    refused(vmaf, usual, deep, 1, "10 bit"); /* libvmaf scores 8 against 10 bits, when the first picture had 8 */
    CHECK_OK(read_frame(vmaf, 1));
    CHECK_OK(flush(vmaf));
    CHECK_OK(vmaf_close(vmaf));
}

static void one_picture_is_none(void) {
    VmafContext *vmaf = open_context(0);
    VmafPicture ref = picture_of(usual, 0);
    CHECK_INT(-EINVAL, vmaf_read_pictures(vmaf, &ref, NULL, 0));
    CHECK_CONTAINS(isometric_last_error(), "dist is NULL");
    CHECK_INT(-EINVAL, vmaf_read_pictures(vmaf, NULL, &ref, 0));
    CHECK_CONTAINS(isometric_last_error(), "ref is NULL");
    CHECK(!is_zero_picture(&ref)); /* stays the caller's */
    CHECK_OK(vmaf_picture_unref(&ref));
    CHECK_OK(vmaf_close(vmaf));
}

static void consumed_without_a_context(void) {
    VmafContext *vmaf = open_context(0);
    VmafPicture ref = picture_of(usual, 0), dis = picture_of(usual, 6);
    CHECK_OK(vmaf_close(vmaf));
    CHECK_INT(-EINVAL, vmaf_read_pictures(vmaf, &ref, &dis, 0));
    CHECK(is_zero_picture(&ref) && is_zero_picture(&dis));
    ref = picture_of(usual, 0);
    dis = picture_of(usual, 6);
    CHECK_INT(-EINVAL, vmaf_read_pictures(NULL, &ref, &dis, 0));
    CHECK(is_zero_picture(&ref) && is_zero_picture(&dis));
}

static void read_once(void) {
    VmafContext *vmaf = open_context(0);
    VmafPicture ref = picture_of(usual, 0), dis = picture_of(usual, 6), ref_copy = ref, dis_copy = dis, fresh;
    use_extractor(vmaf, "psnr");
    CHECK_OK(vmaf_read_pictures(vmaf, &ref, &dis, 0));
    CHECK_INT(-EINVAL, vmaf_read_pictures(vmaf, &ref, &dis, 1)); /* zeroed structs */
    CHECK_INT(-EINVAL, vmaf_read_pictures(vmaf, &ref_copy, &dis_copy, 1));
    CHECK_CONTAINS(isometric_last_error(), "reference picture");
    fresh = picture_of(usual, 0);
    CHECK_INT(-EINVAL, vmaf_read_pictures(vmaf, &fresh, &dis_copy, 1));
    CHECK_CONTAINS(isometric_last_error(), "distorted picture");
    CHECK(is_zero_picture(&fresh)); /* the good one of a bad pair is consumed, too */
    CHECK_OK(vmaf_close(vmaf));
}

static void a_picture_against_itself(void) {
    VmafContext *vmaf = open_context(0);
    VmafPicture a = picture_of(usual, 0), b = picture_of(usual, 0), copy = b;
    double score;
    use_extractor(vmaf, "psnr");
    CHECK_OK(vmaf_read_pictures(vmaf, &a, &a, 0));
    CHECK(is_zero_picture(&a));
    CHECK_OK(vmaf_read_pictures(vmaf, &b, &copy, 1));
    CHECK(is_zero_picture(&b) && is_zero_picture(&copy));
    CHECK_OK(vmaf_feature_score_at_index(vmaf, "psnr_y", &score, 0));
    CHECK_BITS(60.0, score);
    CHECK_OK(vmaf_feature_score_at_index(vmaf, "psnr_y", &score, 1));
    CHECK_BITS(60.0, score);
    CHECK_OK(vmaf_close(vmaf));
}

/* Planes may be redirected, say to swap chroma; format and sides may not change. */
static void what_the_caller_may_change(void) {
    VmafContext *vmaf = open_context(0);
    VmafPicture ref = picture_of(usual, 0), dis = picture_of(usual, 0);
    void *u = dis.data[1];
    double cb, cr;
    use_extractor(vmaf, "psnr");
    memset(ref.data[1], 10, (size_t)ref.stride[1] * ref.h[1]);
    memset(ref.data[2], 200, (size_t)ref.stride[2] * ref.h[2]);
    memset(dis.data[1], 200, (size_t)dis.stride[1] * dis.h[1]);
    memset(dis.data[2], 10, (size_t)dis.stride[2] * dis.h[2]);
    dis.data[1] = dis.data[2];
    dis.data[2] = u;
    CHECK_OK(vmaf_read_pictures(vmaf, &ref, &dis, 0));
    CHECK_OK(vmaf_feature_score_at_index(vmaf, "psnr_cb", &cb, 0));
    CHECK_OK(vmaf_feature_score_at_index(vmaf, "psnr_cr", &cr, 0));
    CHECK_BITS(60.0, cb);
    CHECK_BITS(60.0, cr);
    ref = picture_of(usual, 0);
    dis = picture_of(usual, 0);
    dis.w[0] -= 2;
    CHECK_INT(-EINVAL, vmaf_read_pictures(vmaf, &ref, &dis, 1));
    ref = picture_of(usual, 0);
    dis = picture_of(usual, 0);
    ref.bpc = 10;
    CHECK_INT(-EINVAL, vmaf_read_pictures(vmaf, &ref, &dis, 1));
    ref = picture_of(usual, 0);
    dis = picture_of(usual, 0);
    ref.data[0] = NULL;
    CHECK_INT(-EINVAL, vmaf_read_pictures(vmaf, &ref, &dis, 1));
    ref = picture_of(usual, 0);
    dis = picture_of(usual, 0);
    dis.stride[0] = 8;
    CHECK_INT(-EINVAL, vmaf_read_pictures(vmaf, &ref, &dis, 1));
    CHECK(is_zero_picture(&ref) && is_zero_picture(&dis));
    CHECK_OK(vmaf_close(vmaf));
}

static double psnr_at(VmafContext *vmaf, unsigned index) {
    double score;
    CHECK_OK(vmaf_feature_score_at_index(vmaf, "psnr_y", &score, index));
    return score;
}

static void any_order(void) {
    static const unsigned order[] = {7, 0, 3, 2, 100, 1};
    VmafContext *shuffled = open_context(2), *straight = open_context(0);
    size_t i;
    use_extractor(shuffled, "psnr");
    use_extractor(straight, "psnr");
    for (i = 0; i < 6; ++i) CHECK_OK(read_frame(shuffled, order[i]));
    CHECK_INT(-EINVAL, read_frame(shuffled, 3));
    CHECK_CONTAINS(isometric_last_error(), "frame 3");
    for (i = 0; i <= 100; ++i) CHECK_OK(read_frame(straight, (unsigned)i));
    CHECK_OK(flush(shuffled));
    CHECK_OK(flush(straight));
    for (i = 0; i < 6; ++i) CHECK_BITS(psnr_at(straight, order[i]), psnr_at(shuffled, order[i]));
    CHECK_OK(vmaf_close(shuffled));
    CHECK_OK(vmaf_close(straight));
}

/* Where an extractor reads the frame before, libvmaf gives wrong scores for gaps and none for a later start. */
static void one_after_the_other_for_motion(void) {
    VmafContext *vmaf = open_context(1);
    unsigned i;
    double score, mean;
    use_extractor(vmaf, "motion");
    CHECK_OK(read_frame(vmaf, 5));
    CHECK_INT(-EINVAL, read_frame(vmaf, 7));
    CHECK_CONTAINS(isometric_last_error(), "expected frame 6");
    CHECK_INT(-EINVAL, read_frame(vmaf, 5));
    CHECK_INT(-EINVAL, read_frame(vmaf, 4));
    for (i = 6; i < 10; ++i) CHECK_OK(read_frame(vmaf, i));
    CHECK_OK(flush(vmaf));
    CHECK_OK(vmaf_feature_score_at_index(vmaf, "VMAF_integer_feature_motion2_score", &score, 5));
    CHECK_BITS(0.0, score); /* the stream's first frame */
    CHECK_OK(vmaf_feature_score_at_index(vmaf, "VMAF_integer_feature_motion2_score", &score, 9));
    CHECK(score > 0);
    CHECK_OK(vmaf_feature_score_pooled(vmaf, "VMAF_integer_feature_motion2_score", VMAF_POOL_METHOD_MEAN, &mean, 5, 9));
    CHECK(mean > 0);
    CHECK_OK(vmaf_close(vmaf));
}

static void absurd_indices(void) {
    VmafContext *vmaf = open_context(0);
    use_extractor(vmaf, "psnr");
    CHECK_INT(-EINVAL, read_frame(vmaf, 4294967295u));
    CHECK_OK(read_frame(vmaf, 0));
    CHECK_OK(flush(vmaf));
    CHECK_OK(vmaf_close(vmaf));
}

static void flushing(void) {
    VmafContext *empty = open_context(0), *waiting = open_context(0);
    CHECK_OK(flush(empty)); /* nothing registered */
    CHECK_INT(-EINVAL, flush(empty));
    CHECK_INT(-EINVAL, read_frame(empty, 0));
    CHECK_CONTAINS(isometric_last_error(), "flushed");
    use_extractor(waiting, "psnr");
    CHECK_INT(-EINVAL, flush(waiting)); /* no pictures: an error, and no flush */
    CHECK_CONTAINS(isometric_last_error(), "no pictures");
    CHECK_OK(read_frame(waiting, 0));
    CHECK_OK(flush(waiting));
    CHECK_INT(-EINVAL, flush(waiting));
    CHECK_INT(-EINVAL, read_frame(waiting, 1));
    CHECK_OK(vmaf_close(empty));
    CHECK_OK(vmaf_close(waiting));
}

static void close_without_flush(void) {
    unsigned threads;
    for (threads = 0; threads < 3; ++threads) {
        VmafContext *vmaf = open_context(threads);
        VmafModel *model = open_model("vmaf_v0.6.1", NULL);
        unsigned i;
        CHECK_OK(vmaf_use_features_from_model(vmaf, model));
        for (i = 0; i < 4; ++i) CHECK_OK(read_frame(vmaf, i));
        vmaf_model_destroy(model);
        CHECK_OK(vmaf_close(vmaf));
    }
}

static void registering_comes_first(void) {
    VmafContext *vmaf = open_context(0);
    VmafModel *model = open_model("vmaf_v0.6.1", NULL);
    use_extractor(vmaf, "psnr");
    CHECK_OK(read_frame(vmaf, 0));
    CHECK_INT(-EINVAL, vmaf_use_feature(vmaf, "motion", NULL)); /* libvmaf starts in the middle and loses scores */
    CHECK_CONTAINS(isometric_last_error(), "before the first picture");
    CHECK_INT(-EINVAL, vmaf_use_features_from_model(vmaf, model));
    vmaf_model_destroy(model);
    CHECK_OK(vmaf_close(vmaf));
}

/* A format that an extractor cannot measure is refused with the first picture, with and without threads. */
static void refused_formats(void) {
    unsigned threads;
    for (threads = 0; threads < 2; ++threads) {
        VmafContext *vmaf = open_context(threads);
        VmafModel *model = open_model("vmaf_v0.6.1", NULL);
        Format tiny = usual;
        tiny.w = tiny.h = 8;
        CHECK_OK(vmaf_use_features_from_model(vmaf, model));
        refused(vmaf, tiny, tiny, 0, "8x8");
        CHECK_INT(-EINVAL, flush(vmaf)); /* nothing was read */
        CHECK_OK(read_frame(vmaf, 0));   /* and nothing is broken */
        CHECK_OK(flush(vmaf));
        vmaf_model_destroy(model);
        CHECK_OK(vmaf_close(vmaf));
    }
}

static void luma_only(void) {
    VmafContext *vmaf = open_context(0);
    VmafModel *model = open_model("vmaf_v0.6.1", NULL);
    Format gray = usual;
    VmafPicture ref, dis;
    double score;
    gray.pix_fmt = VMAF_PIX_FMT_YUV400P;
    ref = picture_of(gray, 0);
    dis = picture_of(gray, 6);
    CHECK_OK(vmaf_use_features_from_model(vmaf, model));
    use_extractor(vmaf, "psnr");
    CHECK_OK(vmaf_read_pictures(vmaf, &ref, &dis, 0));
    CHECK_OK(flush(vmaf));
    CHECK_OK(vmaf_score_at_index(vmaf, model, &score, 0));
    CHECK_OK(vmaf_feature_score_at_index(vmaf, "psnr_y", &score, 0));
    CHECK_INT(-EINVAL, vmaf_feature_score_at_index(vmaf, "psnr_cb", &score, 0));
    vmaf_model_destroy(model);
    CHECK_OK(vmaf_close(vmaf));
}

/* A caller that pushes faster than frames are scored is held back: few frames are ever in flight. */
static void back_pressure(void) {
    unsigned threads;
    for (threads = 0; threads <= 2; ++threads) {
        VmafContext *vmaf = open_context(threads);
        VmafModel *model = open_model("vmaf_v0.6.1", NULL);
        unsigned i, most = 0;
        CHECK_OK(vmaf_use_features_from_model(vmaf, model));
        for (i = 0; i < 60; ++i) {
            unsigned read, scored;
            CHECK_OK(read_frame(vmaf, i));
            CHECK_OK(isometric_frames(vmaf, &read, &scored));
            CHECK_INT(i + 1, read);
            if (read - scored > most) most = read - scored;
        }
        CHECK(most <= threads + 1 + 2); /* in flight, and one that waits for the next frame's motion */
        CHECK_OK(flush(vmaf));
        vmaf_model_destroy(model);
        CHECK_OK(vmaf_close(vmaf));
    }
}

const TestCase read_cases[] = {
    {"pairs_must_match", pairs_must_match},
    {"one_picture_is_none", one_picture_is_none},
    {"consumed_without_a_context", consumed_without_a_context},
    {"read_once", read_once},
    {"a_picture_against_itself", a_picture_against_itself},
    {"what_the_caller_may_change", what_the_caller_may_change},
    {"any_order", any_order},
    {"one_after_the_other_for_motion", one_after_the_other_for_motion},
    {"absurd_indices", absurd_indices},
    {"flushing", flushing},
    {"close_without_flush", close_without_flush},
    {"registering_comes_first", registering_comes_first},
    {"refused_formats", refused_formats},
    {"luma_only", luma_only},
    {"back_pressure", back_pressure},
    {NULL, NULL},
};
