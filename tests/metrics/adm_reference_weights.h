// The naive reference of `adm`, first half: options, planes, arithmetic, geometry and contrast sensitivity. See adm_reference.h.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
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

}  // namespace isometric::adm_reference
