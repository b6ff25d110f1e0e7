// The specification of `adm` (docs/metrics/adm.md) as naive scalar C++: one plain function per section, whole planes, no reuse. Every path of the
// metric must equal it in every bit. Section numbers are those of the specification.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

namespace isometric::adm_reference {

using std::int16_t, std::int32_t, std::int64_t, std::size_t, std::uint16_t, std::uint32_t, std::uint64_t;

struct Options {
    bool debug = false, skip_aim = false, skip_scale0 = false;
    double csf_scale = 1.0, csf_diag_scale = 1.0;  // of csf_mode 1 alone
    double dlm_weight = 0.5;
    double gain_limit = 100.0;
    double view_distance = 3.0;
    int display_height = 1080;
    int csf_mode = 0;
    double noise_weight = 0.03125;
    double min_val = 0.0;
};

struct Plane {  // samples or coefficients, row by row
    int width = 0, height = 0;
    std::vector<int32_t> values;
    Plane() = default;
    Plane(int w, int h) : width(w), height(h), values(size_t(w) * size_t(h)) {}
    int32_t& at(int row, int column) { return values[size_t(row) * size_t(width) + size_t(column)]; }
    int32_t at(int row, int column) const { return values[size_t(row) * size_t(width) + size_t(column)]; }
};

struct Picture {
    Plane luma;
    int bits = 8;
};

struct Scores {
    double adm2 = 0, aim = 0, adm3 = 0;
    std::array<double, 4> scale{};
    double num = 0, den = 0;  // the rest is emitted with debug
    std::array<double, 4> num_scale{}, den_scale{};

