// Chroma of y4m streams that the reference tool resamples (docs/input.md, chroma siting): 8-bit 4:2:2, 4:1:1 and PAL DV.
#pragma once

#include <cstdint>
#include <vector>

namespace isometric {

// Rows stand one after the other without padding. Indices past an edge read the edge. Each result is (sum + 64) >> 7, clamped to 0..255.
struct ChromaPlane {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> samples;  // [y][x]
};

// Every row a quarter of a sample to the right: taps 4 -17 114 35 -9 1 at x-2 .. x+3.
void move_chroma_right(const ChromaPlane& in, ChromaPlane& out);
// 4:1:1 to 4:2:2: columns 2x and 2x + 1 from taps 1 110 18 -1 and -3 50 86 -5 at x-1 .. x+2. `width` is the result's.
void widen_411(const ChromaPlane& in, int width, ChromaPlane& out);
// The same without filters: every sample twice.
void repeat_411(const ChromaPlane& in, int width, ChromaPlane& out);
// Every column a quarter of a sample down (Cr of PAL DV) or up (Cb): the taps of move_chroma_right() at y-2 .. y+3, or reversed at
// y-3 .. y+2.
void move_chroma_down(const ChromaPlane& in, ChromaPlane& out);
void move_chroma_up(const ChromaPlane& in, ChromaPlane& out);

}  // namespace isometric
