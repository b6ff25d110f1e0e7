/* Metadata callbacks. */
#include <pthread.h>

#include "check.h"

#define MOTION2 "VMAF_integer_feature_motion2_score"

typedef struct Seen {
    pthread_mutex_t mutex;
    VmafContext *vmaf;
    int count;
    double scores[16];
    int calls[16];
    int ask;   /* ask for scores inside */
    int abuse; /* call what would wait for itself */
} Seen;

static void see(void *data, VmafMetadata *metadata) {
    Seen *seen = data;
    if (seen->ask) { /* a deadlock in libvmaf */
        double score;
        CHECK_OK(vmaf_feature_score_at_index(seen->vmaf, metadata->feature_name, &score, metadata->picture_index));
        CHECK_BITS(metadata->score, score);
        CHECK_OK(vmaf_feature_score_pooled(seen->vmaf, metadata->feature_name, VMAF_POOL_METHOD_MAX, &score, metadata->picture_index,
                                           metadata->picture_index));
    }
    if (seen->abuse) {
        VmafPicture picture;
        VmafPictureConfiguration cfg;
        memset(&cfg, 0, sizeof cfg);
        cfg.pic_params.w = cfg.pic_params.h = 16;
        cfg.pic_params.bpc = 8;
        cfg.pic_params.pix_fmt = VMAF_PIX_FMT_YUV420P;
        cfg.pic_cnt = 2;
        CHECK_INT(-EBUSY, vmaf_close(seen->vmaf));
        CHECK_INT(-EBUSY, flush(seen->vmaf));
        CHECK_INT(-EBUSY, read_frame(seen->vmaf, 9));
        CHECK_INT(-EBUSY, vmaf_use_feature(seen->vmaf, "psnr", NULL));
        CHECK_INT(-EBUSY, vmaf_preallocate_pictures(seen->vmaf, cfg));
        CHECK_INT(-EBUSY, vmaf_fetch_preallocated_picture(seen->vmaf, &picture));
    }
    pthread_mutex_lock(&seen->mutex);
    ++seen->count;
    if (metadata->picture_index < 16) {
        seen->scores[metadata->picture_index] = metadata->score;
        ++seen->calls[metadata->picture_index];
    }
    pthread_mutex_unlock(&seen->mutex);
}

static void watch(VmafContext *vmaf, Seen *seen, const char *name) {
    VmafMetadataConfiguration cfg;
    char copy[128];
    memset(seen, 0, sizeof *seen);
    pthread_mutex_init(&seen->mutex, NULL);
    seen->vmaf = vmaf;
    snprintf(copy, sizeof copy, "%s", name); /* the name need not stay valid */
    cfg.feature_name = copy;
    cfg.callback = see;
    cfg.data = seen;
    CHECK_OK(vmaf_register_metadata_handler(vmaf, cfg));
    memset(copy, 'x', sizeof copy);
}

static void every_score_once(void) {
    unsigned threads;
    for (threads = 0; threads < 3; ++threads) {
        VmafContext *vmaf = open_context(threads);
        VmafModel *model = open_model("vmaf_v0.6.1", NULL);
        Seen psnr, motion, score, twin, none;
        unsigned i;
        watch(vmaf, &psnr, "psnr_y");
        watch(vmaf, &motion, MOTION2);
        watch(vmaf, &score, "vmaf");
        watch(vmaf, &twin, "vmaf");
        watch(vmaf, &none, "integer_adm2"); /* no stored name */
        psnr.ask = motion.ask = score.ask = 1;
        CHECK_OK(vmaf_use_features_from_model(vmaf, model));
        use_extractor(vmaf, "psnr");
        for (i = 0; i < 8; ++i) {
            CHECK_OK(read_frame(vmaf, i));
            if (threads == 0) {
                CHECK_INT(i + 1, psnr.count);
                CHECK_INT(i, score.count); /* as soon as the next frame's motion is there */
            }
        }
        CHECK_OK(flush(vmaf));
        CHECK_INT(8, psnr.count);
        CHECK_INT(8, motion.count);
        CHECK_INT(8, score.count);
        CHECK_INT(8, twin.count);
        CHECK_INT(0, none.count);
        for (i = 0; i < 8; ++i) {
            double value;
            CHECK_INT(1, score.calls[i]);
            CHECK_OK(vmaf_score_at_index(vmaf, model, &value, i));
            CHECK_BITS(value, score.scores[i]);
            CHECK_BITS(value, twin.scores[i]);
        }
        vmaf_model_destroy(model);
        CHECK_OK(vmaf_close(vmaf));
    }
}

