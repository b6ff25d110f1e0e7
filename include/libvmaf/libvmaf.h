/* libvmaf's C interface, version 3.2.0, on isometric (docs/c_api.md).
 *
 *     vmaf_init, vmaf_model_load, vmaf_use_features_from_model
 *     per frame: vmaf_picture_alloc twice, fill, vmaf_read_pictures(ref, dist, index)
 *     vmaf_read_pictures(NULL, NULL, 0), vmaf_score_pooled, vmaf_write_output
 *     vmaf_model_destroy, vmaf_close
 *
 * Functions return 0 or a negative errno: -EINVAL for what can never work (a NULL argument, an unknown name, a second score), -EAGAIN for a
 * score that later frames or the flush will give, -ENOMEM, -EIO for a report that could not be written, -ENODEV for a missing device,
 * -EBUSY for a call that would wait for itself (reading or closing inside a callback), -EFAULT for a defect of the library. What went wrong
 * is logged and can be asked for (isometric.h). Contexts are independent of each other; one context may be used by several threads. */
#ifndef ISO_LIBVMAF_LIBVMAF_H
#define ISO_LIBVMAF_LIBVMAF_H

#include <stdint.h>

#include "libvmaf/c_enum.h"
#include "libvmaf/feature.h"
#include "libvmaf/model.h"
#include "libvmaf/picture.h"
#include "libvmaf/version.h"

#ifdef __cplusplus
extern "C" {
#endif

ISO_C_ENUM(VmafLogLevel) {
    VMAF_LOG_LEVEL_NONE = 0,
    VMAF_LOG_LEVEL_ERROR = 1,
    VMAF_LOG_LEVEL_WARNING = 2,
    VMAF_LOG_LEVEL_INFO = 3,
    VMAF_LOG_LEVEL_DEBUG = 4
};

ISO_C_ENUM(VmafOutputFormat) {
    VMAF_OUTPUT_FORMAT_NONE = 0,
    VMAF_OUTPUT_FORMAT_XML = 1,
    VMAF_OUTPUT_FORMAT_JSON = 2,
    VMAF_OUTPUT_FORMAT_CSV = 3,
    VMAF_OUTPUT_FORMAT_SUB = 4
};

ISO_C_ENUM(VmafPoolingMethod) {
    VMAF_POOL_METHOD_UNKNOWN = 0,
    VMAF_POOL_METHOD_MIN = 1,
    VMAF_POOL_METHOD_MAX = 2,
    VMAF_POOL_METHOD_MEAN = 3,
    VMAF_POOL_METHOD_HARMONIC_MEAN = 4,
    VMAF_POOL_METHOD_NB = 5
};

typedef struct VmafConfiguration {
    enum VmafLogLevel log_level; /* of this context; messages go to standard error */
    unsigned n_threads;          /* workers; 0: vmaf_read_pictures() returns when the frame is measured */
    unsigned n_subsample;        /* score frames whose index is a multiple; 0 and 1: all */
    uint64_t cpumask;            /* instruction sets to leave out: 8 AVX2, 16 AVX-512, 32 AVX-512 with VNNI */
    uint64_t gpumask;            /* not 0: no GPU */
} VmafConfiguration;

typedef struct VmafPictureConfiguration {
    struct {
        unsigned w, h;
        unsigned bpc;
        enum VmafPixelFormat pix_fmt;
    } pic_params;
    unsigned pic_cnt;
} VmafPictureConfiguration;

typedef struct VmafContext VmafContext;

/* "3.2.0-isometric-" and isometric's version. */
const char *vmaf_version(void);

/* On failure `*vmaf` is NULL. */
int vmaf_init(VmafContext **vmaf, VmafConfiguration cfg);

/* Waits for the workers and frees the context, flushed or not. Pictures of its pool that were not given back stay valid until they are. */
int vmaf_close(VmafContext *vmaf);

/* Registers what a model reads, and the model: its scores are computed as soon as its features are there. -EINVAL for a second model of the
 * same name. Before the first picture. The same handle again is no error. */
int vmaf_use_features_from_model(VmafContext *vmaf, VmafModel *model);
int vmaf_use_features_from_model_collection(VmafContext *vmaf, VmafModelCollection *model_collection);

/* Registers an extractor with options (NULL: none). Before the first picture. `opts_dict` is consumed, also on failure. */
int vmaf_use_feature(VmafContext *vmaf, const char *feature_name, VmafFeatureDictionary *opts_dict);

/* A score computed elsewhere. -EINVAL when there is one of that name and index. */
int vmaf_import_feature_score(VmafContext *vmaf, const char *feature_name, double value, unsigned index);

/* A pool of `pic_cnt` pictures, replacing an earlier one. Pools that are too small for what the extractors keep of earlier frames grow to
 * the fewest pictures that work. */
int vmaf_preallocate_pictures(VmafContext *vmaf, VmafPictureConfiguration cfg);

/* A picture of the pool, with whatever its last user left in it; waits until one is free. -EINVAL: there is no pool. -EAGAIN: all of them are
 * in the hands of the one thread that uses this context, which is this one. */
int vmaf_fetch_preallocated_picture(VmafContext *vmaf, VmafPicture *pic);

/* Scores a frame. Both pictures are consumed, also on failure: the structs are zeroed. Waits while too many frames are in flight. All pictures
 * have one format and depth. Every index once, in any order, unless an extractor reads earlier frames: then one after the other, from any
 * first one. An error of an earlier frame is returned too. Without pictures (NULL, NULL): the flush, which waits for all frames and gives
 * what needed later ones; nothing can be read afterwards. */
int vmaf_read_pictures(VmafContext *vmaf, VmafPicture *ref, VmafPicture *dist, unsigned index);

/* Scores, by the stored name of a feature or by a model. -EAGAIN: not yet. On failure `*score` is NaN. These may be called from any thread
 * while pictures are read, and inside callbacks. */
int vmaf_score_at_index(VmafContext *vmaf, VmafModel *model, double *score, unsigned index);
int vmaf_score_at_index_model_collection(VmafContext *vmaf, VmafModelCollection *model_collection, VmafModelCollectionScore *score,
                                         unsigned index);
int vmaf_feature_score_at_index(VmafContext *vmaf, const char *feature_name, double *score, unsigned index);

/* Pooled over the scored frames index_low .. index_high, both included. */
int vmaf_score_pooled(VmafContext *vmaf, VmafModel *model, enum VmafPoolingMethod pool_method, double *score, unsigned index_low,
                      unsigned index_high);
int vmaf_score_pooled_model_collection(VmafContext *vmaf, VmafModelCollection *model_collection, enum VmafPoolingMethod pool_method,
                                       VmafModelCollectionScore *score, unsigned index_low, unsigned index_high);
int vmaf_feature_score_pooled(VmafContext *vmaf, const char *feature_name, enum VmafPoolingMethod pool_method, double *score,
                              unsigned index_low, unsigned index_high);

/* Writes everything that is there. An existing file is replaced only by a complete report. */
int vmaf_write_output(VmafContext *vmaf, const char *output_path, enum VmafOutputFormat fmt);

#ifdef __cplusplus
}
#endif
#endif
