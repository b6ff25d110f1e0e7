/* Models: loading, options of their features, names. */
#include "check.h"

static VmafModelConfig config(const char *name) {
    VmafModelConfig cfg;
    cfg.name = name;
    cfg.flags = VMAF_MODEL_FLAGS_DEFAULT;
    return cfg;
}

static void data_path(char *path, size_t size, const char *name) { snprintf(path, size, "%s/%s", test_data, name); }

static void loads_builtin_models(void) {
    unsigned i, count = 0;
    for (i = 0; isometric_model_version(i); ++i) {
        VmafModel *model = open_model(isometric_model_version(i), NULL);
        CHECK(model != NULL);
        vmaf_model_destroy(model);
        ++count;
    }
    CHECK_INT(17, count);
}

static void nothing_is_left_after_a_failure(void) {
    VmafModelConfig cfg = config("vmaf");
    VmafModelConfig unnamed = config("");
    VmafModel *model = (VmafModel *)&cfg;
    char path[4096];
    CHECK_INT(-EINVAL, vmaf_model_load(&model, &cfg, "vmaf_v0.6.11"));
    CHECK(model == NULL);
    CHECK_CONTAINS(isometric_last_error(), "vmaf_v0.6.1");
    model = (VmafModel *)&cfg;
    CHECK_INT(-EINVAL, vmaf_model_load(&model, NULL, "vmaf_v0.6.1"));
    CHECK(model == NULL);
    model = (VmafModel *)&cfg;
    CHECK_INT(-EINVAL, vmaf_model_load(&model, &cfg, NULL));
    CHECK(model == NULL);
    model = (VmafModel *)&cfg;
    CHECK_INT(-EINVAL, vmaf_model_load(&model, &unnamed, "vmaf_v0.6.1"));
    CHECK(model == NULL);
    CHECK_INT(-EINVAL, vmaf_model_load(NULL, &cfg, "vmaf_v0.6.1"));
    data_path(path, sizeof path, "broken_model.json");
    model = (VmafModel *)&cfg;
    CHECK_INT(-EINVAL, vmaf_model_load_from_path(&model, &cfg, path));
    CHECK(model == NULL);
    model = (VmafModel *)&cfg;
    CHECK_INT(-EINVAL, vmaf_model_load_from_path(&model, &cfg, "/no/such/model.json"));
    CHECK(model == NULL);
    CHECK_CONTAINS(isometric_last_error(), "/no/such/model.json");
    CHECK_INT(-EINVAL, vmaf_model_load_from_path(&model, &cfg, test_data)); /* a folder */
    CHECK_INT(-EINVAL, vmaf_model_load_from_path(&model, &cfg, NULL));
    CHECK_INT(-EINVAL, vmaf_model_load_from_path(&model, NULL, path));
    CHECK_INT(-EINVAL, vmaf_model_load_from_path(NULL, &cfg, path));
}

static void destroying(void) {
    VmafModel *model = open_model("vmaf_v0.6.1", NULL);
    VmafContext *vmaf = open_context(0);
    vmaf_model_destroy(NULL);
    CHECK_OK(vmaf_use_features_from_model(vmaf, model));
    vmaf_model_destroy(model);
    vmaf_model_destroy(model); /* nothing */
    CHECK_INT(-EINVAL, vmaf_use_features_from_model(vmaf, model));
    CHECK_OK(vmaf_close(vmaf));
}

/* FFmpeg destroys its models before the context; scores of a model that is gone are there by name. */
static void a_context_keeps_what_it_needs(void) {
    VmafContext *vmaf = open_context(0);
    VmafModel *model = open_model("vmaf_v0.6.1", NULL);
    double by_model, by_name;
    CHECK_OK(vmaf_use_features_from_model(vmaf, model));
    CHECK_OK(read_frame(vmaf, 0));
    CHECK_OK(flush(vmaf));
    CHECK_OK(vmaf_score_at_index(vmaf, model, &by_model, 0));
    vmaf_model_destroy(model);
    CHECK_OK(vmaf_feature_score_at_index(vmaf, "vmaf", &by_name, 0));
    CHECK_BITS(by_model, by_name);
    CHECK_INT(-EINVAL, vmaf_score_at_index(vmaf, model, &by_model, 0));
    CHECK(isnan(by_model));
    CHECK_OK(vmaf_close(vmaf));
}