static void calls_that_would_wait_for_themselves(void) {
    unsigned threads;
    for (threads = 0; threads < 2; ++threads) {
        VmafContext *vmaf = open_context(threads);
        Seen seen;
        watch(vmaf, &seen, "psnr_y");
        seen.abuse = 1;
        use_extractor(vmaf, "psnr");
        CHECK_OK(read_frame(vmaf, 0));
        CHECK_OK(flush(vmaf));
        CHECK_INT(1, seen.count);
        CHECK_OK(vmaf_close(vmaf));
    }
}

static void imported_scores(void) {
    VmafContext *vmaf = open_context(0);
    Seen seen;
    watch(vmaf, &seen, "mos");
    CHECK_OK(vmaf_import_feature_score(vmaf, "mos", 4.5, 3));
    CHECK_INT(1, seen.calls[3]);
    CHECK_BITS(4.5, seen.scores[3]);
    CHECK_OK(vmaf_close(vmaf));
}

/* A callback on a score that is computed on demand, which asks for another such score. */
typedef struct Chain {
    VmafContext *vmaf;
    VmafModel *next;
    double score;
} Chain;

static void ask_for_the_next(void *data, VmafMetadata *metadata) {
    Chain *chain = data;
    CHECK_OK(vmaf_score_at_index(chain->vmaf, chain->next, &chain->score, metadata->picture_index));
}

static void scores_on_demand(void) {
    static const char *const features[] = {"VMAF_integer_feature_adm2_score",       "VMAF_integer_feature_motion2_score",
                                           "VMAF_integer_feature_vif_scale0_score", "VMAF_integer_feature_vif_scale1_score",
                                           "VMAF_integer_feature_vif_scale2_score", "VMAF_integer_feature_vif_scale3_score"};
    VmafContext *vmaf = open_context(0);
    VmafModel *first = open_model("vmaf_v0.6.1", "first");
    VmafMetadataConfiguration cfg;
    char name[] = "first";
    Chain chain;
    double score;
    unsigned i;
    chain.vmaf = vmaf;
    chain.next = open_model("vmaf_4k_v0.6.1", "second");
    chain.score = 0;
    cfg.feature_name = name;
    cfg.callback = ask_for_the_next;
    cfg.data = &chain;
    CHECK_OK(vmaf_register_metadata_handler(vmaf, cfg));
    for (i = 0; i < 6; ++i) CHECK_OK(vmaf_import_feature_score(vmaf, features[i], 0.5, 0));
    CHECK_OK(vmaf_score_at_index(vmaf, first, &score, 0));
    CHECK_OK(vmaf_feature_score_at_index(vmaf, "second", &score, 0));
    CHECK_BITS(score, chain.score);
    vmaf_model_destroy(first);
    vmaf_model_destroy(chain.next);
    CHECK_OK(vmaf_close(vmaf));
}

static void refused_handlers(void) {
    VmafContext *vmaf = open_context(0);
    VmafMetadataConfiguration cfg;
    char name[] = "vmaf";
    cfg.feature_name = NULL;
    cfg.callback = see;
    cfg.data = NULL;
    CHECK_INT(-EINVAL, vmaf_register_metadata_handler(vmaf, cfg));
    cfg.feature_name = name;
    cfg.callback = NULL;
    CHECK_INT(-EINVAL, vmaf_register_metadata_handler(vmaf, cfg));
    cfg.callback = see;
    CHECK_INT(-EINVAL, vmaf_register_metadata_handler(NULL, cfg));
    CHECK_OK(vmaf_close(vmaf));
}

const TestCase metadata_cases[] = {
    {"every_score_once", every_score_once},
    {"calls_that_would_wait_for_themselves", calls_that_would_wait_for_themselves},
    {"imported_scores", imported_scores},
    {"scores_on_demand", scores_on_demand},
    {"refused_handlers", refused_handlers},
    {NULL, NULL},
};
