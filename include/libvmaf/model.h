/* Models and bootstrap collections of models (docs/c_api.md, "Models"). */
#ifndef ISO_LIBVMAF_MODEL_H
#define ISO_LIBVMAF_MODEL_H

#include <stdint.h>

#include "libvmaf/c_enum.h"
#include "libvmaf/feature.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct VmafModel VmafModel;
typedef struct VmafModelCollection VmafModelCollection;

ISO_C_ENUM(VmafModelFlags) {
    VMAF_MODEL_FLAGS_DEFAULT = 0,
    VMAF_MODEL_FLAG_DISABLE_CLIP = 1,     /* leave scores outside the model's range */
    VMAF_MODEL_FLAG_ENABLE_TRANSFORM = 2, /* apply a transform that the model has but leaves off */
    VMAF_MODEL_FLAG_DISABLE_TRANSFORM = 4 /* accepted, without effect, as in libvmaf */
};

typedef struct VmafModelConfig {
    const char *name; /* of the scores, copied; NULL: "vmaf". Models used in one context need different names */
    uint64_t flags;   /* of enum VmafModelFlags */
} VmafModelConfig;

ISO_C_ENUM(VmafModelCollectionScoreType) {
    VMAF_MODEL_COLLECTION_SCORE_UNKNOWN = 0,
    VMAF_MODEL_COLLECTION_SCORE_BOOTSTRAP = 1
};

typedef struct VmafModelCollectionScore {
    enum VmafModelCollectionScoreType type;
    struct {
        double bagging_score; /* mean of the members' scores */
        double stddev;
        struct {
            struct {
                double lo, hi; /* 95 percent confidence interval */
            } p95;
        } ci;
    } bootstrap;
} VmafModelCollectionScore;

/* Loads a built-in model by its version ("vmaf_v0.6.1"), or a model file. A bootstrap collection loads too: its score as a model is its base
 * model's, and reports show its members and interval. -EINVAL: a NULL argument, an unknown version, a file that cannot be read or is no
 * model. On failure `*model` is NULL. */
int vmaf_model_load(VmafModel **model, VmafModelConfig *cfg, const char *version);
int vmaf_model_load_from_path(VmafModel **model, VmafModelConfig *cfg, const char *path);

/* Sets options of the features of a model that extractor `feature_name` ("adm", "vif", "motion", ...) provides. Before the model is used in
 * a context. `opts_dict` is consumed, also on failure. -EINVAL: a NULL argument, an extractor that the model does not use, or an option
 * that the extractor does not have. */
int vmaf_model_feature_overload(VmafModel *model, const char *feature_name, VmafFeatureDictionary *opts_dict);

/* Contexts that use the model keep what they need of it. NULL is fine. */
void vmaf_model_destroy(VmafModel *model);

/* The same for a bootstrap collection: its base model and the collection, both to be destroyed. They share their features: options set for
 * one are set for both. -EINVAL also for a model that is no collection. */
int vmaf_model_collection_load(VmafModel **model, VmafModelCollection **model_collection, VmafModelConfig *cfg, const char *version);
int vmaf_model_collection_load_from_path(VmafModel **model, VmafModelCollection **model_collection, VmafModelConfig *cfg, const char *path);
int vmaf_model_collection_feature_overload(VmafModel *model, VmafModelCollection **model_collection, const char *feature_name,
                                           VmafFeatureDictionary *opts_dict);
void vmaf_model_collection_destroy(VmafModelCollection *model_collection);

#ifdef __cplusplus
}
#endif
#endif
