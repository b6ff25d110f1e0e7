/* Bootstrap collections. */
#include "check.h"

static void load(VmafModel **model, VmafModelCollection **collection, const char *name) {
    VmafModelConfig cfg;
    cfg.name = name;
    cfg.flags = 0;
    CHECK_OK(vmaf_model_collection_load(model, collection, &cfg, "vmaf_b_v0.6.3"));
}

static void loading(void) {
    VmafModelConfig cfg;
    VmafModel *model = (VmafModel *)&cfg;
    VmafModelCollection *collection = (VmafModelCollection *)&cfg;
    char path[4096];
    cfg.name = "vmaf";
    cfg.flags = 0;
    CHECK_INT(-EINVAL, vmaf_model_collection_load(&model, &collection, &cfg, "vmaf_v0.6.1"));
    CHECK(model == NULL && collection == NULL);
    CHECK_CONTAINS(isometric_last_error(), "vmaf_v0.6.1");
    model = (VmafModel *)&cfg;
    collection = (VmafModelCollection *)&cfg;
    CHECK_INT(-EINVAL, vmaf_model_collection_load(&model, &collection, &cfg, "no_such_collection"));
    CHECK(model == NULL && collection == NULL);
    CHECK_INT(-EINVAL, vmaf_model_collection_load(NULL, &collection, &cfg, "vmaf_b_v0.6.3"));
    CHECK_INT(-EINVAL, vmaf_model_collection_load(&model, NULL, &cfg, "vmaf_b_v0.6.3"));
    CHECK_INT(-EINVAL, vmaf_model_collection_load(&model, &collection, NULL, "vmaf_b_v0.6.3"));
    CHECK_INT(-EINVAL, vmaf_model_collection_load(&model, &collection, &cfg, NULL));
    CHECK(model == NULL && collection == NULL);
    snprintf(path, sizeof path, "%s/small_model.json", test_data);
    CHECK_INT(-EINVAL, vmaf_model_collection_load_from_path(&model, &collection, &cfg, path));
    CHECK_INT(-EINVAL, vmaf_model_collection_load_from_path(&model, &collection, &cfg, "/no/such/file"));
    CHECK_INT(-EINVAL, vmaf_model_collection_load_from_path(&model, &collection, &cfg, NULL));
    CHECK(model == NULL && collection == NULL);
    snprintf(path, sizeof path, "%s/small_collection.json", test_data);
    CHECK_OK(vmaf_model_collection_load_from_path(&model, &collection, &cfg, path));
    vmaf_model_destroy(model);
    vmaf_model_collection_destroy(collection);
    vmaf_model_collection_destroy(collection); /* nothing */
    vmaf_model_collection_destroy(NULL);
}

static void check_score(const VmafModelCollectionScore *score) {
    CHECK_INT(VMAF_MODEL_COLLECTION_SCORE_BOOTSTRAP, score->type);
    CHECK(score->bootstrap.ci.p95.lo <= score->bootstrap.bagging_score);
    CHECK(score->bootstrap.bagging_score <= score->bootstrap.ci.p95.hi);
    CHECK(score->bootstrap.stddev > 0);
}

static void check_unknown(const VmafModelCollectionScore *score) {
    CHECK_INT(VMAF_MODEL_COLLECTION_SCORE_UNKNOWN, score->type);
    CHECK(isnan(score->bootstrap.bagging_score) && isnan(score->bootstrap.stddev));
    CHECK(isnan(score->bootstrap.ci.p95.lo) && isnan(score->bootstrap.ci.p95.hi));
}

