/* Contexts: opening, closing, log levels, errors. */
#include <unistd.h>

#include "check.h"

static void opens_and_closes(void) {
    VmafContext *vmaf = open_context(0);
    CHECK(vmaf != NULL);
    CHECK_OK(vmaf_close(vmaf));
    CHECK_INT(-EINVAL, vmaf_close(vmaf)); /* closed already */
    CHECK_CONTAINS(isometric_last_error(), "closed");
    CHECK_INT(-EINVAL, vmaf_close(NULL));
}

static void refuses_what_cannot_work(void) {
    VmafConfiguration cfg;
    VmafContext *vmaf = (VmafContext *)&cfg;
    memset(&cfg, 0, sizeof cfg);
    CHECK_INT(-EINVAL, vmaf_init(NULL, cfg));
    cfg.n_threads = 4294967295u;
    CHECK_INT(-EINVAL, vmaf_init(&vmaf, cfg));
    CHECK(vmaf == NULL);
    CHECK_CONTAINS(isometric_last_error(), "4294967295");
}

static void tells_its_version(void) {
    char expected[64];
    snprintf(expected, sizeof expected, "3.2.0-isometric-%s", isometric_version());
    CHECK(strcmp(vmaf_version(), expected) == 0);
    CHECK_INT(3, VMAF_API_VERSION_MAJOR);
    CHECK_INT(2, VMAF_API_VERSION_MINOR);
    CHECK_INT(0, VMAF_API_VERSION_PATCH);
    CHECK(strchr(isometric_version(), '.') != NULL);
}

static void made_up_handles_are_errors(void) {
    int object;
    VmafContext *vmaf = (VmafContext *)&object;
    double score = 1;
    CHECK_INT(-EINVAL, vmaf_close(vmaf));
    CHECK_INT(-EINVAL, vmaf_use_feature(vmaf, "psnr", NULL));
    CHECK_INT(-EINVAL, vmaf_feature_score_at_index(vmaf, "psnr_y", &score, 0));
    CHECK(isnan(score));
}

/* What a function prints to standard error, to be freed. */
static char *printed(void (*function)(VmafContext *), VmafContext *vmaf) {
    char path[4096];
    FILE *file;
    int saved;
    scratch_path(path, sizeof path, "stderr.txt");
    fflush(stderr);
    saved = dup(2);
    file = fopen(path, "wb");
    dup2(fileno(file), 2);
    function(vmaf);
    fflush(stderr);
    dup2(saved, 2);
    close(saved);
    fclose(file);
    return file_text(path);
}

static void make_an_error(VmafContext *vmaf) { vmaf_use_feature(vmaf, "no_such_extractor", NULL); }

static void levels_belong_to_contexts(void) {
    VmafConfiguration cfg;
    VmafContext *quiet, *loud;
    char *text;
    memset(&cfg, 0, sizeof cfg);
    CHECK_OK(vmaf_init(&quiet, cfg));
    cfg.log_level = VMAF_LOG_LEVEL_DEBUG;
    CHECK_OK(vmaf_init(&loud, cfg));
    text = printed(make_an_error, quiet);
    CHECK(text && strcmp(text, "") == 0);
    free(text);
    text = printed(make_an_error, loud);
    CHECK_CONTAINS(text, "libvmaf ERROR vmaf_use_feature: ");
    CHECK_CONTAINS(text, "no_such_extractor");
    CHECK(strchr(text, '\n') == text + strlen(text) - 1); /* one line */
    free(text);
    CHECK_OK(vmaf_close(quiet));
    CHECK_OK(vmaf_close(loud));
    cfg.log_level = (enum VmafLogLevel)77; /* clamped */
    CHECK_OK(vmaf_init(&loud, cfg));
    text = printed(make_an_error, loud);
    CHECK_CONTAINS(text, "libvmaf ERROR");
    free(text);
    CHECK_OK(vmaf_close(loud));
}

static void errors_are_remembered(void) {
    VmafContext *a = open_context(0), *b = open_context(0);
    char text[256] = "x";
    CHECK_INT(0, isometric_context_error(a, text, sizeof text));
    CHECK(strcmp(text, "") == 0);
    CHECK_INT(-EINVAL, vmaf_use_feature(a, "psnrr", NULL));
    CHECK_CONTAINS(isometric_last_error(), "vmaf_use_feature: ");
    CHECK_CONTAINS(isometric_last_error(), "did you mean 'psnr'");
    CHECK_INT(strlen(isometric_last_error()), isometric_context_error(a, text, sizeof text));
    CHECK(strcmp(text, isometric_last_error()) == 0);
    CHECK_INT(0, isometric_context_error(b, text, sizeof text));
    CHECK_INT(strlen(isometric_last_error()), isometric_context_error(a, text, 5)); /* cut, whole length told */
    CHECK(strcmp(text, "vmaf") == 0);
    CHECK(isometric_context_error(a, NULL, 0) > 0);
    CHECK_INT(-EINVAL, isometric_context_error(a, NULL, 5));
    CHECK_INT(-EINVAL, isometric_context_error(NULL, text, sizeof text));
    CHECK_OK(vmaf_close(a));
    CHECK_OK(vmaf_close(b));
}

typedef struct Log {
    VmafContext *vmaf;
    int count;
    enum VmafLogLevel level;
    char text[512];
    int inner;
} Log;

