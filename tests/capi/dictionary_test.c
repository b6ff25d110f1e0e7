/* Option dictionaries: consumed on every path, and never used after that. */
#include "check.h"

static VmafFeatureDictionary *options(const char *key, const char *value) {
    VmafFeatureDictionary *dict = NULL;
    CHECK_OK(vmaf_feature_dictionary_set(&dict, key, value));
    CHECK(dict != NULL);
    return dict;
}

static void set_and_free(void) {
    VmafFeatureDictionary *dict = options("enable_mse", "true");
    VmafFeatureDictionary *same = dict;
    CHECK_OK(vmaf_feature_dictionary_set(&dict, "enable_mse", "false"));
    CHECK_OK(vmaf_feature_dictionary_set(&dict, "min_sse", "0.5"));
    CHECK(dict == same);
    CHECK_OK(vmaf_feature_dictionary_free(&dict));
    CHECK(dict == NULL);
    CHECK_OK(vmaf_feature_dictionary_free(&dict)); /* NULL inside is fine */
    CHECK_INT(-EINVAL, vmaf_feature_dictionary_free(NULL));
    CHECK_OK(vmaf_feature_dictionary_free(&same)); /* freed already: nothing */
    CHECK(same == NULL);
}

static void null_arguments(void) {
    VmafFeatureDictionary *dict = NULL;
    CHECK_INT(-EINVAL, vmaf_feature_dictionary_set(NULL, "key", "value"));
    CHECK_INT(-EINVAL, vmaf_feature_dictionary_set(&dict, NULL, "value"));
    CHECK_INT(-EINVAL, vmaf_feature_dictionary_set(&dict, "key", NULL));
    CHECK(dict == NULL);
}

static void the_last_value_of_a_key_counts(void) {
    VmafContext *vmaf = open_context(0);
    VmafFeatureDictionary *dict = options("enable_mse", "false");
    double score;
    CHECK_OK(vmaf_feature_dictionary_set(&dict, "enable_mse", "true"));
    CHECK_OK(vmaf_use_feature(vmaf, "psnr", dict));
    CHECK_OK(read_frame(vmaf, 0));
    CHECK_OK(vmaf_feature_score_at_index(vmaf, "mse_y", &score, 0));
    CHECK(score > 0);
    CHECK_OK(vmaf_close(vmaf));
}

/* The header of libvmaf tells callers to free the dictionary when a call failed; others never free it. Both are safe, and a handle that is
 * stale never means another dictionary. */
static void consumed_when_the_call_fails(void) {
    VmafContext *vmaf = open_context(0);
    VmafFeatureDictionary *unknown = options("enable_mse", "true"), *bad = options("enable_mse", "maybe"), *other;
    VmafFeatureDictionary *no_context = options("enable_mse", "true"), *no_name = options("enable_mse", "true");
    VmafFeatureDictionary *stale = unknown;
    CHECK_INT(-EINVAL, vmaf_use_feature(vmaf, "no_such_extractor", unknown));
    CHECK_INT(-EINVAL, vmaf_use_feature(vmaf, "psnr", bad));
    CHECK_INT(-EINVAL, vmaf_use_feature(vmaf, NULL, no_name));
    CHECK_INT(-EINVAL, vmaf_use_feature(NULL, "psnr", no_context));
    other = options("enable_mse", "true");
    CHECK_OK(vmaf_feature_dictionary_free(&unknown));
    CHECK_OK(vmaf_feature_dictionary_free(&bad));
    CHECK_OK(vmaf_feature_dictionary_free(&no_name));
    CHECK_INT(-EINVAL, vmaf_feature_dictionary_set(&stale, "enable_mse", "false"));
    CHECK_INT(-EINVAL, vmaf_use_feature(vmaf, "psnr", stale));
    CHECK_OK(vmaf_use_feature(vmaf, "psnr", other)); /* untouched by all of that */
    CHECK_INT(-EINVAL, vmaf_feature_dictionary_set(&other, "enable_mse", "false"));
    CHECK_INT(-EINVAL, vmaf_feature_dictionary_set(&no_context, "enable_mse", "false")); /* consumed without a context, too */
    CHECK_OK(vmaf_feature_dictionary_free(&no_context));
    CHECK_OK(vmaf_close(vmaf));
}

static void unknown_options_are_named(void) {
    VmafContext *vmaf = open_context(0);
    CHECK_INT(-EINVAL, vmaf_use_feature(vmaf, "psnr", options("enable_msee", "true")));
    CHECK_CONTAINS(isometric_last_error(), "enable_mse");
    CHECK_INT(-EINVAL, vmaf_use_feature(vmaf, "motion", options("motion_max_val", "100000")));
    CHECK_CONTAINS(isometric_last_error(), "10000");
    CHECK_INT(-EINVAL, vmaf_use_feature(vmaf, "motion", options("motion_max_val", "nan")));
    CHECK_OK(vmaf_close(vmaf));
}

/* libvmaf rounds numbers to float and six digits: 18.0000001 is 18, and the stored name shows it. */
static void numbers_are_kept_as_libvmaf_keeps_them(void) {
    VmafContext *vmaf = open_context(0);
    double score;
    CHECK_OK(vmaf_use_feature(vmaf, "motion", options("motion_max_val", "18.0000001")));
    CHECK_OK(read_frame(vmaf, 0));
    CHECK_OK(flush(vmaf));
    CHECK_OK(vmaf_feature_score_at_index(vmaf, "integer_motion2_mmxv_18", &score, 0));
    CHECK_OK(vmaf_close(vmaf));
}

static void made_up_handles(void) {
    int object;
    VmafFeatureDictionary *dict = (VmafFeatureDictionary *)&object;
    CHECK_INT(-EINVAL, vmaf_feature_dictionary_set(&dict, "key", "value"));
    CHECK_OK(vmaf_feature_dictionary_free(&dict));
    CHECK(dict == NULL);
}

const TestCase dictionary_cases[] = {
    {"set_and_free", set_and_free},
    {"null_arguments", null_arguments},
    {"the_last_value_of_a_key_counts", the_last_value_of_a_key_counts},
    {"consumed_when_the_call_fails", consumed_when_the_call_fails},
    {"unknown_options_are_named", unknown_options_are_named},
    {"numbers_are_kept_as_libvmaf_keeps_them", numbers_are_kept_as_libvmaf_keeps_them},
    {"made_up_handles", made_up_handles},
    {NULL, NULL},
};