static void scores(void) {
    VmafContext *vmaf = open_context(0);
    VmafModel *model;
    VmafModelCollection *collection;
    VmafModelCollectionScore first, second, pooled;
    double value, base, a, b;
    load(&model, &collection, NULL);
    CHECK_OK(vmaf_use_features_from_model_collection(vmaf, collection));
    CHECK_OK(vmaf_use_features_from_model(vmaf, model)); /* the same model: nothing new */
    CHECK_INT(-EAGAIN, vmaf_score_at_index_model_collection(vmaf, collection, &first, 0));
    check_unknown(&first);
    CHECK_OK(read_frame(vmaf, 0));
    CHECK_OK(read_frame(vmaf, 1));
    CHECK_OK(flush(vmaf));
    CHECK_OK(vmaf_score_at_index_model_collection(vmaf, collection, &first, 0));
    check_score(&first);
    CHECK_OK(vmaf_score_at_index_model_collection(vmaf, collection, &second, 0)); /* fails in libvmaf */
    CHECK(memcmp(&first.bootstrap, &second.bootstrap, sizeof first.bootstrap) == 0);
    CHECK_OK(vmaf_feature_score_at_index(vmaf, "vmaf_bagging", &value, 0));
    CHECK_BITS(first.bootstrap.bagging_score, value);
    CHECK_OK(vmaf_feature_score_at_index(vmaf, "vmaf_stddev", &value, 0));
    CHECK_BITS(first.bootstrap.stddev, value);
    CHECK_OK(vmaf_feature_score_at_index(vmaf, "vmaf_ci_p95_lo", &value, 0));
    CHECK_BITS(first.bootstrap.ci.p95.lo, value);
    CHECK_OK(vmaf_feature_score_at_index(vmaf, "vmaf_ci_p95_hi", &value, 0));
    CHECK_BITS(first.bootstrap.ci.p95.hi, value);
    CHECK_OK(vmaf_feature_score_at_index(vmaf, "vmaf_0020", &value, 0));
    CHECK_INT(-EINVAL, vmaf_feature_score_at_index(vmaf, "vmaf_0021", &value, 0));
    CHECK_OK(vmaf_score_at_index(vmaf, model, &base, 0)); /* the base model's own */
    CHECK_OK(vmaf_feature_score_at_index(vmaf, "vmaf", &value, 0));
    CHECK_BITS(value, base);
    CHECK_OK(vmaf_score_pooled_model_collection(vmaf, collection, VMAF_POOL_METHOD_MEAN, &pooled, 0, 1));
    check_score(&pooled);
    CHECK_OK(vmaf_feature_score_at_index(vmaf, "vmaf_bagging", &a, 0));
    CHECK_OK(vmaf_feature_score_at_index(vmaf, "vmaf_bagging", &b, 1));
    CHECK_BITS((0 + a + b) / 2, pooled.bootstrap.bagging_score);
    CHECK_OK(vmaf_score_pooled_model_collection(vmaf, collection, VMAF_POOL_METHOD_MIN, &pooled, 0, 1)); /* again: fails in libvmaf */
    CHECK_BITS(a < b ? a : b, pooled.bootstrap.bagging_score);
    CHECK_INT(-EINVAL, vmaf_score_pooled_model_collection(vmaf, collection, VMAF_POOL_METHOD_MEAN, &pooled, 0, 2));
    check_unknown(&pooled);
    CHECK_INT(-EINVAL, vmaf_score_pooled_model_collection(vmaf, collection, VMAF_POOL_METHOD_UNKNOWN, &pooled, 0, 1));
    CHECK_INT(-EINVAL, vmaf_score_pooled_model_collection(vmaf, collection, VMAF_POOL_METHOD_MEAN, &pooled, 1, 0));
    CHECK_INT(-EINVAL, vmaf_score_at_index_model_collection(vmaf, collection, &pooled, 2));
    check_unknown(&pooled);
    CHECK_INT(-EINVAL, vmaf_score_at_index_model_collection(vmaf, collection, NULL, 0));
    CHECK_INT(-EINVAL, vmaf_score_at_index_model_collection(vmaf, NULL, &pooled, 0));
    CHECK_INT(-EINVAL, vmaf_score_pooled_model_collection(vmaf, NULL, VMAF_POOL_METHOD_MEAN, &pooled, 0, 1));
    CHECK_INT(-EINVAL, vmaf_score_pooled_model_collection(vmaf, collection, VMAF_POOL_METHOD_MEAN, NULL, 0, 1));
    vmaf_model_destroy(model);
    vmaf_model_collection_destroy(collection);
    CHECK_INT(-EINVAL, vmaf_score_at_index_model_collection(vmaf, collection, &pooled, 0));
    CHECK_OK(vmaf_close(vmaf));
}

