// Clips defined by formulas (docs/metrics/test_inputs.md): the inputs of the golden figures that are written in the tests themselves.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "isometric/picture.h"
#include "tests/metrics/metric_run.h"

namespace isometric::test {

struct FormulaPair {
    std::int64_t ref = 0, dis = 0;
};

// Section 1: kinds noise, noisy, smooth, dots, move, check.
inline std::uint32_t moving_hash(std::uint32_t x, std::uint32_t y, std::uint32_t t, std::uint32_t c) {
    std::uint32_t h = x * 0x9E3779B1u + y * 0x85EBCA77u + t * 0xC2B2AE3Du + c * 0x27D4EB2Fu;
    h ^= h >> 15;
    h *= 0x2C1B3C6Du;
    h ^= h >> 12;
    h *= 0x297A2D39u;
    return h ^ h >> 15;
}

inline FormulaPair moving_samples(const std::string& kind, std::uint32_t x, std::uint32_t y, std::uint32_t t, std::uint32_t plane,
                                  int bits) {
    const std::int64_t max = (std::int64_t(1) << bits) - 1;
    const int q = bits - 8;
    const std::uint32_t P = 16 * plane;
    const auto tri = [](std::uint32_t v) { return std::int64_t(v % 512 < 256 ? v % 512 : 511 - v % 512); };
    const auto clip = [&](std::int64_t v) { return std::clamp<std::int64_t>(v, 0, max); };
    const auto hash = [&](std::uint32_t c) { return std::int64_t(moving_hash(x, y, t, P + c)); };
    if (kind == "noise") return {hash(0) >> (32 - bits), hash(1) >> (32 - bits)};
    if (kind == "noisy") {
        const std::int64_t r = hash(0) >> (32 - bits);
        return {r, clip(r + ((hash(1) >> 27) - 16) * (1 << q))};
    }
    if (kind == "smooth")
        return {clip((tri(3 * x + 2 * y + 5 * t + 40 * plane) << q) + (hash(0) >> (36 - bits))),
                clip((tri(3 * x + 2 * y + 5 * t + 40 * plane + 3) << q) + (hash(1) >> (37 - bits)))};
    if (kind == "dots")
        return {(std::int64_t(128) << q) + ((moving_hash(x, y, t / 2, P + 2) & 63) == 0),
                (std::int64_t(128) << q) + ((moving_hash(x, y, t / 2, P + 3) & 31) == 0)};
    if (kind == "move") {
        const std::uint32_t X = x + 3 * t, Y = y + 2 * t;
        const std::int64_t grey = std::int64_t(128) << q;
        const std::int64_t r = ((std::int64_t(moving_hash(X >> 2, Y >> 2, 0, P + 4) >> 25) + tri(2 * X) / 2) << q) +
                               (std::int64_t(moving_hash(X, Y, 0, P + 5)) >> (38 - bits));
        return {clip(r), clip(grey + (r - grey) * 3 / 2)};
    }
    const std::int64_t v = (x / 9 + y / 7 + t) % 2 ? max : 0;  // check
    return {v, (x / 20 + y / 20) % 2 ? max - v : v};
}

// Section 2: kinds noise, smooth, dots, dots2, ident, flat, bright, check, anti, ext.
inline std::uint32_t still_hash(std::uint32_t s, std::uint32_t p, std::uint32_t x, std::uint32_t y) {
    std::uint32_t a = s * 2654435761u + p * 2246822519u + y * 3266489917u + x * 668265263u;
    a ^= a >> 15;
    a *= 739982445u;
    a ^= a >> 12;
    a *= 695872825u;
    return a ^ a >> 15;
}

inline FormulaPair still_samples(const std::string& kind, std::uint32_t x, std::uint32_t y, std::uint32_t t, std::uint32_t p, int b) {
    const std::int64_t M = (std::int64_t(1) << b) - 1;
    const std::int64_t g = (M + 1) / 4 + ((std::int64_t((3 * x + 5 * y + 40 * p + 7 * t) % 256) << (b - 8)) >> 1);
    const auto hash = [&](std::uint32_t s) { return still_hash(16 * t + s, p, x, y); };
    const auto top = [](std::uint32_t h, int n) { return std::int64_t(h >> (32 - n)); };
    if (kind == "noise") return {top(hash(1), b), top(hash(2), b)};
    if (kind == "smooth") return {g, std::clamp<std::int64_t>(g + top(hash(2), b - 4) - (std::int64_t(1) << (b - 5)), 0, M)};
    if (kind == "dots") return {std::int64_t(1) << (b - 1), (std::int64_t(1) << (b - 1)) + (hash(3) % 97 == 0)};
    if (kind == "dots2") {
        const std::int64_t low = std::int64_t(1) << (b - 3);
        return {hash(3) % 61 == 0 ? M : low, hash(4) % 61 == 0 ? M - 1 : low};
    }
    if (kind == "ident") return {g, g};
    if (kind == "flat") return {std::int64_t(1) << (b - 1), std::int64_t(1) << (b - 1)};
    if (kind == "bright") return {M - top(hash(4), b - 3), M - top(hash(5), b - 3)};
    if (kind == "check") return {(x ^ y) & 1 ? M : 0, (x ^ y) & 1 ? 0 : M};
    if (kind == "anti") return {top(hash(1), b), M - top(hash(1), b)};
    return {M, 0};  // ext
}

template <class Samples>
void fill_picture_pair(FramePair& pair, Samples samples) {
    const PictureFormat format = pair.ref.format();
    for (int p = 0; p < format.planes(); ++p)
        for (int y = 0; y < format.plane_height(p); ++y)
            for (int x = 0; x < format.plane_width(p); ++x) {
                const FormulaPair value = samples(x, y, p);
                if (format.bit_depth == 8) {
                    pair.ref.writable_plane<std::uint8_t>(p).row(y)[x] = std::uint8_t(value.ref);
                    pair.dis.writable_plane<std::uint8_t>(p).row(y)[x] = std::uint8_t(value.dis);
                } else {
                    pair.ref.writable_plane<std::uint16_t>(p).row(y)[x] = std::uint16_t(value.ref);
                    pair.dis.writable_plane<std::uint16_t>(p).row(y)[x] = std::uint16_t(value.dis);
                }
            }
}

// samples(kind, x, y, t, plane, bits), one of the two above.
template <class Samples>
ClipPair formula_clip(Samples samples, const std::string& kind, const PictureFormat& format, int frames) {
    ClipPair clip;
    for (int t = 0; t < frames; ++t) {
        clip.push_back({*Picture::allocate(format), *Picture::allocate(format)});
        fill_picture_pair(clip.back(), [&](int x, int y, int p) {
            return samples(kind, std::uint32_t(x), std::uint32_t(y), std::uint32_t(t), std::uint32_t(p), format.bit_depth);
        });
    }
    return clip;
}

}  // namespace isometric::test