    // In the order in which the metric emits them.
    std::vector<double> emitted(bool debug) const {
        std::vector<double> list = {adm2, aim, adm3, scale[0], scale[1], scale[2], scale[3]};
        if (!debug) return list;
        list.insert(list.end(), {adm2, num, den});
        for (size_t s = 0; s < 4; ++s) list.insert(list.end(), {num_scale[s], den_scale[s]});
        return list;
    }
};

// ---- Arithmetic (section 1) and geometry (section 3) ------------------------------------------------------------------------------------
// C++20 defines what the specification asks for: narrowing keeps the low bits, >> of a negative value is arithmetic.
inline int16_t i16(int64_t x) { return int16_t(x); }
inline int32_t i32(int64_t x) { return int32_t(x); }
inline int64_t wrapping_add(int64_t x, int64_t y) { return int64_t(uint64_t(x) + uint64_t(y)); }
inline int32_t abs_i32(int32_t x) { return i32(x < 0 ? -int64_t(x) : x); }  // |-2^31| stays -2^31

inline int64_t half_of(int shift) { return shift > 0 ? int64_t(1) << (shift - 1) : 0; }
inline int64_t round_shift(int64_t x, int shift) { return wrapping_add(x, half_of(shift)) >> shift; }

// ceil(log2 n), without a logarithm.
inline int bits(int n) { return int(std::bit_width(unsigned(n - 1))); }

// Coefficients of scale 0 are 16 bits wide, those of scales 1..3 are 32.
inline int32_t narrow(int64_t x, int scale) { return scale == 0 ? i16(x) : i32(x); }

// Input index of tap k = 0..3 of output i, for n >= 2 inputs.
inline int tap_index(int i, int k, int n) {
    const int x = std::abs(2 * i - 1 + k);  // only the first tap of output 0 is negative
    return x >= n ? 2 * n - x - 1 : x;
}

struct Region {  // half open
    int left, top, right, bottom;
    int width() const { return right - left; }
    int height() const { return bottom - top; }
    int area() const { return width() * height(); }
};

inline Region scored_region(int w, int h) {
    const int left = (w - 5) / 10, top = (h - 5) / 10;
    return {left, top, w - left, h - top};
}

// The index before and after i among n: the first edge mirrors, the last repeats.
inline int before(int i) { return i == 0 ? 1 : i - 1; }
inline int after(int i, int n) { return i == n - 1 ? n - 1 : i + 1; }

// ---- CSF weights (section 4) ------------------------------------------------------------------------------------------------------------
struct Weights {
    std::array<float, 3> rf{};   // [h v d]
    std::array<uint32_t, 3> q{};  // the same in fixed point: 21, 21, 23 fraction bits at scale 0, else 32
};

inline float watson_weight(int scale, bool diagonal, float r)  // 4.1
{
    constexpr float a = 0.495f, k = 0.466f, f0 = 0.401f;
    constexpr float amplitude[2][4] = {{0.67234f, 0.41317f, 0.22727f, 0.11792f}, {0.72709f, 0.49428f, 0.28688f, 0.15214f}};
    const float g = diagonal ? 0.534f : 1.0f;
    const float t = float(std::log10(double(2 << scale) * double(f0) * double(g) / double(r)));
    const float kt = k * t;
    const float exponent = kt * t;
    const float quantum = float(2.0 * double(a) * std::pow(10.0, double(exponent)) / double(amplitude[diagonal][scale]));
    return 1.0f / quantum;
}

inline float barten_weight(int scale, float r, double csf_scale)  // 4.2, at 100 cd/m2
{
    const float frequency = float(double(r) / (2 << scale));
    const float lp = float(std::log10(20.0)), rp = float(std::log10(150.0)), sp = float(std::log10(100.0));
    const auto lin = [&](float x, float y) { return x + ((y - x) / (rp - lp)) * (sp - lp); };
    const float p0 = lin(0.334278f, 0.394533f), p1 = lin(3.79542f, 2.7755f);
    const float p2 = lin(1.07327f, 1.16577f), p3 = lin(6.4635f, 7.45665f);

    const float a = float(1 + std::pow(double(p0 * frequency), double(p1)));
    const float b = float(1 / std::pow(1 - std::exp(-std::pow(double(frequency / 7.0f), 2.0)), double(p2)));
    const float c = float(double(p3) / std::pow(double(a * b), 0.5));

    constexpr float ma[4] = {0.424838596301290f, 0.572435103936480f, 0.000167576239164937f, 0.00255872352306433f};
    constexpr float mb[4] = {0.028f, 0.37f, 37.0f, 360.0f};
    float m = 0;
    for (int i = 0; i < 4; ++i) m = float(double(m) + double(ma[i]) * std::exp(double(-mb[i] * frequency)));

    const double inner = std::pow(double(4.0627f / 100.0f), double(1.6596f)) + 1;
    const float s = float(double(30.162f) * std::pow(inner, -double(0.2712f)));
    return float(double((c * m) * s) * csf_scale);
}

struct BlendTable {  // 4.3, [mode 2, mode 3][h and v, d][scale]
    int height;
    double distance;
    float f[2][2][4];
};

inline constexpr BlendTable blend_tables[] = {
    {1080, 3.0, {{{.01183f, .025026f, .04295f, .058621f}, {.004302f, .011778f, .023918f, .035901f}},
                 {{.011249f, .022606f, .035930f, .045673f}, {.004097f, .010921f, .021430f, .031313f}}}},
    {2160, 1.5, {{{.01183f, .025026f, .04295f, .058621f}, {.004302f, .011778f, .023918f, .035901f}},
                 {{.011249f, .022606f, .035930f, .045673f}, {.004097f, .010921f, .021430f, .031313f}}}},
    {1080, 5.0, {{{.004212f, .014809f, .029642f, .047464f}, {.000984f, .005852f, .0146f, .027574f}},
                 {{.004052f, .013939f, .026298f, .038833f}, {.000927f, .005544f, .013415f, .024515f}}}},
    {2160, 3.0, {{{.00226f, .01183f, .025026f, .04295f}, {.000479f, .004302f, .011778f, .023918f}},
                 {{.002166f, .011249f, .022606f, .035930f}, {.000447f, .004097f, .010921f, .021430f}}}},
    {2160, 5.0, {{{.000092f, .004212f, .014809f, .029642f}, {.000050f, .000984f, .005852f, .0146f}},
                 {{.000077f, .004052f, .013939f, .026298f}, {.000045f, .000927f, .005544f, .013415f}}}},
    // 720 and 480 lines: below the least view distance times display height, so `adm` never gets there.
};

inline float blend_weight(int scale, bool diagonal, const Options& o) {
    for (const BlendTable& table : blend_tables)
        if (table.height == o.display_height && table.distance == o.view_distance)
            return table.f[o.csf_mode - 2][diagonal][scale];
    std::abort();  // the metric refuses other pairs
}

inline float csf_weight(int scale, bool diagonal, const Options& o) {
    constexpr double pi = 3.14159265358979323846;
    const float r = float(o.view_distance * o.display_height * pi / 180);  // samples per degree
    if (o.csf_mode == 0) return watson_weight(scale, diagonal, r);
    if (o.csf_mode == 1) return barten_weight(scale, r, diagonal ? o.csf_diag_scale : o.csf_scale);
    return blend_weight(scale, diagonal, o);
}

// The low bits of x truncated to an integer (4.6).
inline uint32_t low16(double x) { return std::fabs(x) >= 0x1p31 ? 0 : uint16_t(int32_t(x)); }
inline uint32_t low32(double x) { return x < 0 ? 0 : uint32_t(int64_t(x)); }

inline Weights weights_of(int scale, const Options& o) {
    const float f1 = csf_weight(scale, false, o), f2 = csf_weight(scale, true, o);
    Weights w{.rf = {f1, f1, f2}};
    if (scale > 0) {
        for (size_t k = 0; k < 3; ++k) w.q[k] = low32(double(w.rf[k]) * 0x1p32);
    } else if (o.csf_mode == 0 && std::fabs(o.view_distance * o.display_height - 3240.0) < 1e-8) {
        w.q = {36453, 36453, 49417};  // constants: the formula would give 36451, 36451, 49414
    } else {
        w.q = {low16(double(f1) * 0x1p21), low16(double(f1) * 0x1p21), low16(double(f2) * 0x1p23)};
    }
    return w;
}

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