static void keep_log(void *data, enum VmafLogLevel level, const char *message) {
    Log *log = data;
    ++log->count;
    log->level = level;
    snprintf(log->text, sizeof log->text, "%s", message);
    if (log->vmaf) { /* calls inside are fine, those that would wait for themselves are refused */
        double score;
        CHECK_INT(-EINVAL, vmaf_feature_score_at_index(log->vmaf, NULL, &score, 0));
        CHECK_INT(-EBUSY, vmaf_close(log->vmaf));
        CHECK_INT(-EBUSY, isometric_set_log_function(log->vmaf, NULL, NULL));
        log->inner = vmaf_read_pictures(log->vmaf, NULL, NULL, 0);
    }
}

static void log_functions(void) {
    IsometricConfiguration cfg;
    VmafContext *vmaf = NULL;
    Log log;
    char *text;
    memset(&cfg, 0, sizeof cfg);
    memset(&log, 0, sizeof log);
    CHECK_INT(-EINVAL, isometric_init(NULL, &cfg));
    CHECK_INT(-EINVAL, isometric_init(&vmaf, NULL));
    CHECK_INT(-EINVAL, isometric_init(&vmaf, &cfg)); /* size */
    cfg.size = sizeof cfg;
    cfg.vmaf.log_level = VMAF_LOG_LEVEL_ERROR;
    cfg.log = keep_log;
    cfg.log_data = &log;
    CHECK_OK(isometric_init(&vmaf, &cfg));
    log.vmaf = vmaf;
    CHECK_INT(-EINVAL, vmaf_use_feature(vmaf, "nothing", NULL));
    CHECK_INT(1, log.count);
    CHECK_INT(VMAF_LOG_LEVEL_ERROR, log.level);
    CHECK_CONTAINS(log.text, "nothing");
    CHECK_INT(-EBUSY, log.inner);
    CHECK_OK(isometric_set_log_function(vmaf, NULL, NULL));
    text = printed(make_an_error, vmaf);
    CHECK_CONTAINS(text, "no_such_extractor");
    free(text);
    CHECK_INT(1, log.count);
    CHECK_INT(-EINVAL, isometric_set_log_function(NULL, keep_log, &log));
    CHECK_OK(vmaf_close(vmaf));
}

static void backends(void) {
    IsometricConfiguration cfg;
    VmafContext *vmaf = (VmafContext *)&cfg;
    VmafConfiguration plain;
    memset(&cfg, 0, sizeof cfg);
    memset(&plain, 0, sizeof plain);
    cfg.size = sizeof cfg;
    cfg.backend = "abacus";
    CHECK_INT(-EINVAL, isometric_init(&vmaf, &cfg));
    CHECK(vmaf == NULL);
    CHECK_CONTAINS(isometric_last_error(), "abacus");
    cfg.backend = "metal"; /* no Metal here */
    vmaf = (VmafContext *)&cfg;
    CHECK_INT(-ENODEV, isometric_init(&vmaf, &cfg));
    CHECK(vmaf == NULL);
    CHECK_CONTAINS(isometric_last_error(), "metal");
    cfg.backend = "cpu";
    CHECK_OK(isometric_init(&vmaf, &cfg));
    CHECK_OK(vmaf_close(vmaf));
    setenv("ISOMETRIC_BACKEND", "metal", 1);
    CHECK_INT(-ENODEV, vmaf_init(&vmaf, plain));
    plain.gpumask = 1; /* no GPU: the processor, whatever the environment says */
    CHECK_OK(vmaf_init(&vmaf, plain));
    CHECK_OK(vmaf_close(vmaf));
    unsetenv("ISOMETRIC_BACKEND");
}

static void processor_masks_do_not_change_scores(void) {
    static const uint64_t masks[] = {0, 8, 16, 48, 56, 0xffffffffu, ~(uint64_t)0};
    double first = 0;
    size_t i;
    for (i = 0; i < sizeof masks / sizeof masks[0]; ++i) {
        VmafConfiguration cfg;
        VmafContext *vmaf;
        double score;
        memset(&cfg, 0, sizeof cfg);
        cfg.cpumask = masks[i];
        CHECK_OK(vmaf_init(&vmaf, cfg));
        use_extractor(vmaf, "motion");
        CHECK_OK(read_frame(vmaf, 0));
        CHECK_OK(read_frame(vmaf, 1));
        CHECK_OK(flush(vmaf));
        CHECK_OK(vmaf_feature_score_at_index(vmaf, "VMAF_integer_feature_motion2_score", &score, 1));
        if (i == 0) first = score;
        CHECK(score > 0);
        CHECK_BITS(first, score);
        CHECK_OK(vmaf_close(vmaf));
    }
}

const TestCase context_cases[] = {
    {"opens_and_closes", opens_and_closes},
    {"refuses_what_cannot_work", refuses_what_cannot_work},
    {"tells_its_version", tells_its_version},
    {"made_up_handles_are_errors", made_up_handles_are_errors},
    {"levels_belong_to_contexts", levels_belong_to_contexts},
    {"errors_are_remembered", errors_are_remembered},
    {"log_functions", log_functions},
    {"backends", backends},
    {"processor_masks_do_not_change_scores", processor_masks_do_not_change_scores},
    {NULL, NULL},
};
