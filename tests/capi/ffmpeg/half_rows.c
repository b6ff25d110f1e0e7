/* half_rows WIDTH HEIGHT CHROMA <IN >OUT: zeroes the right half of every row of raw video with 16-bit samples. FFmpeg 5.1's filter hands over only
 * half of each row above 8 bits (docs/ffmpeg.md), and the rest of its pictures is zero: of such clips it hands over everything. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int copy_plane(unsigned width, unsigned height) {
    unsigned char *row = malloc(2 * width);
    unsigned y;
    int good = row != NULL;
    for (y = 0; good && y < height; ++y) {
        good = fread(row, 2, width, stdin) == width;
        if (!good) break;
        memset(row + width, 0, width);
        good = fwrite(row, 2, width, stdout) == width;
    }
    free(row);
    return good;
}

int main(int argc, char **argv) {
    unsigned width, height, chroma_width, chroma_height;
    if (argc != 4) return 2;
    width = (unsigned)strtoul(argv[1], NULL, 10);
    height = (unsigned)strtoul(argv[2], NULL, 10);
    chroma_width = strcmp(argv[3], "444") == 0 ? width : (width + 1) / 2;
    chroma_height = strcmp(argv[3], "420") == 0 ? (height + 1) / 2 : height;
    while (copy_plane(width, height))
        if (!copy_plane(chroma_width, chroma_height) || !copy_plane(chroma_width, chroma_height)) return 1;
    return !feof(stdin) || ferror(stdout) || fflush(stdout) != 0;
}
