/* Scores: when they are there, pooling, imports, models that no context uses. */
#include "check.h"

#define MOTION2 "VMAF_integer_feature_motion2_score"

static double feature(VmafContext *vmaf, const char *name, unsigned index) {
    double score;
    CHECK_OK(vmaf_feature_score_at_index(vmaf, name, &score, index));
    return score;
}

/* libvmaf has motion2, and with it every VMAF score, only after the flush. */
static void as_early_as_possible(void) {
    VmafContext *vmaf = open_context(0);
    VmafModel *model = open_model("vmaf_v0.6.1", NULL);
    double score = 1;
    unsigned i;
    CHECK_OK(vmaf_use_features_from_model(vmaf, model));
    use_extractor(vmaf, "psnr");
    CHECK_INT(-EAGAIN, vmaf_score_at_index(vmaf, model, &score, 0));
    CHECK(isnan(score));
    score = 1;
    CHECK_INT(-EAGAIN, vmaf_feature_score_at_index(vmaf, "psnr_y", &score, 0));
    CHECK(isnan(score));
    for (i = 0; i < 4; ++i) {
        CHECK_OK(read_frame(vmaf, i));
        CHECK_OK(vmaf_feature_score_at_index(vmaf, "psnr_y", &score, i)); /* without threads: at once */
        CHECK_INT(-EAGAIN, vmaf_feature_score_at_index(vmaf, MOTION2, &score, i));
        CHECK_INT(-EAGAIN, vmaf_score_at_index(vmaf, model, &score, i));
        CHECK_INT(-EAGAIN, vmaf_score_pooled(vmaf, model, VMAF_POOL_METHOD_MEAN, &score, 0, i));
        CHECK(isnan(score));
        if (i == 0) continue;
        CHECK_OK(vmaf_score_at_index(vmaf, model, &score, i - 1)); /* one frame late */
        CHECK_OK(vmaf_score_pooled(vmaf, model, VMAF_POOL_METHOD_MEAN, &score, 0, i - 1));
    }
    CHECK_OK(flush(vmaf));
    CHECK_OK(vmaf_score_at_index(vmaf, model, &score, 3));
    CHECK_INT(-EINVAL, vmaf_score_at_index(vmaf, model, &score, 4)); /* never */
    CHECK(isnan(score));
    CHECK_INT(-EINVAL, vmaf_feature_score_at_index(vmaf, "psnr_y", &score, 4));
    CHECK_INT(-EINVAL, vmaf_feature_score_at_index(vmaf, "no_such_feature", &score, 0));
    CHECK(isnan(score));
    CHECK_INT(-EINVAL, vmaf_feature_score_at_index(vmaf, "psnr_y", NULL, 0));
    CHECK_INT(-EINVAL, vmaf_score_at_index(vmaf, model, NULL, 0));
    vmaf_model_destroy(model);
    CHECK_OK(vmaf_close(vmaf));
}

static void both_names_of_a_feature(void) {
    VmafContext *vmaf = open_context(0);
    use_extractor(vmaf, "motion");
    CHECK_OK(read_frame(vmaf, 0));
    CHECK_OK(read_frame(vmaf, 1));
    CHECK_OK(flush(vmaf));
    CHECK_BITS(feature(vmaf, MOTION2, 1), feature(vmaf, "integer_motion2", 1)); /* as stored, and as reports print it */
    CHECK_OK(vmaf_close(vmaf));
}

