/* What this library offers beyond libvmaf's interface (docs/c_api.md, "Beyond libvmaf"). Programs that must also run with libvmaf look these
 * functions up at run time. */
#ifndef ISO_LIBVMAF_ISOMETRIC_H
#define ISO_LIBVMAF_ISOMETRIC_H

#include <stddef.h>

#include "libvmaf/libvmaf.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- metadata callbacks: libvmaf exports this function without declaring it ---- */

typedef struct VmafMetadata {
    char *feature_name;
    unsigned picture_index;
    double score;
} VmafMetadata;

typedef struct VmafMetadataConfiguration {
    char *feature_name; /* of a feature as stored, or of a model; copied */
    void (*callback)(void *data, VmafMetadata *metadata);
    void *data;
} VmafMetadataConfiguration;

/* Calls back once for every score of that name as soon as it is there, from any thread, without locks: scores may be asked for inside.
 * Several handlers may be registered. -EINVAL: a NULL name or callback. */
int vmaf_register_metadata_handler(VmafContext *vmaf, VmafMetadataConfiguration cfg);

/* ---- versions and errors ---- */

/* isometric's own version. */
const char *isometric_version(void);

/* What the last function that failed on the calling thread had to say; "" when none did. Valid until the next call on this thread. */
const char *isometric_last_error(void);

/* What the last call that failed on a context, on any thread, had to say. Copies at most size - 1 bytes and a terminating 0 and returns the
 * whole length; -EINVAL for a NULL context, or a NULL buffer with a size. */
int isometric_context_error(VmafContext *vmaf, char *buffer, size_t size);

/* ---- contexts ---- */

typedef void (*IsometricLogFunction)(void *data, enum VmafLogLevel level, const char *message);

/* Messages of a context go to `log`, from any thread, one at a time; NULL: to standard error again. The context's level still applies. */
int isometric_set_log_function(VmafContext *vmaf, IsometricLogFunction log, void *data);

typedef struct IsometricConfiguration {
    size_t size; /* sizeof(IsometricConfiguration) */
    VmafConfiguration vmaf;
    const char *backend; /* "auto", "cpu", "cuda", ...; NULL: ISOMETRIC_BACKEND of the environment, else "cpu" */
    const char *device;  /* index or part of the name; NULL: ISOMETRIC_DEVICE of the environment, else the first */
    IsometricLogFunction log;
    void *log_data;
} IsometricConfiguration;

/* vmaf_init() with more to say. */
int isometric_init(VmafContext **vmaf, const IsometricConfiguration *cfg);

/* vmaf_fetch_preallocated_picture() that waits at most that long; 0: not at all. -EAGAIN: no picture came back. */
int isometric_fetch_picture(VmafContext *vmaf, VmafPicture *pic, unsigned timeout_ms);

/* Frame pairs read, and those whose scores are all there. Either pointer may be NULL. */
int isometric_frames(VmafContext *vmaf, unsigned *read, unsigned *scored);

/* The name of the i-th score of a context as stored, in the order of reports. Copies as isometric_context_error() does. -EINVAL past the
 * last one. */
int isometric_score_name(VmafContext *vmaf, unsigned i, char *buffer, size_t size);

/* ---- what there is: strings that stay valid; NULL past the last one ---- */

const char *isometric_model_version(unsigned i); /* for vmaf_model_load() */
const char *isometric_model_summary(unsigned i);

const char *isometric_extractor_name(unsigned i); /* for vmaf_use_feature() */
const char *isometric_extractor_summary(unsigned i);
const char *isometric_extractor_feature(unsigned i, unsigned feature); /* names for vmaf_feature_score_at_index() with default options */

typedef struct IsometricOption {
    const char *name, *alias, *type, *default_value, *range, *help;
    int in_feature_names; /* a value other than the default shows in stored names */
} IsometricOption;

/* The option of an extractor; -EINVAL past the last one. */
int isometric_extractor_option(unsigned i, unsigned option, IsometricOption *out);

#ifdef __cplusplus
}
#endif
#endif
