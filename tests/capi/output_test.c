/* Reports. */
#include <locale.h>
#include <sys/stat.h>

#include "check.h"

static VmafContext *scored_context(void) {
    VmafContext *vmaf = open_context(0);
    VmafModel *model = open_model("vmaf_v0.6.1", NULL);
    CHECK_OK(vmaf_use_features_from_model(vmaf, model));
    use_extractor(vmaf, "psnr");
    CHECK_OK(read_frame(vmaf, 0));
    CHECK_OK(read_frame(vmaf, 1));
    CHECK_OK(flush(vmaf));
    vmaf_model_destroy(model);
    return vmaf;
}

static char *report(VmafContext *vmaf, enum VmafOutputFormat format) {
    char path[4096];
    char *text;
    scratch_path(path, sizeof path, "report");
    remove(path);
    CHECK_OK(vmaf_write_output(vmaf, path, format));
    text = file_text(path);
    CHECK(text != NULL);
    return text ? text : calloc(1, 1);
}

static void all_formats(void) {
    VmafContext *vmaf = scored_context();
    char version[128];
    char *text = report(vmaf, VMAF_OUTPUT_FORMAT_XML);
    snprintf(version, sizeof version, "<VMAF version=\"%s\">", vmaf_version());
    CHECK(strncmp(text, version, strlen(version)) == 0);
    CHECK_CONTAINS(text, "qualityWidth=\"96\" qualityHeight=\"64\"");
    CHECK_CONTAINS(text, "<metric name=\"vmaf\" ");
    CHECK_CONTAINS(text, "integer_adm2=\"");
    free(text);
    text = report(vmaf, VMAF_OUTPUT_FORMAT_JSON);
    snprintf(version, sizeof version, "{\n  \"version\": \"%s\",\n", vmaf_version());
    CHECK(strncmp(text, version, strlen(version)) == 0);
    CHECK_CONTAINS(text, "\"psnr_cr\": ");
    CHECK_CONTAINS(text, "\"harmonic_mean\": ");
    free(text);
    text = report(vmaf, VMAF_OUTPUT_FORMAT_CSV);
    CHECK(strncmp(text, "Frame,integer_adm2,", 19) == 0);
    CHECK_CONTAINS(text, ",vmaf,\n0,");
    free(text);
    text = report(vmaf, VMAF_OUTPUT_FORMAT_SUB);
    CHECK(strncmp(text, "{0}{1}frame: 0|integer_adm2: ", 29) == 0);
    free(text);
    CHECK_OK(vmaf_close(vmaf));
}

static void what_cannot_be_written(void) {
    VmafContext *vmaf = scored_context();
    char path[4096];
    char *text;
    FILE *file;
    scratch_path(path, sizeof path, "precious");
    file = fopen(path, "wb");
    fputs("kept", file);
    fclose(file);
    CHECK_INT(-EINVAL, vmaf_write_output(vmaf, path, VMAF_OUTPUT_FORMAT_NONE));
    CHECK_INT(-EINVAL, vmaf_write_output(vmaf, path, (enum VmafOutputFormat)5));
    text = file_text(path); /* libvmaf truncates it */
    CHECK(text && strcmp(text, "kept") == 0);
    free(text);
    CHECK_INT(-EINVAL, vmaf_write_output(vmaf, NULL, VMAF_OUTPUT_FORMAT_XML));
    CHECK_INT(-EIO, vmaf_write_output(vmaf, "/no/such/folder/report.xml", VMAF_OUTPUT_FORMAT_XML));
    CHECK_CONTAINS(isometric_last_error(), "/no/such/folder/report.xml");
    CHECK_INT(-EIO, vmaf_write_output(vmaf, "/dev/full", VMAF_OUTPUT_FORMAT_XML)); /* a success in libvmaf */
    CHECK_OK(vmaf_close(vmaf));
}

static void nothing_to_write(void) {
    VmafContext *vmaf = open_context(0);
    char *text = report(vmaf, VMAF_OUTPUT_FORMAT_JSON);
    CHECK_CONTAINS(text, "\"frames\": [\n  ],");
    free(text);
    CHECK_OK(vmaf_close(vmaf));
}

static void before_the_flush(void) {
    VmafContext *vmaf = open_context(0);
    char *text;
    use_extractor(vmaf, "psnr");
    CHECK_OK(read_frame(vmaf, 0));
    text = report(vmaf, VMAF_OUTPUT_FORMAT_CSV);
    CHECK_CONTAINS(text, "\n0,");
    free(text);
    CHECK_OK(vmaf_close(vmaf));
}

/* The process may have a locale with a decimal comma (tests/capi/comma_locale.sh makes one and names it in LOCPATH). */
static void a_comma_locale_changes_nothing(void) {
    VmafContext *vmaf = scored_context();
    VmafModel *model;
    char *before = report(vmaf, VMAF_OUTPUT_FORMAT_CSV), *after;
    double score, expected;
    CHECK_OK(vmaf_feature_score_at_index(vmaf, "vmaf", &expected, 1));
    CHECK_OK(vmaf_close(vmaf));
    if (getenv("LOCPATH")) {
        CHECK(setlocale(LC_ALL, "comma") != NULL);
        CHECK(strcmp(localeconv()->decimal_point, ",") == 0);
    }
    vmaf = scored_context();
    after = report(vmaf, VMAF_OUTPUT_FORMAT_CSV);
    CHECK(strcmp(before, after) == 0);
    CHECK_OK(vmaf_feature_score_at_index(vmaf, "vmaf", &score, 1));
    CHECK_BITS(expected, score);
    model = open_model("vmaf_v1.0.16_3d0h", NULL); /* options with fractions */
    vmaf_model_destroy(model);
    {
        VmafFeatureDictionary *dict = NULL;
        VmafContext *other = open_context(0);
        CHECK_OK(vmaf_feature_dictionary_set(&dict, "motion_max_val", "1.5"));
        CHECK_OK(vmaf_use_feature(other, "motion", dict));
        CHECK_OK(read_frame(other, 0));
        CHECK_OK(flush(other));
        CHECK_OK(vmaf_feature_score_at_index(other, "integer_motion2_mmxv_1.5", &score, 0));
        CHECK_OK(vmaf_close(other));
    }
    CHECK_OK(vmaf_close(vmaf));
    setlocale(LC_ALL, "C");
    free(before);
    free(after);
}

const TestCase output_cases[] = {
    {"all_formats", all_formats},
    {"what_cannot_be_written", what_cannot_be_written},
    {"nothing_to_write", nothing_to_write},
    {"before_the_flush", before_the_flush},
    {"a_comma_locale_changes_nothing", a_comma_locale_changes_nothing},
    {NULL, NULL},
};