static void a_model_of_a_file(void) {
    VmafContext *vmaf = open_context(0);
    VmafModelConfig cfg = config("small");
    VmafModel *model = NULL;
    char path[4096];
    double motion, score, x, expected;
    data_path(path, sizeof path, "small_model.json");
    CHECK_OK(vmaf_model_load_from_path(&model, &cfg, path));
    CHECK_OK(vmaf_use_features_from_model(vmaf, model));
    CHECK_OK(read_frame(vmaf, 0));
    CHECK_OK(read_frame(vmaf, 1));
    CHECK_OK(flush(vmaf));
    CHECK_OK(vmaf_feature_score_at_index(vmaf, "VMAF_integer_feature_motion2_score", &motion, 1));
    CHECK_OK(vmaf_score_at_index(vmaf, model, &score, 1));
    x = 0.05 * motion;
    expected = (0.5 * exp(-0.04 * ((x - 0.1) * (x - 0.1))) - 0.25 * exp(-0.04 * ((x - 0.7) * (x - 0.7))) + 0.5) / 0.01;
    CHECK(fabs(score - expected) < 1e-9); /* the model it is; its bits are the business of the model's own tests */
    vmaf_model_destroy(model);
    CHECK_OK(vmaf_close(vmaf));
}

static void flags(void) {
    VmafModelConfig cfg = config("vmaf");
    VmafModel *plain = open_model("vmaf_v0.6.1", "plain"), *transformed = NULL;
    VmafContext *vmaf = open_context(0);
    double a, b;
    cfg.flags = VMAF_MODEL_FLAG_ENABLE_TRANSFORM;
    CHECK_OK(vmaf_model_load(&transformed, &cfg, "vmaf_v0.6.1"));
    CHECK_OK(vmaf_use_features_from_model(vmaf, plain));
    CHECK_OK(vmaf_use_features_from_model(vmaf, transformed));
    CHECK_OK(read_frame(vmaf, 0));
    CHECK_OK(flush(vmaf));
    CHECK_OK(vmaf_score_at_index(vmaf, plain, &a, 0));
    CHECK_OK(vmaf_score_at_index(vmaf, transformed, &b, 0));
    CHECK(b > a);
    vmaf_model_destroy(plain);
    vmaf_model_destroy(transformed);
    CHECK_OK(vmaf_close(vmaf));
}

static VmafFeatureDictionary *options(const char *key, const char *value) {
    VmafFeatureDictionary *dict = NULL;
    CHECK_OK(vmaf_feature_dictionary_set(&dict, key, value));
    return dict;
}

static void overloads(void) {
    VmafModel *model = open_model("vmaf_v0.6.1", NULL);
    VmafContext *vmaf = open_context(0);
    VmafFeatureDictionary *dict = options("adm_enhn_gain_limit", "1"), *unknown = options("adm_enhn_gain_limitt", "1");
    double score;
    CHECK_OK(vmaf_model_feature_overload(model, "adm", dict));
    CHECK_INT(-EINVAL, vmaf_feature_dictionary_set(&dict, "adm_csf_mode", "1")); /* consumed */
    CHECK_INT(-EINVAL, vmaf_model_feature_overload(model, "adm", unknown));
    CHECK_CONTAINS(isometric_last_error(), "adm_enhn_gain_limit");
    CHECK_OK(vmaf_feature_dictionary_free(&unknown));
    CHECK_INT(-EINVAL, vmaf_model_feature_overload(model, "cambi", options("topk", "0.5"))); /* the model does not read it */
    CHECK_INT(-EINVAL, vmaf_model_feature_overload(model, "adm", NULL));
    CHECK_INT(-EINVAL, vmaf_model_feature_overload(NULL, "adm", options("adm_csf_mode", "1")));
    CHECK_INT(-EINVAL, vmaf_model_feature_overload(model, NULL, options("adm_csf_mode", "1")));
    CHECK_OK(vmaf_use_features_from_model(vmaf, model));
    CHECK_OK(read_frame(vmaf, 0));
    CHECK_OK(flush(vmaf));
    CHECK_OK(vmaf_feature_score_at_index(vmaf, "integer_adm2_egl_1", &score, 0));
    CHECK_INT(-EINVAL, vmaf_feature_score_at_index(vmaf, "VMAF_integer_feature_adm2_score", &score, 0));
    CHECK_OK(vmaf_score_at_index(vmaf, model, &score, 0));
    vmaf_model_destroy(model);
    CHECK_OK(vmaf_close(vmaf));
}

