/* The pool of pictures. */
#include <pthread.h>
#include <time.h>

#include "check.h"

static VmafPictureConfiguration pool_of(unsigned pictures) {
    VmafPictureConfiguration cfg;
    memset(&cfg, 0, sizeof cfg);
    cfg.pic_params.w = clip_width;
    cfg.pic_params.h = clip_height;
    cfg.pic_params.bpc = 8;
    cfg.pic_params.pix_fmt = VMAF_PIX_FMT_YUV420P;
    cfg.pic_cnt = pictures;
    return cfg;
}

static void what_cannot_work(void) {
    VmafContext *vmaf = open_context(0);
    VmafPictureConfiguration cfg = pool_of(0);
    VmafPicture picture;
    memset(&picture, 0x5a, sizeof picture);
    CHECK_INT(-EINVAL, vmaf_fetch_preallocated_picture(vmaf, &picture)); /* no pool */
    CHECK(is_zero_picture(&picture));
    CHECK_INT(-EINVAL, isometric_fetch_picture(vmaf, &picture, 0));
    CHECK_INT(-EINVAL, vmaf_preallocate_pictures(vmaf, cfg));
    cfg = pool_of(4294967295u);
    CHECK_INT(-EINVAL, vmaf_preallocate_pictures(vmaf, cfg));
    cfg = pool_of(4);
    cfg.pic_params.w = 0;
    CHECK_INT(-EINVAL, vmaf_preallocate_pictures(vmaf, cfg));
    cfg = pool_of(4);
    cfg.pic_params.h = 0;
    CHECK_INT(-EINVAL, vmaf_preallocate_pictures(vmaf, cfg));
    cfg = pool_of(4);
    cfg.pic_params.bpc = 7;
    CHECK_INT(-EINVAL, vmaf_preallocate_pictures(vmaf, cfg));
    cfg = pool_of(4);
    cfg.pic_params.pix_fmt = VMAF_PIX_FMT_UNKNOWN;
    CHECK_INT(-EINVAL, vmaf_preallocate_pictures(vmaf, cfg));
    CHECK_INT(-EINVAL, vmaf_preallocate_pictures(NULL, pool_of(4)));
    CHECK_OK(vmaf_preallocate_pictures(vmaf, pool_of(4)));
    CHECK_INT(-EINVAL, vmaf_fetch_preallocated_picture(vmaf, NULL));
    CHECK_INT(-EINVAL, isometric_fetch_picture(vmaf, NULL, 0));
    CHECK_OK(vmaf_close(vmaf));
}

/* The contents of a pool's pictures, which its last user left. */
static void pictures_are_used_again(void) {
    VmafContext *vmaf = open_context(0);
    VmafPicture a, b;
    void *memory;
    CHECK_OK(vmaf_preallocate_pictures(vmaf, pool_of(2)));
    CHECK_OK(vmaf_fetch_preallocated_picture(vmaf, &a));
    CHECK_INT(0, ((unsigned char *)a.data[0])[5]);
    memory = a.data[0];
    ((unsigned char *)a.data[0])[5] = 77;
    CHECK_OK(vmaf_picture_unref(&a));
    CHECK_OK(vmaf_fetch_preallocated_picture(vmaf, &a));
    CHECK_OK(vmaf_fetch_preallocated_picture(vmaf, &b));
    CHECK(a.data[0] == memory || b.data[0] == memory);
    CHECK_INT(77, ((unsigned char *)memory)[5]);
    CHECK_OK(vmaf_picture_unref(&a));
    CHECK_OK(vmaf_picture_unref(&b));
    CHECK_OK(vmaf_close(vmaf));
}

/* libvmaf deadlocks with fewer than four. */
static void score_with_pool(unsigned pictures, unsigned threads) {
    VmafContext *vmaf = open_context(threads);
    VmafModel *model = open_model("vmaf_v0.6.1", NULL);
    unsigned i;
    double score;
    CHECK_OK(vmaf_use_features_from_model(vmaf, model));
    CHECK_OK(vmaf_preallocate_pictures(vmaf, pool_of(pictures)));
    for (i = 0; i < 8; ++i) {
        VmafPicture ref, dis;
        int fetched = vmaf_fetch_preallocated_picture(vmaf, &ref);
        if (!fetched) fetched = vmaf_fetch_preallocated_picture(vmaf, &dis);
        CHECK_OK(fetched);
        if (fetched) break;
        fill_picture(&ref, i, 0);
        fill_picture(&dis, i, 6);
        CHECK_OK(vmaf_read_pictures(vmaf, &ref, &dis, i));
        CHECK(is_zero_picture(&ref) && is_zero_picture(&dis));
    }
    CHECK_OK(flush(vmaf));
    CHECK_OK(vmaf_score_pooled(vmaf, model, VMAF_POOL_METHOD_MEAN, &score, 0, 7));
    vmaf_model_destroy(model);
    CHECK_OK(vmaf_close(vmaf));
}

static void pools_of_any_size(void) {
    unsigned pictures, threads;
    for (pictures = 1; pictures <= 5; ++pictures)
        for (threads = 0; threads <= 2; ++threads) score_with_pool(pictures, threads);
}

