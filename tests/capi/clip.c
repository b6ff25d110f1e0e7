/* What the cases share: contexts, pictures, files. */
#include "check.h"

VmafContext *open_context(unsigned threads) {
    VmafConfiguration cfg;
    VmafContext *vmaf = NULL;
    memset(&cfg, 0, sizeof cfg);
    cfg.n_threads = threads;
    CHECK_OK(vmaf_init(&vmaf, cfg));
    return vmaf;
}

VmafModel *open_model(const char *version, const char *name) {
    VmafModelConfig cfg;
    VmafModel *model = NULL;
    cfg.name = name;
    cfg.flags = VMAF_MODEL_FLAGS_DEFAULT;
    CHECK_OK(vmaf_model_load(&model, &cfg, version));
    return model;
}

void use_extractor(VmafContext *vmaf, const char *extractor) { CHECK_OK(vmaf_use_feature(vmaf, extractor, NULL)); }

static unsigned noise(unsigned x, unsigned y, unsigned seed) {
    unsigned v = x * 374761393u + y * 668265263u + seed * 2246822519u;
    v = (v ^ (v >> 13)) * 1274126177u;
    return v ^ (v >> 16);
}

/* 0..255 */
static unsigned sample(unsigned x, unsigned y, unsigned plane, unsigned frame, unsigned damage) {
    const unsigned moved = x + 2 * frame + 3 * plane;
    int v = (int)(96 + (moved * 3 + y * 2) % 64 + noise(moved / 4, y / 4, plane) % 48);
    if (damage) v += (int)(noise(x, y, frame + 17 * plane) % (2 * damage + 1)) - (int)damage;
    return (unsigned)(v < 0 ? 0 : v > 255 ? 255 : v);
}

void fill_picture(VmafPicture *picture, unsigned frame, unsigned damage) {
    unsigned p, x, y;
    for (p = 0; p < 3; ++p) {
        for (y = 0; y < picture->h[p]; ++y) {
            unsigned char *row = (unsigned char *)picture->data[p] + (ptrdiff_t)y * picture->stride[p];
            for (x = 0; x < picture->w[p]; ++x) {
                const unsigned v = sample(x, y, p, frame, damage);
                if (picture->bpc == 8)
                    row[x] = (unsigned char)v;
                else
                    ((uint16_t *)row)[x] = (uint16_t)(v << (picture->bpc - 8) | noise(x, y, frame) % (1u << (picture->bpc - 8)));
            }
        }
    }
}

VmafPicture make_picture(enum VmafPixelFormat format, unsigned bpc, unsigned width, unsigned height, unsigned frame, unsigned damage) {
    VmafPicture picture;
    CHECK_OK(vmaf_picture_alloc(&picture, format, bpc, width, height));
    fill_picture(&picture, frame, damage);
    return picture;
}

int read_frame(VmafContext *vmaf, unsigned index) {
    VmafPicture ref = make_picture(VMAF_PIX_FMT_YUV420P, 8, clip_width, clip_height, index, 0);
    VmafPicture dis = make_picture(VMAF_PIX_FMT_YUV420P, 8, clip_width, clip_height, index, 6);
    return vmaf_read_pictures(vmaf, &ref, &dis, index);
}

int flush(VmafContext *vmaf) { return vmaf_read_pictures(vmaf, NULL, NULL, 0); }

int is_zero_picture(const VmafPicture *picture) {
    static const VmafPicture zero;
    return memcmp(picture, &zero, sizeof zero) == 0;
}

void scratch_path(char *path, size_t size, const char *name) { snprintf(path, size, "%s/%s", test_scratch, name); }

char *file_text(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t size = 0, used = 0;
    if (!file) return NULL;
    for (;;) {
        char *larger = realloc(text, size + 65536);
        if (!larger) break;
        text = larger;
        size += 65536;
        used += fread(text + used, 1, size - used - 1, file);
        if (used < size - 1) break;
    }
    if (text) text[used] = '\0';
    fclose(file);
    return text;
}
