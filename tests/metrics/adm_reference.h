// The specification of `adm` (docs/metrics/adm.md) as naive scalar C++: one plain function per section, whole planes, no reuse. Every path
// of the metric must equal it in every bit. Section numbers are those of the specification.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "tests/metrics/adm_reference_weights.h"

namespace isometric::adm_reference {

// ---- Transform (5.1, 5.2) ---------------------------------------------------------------------------------------------------------------
using Bands = std::array<Plane, 3>;  // h v d

struct Transformed {
    Plane a;  // the next scale's input
    Bands bands;
};

constexpr int64_t lo_taps[4] = {15826, 27411, 7345, -4240}, lo_taps_sum = 46342;
constexpr int64_t hi_taps[4] = {-4240, -7345, 27411, -15826};

struct TransformShifts {
    int vertical, horizontal;
    int64_t lo_offset;  // takes mid-grey off the samples
};

inline TransformShifts transform_shifts(int scale, int depth) {
    if (scale == 0) return {depth, 16, -(lo_taps_sum << (depth - 1))};
    constexpr int vertical[4] = {0, 0, 16, 16}, horizontal[4] = {0, 15, 16, 15};
    return {vertical[scale], horizontal[scale], 0};
}

inline Plane vertical_filter(const Plane& in, const int64_t (&taps)[4], int64_t offset, int shift, int scale) {
    Plane out(in.width, (in.height + 1) / 2);
    for (int i = 0; i < out.height; ++i)
        for (int j = 0; j < out.width; ++j) {
            int64_t sum = offset;
            for (int k = 0; k < 4; ++k) sum += taps[k] * in.at(tap_index(i, k, in.height), j);
            out.at(i, j) = narrow(round_shift(sum, shift), scale);
        }
    return out;
}

inline Plane horizontal_filter(const Plane& in, const int64_t (&taps)[4], int shift, int scale) {
    Plane out((in.width + 1) / 2, in.height);
    for (int i = 0; i < out.height; ++i)
        for (int j = 0; j < out.width; ++j) {
            int64_t sum = 0;
            for (int k = 0; k < 4; ++k) sum += taps[k] * in.at(i, tap_index(j, k, in.width));
            out.at(i, j) = narrow(round_shift(sum, shift), scale);
        }
    return out;
}

inline Transformed transform(const Plane& in, int scale, int depth) {
    const TransformShifts shifts = transform_shifts(scale, depth);
    const Plane lo = vertical_filter(in, lo_taps, shifts.lo_offset, shifts.vertical, scale);
    const Plane hi = vertical_filter(in, hi_taps, 0, shifts.vertical, scale);
    return {.a = horizontal_filter(lo, lo_taps, shifts.horizontal, scale),
            .bands = {horizontal_filter(hi, lo_taps, shifts.horizontal, scale),    // h: high V, low H
                      horizontal_filter(lo, hi_taps, shifts.horizontal, scale),    // v: low V, high H
                      horizontal_filter(hi, hi_taps, shifts.horizontal, scale)}};  // d: high both ways
}

// ---- Decouple (5.3) ---------------------------------------------------------------------------------------------------------------------
// True if the (h, v) vectors of reference and distorted point the same way, to one degree.
inline bool same_direction(int64_t oh, int64_t ov, int64_t th, int64_t tv) {
    constexpr double cos_sq = 16772106 * 0x1p-24;  // f32(cos(1 degree)^2)
    const double p = double(float(wrapping_add(oh * th, ov * tv))) / 4096;
    const double m = double(float(wrapping_add(oh * oh, ov * ov))) / 4096;
    const double n = double(float(wrapping_add(th * th, tv * tv))) / 4096;
    return p >= 0 && p * p >= (cos_sq * m) * n;
}

// t / o in Q15, clamped to 0..1.
inline int64_t ratio_q15(int32_t o, int32_t t, int scale) {
    if (o == 0) return 32768;
    int64_t magnitude = o < 0 ? -int64_t(o) : o;
    int shift = 0;
    if (scale > 0 && magnitude >= 32768) {
        shift = 17 - std::countl_zero(uint32_t(magnitude));
        magnitude = round_shift(magnitude, shift);
    }
    const int64_t reciprocal_q30 = (int64_t(1) << 30) / (o < 0 ? -magnitude : magnitude);  // toward zero
    return std::clamp<int64_t>(round_shift(reciprocal_q30 * t, 15 + shift), 0, 32768);
}

inline int32_t restored(int32_t o, int32_t t, bool same_way, double gain, int scale) {
    const int64_t k = ratio_q15(o, t, scale);
    const int32_t r = narrow(round_shift(k * o, 15), scale);
    if (!same_way || k == 0 || o == 0) return r;
    const int64_t g = int64_t(double(r) * gain);  // toward zero
    return int32_t(o > 0 ? std::min<int64_t>(g, t) : std::max<int64_t>(g, t));
}

struct Decoupled {
    Bands r, a;  // restored, additive
};

inline Decoupled decouple(const Bands& ref, const Bands& dis, double gain, int scale) {
    const int w = ref[0].width, h = ref[0].height;
    Decoupled out;
    out.r.fill(Plane(w, h));
    out.a.fill(Plane(w, h));
    for (int i = 0; i < h; ++i)
        for (int j = 0; j < w; ++j) {
            const bool same_way = same_direction(ref[0].at(i, j), ref[1].at(i, j), dis[0].at(i, j), dis[1].at(i, j));
            for (size_t k = 0; k < 3; ++k) {
                const int32_t t = dis[k].at(i, j), r = restored(ref[k].at(i, j), t, same_way, gain, scale);
                out.r[k].at(i, j) = r;
                out.a[k].at(i, j) = narrow(int64_t(t) - r, scale);
            }
        }
    return out;
}

// ---- Weighting and masking (5.4, 5.5) ---------------------------------------------------------------------------------------------------
struct Masker {
    Bands c, f;  // weighted coefficients, and their neighbour shares
};

// What |c| adds to thresholds: 1/30 to its neighbours', 1/15 to its own. At scale 0 it gains five fraction bits, as
// 4369 / 2^12 = 2^5 / 30. Scales 1..3 really round with minus 2^31.
inline int32_t share_of(int32_t c, int64_t share_q12, int64_t share_q32, int scale) {
    if (scale == 0) return i16((share_q12 * abs_i32(c) + 2048) >> 12);
    return i32((share_q32 * abs_i32(c) - (int64_t(1) << 31)) >> 32);
}

inline int32_t neighbour_share(int32_t c, int scale) { return share_of(c, 4369, 143165577, scale); }
inline int32_t centre_share(int32_t c, int scale) { return share_of(c, 8738, 286331153, scale); }

inline int32_t weighted(int64_t q, int32_t value, size_t band, int scale) {
    if (scale > 0) return i32(round_shift(q * value, 28));
    return band < 2 ? i16((q * value + 16384) >> 15) : i16((q * value + 65535) >> 17);  // 65535 is no half, but so it is
}

inline Masker masker_of(const Bands& source, const Weights& weights, int scale) {
    Masker out{source, source};
    for (size_t k = 0; k < 3; ++k)
        for (size_t n = 0; n < source[k].values.size(); ++n) {
            out.c[k].values[n] = weighted(weights.q[k], source[k].values[n], k, scale);
            out.f[k].values[n] = neighbour_share(out.c[k].values[n], scale);
        }
    return out;
}

inline int32_t threshold_at(const Masker& masker, int i, int j, int scale) {
    int64_t sum = 0;
    for (size_t k = 0; k < 3; ++k) {
        const Plane &c = masker.c[k], &f = masker.f[k];
        const int im = before(i), ip = after(i, f.height), jm = before(j), jp = after(j, f.width);
        for (const int row : {im, ip}) sum += int64_t(f.at(row, jm)) + f.at(row, j) + f.at(row, jp);
        sum += int64_t(f.at(i, jm)) + f.at(i, jp) + centre_share(c.at(i, j), scale);
    }
    return i32(sum);
}

// Bits dropped from each cube so that a row of w of them fits; 0 is possible for w <= 16.
inline int column_shift(int w, size_t band, int scale) { return scale > 0 ? bits(w) : bits(w) - (band < 2 ? 4 : 3); }

// One masked coefficient cubed, in the fixed point of its scale and band.
inline int64_t masked_cube(int64_t q, int32_t value, int32_t threshold, size_t band, int scale, int w) {
    const int32_t sub = scale > 0 ? 0 : band < 2 ? 10 : 12;
    const int32_t weighted_value = scale > 0 ? weighted(q, value, band, scale) : i32(q * value);
    const int32_t excess = i32(int64_t(abs_i32(weighted_value)) - i32(int64_t(threshold) << sub));
    const int64_t x = std::max(excess, 0);
    const int64_t square = i32(round_shift(x * x, scale == 0 && band < 2 ? 29 : 30));
    return round_shift(square * x, column_shift(w, band, scale));
}

// The sum over the bands of cube root plus noise.
inline float pool(const std::array<float, 3>& cubes, float noise) {
    const auto root = [&](float cube) { return std::pow(cube, float(1.0 / 3)) + noise; };
    return (root(cubes[0]) + root(cubes[1])) + root(cubes[2]);
}

// The numerator of one scale: `source` masked by `masking`.
inline float numerator(const Bands& source, const Bands& masking, const Weights& weights, int scale, float noise) {
    const int w = source[0].width, h = source[0].height, row_shift = bits(h);
    const Region region = scored_region(w, h);
    const Masker masker = masker_of(masking, weights, scale);
    std::array<int64_t, 3> totals{};
    for (int i = region.top; i < region.bottom; ++i) {
        std::array<int64_t, 3> row{};
        for (int j = region.left; j < region.right; ++j) {
            const int32_t threshold = threshold_at(masker, i, j, scale);
            for (size_t k = 0; k < 3; ++k)
                row[k] = wrapping_add(row[k], masked_cube(weights.q[k], source[k].at(i, j), threshold, k, scale, w));
        }
        for (size_t k = 0; k < 3; ++k) totals[k] = wrapping_add(totals[k], round_shift(row[k], row_shift));
    }
    std::array<float, 3> cubes{};
    for (size_t k = 0; k < 3; ++k) {  // section 6
        constexpr int scale0_bits[3] = {52, 52, 57}, scale_bits[4] = {0, 45, 39, 36};
        const int shift = (scale > 0 ? scale_bits[scale] : scale0_bits[k]) - column_shift(w, k, scale) - row_shift;
        cubes[k] = scale > 0 ? std::ldexp(float(totals[k]), -shift) : float(std::ldexp(double(totals[k]), -shift));
    }
    return pool(cubes, noise);
}

// ---- Denominator (5.6) ------------------------------------------------------------------------------------------------------------------
inline uint64_t round_shift_u64(uint64_t x, int shift) { return (x + uint64_t(half_of(shift))) >> shift; }

// The sum of |o|^3 over the scored region, in value units.
inline double cube_sum(const Plane& band, int scale) {
    const Region region = scored_region(band.width, band.height);
    constexpr int square_shift[4] = {0, 31, 30, 31}, fraction_bits[4] = {18, 32, 27, 23};
    const int cs = scale > 0 ? bits(region.width()) : 0;
    const int rs = scale > 0 ? bits(region.height()) : std::max(0, bits(region.area()) - 20);
    uint64_t total = 0;
    for (int i = region.top; i < region.bottom; ++i) {
        uint64_t row = 0;
        for (int j = region.left; j < region.right; ++j) {
            const int64_t value = band.at(i, j);
            const uint64_t m = uint64_t(value < 0 ? -value : value);
            const int s = square_shift[scale];
            const uint64_t square = scale > 0 ? (m * m + (uint64_t(1) << s)) >> s : m * m;  // rounds by 2^s, not by half of it
            row += round_shift_u64(square * m, cs);
        }
        total += round_shift_u64(row, rs);
    }
    return std::ldexp(double(total), rs + cs - fraction_bits[scale]);
}

inline float denominator(const Bands& ref, const Weights& weights, int scale, float noise) {
    std::array<float, 3> cubes{};
    for (size_t k = 0; k < 3; ++k) cubes[k] = float(cube_sum(ref[k], scale) * std::pow(double(weights.rf[k]), 3.0));
    return pool(cubes, noise);
}

// ---- One frame (section 6) --------------------------------------------------------------------------------------------------------------
struct ScaleSums { float num = 0, den = 0, aim_num = 0; };

inline ScaleSums sums_of_scale(const Bands& ref, const Bands& dis, int scale, const Options& o) {
    if (scale == 0 && o.skip_scale0) return {.num = 0, .den = 1e-10f, .aim_num = 0};
    const Weights weights = weights_of(scale, o);
    const Decoupled parts = decouple(ref, dis, o.gain_limit, scale);
    const int area = scored_region(ref[0].width, ref[0].height).area();
    const float noise = std::pow(float(double(area) * o.noise_weight), float(1.0 / 3));
    return {.num = numerator(parts.r, parts.a, weights, scale, noise),
            .den = denominator(ref, weights, scale, noise),
            .aim_num = o.skip_aim ? 0 : numerator(parts.a, parts.r, weights, scale, 0)};
}

inline Scores conclude(const std::array<ScaleSums, 4>& sums, int width, int height, const Options& o) {
    Scores out;
    double aim_num = 0;
    for (size_t s = 0; s < 4; ++s) {
        out.num += out.num_scale[s] = double(sums[s].num);
        out.den += out.den_scale[s] = double(sums[s].den);
        aim_num += double(sums[s].aim_num);
        out.scale[s] = out.num_scale[s] / out.den_scale[s];
    }
    const double limit = 1e-10 * (double(width) * height) / (1920.0 * 1080.0);
    if (out.num < limit) out.num = 0;
    if (out.den < limit) out.den = 0;
    out.adm2 = out.den == 0 ? 1.0 : out.num / out.den;
    out.aim = out.den == 0 ? 0.0 : aim_num / out.den;  // at den 0 the original's value is undefined; 0 is our choice
    const double blend = out.adm2 * o.dlm_weight + (1 - out.aim) * (1 - o.dlm_weight);
    out.adm3 = blend > o.min_val ? blend : o.min_val;  // NaN gives min_val
    return out;
}

inline Scores score_frame(const Picture& ref, const Picture& dis, const Options& options) {
    std::array<ScaleSums, 4> sums;
    Plane ref_a = ref.luma, dis_a = dis.luma;
    for (int scale = 0; scale < 4; ++scale) {
        Transformed r = transform(ref_a, scale, ref.bits), d = transform(dis_a, scale, dis.bits);
        sums[size_t(scale)] = sums_of_scale(r.bands, d.bands, scale, options);
        ref_a = std::move(r.a);
        dis_a = std::move(d.a);
    }
    return conclude(sums, ref.luma.width, ref.luma.height, options);
}

}  // namespace isometric::adm_reference