static void pooling(void) {
    VmafContext *vmaf = open_context(0);
    const unsigned n = 6;
    unsigned i, low, high;
    double score;
    use_extractor(vmaf, "psnr");
    for (i = 0; i < n; ++i) CHECK_OK(read_frame(vmaf, i));
    CHECK_OK(flush(vmaf));
    for (low = 0; low < n; ++low) {
        for (high = low; high < n; ++high) {
            double sum = 0, reciprocals = 0, least = feature(vmaf, "psnr_y", low), most = least;
            for (i = low; i <= high; ++i) {
                const double s = feature(vmaf, "psnr_y", i);
                sum += s;
                reciprocals += 1.0 / (s + 1.0);
                if (s < least) least = s;
                if (s > most) most = s;
            }
            CHECK_OK(vmaf_feature_score_pooled(vmaf, "psnr_y", VMAF_POOL_METHOD_MEAN, &score, low, high));
            CHECK_BITS(sum / (high - low + 1), score);
            CHECK_OK(vmaf_feature_score_pooled(vmaf, "psnr_y", VMAF_POOL_METHOD_HARMONIC_MEAN, &score, low, high));
            CHECK_BITS((high - low + 1) / reciprocals - 1.0, score);
            CHECK_OK(vmaf_feature_score_pooled(vmaf, "psnr_y", VMAF_POOL_METHOD_MIN, &score, low, high));
            CHECK_BITS(least, score);
            CHECK_OK(vmaf_feature_score_pooled(vmaf, "psnr_y", VMAF_POOL_METHOD_MAX, &score, low, high));
            CHECK_BITS(most, score);
        }
    }
    CHECK_OK(vmaf_close(vmaf));
}

static void pooling_refused(VmafContext *vmaf, VmafModel *model, enum VmafPoolingMethod method, unsigned low, unsigned high) {
    double score = 1;
    CHECK_INT(-EINVAL, vmaf_score_pooled(vmaf, model, method, &score, low, high));
    CHECK(isnan(score));
    score = 1;
    CHECK_INT(-EINVAL, vmaf_feature_score_pooled(vmaf, MOTION2, method, &score, low, high));
    CHECK(isnan(score));
}

static void pooling_that_cannot_work(void) {
    VmafContext *vmaf = open_context(0);
    VmafModel *model = open_model("vmaf_v0.6.1", NULL);
    double score = 1;
    unsigned i;
    CHECK_OK(vmaf_use_features_from_model(vmaf, model));
    for (i = 0; i < 3; ++i) CHECK_OK(read_frame(vmaf, i));
    CHECK_OK(flush(vmaf));
    pooling_refused(vmaf, model, VMAF_POOL_METHOD_UNKNOWN, 0, 2);
    pooling_refused(vmaf, model, VMAF_POOL_METHOD_NB, 0, 2);
    pooling_refused(vmaf, model, (enum VmafPoolingMethod)-1, 0, 2);
    pooling_refused(vmaf, model, VMAF_POOL_METHOD_MEAN, 2, 1);
    pooling_refused(vmaf, model, VMAF_POOL_METHOD_MEAN, 0, 3);
    pooling_refused(vmaf, model, VMAF_POOL_METHOD_MEAN, 0, 4294967295u);
    pooling_refused(vmaf, model, VMAF_POOL_METHOD_MEAN, 3, 3);
    CHECK_INT(-EINVAL, vmaf_feature_score_pooled(vmaf, "no_such_feature", VMAF_POOL_METHOD_MEAN, &score, 0, 2));
    CHECK(isnan(score));
    CHECK_INT(-EINVAL, vmaf_feature_score_pooled(vmaf, MOTION2, VMAF_POOL_METHOD_MEAN, NULL, 0, 2)); /* crashes libvmaf */
    CHECK_INT(-EINVAL, vmaf_score_pooled(vmaf, model, VMAF_POOL_METHOD_MEAN, NULL, 0, 2));
    vmaf_model_destroy(model);
    CHECK_OK(vmaf_close(vmaf));
}

