/* What the library says about itself. */
#include "check.h"

static void models(void) {
    unsigned i;
    int found = 0;
    for (i = 0; isometric_model_version(i); ++i) {
        CHECK(isometric_model_summary(i) && isometric_model_summary(i)[0]);
        found |= strcmp(isometric_model_version(i), "vmaf_v0.6.1") == 0;
    }
    CHECK(found);
    CHECK(isometric_model_version(4294967295u) == NULL && isometric_model_summary(4294967295u) == NULL);
}

static void extractors(void) {
    unsigned i, k, options = 0;
    for (i = 0; isometric_extractor_name(i); ++i) {
        VmafContext *vmaf = open_context(0);
        IsometricOption option;
        CHECK(isometric_extractor_summary(i) && isometric_extractor_summary(i)[0]);
        CHECK(isometric_extractor_feature(i, 0) != NULL);
        CHECK(isometric_extractor_feature(i, 1000) == NULL);
        CHECK_OK(vmaf_use_feature(vmaf, isometric_extractor_name(i), NULL));
        for (k = 0; isometric_extractor_option(i, k, &option) == 0; ++k) {
            VmafFeatureDictionary *dict = NULL;
            CHECK(option.name && option.alias && option.type && option.default_value && option.range && option.help);
            CHECK(option.name[0] && option.help[0]);
            if (strcmp(option.type, "text") != 0) { /* the default can be given; cambi's 0 for "the picture's own size" cannot */
                VmafContext *other = open_context(0);
                CHECK_OK(vmaf_feature_dictionary_set(&dict, option.name, option.default_value));
                if (vmaf_use_feature(other, isometric_extractor_name(i), dict) != 0) CHECK_CONTAINS(isometric_last_error(), option.name);
                CHECK_OK(vmaf_close(other));
            }
            ++options;
        }
        CHECK(option.name == NULL);
        CHECK_OK(vmaf_close(vmaf));
    }
    CHECK(i >= 5);
    CHECK(options > 10);
    CHECK(isometric_extractor_summary(i) == NULL && isometric_extractor_feature(i, 0) == NULL);
    {
        IsometricOption option;
        CHECK_INT(-EINVAL, isometric_extractor_option(i, 0, &option));
        CHECK_INT(-EINVAL, isometric_extractor_option(0, 0, NULL));
    }
}

static void stored_names(void) {
    VmafContext *vmaf = open_context(0);
    char name[128];
    unsigned i;
    int length;
    CHECK_INT(-EINVAL, isometric_score_name(vmaf, 0, name, sizeof name));
    use_extractor(vmaf, "psnr");
    CHECK_OK(read_frame(vmaf, 0));
    for (i = 0; (length = isometric_score_name(vmaf, i, name, sizeof name)) >= 0; ++i) {
        double score;
        CHECK_INT(strlen(name), length);
        CHECK_OK(vmaf_feature_score_at_index(vmaf, name, &score, 0));
    }
    CHECK_INT(3, i);
    CHECK_INT(-EINVAL, length);
    CHECK_INT(-EINVAL, isometric_score_name(NULL, 0, name, sizeof name));
    CHECK_OK(vmaf_close(vmaf));
}

static void frame_counts(void) {
    VmafContext *vmaf = open_context(0);
    unsigned read = 9, scored = 9;
    CHECK_OK(isometric_frames(vmaf, &read, &scored));
    CHECK_INT(0, read);
    CHECK_INT(0, scored);
    use_extractor(vmaf, "motion");
    CHECK_OK(read_frame(vmaf, 0));
    CHECK_OK(isometric_frames(vmaf, &read, &scored));
    CHECK_INT(1, read);
    CHECK_INT(0, scored);
    CHECK_OK(flush(vmaf));
    CHECK_OK(isometric_frames(vmaf, NULL, &scored));
    CHECK_INT(1, scored);
    CHECK_OK(isometric_frames(vmaf, NULL, NULL));
    CHECK_INT(-EINVAL, isometric_frames(NULL, &read, &scored));
    CHECK_OK(vmaf_close(vmaf));
}

const TestCase listing_cases[] = {
    {"models", models}, {"extractors", extractors}, {"stored_names", stored_names}, {"frame_counts", frame_counts}, {NULL, NULL},
};
