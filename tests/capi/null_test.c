/* NULL in every place of every function, and handles after their end: -EINVAL, never a crash. */
#include "check.h"

static VmafFeatureDictionary *options(void) {
    VmafFeatureDictionary *dict = NULL;
    CHECK_OK(vmaf_feature_dictionary_set(&dict, "adm_csf_mode", "1"));
    return dict;
}

static void every_function(VmafContext *vmaf, VmafModel *model, VmafModelCollection *collection) {
    VmafPicture picture;
    VmafPictureConfiguration pool;
    VmafMetadataConfiguration metadata;
    VmafModelCollectionScore bootstrap;
    IsometricConfiguration cfg;
    double score;
    char text[8];
    unsigned number;
    memset(&picture, 0, sizeof picture);
    memset(&pool, 0, sizeof pool);
    memset(&metadata, 0, sizeof metadata);
    memset(&cfg, 0, sizeof cfg);
    CHECK_INT(-EINVAL, vmaf_close(vmaf));
    CHECK_INT(-EINVAL, vmaf_use_feature(vmaf, "psnr", NULL));
    CHECK_INT(-EINVAL, vmaf_use_features_from_model(vmaf, model));
    CHECK_INT(-EINVAL, vmaf_use_features_from_model_collection(vmaf, collection));
    CHECK_INT(-EINVAL, vmaf_import_feature_score(vmaf, "x", 0, 0));
    CHECK_INT(-EINVAL, vmaf_read_pictures(vmaf, NULL, NULL, 0));
    CHECK_INT(-EINVAL, vmaf_read_pictures(vmaf, &picture, &picture, 0));
    CHECK_INT(-EINVAL, vmaf_score_at_index(vmaf, model, &score, 0));
    CHECK(isnan(score));
    CHECK_INT(-EINVAL, vmaf_score_at_index_model_collection(vmaf, collection, &bootstrap, 0));
    CHECK_INT(VMAF_MODEL_COLLECTION_SCORE_UNKNOWN, bootstrap.type);
    CHECK_INT(-EINVAL, vmaf_score_pooled(vmaf, model, VMAF_POOL_METHOD_MEAN, &score, 0, 0));
    CHECK_INT(-EINVAL, vmaf_score_pooled_model_collection(vmaf, collection, VMAF_POOL_METHOD_MEAN, &bootstrap, 0, 0));
    CHECK_INT(-EINVAL, vmaf_feature_score_at_index(vmaf, "x", &score, 0));
    CHECK_INT(-EINVAL, vmaf_feature_score_pooled(vmaf, "x", VMAF_POOL_METHOD_MEAN, &score, 0, 0));
    CHECK_INT(-EINVAL, vmaf_preallocate_pictures(vmaf, pool));
    CHECK_INT(-EINVAL, vmaf_fetch_preallocated_picture(vmaf, &picture));
    CHECK_INT(-EINVAL, vmaf_write_output(vmaf, "/dev/null", VMAF_OUTPUT_FORMAT_XML));
    CHECK_INT(-EINVAL, vmaf_register_metadata_handler(vmaf, metadata));
    CHECK_INT(-EINVAL, vmaf_model_feature_overload(model, "adm", options()));
    CHECK_INT(-EINVAL, vmaf_model_collection_feature_overload(model, &collection, "adm", options()));
    CHECK_INT(-EINVAL, isometric_context_error(vmaf, text, sizeof text));
    CHECK_INT(-EINVAL, isometric_set_log_function(vmaf, NULL, NULL));
    CHECK_INT(-EINVAL, isometric_fetch_picture(vmaf, &picture, 0));
    CHECK_INT(-EINVAL, isometric_frames(vmaf, &number, &number));
    CHECK_INT(-EINVAL, isometric_score_name(vmaf, 0, text, sizeof text));
    vmaf_model_destroy(model);
    vmaf_model_collection_destroy(collection);
}

static void null_handles(void) { every_function(NULL, NULL, NULL); }

static void handles_after_their_end(void) {
    VmafContext *vmaf = open_context(0);
    VmafModelConfig cfg;
    VmafModel *model = NULL;
    VmafModelCollection *collection = NULL;
    cfg.name = NULL;
    cfg.flags = 0;
    CHECK_OK(vmaf_model_collection_load(&model, &collection, &cfg, "vmaf_b_v0.6.3"));
    vmaf_model_destroy(model);
    vmaf_model_collection_destroy(collection);
    CHECK_OK(vmaf_close(vmaf));
    every_function(vmaf, model, collection);
}

static void handles_of_another_kind(void) {
    VmafContext *vmaf = open_context(0);
    VmafModel *model = open_model("vmaf_v0.6.1", NULL);
    every_function((VmafContext *)model, (VmafModel *)vmaf, (VmafModelCollection *)model);
    CHECK_OK(vmaf_use_features_from_model(vmaf, model)); /* both still there */
    vmaf_model_destroy(model);
    CHECK_OK(vmaf_close(vmaf));
}

const TestCase null_cases[] = {
    {"null_handles", null_handles},
    {"handles_after_their_end", handles_after_their_end},
    {"handles_of_another_kind", handles_of_another_kind},
    {NULL, NULL},
};