static void subsampling(void) {
    VmafConfiguration cfg;
    VmafContext *every, *third;
    VmafModel *model = open_model("vmaf_v0.6.1", NULL);
    double score, sum = 0;
    unsigned i;
    memset(&cfg, 0, sizeof cfg);
    cfg.n_subsample = 3;
    every = open_context(0);
    CHECK_OK(vmaf_init(&third, cfg));
    CHECK_OK(vmaf_use_features_from_model(every, model));
    CHECK_OK(vmaf_use_features_from_model(third, model));
    for (i = 0; i < 8; ++i) {
        CHECK_OK(read_frame(every, i));
        CHECK_OK(read_frame(third, i));
    }
    CHECK_OK(flush(every));
    CHECK_OK(flush(third));
    for (i = 0; i < 8; ++i) {
        double other;
        if (i % 3) {
            CHECK_INT(-EINVAL, vmaf_score_at_index(third, model, &score, i));
            CHECK(isnan(score));
            continue;
        }
        CHECK_OK(vmaf_score_at_index(third, model, &score, i));
        CHECK_OK(vmaf_score_at_index(every, model, &other, i));
        CHECK_BITS(other, score);
        sum += score;
    }
    CHECK_OK(vmaf_score_pooled(third, model, VMAF_POOL_METHOD_MEAN, &score, 0, 7));
    CHECK_BITS(sum / 3, score);
    CHECK_OK(vmaf_score_pooled(third, model, VMAF_POOL_METHOD_MIN, &score, 1, 7)); /* 0 in libvmaf, which starts from frame 1's missing score */
    CHECK(score > 0);
    CHECK_INT(-EINVAL, vmaf_score_pooled(third, model, VMAF_POOL_METHOD_MEAN, &score, 1, 2)); /* no frame: NaN and success in libvmaf */
    vmaf_model_destroy(model);
    CHECK_OK(vmaf_close(every));
    CHECK_OK(vmaf_close(third));
}

static void imports(void) {
    VmafContext *vmaf = open_context(0);
    double score;
    unsigned i;
    use_extractor(vmaf, "psnr");
    CHECK_OK(vmaf_import_feature_score(vmaf, "mos", 3.25, 0)); /* also before the first picture */
    CHECK_OK(read_frame(vmaf, 0));
    CHECK_OK(read_frame(vmaf, 1));
    CHECK_OK(vmaf_import_feature_score(vmaf, "mos", -0.0, 1));
    CHECK_BITS(3.25, feature(vmaf, "mos", 0));
    CHECK_BITS(-0.0, feature(vmaf, "mos", 1));
    CHECK_INT(-EINVAL, vmaf_import_feature_score(vmaf, "mos", 4.0, 0)); /* there is one */
    CHECK_BITS(3.25, feature(vmaf, "mos", 0));
    CHECK_INT(-EINVAL, vmaf_import_feature_score(vmaf, "psnr_y", 4.0, 5)); /* computed here */
    CHECK_INT(-EINVAL, vmaf_import_feature_score(vmaf, "mos", 4.0, 4294967295u)); /* exhausts libvmaf's memory */
    CHECK_INT(-EINVAL, vmaf_import_feature_score(vmaf, NULL, 4.0, 2));
    CHECK_OK(flush(vmaf));
    CHECK_OK(vmaf_feature_score_pooled(vmaf, "mos", VMAF_POOL_METHOD_MEAN, &score, 0, 1));
    CHECK_BITS(3.25 / 2, score);
    for (i = 2; i < 5; ++i) CHECK_OK(vmaf_import_feature_score(vmaf, "mos", i, i)); /* after the flush, too */
    CHECK_BITS(4.0, feature(vmaf, "mos", 4));
    CHECK_OK(vmaf_close(vmaf));
}

static void import_the_features_of_vmaf(VmafContext *vmaf, unsigned index) {
    static const char *const names[] = {"VMAF_integer_feature_adm2_score",       "VMAF_integer_feature_motion2_score",
                                        "VMAF_integer_feature_vif_scale0_score", "VMAF_integer_feature_vif_scale1_score",
                                        "VMAF_integer_feature_vif_scale2_score", "VMAF_integer_feature_vif_scale3_score"};
    unsigned i;
    for (i = 0; i < 6; ++i) CHECK_OK(vmaf_import_feature_score(vmaf, names[i], 0.9 - 0.1 * i - 0.01 * index, index));
}

