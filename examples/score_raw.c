/* The C interface: VMAF of two raw 8-bit 4:2:0 files, per frame and pooled.
 *
 *     cc score_raw.c -o score_raw $(pkg-config --cflags --libs libvmaf)
 *     ./score_raw reference.yuv distorted.yuv 1920 1080 */
#include <libvmaf.h>
#include <stdio.h>
#include <stdlib.h>

/* 1: a picture; 0: the end of the file; negative: an error. */
static int read_picture(FILE *file, VmafPicture *picture, unsigned width, unsigned height) {
    unsigned plane, y;
    int error = vmaf_picture_alloc(picture, VMAF_PIX_FMT_YUV420P, 8, width, height);
    if (error) return error;
    for (plane = 0; plane < 3; ++plane) {
        for (y = 0; y < picture->h[plane]; ++y) {
            unsigned char *row = (unsigned char *)picture->data[plane] + (ptrdiff_t)y * picture->stride[plane];
            if (fread(row, 1, picture->w[plane], file) != picture->w[plane]) {
                vmaf_picture_unref(picture);
                return 0;
            }
        }
    }
    return 1;
}

static int score(FILE *reference, FILE *distorted, unsigned width, unsigned height) {
    VmafConfiguration cfg = {VMAF_LOG_LEVEL_ERROR, 2, 1, 0, 0};
    VmafModelConfig model_cfg = {NULL, VMAF_MODEL_FLAGS_DEFAULT};
    VmafContext *vmaf = NULL;
    VmafModel *model = NULL;
    unsigned frames = 0, i;
    double value;
    int error = vmaf_init(&vmaf, cfg);
    if (!error) error = vmaf_model_load(&model, &model_cfg, "vmaf_v0.6.1");
    if (!error) error = vmaf_use_features_from_model(vmaf, model);
    while (!error) {
        VmafPicture ref, dis;
        int got = read_picture(reference, &ref, width, height);
        if (got <= 0) {
            error = got;
            break;
        }
        got = read_picture(distorted, &dis, width, height);
        if (got <= 0) {
            vmaf_picture_unref(&ref);
            error = got;
            break;
        }
        error = vmaf_read_pictures(vmaf, &ref, &dis, frames++);
    }
    if (!error) error = vmaf_read_pictures(vmaf, NULL, NULL, 0);
    for (i = 0; !error && i < frames; ++i) {
        error = vmaf_score_at_index(vmaf, model, &value, i);
        if (!error) printf("frame %u: %.6f\n", i, value);
    }
    if (!error) error = vmaf_score_pooled(vmaf, model, VMAF_POOL_METHOD_MEAN, &value, 0, frames - 1);
    if (!error) printf("mean of %u frames: %.6f\n", frames, value);
    vmaf_model_destroy(model);
    if (vmaf) vmaf_close(vmaf);
    return error;
}

int main(int argc, char **argv) {
    FILE *reference, *distorted;
    int error;
    if (argc != 5) {
        fprintf(stderr, "usage: %s REFERENCE.yuv DISTORTED.yuv WIDTH HEIGHT\n", argv[0]);
        return 1;
    }
    reference = fopen(argv[1], "rb");
    distorted = fopen(argv[2], "rb");
    if (!reference || !distorted) {
        fprintf(stderr, "cannot open %s\n", reference ? argv[2] : argv[1]);
        return 2;
    }
    error = score(reference, distorted, (unsigned)strtoul(argv[3], NULL, 10), (unsigned)strtoul(argv[4], NULL, 10));
    fclose(reference);
    fclose(distorted);
    return error ? 2 : 0;
}