/* In libvmaf the second model silently reports the first one's score. */
static void two_models_of_one_name(void) {
    VmafContext *vmaf = open_context(0);
    VmafModel *first = open_model("vmaf_v0.6.1", NULL), *second = open_model("vmaf_4k_v0.6.1", NULL), *third = open_model("vmaf_4k_v0.6.1", "4k");
    double score, other;
    CHECK_OK(vmaf_use_features_from_model(vmaf, first));
    CHECK_OK(vmaf_use_features_from_model(vmaf, first)); /* the same handle: nothing new */
    CHECK_INT(-EINVAL, vmaf_use_features_from_model(vmaf, second));
    CHECK_CONTAINS(isometric_last_error(), "'vmaf'");
    CHECK_CONTAINS(isometric_last_error(), "name=");
    CHECK_OK(vmaf_use_features_from_model(vmaf, third));
    CHECK_OK(read_frame(vmaf, 0));
    CHECK_OK(flush(vmaf));
    CHECK_OK(vmaf_score_at_index(vmaf, first, &score, 0));
    CHECK_OK(vmaf_score_at_index(vmaf, third, &other, 0));
    CHECK(score != other);
    CHECK_INT(-EINVAL, vmaf_score_at_index(vmaf, second, &score, 0)); /* not the first one's score */
    CHECK(isnan(score));
    CHECK_INT(-EINVAL, vmaf_score_pooled(vmaf, second, VMAF_POOL_METHOD_MEAN, &score, 0, 0));
    CHECK(isnan(score));
    vmaf_model_destroy(first);
    vmaf_model_destroy(second);
    vmaf_model_destroy(third);
    CHECK_OK(vmaf_close(vmaf));
}

static void a_model_named_like_a_feature(void) {
    VmafContext *vmaf = open_context(0);
    VmafModel *model = open_model("vmaf_v0.6.1", "psnr_y");
    const int used = vmaf_use_features_from_model(vmaf, model);
    const int with_psnr = vmaf_use_feature(vmaf, "psnr", NULL);
    const int read = used == 0 && with_psnr == 0 ? read_frame(vmaf, 0) : 0;
    CHECK(used == -EINVAL || with_psnr == -EINVAL || read == -EINVAL);
    CHECK_CONTAINS(isometric_last_error(), "psnr_y");
    vmaf_model_destroy(model);
    CHECK_OK(vmaf_close(vmaf));
}

const TestCase model_cases[] = {
    {"loads_builtin_models", loads_builtin_models},
    {"nothing_is_left_after_a_failure", nothing_is_left_after_a_failure},
    {"destroying", destroying},
    {"a_context_keeps_what_it_needs", a_context_keeps_what_it_needs},
    {"a_model_of_a_file", a_model_of_a_file},
    {"flags", flags},
    {"overloads", overloads},
    {"two_models_of_one_name", two_models_of_one_name},
    {"a_model_named_like_a_feature", a_model_named_like_a_feature},
    {NULL, NULL},
};