/* A model that the context does not use predicts from the scores that are there. */
static void models_without_a_registration(void) {
    VmafContext *vmaf = open_context(0);
    VmafModel *model = open_model("vmaf_v0.6.1", NULL), *other = open_model("vmaf_4k_v0.6.1", NULL), *named = open_model("vmaf_4k_v0.6.1", "4k");
    VmafModelConfig cfg;
    VmafModel *base = NULL;
    VmafModelCollection *collection = NULL;
    VmafModelCollectionScore bootstrap;
    double score, again, mean;
    unsigned i;
    CHECK_INT(-EAGAIN, vmaf_score_at_index(vmaf, model, &score, 0));
    for (i = 0; i < 3; ++i) import_the_features_of_vmaf(vmaf, i);
    CHECK_OK(vmaf_score_at_index(vmaf, model, &score, 1));
    CHECK_OK(vmaf_score_at_index(vmaf, model, &again, 1));
    CHECK_BITS(score, again);
    CHECK_BITS(score, feature(vmaf, "vmaf", 1)); /* kept under the model's name */
    CHECK_INT(-EINVAL, vmaf_score_at_index(vmaf, other, &score, 0)); /* the name is the first model's */
    CHECK(isnan(score));
    CHECK_OK(vmaf_score_at_index(vmaf, named, &again, 1));
    CHECK(again != feature(vmaf, "vmaf", 1));
    CHECK_OK(vmaf_score_pooled(vmaf, model, VMAF_POOL_METHOD_MEAN, &mean, 0, 2));
    CHECK_BITS((0 + feature(vmaf, "vmaf", 0) + feature(vmaf, "vmaf", 1) + feature(vmaf, "vmaf", 2)) / 3, mean);
    CHECK_INT(-EAGAIN, vmaf_score_pooled(vmaf, model, VMAF_POOL_METHOD_MEAN, &mean, 0, 3));
    CHECK(isnan(mean));
    cfg.name = "b";
    cfg.flags = 0;
    CHECK_OK(vmaf_model_collection_load(&base, &collection, &cfg, "vmaf_b_v0.6.3"));
    CHECK_OK(vmaf_score_at_index_model_collection(vmaf, collection, &bootstrap, 2));
    CHECK_BITS(bootstrap.bootstrap.stddev, feature(vmaf, "b_stddev", 2));
    CHECK_OK(vmaf_score_pooled_model_collection(vmaf, collection, VMAF_POOL_METHOD_MAX, &bootstrap, 0, 2));
    CHECK_OK(flush(vmaf));
    vmaf_model_destroy(model);
    vmaf_model_destroy(other);
    vmaf_model_destroy(named);
    vmaf_model_destroy(base);
    vmaf_model_collection_destroy(collection);
    CHECK_OK(vmaf_close(vmaf));
}

static void threads_do_not_change_scores(void) {
    double scores[3][6];
    unsigned threads, i;
    for (threads = 0; threads < 3; ++threads) {
        VmafContext *vmaf = open_context(threads);
        VmafModel *model = open_model("vmaf_v0.6.1", NULL);
        CHECK_OK(vmaf_use_features_from_model(vmaf, model));
        for (i = 0; i < 6; ++i) CHECK_OK(read_frame(vmaf, i));
        CHECK_OK(flush(vmaf));
        for (i = 0; i < 6; ++i) CHECK_OK(vmaf_score_at_index(vmaf, model, &scores[threads][i], i));
        vmaf_model_destroy(model);
        CHECK_OK(vmaf_close(vmaf));
    }
    CHECK(memcmp(scores[0], scores[1], sizeof scores[0]) == 0);
    CHECK(memcmp(scores[0], scores[2], sizeof scores[0]) == 0);
    CHECK(scores[0][0] > 0);
}

const TestCase score_cases[] = {
    {"as_early_as_possible", as_early_as_possible},
    {"both_names_of_a_feature", both_names_of_a_feature},
    {"pooling", pooling},
    {"pooling_that_cannot_work", pooling_that_cannot_work},
    {"subsampling", subsampling},
    {"imports", imports},
    {"models_without_a_registration", models_without_a_registration},
    {"threads_do_not_change_scores", threads_do_not_change_scores},
    {NULL, NULL},
};
