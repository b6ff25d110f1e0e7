// Picture pairs for tests of `adm`: the kinds of docs/metrics/adm.md, section 8, and their way into the reference.
#pragma once

#include <algorithm>
#include <cstdint>

#include "isometric/picture.h"
#include "metrics/metric.h"
#include "tests/metrics/adm_reference.h"

namespace isometric::test {

// A 32-bit linear congruential generator, two numbers for each sample in raster order.
class AdmClip {
public:
    AdmClip(int kind, int bits, std::uint32_t seed)
        : kind_(kind), max_((1 << bits) - 1), mid_(1 << (bits - 1)), one_(1 << (bits - 8)), state_(seed) {}

    FramePair make(const PictureFormat& format) {
        FramePair pair{*Picture::allocate(format), *Picture::allocate(format)};
        for (int y = 0; y < format.height; ++y)
            for (int x = 0; x < format.width; ++x) {
                const auto [a, b] = next_pair(x, y);
                put(pair.ref, x, y, a);
                put(pair.dis, x, y, b);
            }
        return pair;
    }

private:
    struct Samples {
        int ref, dis;
    };

    static void put(Picture& picture, int x, int y, int value) {
        if (picture.format().bit_depth == 8) picture.writable_plane<std::uint8_t>(0).row(y)[x] = std::uint8_t(value);
        else picture.writable_plane<std::uint16_t>(0).row(y)[x] = std::uint16_t(value);
    }

    std::uint32_t next() { return state_ = state_ * 1664525u + 1013904223u; }

    Samples next_pair(int x, int y) {
        const std::uint32_t u = next(), v = next();
        const auto clamp = [&](int value) { return std::clamp(value, 0, max_); };
        const int noise = int(u >> 8) & max_;
        switch (kind_) {
            case 0: return {noise, int(v >> 8) & max_};
            case 1: return {noise, clamp(noise + int((v >> 10) % 33) * one_ - 16 * one_)};
            case 2: {
                int s = (3 * x + 2 * y + (x * y) / 64) % (2 * max_);
                if (s > max_) s = 2 * max_ - s;
                const int a = clamp(s / 2 + max_ / 4 + int((u >> 20) & 15) - 8);
                return {a, clamp(a + int((v >> 20) & 7) - 4)};
            }
            case 3: {
                const int a = (u >> 16) % 97 == 0 ? mid_ + 1 : mid_;
                return {a, (v >> 16) % 89 == 0 ? a + 1 : a};
            }
            case 8: return {noise, mid_ + (noise - mid_) / 2};
            case 9: {
                const int a = mid_ + noise / 4 - max_ / 8;
                return {a, clamp(mid_ + (a - mid_) * 3 / 2)};
            }
            case 10: return {u >= 0x80000000u ? max_ : 0, v >= 0x80000000u ? max_ : 0};
            case 11: return {mid_, mid_};                              // no detail at all
            case 12: return {(x ^ y) & 1 ? max_ : 0, (x ^ y) & 1 ? 0 : max_};  // the largest coefficients of scale 0, inverted
            default: return {x / 16 % 2 ? max_ : 0, x / 16 % 2 ? max_ : 0};
        }
    }

    int kind_, max_, mid_, one_;
    std::uint32_t state_;
};

inline constexpr int adm_kinds[] = {0, 1, 2, 3, 8, 9, 10, 11, 12, 13};

inline FramePair adm_pair(int kind, int width, int height, int bits, std::uint32_t seed) {
    return AdmClip(kind, bits, seed).make({width, height, bits, ChromaFormat::yuv400});
}

inline adm_reference::Picture adm_reference_picture(const Picture& picture) {
    const PictureFormat& format = picture.format();
    adm_reference::Picture result{adm_reference::Plane(format.width, format.height), format.bit_depth};
    for (int y = 0; y < format.height; ++y)
        for (int x = 0; x < format.width; ++x)
            result.luma.at(y, x) =
                format.bit_depth == 8 ? picture.plane<std::uint8_t>(0).row(y)[x] : picture.plane<std::uint16_t>(0).row(y)[x];
    return result;
}

}  // namespace isometric::test