static void without_waiting(void) {
    VmafContext *vmaf = open_context(0);
    VmafPicture a, b, c;
    CHECK_OK(vmaf_preallocate_pictures(vmaf, pool_of(2)));
    CHECK_OK(isometric_fetch_picture(vmaf, &a, 0));
    CHECK_OK(isometric_fetch_picture(vmaf, &b, 0));
    CHECK_INT(-EAGAIN, isometric_fetch_picture(vmaf, &c, 0));
    CHECK(is_zero_picture(&c));
    CHECK_INT(-EAGAIN, isometric_fetch_picture(vmaf, &c, 10));
    CHECK_INT(-EAGAIN, vmaf_fetch_preallocated_picture(vmaf, &c)); /* a hang, were it not noticed */
    CHECK_CONTAINS(isometric_last_error(), "caller's hands");
    CHECK_OK(vmaf_picture_unref(&a));
    CHECK_OK(vmaf_fetch_preallocated_picture(vmaf, &c));
    CHECK_OK(vmaf_picture_unref(&b));
    CHECK_OK(vmaf_picture_unref(&c));
    CHECK_OK(vmaf_close(vmaf));
}

typedef struct Waiter {
    VmafContext *vmaf;
    VmafPicture picture;
    int result;
} Waiter;

static void *fetch(void *data) {
    Waiter *waiter = data;
    waiter->result = vmaf_fetch_preallocated_picture(waiter->vmaf, &waiter->picture);
    return NULL;
}

static void sleep_ms(long ms) {
    struct timespec t;
    t.tv_sec = 0;
    t.tv_nsec = ms * 1000000;
    nanosleep(&t, NULL);
}

static void waits_for_another_thread(void) {
    VmafContext *vmaf = open_context(0);
    Waiter waiter;
    VmafPicture a, b;
    pthread_t thread;
    memset(&waiter, 0, sizeof waiter);
    waiter.vmaf = vmaf;
    waiter.result = 1;
    CHECK_OK(vmaf_preallocate_pictures(vmaf, pool_of(2)));
    CHECK_OK(vmaf_fetch_preallocated_picture(vmaf, &a));
    CHECK_OK(vmaf_fetch_preallocated_picture(vmaf, &b));
    pthread_create(&thread, NULL, fetch, &waiter);
    sleep_ms(20);
    CHECK_OK(vmaf_picture_unref(&a));
    pthread_join(thread, NULL);
    CHECK_OK(waiter.result);
    CHECK_OK(vmaf_picture_unref(&waiter.picture));
    CHECK_OK(vmaf_picture_unref(&b));
    CHECK_OK(vmaf_close(vmaf));
}

/* libvmaf's close blocks for ever while a picture is out. */
static void pictures_may_outlive_the_context(void) {
    VmafContext *vmaf = open_context(2);
    VmafPicture kept;
    CHECK_OK(vmaf_preallocate_pictures(vmaf, pool_of(3)));
    CHECK_OK(vmaf_fetch_preallocated_picture(vmaf, &kept));
    CHECK_OK(vmaf_close(vmaf));
    fill_picture(&kept, 0, 0);
    CHECK_OK(vmaf_picture_unref(&kept));
    CHECK(is_zero_picture(&kept));
}

static void closing_wakes_who_waits(void) {
    VmafContext *vmaf = open_context(0);
    Waiter waiter;
    VmafPicture a, b;
    pthread_t thread;
    memset(&waiter, 0, sizeof waiter);
    waiter.vmaf = vmaf;
    waiter.result = 1;
    CHECK_OK(vmaf_preallocate_pictures(vmaf, pool_of(2)));
    CHECK_OK(vmaf_fetch_preallocated_picture(vmaf, &a));
    CHECK_OK(vmaf_fetch_preallocated_picture(vmaf, &b));
    pthread_create(&thread, NULL, fetch, &waiter);
    sleep_ms(20);
    CHECK_OK(vmaf_close(vmaf));
    pthread_join(thread, NULL);
    CHECK_INT(-EINVAL, waiter.result);
    CHECK_OK(vmaf_picture_unref(&a));
    CHECK_OK(vmaf_picture_unref(&b));
}

static void a_second_pool_replaces_the_first(void) {
    VmafContext *vmaf = open_context(0);
    VmafPictureConfiguration larger = pool_of(2);
    VmafPicture old, a;
    CHECK_OK(vmaf_preallocate_pictures(vmaf, pool_of(2)));
    CHECK_OK(vmaf_fetch_preallocated_picture(vmaf, &old));
    larger.pic_params.w = 200;
    CHECK_OK(vmaf_preallocate_pictures(vmaf, larger));
    CHECK_OK(vmaf_fetch_preallocated_picture(vmaf, &a));
    CHECK_INT(200, a.w[0]);
    fill_picture(&old, 0, 0);
    CHECK_OK(vmaf_picture_unref(&old));
    CHECK_OK(vmaf_picture_unref(&a));
    CHECK_OK(vmaf_close(vmaf));
}

const TestCase pool_cases[] = {
    {"what_cannot_work", what_cannot_work},
    {"pictures_are_used_again", pictures_are_used_again},
    {"pools_of_any_size", pools_of_any_size},
    {"without_waiting", without_waiting},
    {"waits_for_another_thread", waits_for_another_thread},
    {"pictures_may_outlive_the_context", pictures_may_outlive_the_context},
    {"closing_wakes_who_waits", closing_wakes_who_waits},
    {"a_second_pool_replaces_the_first", a_second_pool_replaces_the_first},
    {NULL, NULL},
};
