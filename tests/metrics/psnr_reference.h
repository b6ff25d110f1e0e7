// The specification of `psnr` (docs/metrics/psnr.md) as naive scalar C++: what every path must equal, in every bit.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "isometric/picture.h"
#include "tests/metrics/metric_run.h"

namespace isometric::test::psnr_reference {

struct Options {
    bool chroma = true, reduced_hbd_peak = false;
    double min_sse = 0.0;
};

struct PlaneScores {  // of one frame
    double psnr, mse;
};

inline std::uint32_t sample(const Picture& picture, int plane, int x, int y) {
    if (picture.format().bit_depth == 8) return picture.plane<std::uint8_t>(plane).row(y)[x];
    return picture.plane<std::uint16_t>(plane).row(y)[x];
}

inline std::uint64_t squared_error(const FramePair& pair, int plane) {
    const PictureFormat& f = pair.ref.format();
    std::uint64_t sum = 0;
    for (int y = 0; y < f.plane_height(plane); ++y)
        for (int x = 0; x < f.plane_width(plane); ++x) {
            const std::uint32_t r = sample(pair.ref, plane, x, y), d = sample(pair.dis, plane, x, y), e = r > d ? r - d : d - r;
            sum += e * e;
        }
    return sum;
}

inline std::uint32_t peak(const PictureFormat& f, const Options& o) {
    return o.reduced_hbd_peak ? 255u << (f.bit_depth - 8) : (1u << f.bit_depth) - 1;
}

inline int planes(const PictureFormat& f, const Options& o) { return o.chroma && f.chroma != ChromaFormat::yuv400 ? 3 : 1; }

inline std::uint32_t samples(const PictureFormat& f, int plane) {
    const int width = plane == 0 || f.chroma == ChromaFormat::yuv444 ? f.width : f.width / 2;
    const int height = plane && f.chroma == ChromaFormat::yuv420 ? f.height / 2 : f.height;
    return std::uint32_t(width) * std::uint32_t(height);
}

inline PlaneScores score(const FramePair& pair, int plane, const Options& o) {
    const PictureFormat& f = pair.ref.format();
    const std::uint32_t p = peak(f, o), n = samples(f, plane);
    double cap = 6 * f.bit_depth + 12;
    if (o.min_sse != 0.0) cap = std::ceil(10.0 * std::log10(double(p * p) / (o.min_sse / double(n))));
    const double mse = n ? double(squared_error(pair, plane)) / double(n) : -std::nan("");
    const double p2 = f.bit_depth == 8 ? 65025.0 : double(p * p);
    const double ratio = 10.0 * std::log10(p2 / (mse > 1e-16 ? mse : 1e-16));
    return {ratio < cap ? ratio : cap, mse};
}

inline double aggregate(const ClipPair& clip, int plane, const Options& o) {
    const PictureFormat& f = clip[0].ref.format();
    std::uint64_t s = 0, n = 0;
    if (plane < planes(f, o))
        for (const FramePair& pair : clip) s += squared_error(pair, plane), n += samples(f, plane);
    const std::uint32_t p2 = peak(f, o) * peak(f, o);
    const double a = 10 * ((std::log10(double(p2)) + std::log10(double(n))) - std::log10(double(s)));
    const double c = std::ceil(10 * std::log10(double(p2 * n * 2)));
    return a < c ? a : c;
}

}  // namespace isometric::test::psnr_reference
