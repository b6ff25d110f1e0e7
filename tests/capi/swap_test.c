/* A program that was built against another libvmaf: it declares the interface itself, from the binary layout (docs/c_api.md, "Binary
 * interface"), is linked to a stand-in with the same SONAME, and runs with our file through the dynamic linker. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    int32_t log_level;
    uint32_t n_threads, n_subsample;
    uint64_t cpumask, gpumask;
} Configuration;

typedef struct {
    int32_t pix_fmt;
    uint32_t bpc, w[3], h[3];
    ptrdiff_t stride[3];
    void *data[3];
    void *ref, *priv;
} Picture;

typedef struct {
    const char *name;
    uint64_t flags;
} ModelConfig;

typedef struct {
    int32_t type;
    double bagging_score, stddev, lo, hi;
} CollectionScore;

typedef struct {
    uint32_t w, h, bpc;
    int32_t pix_fmt;
    uint32_t pic_cnt;
} PictureConfiguration;

typedef struct {
    char *feature_name;
    uint32_t picture_index;
    double score;
} Metadata;

typedef struct {
    char *feature_name;
    void (*callback)(void *data, Metadata *metadata);
    void *data;
} MetadataConfiguration;

extern const char *vmaf_version(void);
extern int vmaf_init(void **vmaf, Configuration cfg);
extern int vmaf_close(void *vmaf);
extern int vmaf_use_feature(void *vmaf, const char *name, void *dict);
extern int vmaf_use_features_from_model(void *vmaf, void *model);
extern int vmaf_use_features_from_model_collection(void *vmaf, void *collection);
extern int vmaf_import_feature_score(void *vmaf, const char *name, double value, unsigned index);
extern int vmaf_read_pictures(void *vmaf, Picture *ref, Picture *dist, unsigned index);
extern int vmaf_score_at_index(void *vmaf, void *model, double *score, unsigned index);
extern int vmaf_score_at_index_model_collection(void *vmaf, void *collection, CollectionScore *score, unsigned index);
extern int vmaf_score_pooled(void *vmaf, void *model, int method, double *score, unsigned low, unsigned high);
extern int vmaf_score_pooled_model_collection(void *vmaf, void *collection, int method, CollectionScore *score, unsigned low, unsigned high);
extern int vmaf_feature_score_at_index(void *vmaf, const char *name, double *score, unsigned index);
extern int vmaf_feature_score_pooled(void *vmaf, const char *name, int method, double *score, unsigned low, unsigned high);
extern int vmaf_preallocate_pictures(void *vmaf, PictureConfiguration cfg);
extern int vmaf_fetch_preallocated_picture(void *vmaf, Picture *picture);
extern int vmaf_write_output(void *vmaf, const char *path, int format);
extern int vmaf_picture_alloc(Picture *picture, int pix_fmt, unsigned bpc, unsigned w, unsigned h);
extern int vmaf_picture_unref(Picture *picture);
extern int vmaf_feature_dictionary_set(void **dict, const char *key, const char *val);
extern int vmaf_feature_dictionary_free(void **dict);
extern int vmaf_model_load(void **model, ModelConfig *cfg, const char *version);
extern int vmaf_model_load_from_path(void **model, ModelConfig *cfg, const char *path);
extern int vmaf_model_feature_overload(void *model, const char *name, void *dict);
extern void vmaf_model_destroy(void *model);
extern int vmaf_model_collection_load(void **model, void **collection, ModelConfig *cfg, const char *version);
extern int vmaf_model_collection_load_from_path(void **model, void **collection, ModelConfig *cfg, const char *path);
extern int vmaf_model_collection_feature_overload(void *model, void **collection, const char *name, void *dict);
extern void vmaf_model_collection_destroy(void *collection);
extern int vmaf_register_metadata_handler(void *vmaf, MetadataConfiguration cfg);

static int failures;

static void check(int good, const char *what, int line) {
    if (good) return;
    fprintf(stderr, "swap_test.c:%d: %s\n", line, what);
    ++failures;
}
#define CHECK(condition) check((condition) != 0, #condition, __LINE__)

static void layouts(void) {
    CHECK(sizeof(Configuration) == 32 && offsetof(Configuration, cpumask) == 16 && offsetof(Configuration, gpumask) == 24);
    CHECK(sizeof(Picture) == 96 && offsetof(Picture, stride) == 32 && offsetof(Picture, data) == 56 && offsetof(Picture, ref) == 80);
    CHECK(sizeof(ModelConfig) == 16 && sizeof(CollectionScore) == 40 && sizeof(PictureConfiguration) == 20);
}

static void fill(Picture *picture, unsigned frame, unsigned damage) {
    unsigned p, x, y;
    for (p = 0; p < 3; ++p)
        for (y = 0; y < picture->h[p]; ++y)
            for (x = 0; x < picture->w[p]; ++x)
                ((uint8_t *)picture->data[p])[(ptrdiff_t)y * picture->stride[p] + x] =
                    (uint8_t)(64 + (x * 5 + y * 3 + frame * 7 + p) % 128 + (damage ? (x * y * 7 + x * 13 + frame) % damage : 0));
}

static int called;
static void callback(void *data, Metadata *metadata) {
    CHECK(data == &called);
    CHECK(strcmp(metadata->feature_name, "vmaf") == 0);
    CHECK(metadata->picture_index < 4 && metadata->score > 0);
    ++called;
}

static void score_a_clip(void) {
    const Configuration cfg = {0, 2, 1, 0, 0};
    const PictureConfiguration pool = {96, 64, 8, 1, 4};
    ModelConfig model_cfg = {NULL, 0}, collection_cfg = {"b", 0};
    MetadataConfiguration handler;
    char name[] = "vmaf";
    void *vmaf = NULL, *model = NULL, *base = NULL, *collection = NULL, *dict = NULL, *unused = NULL;
    CollectionScore bootstrap;
    double score = 0, other = 0;
    unsigned i;
    handler.feature_name = name;
    handler.callback = callback;
    handler.data = &called;
    CHECK(vmaf_init(&vmaf, cfg) == 0);
    CHECK(vmaf_model_load(&model, &model_cfg, "vmaf_v0.6.1") == 0);
    CHECK(vmaf_feature_dictionary_set(&dict, "vif_enhn_gain_limit", "1") == 0);
    CHECK(vmaf_model_feature_overload(model, "vif", dict) == 0);
    CHECK(vmaf_model_collection_load(&base, &collection, &collection_cfg, "vmaf_b_v0.6.3") == 0);
    CHECK(vmaf_use_features_from_model(vmaf, model) == 0);
    CHECK(vmaf_use_features_from_model_collection(vmaf, collection) == 0);
    dict = NULL;
    CHECK(vmaf_feature_dictionary_set(&dict, "enable_chroma", "false") == 0);
    CHECK(vmaf_use_feature(vmaf, "psnr", dict) == 0);
    CHECK(vmaf_register_metadata_handler(vmaf, handler) == 0);
    CHECK(vmaf_preallocate_pictures(vmaf, pool) == 0);
    for (i = 0; i < 4; ++i) {
        Picture ref, dis;
        if (i % 2) {
            CHECK(vmaf_picture_alloc(&ref, 1, 8, 96, 64) == 0);
            CHECK(vmaf_picture_alloc(&dis, 1, 8, 96, 64) == 0);
        } else {
            CHECK(vmaf_fetch_preallocated_picture(vmaf, &ref) == 0);
            CHECK(vmaf_fetch_preallocated_picture(vmaf, &dis) == 0);
        }
        CHECK(ref.w[0] == 96 && ref.h[1] == 32 && ref.stride[1] == 64 && ref.bpc == 8 && ref.pix_fmt == 1);
        fill(&ref, i, 0);
        fill(&dis, i, 45);
        CHECK(vmaf_read_pictures(vmaf, &ref, &dis, i) == 0);
        CHECK(ref.data[0] == NULL && dis.ref == NULL);
        CHECK(vmaf_picture_unref(&ref) == -22);
        CHECK(vmaf_import_feature_score(vmaf, "mos", 1.5 * i, i) == 0);
    }
    CHECK(vmaf_read_pictures(vmaf, NULL, NULL, 0) == 0);
    CHECK(called == 4);
    CHECK(vmaf_score_at_index(vmaf, model, &score, 3) == 0 && score > 0 && score <= 100);
    CHECK(vmaf_feature_score_at_index(vmaf, "vmaf", &other, 3) == 0 && other == score);
    CHECK(vmaf_score_pooled(vmaf, model, 3, &score, 0, 3) == 0 && score > 0);
    CHECK(vmaf_feature_score_pooled(vmaf, "mos", 2, &score, 0, 3) == 0 && score == 4.5);
    CHECK(vmaf_score_at_index_model_collection(vmaf, collection, &bootstrap, 2) == 0);
    CHECK(bootstrap.type == 1 && bootstrap.lo <= bootstrap.bagging_score && bootstrap.bagging_score <= bootstrap.hi && bootstrap.stddev > 0);
    CHECK(vmaf_score_pooled_model_collection(vmaf, collection, 4, &bootstrap, 0, 3) == 0 && bootstrap.type == 1);
    CHECK(vmaf_score_pooled(vmaf, model, 3, &score, 0, 4) == -22 && isnan(score));
    CHECK(vmaf_write_output(vmaf, "/dev/null", 2) == 0);
    CHECK(vmaf_feature_dictionary_free(&unused) == 0);
    CHECK(vmaf_model_load_from_path(&unused, &model_cfg, "/no/such/file") == -22);
    CHECK(vmaf_model_collection_load_from_path(&unused, &unused, &model_cfg, "/no/such/file") == -22);
    CHECK(vmaf_model_collection_feature_overload(base, &collection, "vif", NULL) == -22);
    vmaf_model_destroy(model);
    vmaf_model_destroy(base);
    vmaf_model_collection_destroy(collection);
    CHECK(vmaf_close(vmaf) == 0);
}

int main(void) {
    const char *version = vmaf_version();
    if (!version || strncmp(version, "3.2.0", 5) != 0) {
        fprintf(stderr, "swap_test: runs with %s\n", version ? version : "the stand-in");
        return 2;
    }
    layouts();
    score_a_clip();
    printf("%d passed, %d failed\n", failures == 0, failures);
    return failures != 0;
}
