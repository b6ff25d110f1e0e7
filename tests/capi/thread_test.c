/* Several threads: contexts side by side, one context in many hands. */
#include <pthread.h>
#include <sched.h>

#include "check.h"

enum { thread_count = 4, frame_count = 12 };

static void *score_alone(void *data) {
    VmafContext *vmaf = open_context(1);
    VmafModel *model = open_model("vmaf_v0.6.1", NULL);
    unsigned i;
    CHECK_OK(vmaf_use_features_from_model(vmaf, model));
    for (i = 0; i < 4; ++i) CHECK_OK(read_frame(vmaf, i));
    CHECK_OK(flush(vmaf));
    CHECK_OK(vmaf_score_pooled(vmaf, model, VMAF_POOL_METHOD_MEAN, data, 0, 3));
    vmaf_model_destroy(model);
    CHECK_OK(vmaf_close(vmaf));
    return NULL;
}

static void contexts_side_by_side(void) {
    pthread_t threads[thread_count];
    double scores[thread_count];
    int i;
    for (i = 0; i < thread_count; ++i) pthread_create(&threads[i], NULL, score_alone, &scores[i]);
    for (i = 0; i < thread_count; ++i) pthread_join(threads[i], NULL);
    for (i = 0; i < thread_count; ++i) CHECK_BITS(scores[0], scores[i]);
    CHECK(scores[0] > 0);
}

typedef struct Shared {
    VmafContext *vmaf;
    VmafModel *model;
    unsigned first;
} Shared;

static void *poll_scores(void *data) {
    Shared *shared = data;
    unsigned i;
    for (i = 0; i < frame_count; ++i) {
        double score;
        int result;
        while ((result = vmaf_score_at_index(shared->vmaf, shared->model, &score, i)) == -EAGAIN) {
            CHECK(isnan(score));
            sched_yield();
        }
        CHECK_OK(result);
        CHECK(score > 0);
    }
    return NULL;
}