/* libvmaf refuses the name; here FFmpeg's `model=version=vmaf_b_v0.6.3` scores the base model, and its log has the interval. */
static void served_as_a_model(void) {
    VmafContext *vmaf = open_context(0);
    VmafModel *as_model = open_model("vmaf_b_v0.6.3", "b");
    double score, base;
    CHECK_OK(vmaf_use_features_from_model(vmaf, as_model));
    CHECK_OK(read_frame(vmaf, 0));
    CHECK_OK(flush(vmaf));
    CHECK_OK(vmaf_score_pooled(vmaf, as_model, VMAF_POOL_METHOD_MEAN, &score, 0, 0));
    CHECK_OK(vmaf_feature_score_at_index(vmaf, "b", &base, 0));
    CHECK_BITS(base, score);
    CHECK_OK(vmaf_feature_score_at_index(vmaf, "b_ci_p95_lo", &score, 0));
    vmaf_model_destroy(as_model);
    CHECK_OK(vmaf_close(vmaf));
}

static VmafFeatureDictionary *options(const char *key, const char *value) {
    VmafFeatureDictionary *dict = NULL;
    CHECK_OK(vmaf_feature_dictionary_set(&dict, key, value));
    return dict;
}

static void overloads(void) {
    VmafContext *vmaf = open_context(0);
    VmafModel *model;
    VmafModelCollection *collection, *none = NULL;
    VmafFeatureDictionary *dict = options("vif_enhn_gain_limit", "1");
    double score;
    load(&model, &collection, "b");
    CHECK_OK(vmaf_model_collection_feature_overload(model, &collection, "vif", dict));
    CHECK_INT(-EINVAL, vmaf_feature_dictionary_set(&dict, "vif_skip_scale0", "true"));
    CHECK_INT(-EINVAL, vmaf_model_collection_feature_overload(model, &collection, "vif", NULL));
    CHECK_INT(-EINVAL, vmaf_model_collection_feature_overload(model, NULL, "vif", options("vif_skip_scale0", "true")));
    CHECK_INT(-EINVAL, vmaf_model_collection_feature_overload(model, &none, "vif", options("vif_skip_scale0", "true")));
    CHECK_INT(-EINVAL, vmaf_model_collection_feature_overload(NULL, &collection, "vif", options("vif_skip_scale0", "true")));
    CHECK_INT(-EINVAL, vmaf_model_collection_feature_overload(model, &collection, NULL, options("vif_skip_scale0", "true")));
    CHECK_INT(-EINVAL, vmaf_model_collection_feature_overload(model, &collection, "viff", options("vif_skip_scale0", "true")));
    CHECK_OK(vmaf_use_features_from_model_collection(vmaf, collection));
    CHECK_OK(read_frame(vmaf, 0));
    CHECK_OK(flush(vmaf));
    CHECK_OK(vmaf_feature_score_at_index(vmaf, "integer_vif_scale1_egl_1", &score, 0));
    CHECK_OK(vmaf_feature_score_at_index(vmaf, "b_bagging", &score, 0));
    CHECK_INT(-EINVAL, vmaf_use_features_from_model_collection(vmaf, NULL));
    vmaf_model_destroy(model);
    vmaf_model_collection_destroy(collection);
    CHECK_INT(-EINVAL, vmaf_use_features_from_model_collection(vmaf, collection));
    CHECK_OK(vmaf_close(vmaf));
}

const TestCase collection_cases[] = {
    {"loading", loading}, {"scores", scores}, {"served_as_a_model", served_as_a_model}, {"overloads", overloads}, {NULL, NULL},
};
