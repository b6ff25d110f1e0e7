/* capi_test DATA SCRATCH [GROUP[.CASE]...]: runs the cases, all of them by default. */
#include <stdarg.h>

#include "check.h"

const char *test_data;
const char *test_scratch;

static int failures;

void check_failed(const char *file, int line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%d: ", file, line);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    ++failures;
}

static const struct {
    const char *name;
    const TestCase *cases;
} groups[] = {
    {"context", context_cases}, {"dictionary", dictionary_cases}, {"model", model_cases},   {"collection", collection_cases},
    {"picture", picture_cases}, {"pool", pool_cases},             {"read", read_cases},     {"score", score_cases},
    {"output", output_cases},   {"metadata", metadata_cases},     {"threads", thread_cases}, {"listing", listing_cases},
    {"null", null_cases},
};

static int wanted(const char *group, const char *name, int count, char **filters) {
    size_t length = strlen(group);
    int i;
    for (i = 0; i < count; ++i) {
        if (strcmp(filters[i], group) == 0) return 1;
        if (strncmp(filters[i], group, length) == 0 && filters[i][length] == '.' && strcmp(filters[i] + length + 1, name) == 0) return 1;
    }
    return count == 0;
}

int main(int argc, char **argv) {
    int run = 0, failed = 0;
    size_t g;
    if (argc < 3) {
        fprintf(stderr, "usage: %s DATA SCRATCH [GROUP[.CASE]...]\n", argv[0]);
        return 2;
    }
    test_data = argv[1];
    test_scratch = argv[2];
    for (g = 0; g < sizeof groups / sizeof groups[0]; ++g) {
        const TestCase *test;
        for (test = groups[g].cases; test->name; ++test) {
            const int before = failures;
            if (!wanted(groups[g].name, test->name, argc - 3, argv + 3)) continue;
            test->run();
            ++run;
            if (failures > before) {
                ++failed;
                printf("FAILED %s.%s\n", groups[g].name, test->name);
            }
        }
    }
    printf("%d passed, %d failed\n", run - failed, failed);
    return run == 0 || failed > 0;
}