static void scores_while_reading(void) {
    Shared shared;
    pthread_t threads[2];
    unsigned i;
    shared.vmaf = open_context(2);
    shared.model = open_model("vmaf_v0.6.1", NULL);
    CHECK_OK(vmaf_use_features_from_model(shared.vmaf, shared.model));
    for (i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, poll_scores, &shared);
    for (i = 0; i < frame_count; ++i) CHECK_OK(read_frame(shared.vmaf, i));
    CHECK_OK(flush(shared.vmaf));
    for (i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    vmaf_model_destroy(shared.model);
    CHECK_OK(vmaf_close(shared.vmaf));
}

static void *read_some(void *data) {
    Shared *shared = data;
    unsigned i;
    for (i = shared->first; i < 20; i += thread_count) CHECK_OK(read_frame(shared->vmaf, i));
    return NULL;
}

static void several_readers(void) {
    Shared shared[thread_count];
    pthread_t threads[thread_count];
    VmafContext *vmaf = open_context(2);
    double score;
    unsigned i;
    use_extractor(vmaf, "psnr");
    for (i = 0; i < thread_count; ++i) {
        shared[i].vmaf = vmaf;
        shared[i].first = i;
        pthread_create(&threads[i], NULL, read_some, &shared[i]);
    }
    for (i = 0; i < thread_count; ++i) pthread_join(threads[i], NULL);
    CHECK_OK(flush(vmaf));
    CHECK_OK(vmaf_feature_score_pooled(vmaf, "psnr_y", VMAF_POOL_METHOD_MIN, &score, 0, 19));
    CHECK_OK(vmaf_close(vmaf));
}

/* Closing while others use the context: they get an answer or an error, nobody crashes or hangs. */
static void *use_until_closed(void *data) {
    Shared *shared = data;
    int result;
    do {
        double score;
        unsigned read;
        vmaf_feature_score_at_index(shared->vmaf, "psnr_y", &score, shared->first);
        result = isometric_frames(shared->vmaf, &read, NULL);
    } while (result == 0);
    CHECK_INT(-EINVAL, result);
    return NULL;
}

static void *read_until_closed(void *data) {
    Shared *shared = data;
    unsigned i;
    for (i = 0; read_frame(shared->vmaf, i) == 0; ++i) {
    }
    return NULL;
}

static void closing_under_use(void) {
    Shared shared;
    pthread_t users[2], reader;
    unsigned i, read = 0;
    shared.vmaf = open_context(2);
    shared.first = 0;
    use_extractor(shared.vmaf, "psnr");
    pthread_create(&reader, NULL, read_until_closed, &shared);
    for (i = 0; i < 2; ++i) pthread_create(&users[i], NULL, use_until_closed, &shared);
    while (read < 5) {
        CHECK_OK(isometric_frames(shared.vmaf, &read, NULL));
        sched_yield();
    }
    CHECK_OK(vmaf_close(shared.vmaf));
    pthread_join(reader, NULL);
    for (i = 0; i < 2; ++i) pthread_join(users[i], NULL);
}

/* The fetching, the scoring and the polling side of a player in three threads. */
typedef struct Queue {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    VmafPicture pairs[64][2];
    unsigned written;
    VmafContext *vmaf;
} Queue;

static void *decode(void *data) {
    Queue *queue = data;
    unsigned i;
    for (i = 0; i < 16; ++i) {
        VmafPicture ref, dis;
        CHECK_OK(vmaf_fetch_preallocated_picture(queue->vmaf, &ref));
        CHECK_OK(vmaf_fetch_preallocated_picture(queue->vmaf, &dis));
        fill_picture(&ref, i, 0);
        fill_picture(&dis, i, 5);
        pthread_mutex_lock(&queue->mutex);
        queue->pairs[queue->written][0] = ref;
        queue->pairs[queue->written][1] = dis;
        ++queue->written;
        pthread_cond_signal(&queue->changed);
        pthread_mutex_unlock(&queue->mutex);
    }
    return NULL;
}

static void a_pool_between_threads(void) {
    Queue queue;
    VmafPictureConfiguration cfg;
    VmafModel *model = open_model("vmaf_v0.6.1", NULL);
    pthread_t decoder;
    unsigned i;
    memset(&cfg, 0, sizeof cfg);
    cfg.pic_params.w = clip_width;
    cfg.pic_params.h = clip_height;
    cfg.pic_params.bpc = 8;
    cfg.pic_params.pix_fmt = VMAF_PIX_FMT_YUV420P;
    cfg.pic_cnt = 4;
    memset(&queue, 0, sizeof queue);
    pthread_mutex_init(&queue.mutex, NULL);
    pthread_cond_init(&queue.changed, NULL);
    queue.vmaf = open_context(2);
    CHECK_OK(vmaf_use_features_from_model(queue.vmaf, model));
    CHECK_OK(vmaf_preallocate_pictures(queue.vmaf, cfg));
    pthread_create(&decoder, NULL, decode, &queue);
    for (i = 0; i < 16; ++i) {
        pthread_mutex_lock(&queue.mutex);
        while (queue.written <= i) pthread_cond_wait(&queue.changed, &queue.mutex);
        pthread_mutex_unlock(&queue.mutex);
        CHECK_OK(vmaf_read_pictures(queue.vmaf, &queue.pairs[i][0], &queue.pairs[i][1], i));
    }
    pthread_join(decoder, NULL);
    CHECK_OK(flush(queue.vmaf));
    vmaf_model_destroy(model);
    CHECK_OK(vmaf_close(queue.vmaf));
}

const TestCase thread_cases[] = {
    {"contexts_side_by_side", contexts_side_by_side},
    {"scores_while_reading", scores_while_reading},
    {"several_readers", several_readers},
    {"closing_under_use", closing_under_use},
    {"a_pool_between_threads", a_pool_between_threads},
    {NULL, NULL},
};
