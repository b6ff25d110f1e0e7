/* A test-suite in C: cases are functions, a check that fails is reported with its values and the case goes on. */
#ifndef ISO_TESTS_CAPI_CHECK_H
#define ISO_TESTS_CAPI_CHECK_H

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libvmaf.h>

#include "libvmaf/isometric.h"

typedef struct TestCase {
    const char *name;
    void (*run)(void);
} TestCase;

/* Each file of cases ends its list with {NULL, NULL}. */
extern const TestCase context_cases[], dictionary_cases[], model_cases[], collection_cases[], picture_cases[], pool_cases[], read_cases[],
    score_cases[], output_cases[], metadata_cases[], thread_cases[], listing_cases[], null_cases[];

void check_failed(const char *file, int line, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 3, 4)))
#endif
    ;

#define CHECK(condition)                                                     \
    do {                                                                     \
        if (!(condition)) check_failed(__FILE__, __LINE__, "%s", #condition); \
    } while (0)

#define CHECK_INT(expected, expression)                                                                                  \
    do {                                                                                                                 \
        const long long check_actual = (long long)(expression), check_expected = (long long)(expected);                  \
        if (check_actual != check_expected)                                                                              \
            check_failed(__FILE__, __LINE__, "%s is %lld, expected %lld (last error: %s)", #expression, check_actual, check_expected, \
                         isometric_last_error());                                                                        \
    } while (0)

#define CHECK_OK(expression) CHECK_INT(0, expression)

/* Every bit. */
#define CHECK_BITS(expected, expression)                                                                             \
    do {                                                                                                             \
        const double check_actual = (expression), check_expected = (expected);                                       \
        if (memcmp(&check_actual, &check_expected, sizeof check_actual) != 0)                                        \
            check_failed(__FILE__, __LINE__, "%s is %a, expected %a", #expression, check_actual, check_expected);    \
    } while (0)

#define CHECK_CONTAINS(text, part)                                                                                  \
    do {                                                                                                            \
        if (!strstr(text, part)) check_failed(__FILE__, __LINE__, "\"%s\" does not contain \"%s\"", text, part);    \
    } while (0)

/* ---- what cases share ---- */

extern const char *test_data;    /* folder of the tests' files */
extern const char *test_scratch; /* a folder to write to */

VmafContext *open_context(unsigned threads); /* quiet */
VmafModel *open_model(const char *version, const char *name);
void use_extractor(VmafContext *vmaf, const char *extractor); /* without options */

/* A textured picture that moves with `frame`; `damage` is the strength of what is wrong with it. */
VmafPicture make_picture(enum VmafPixelFormat format, unsigned bpc, unsigned width, unsigned height, unsigned frame, unsigned damage);
void fill_picture(VmafPicture *picture, unsigned frame, unsigned damage);

/* Reads a pair of 4:2:0 pictures of 96x64, 8 bits. */
enum { clip_width = 96, clip_height = 64 };
int read_frame(VmafContext *vmaf, unsigned index);
int flush(VmafContext *vmaf);

/* Whether the structs were consumed: nothing in them can be used. */
int is_zero_picture(const VmafPicture *picture);

/* Fills `path` with the name of a file in the scratch folder. */
void scratch_path(char *path, size_t size, const char *name);
/* The text of a file, to be freed; NULL when there is none. */
char *file_text(const char *path);

#endif
