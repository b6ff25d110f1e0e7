// Host arithmetic of `adm`, called for every backend: CSF weights, shifts, and the way from integer totals to scores (docs/metrics/adm.md).
// Floating point is evaluated as written: no contraction, floats rounded after every operation.
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "metrics/adm/adm.h"

namespace isometric::adm {
namespace {

constexpr float third = float(1.0 / 3);

// What 0 / 0 gives on x86, on every machine.
double canonical(double x) { return std::isnan(x) ? std::bit_cast<double>(std::uint64_t(0xFFF8'0000'0000'0000)) : x; }

// ---- CSF weights (section 4) ------------------------------------------------------------------------------------------------------------

double samples_per_height(const Parameters& p) { return p.view_distance * double(p.display_height); }

float samples_per_degree(const Parameters& p) {
    constexpr double pi = 3.14159265358979323846;
    return float(samples_per_height(p) * pi / 180);
}

// Watson 1997. The exponent is a product of floats: formed in double, the weights of scales 1..3 would differ by a few units in the last
// place.
float watson_weight(int scale, bool diagonal, float r) {
    constexpr float a = 0.495f, k = 0.466f, f0 = 0.401f;
    constexpr float amplitude[2][scales] = {{0.67234f, 0.41317f, 0.22727f, 0.11792f}, {0.72709f, 0.49428f, 0.28688f, 0.15214f}};
    const float g = diagonal ? 0.534f : 1.0f;
    const float t = float(std::log10(double(2 << scale) * double(f0) * double(g) / double(r)));
    const float kt = k * t;
    const float exponent = kt * t;
    const float quantum = float(2.0 * double(a) * std::pow(10.0, double(exponent)) / double(amplitude[diagonal][scale]));
    return 1.0f / quantum;
}

// Barten 1999 at 100 cd/m2, which lies between the anchors 20 and 150.
float barten_weight(int scale, float r, double csf_scale) {
    const float frequency = float(double(r) / (2 << scale));
    const float lp = float(std::log10(20.0)), rp = float(std::log10(150.0)), sp = float(std::log10(100.0));
    const auto between = [&](float x, float y) { return x + ((y - x) / (rp - lp)) * (sp - lp); };
    const float p0 = between(0.334278f, 0.394533f), p1 = between(3.79542f, 2.7755f);
    const float p2 = between(1.07327f, 1.16577f), p3 = between(6.4635f, 7.45665f);

    const float a = float(1 + std::pow(double(p0 * frequency), double(p1)));
    const float b = float(1 / std::pow(1 - std::exp(-std::pow(double(frequency / 7.0f), 2.0)), double(p2)));
    const float c = float(double(p3) / std::pow(double(a * b), 0.5));

    constexpr float ma[4] = {0.424838596301290f, 0.572435103936480f, 0.000167576239164937f, 0.00255872352306433f};
    constexpr float mb[4] = {0.028f, 0.37f, 37.0f, 360.0f};
    float m = 0;
    for (int i = 0; i < 4; ++i) m = float(double(m) + double(ma[i]) * std::exp(double(-mb[i] * frequency)));

    const double adaptation = std::pow(double(4.0627f / 100.0f), double(1.6596f)) + 1;
    const float s = float(double(30.162f) * std::pow(adaptation, -double(0.2712f)));
    return float(double((c * m) * s) * csf_scale);
}

// Weights fitted to a display height and viewing distance: [mode 2, mode 3][h and v, d][scale]. Tables of 720 and 480 lines exist, below
// the least number of samples per degree that the metric takes.
struct BlendTable {
    int display_height;
    double view_distance;
    float csf[2][2][scales];
};

constexpr BlendTable blend_tables[] = {
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
};

const BlendTable* blend_table(const Parameters& p) {
    for (const BlendTable& table : blend_tables)
        if (table.display_height == p.display_height && table.view_distance == p.view_distance) return &table;
    return nullptr;
}

float csf_weight(const Parameters& p, int scale, bool diagonal) {
    if (p.csf_mode == 0) return watson_weight(scale, diagonal, samples_per_degree(p));
    if (p.csf_mode == 1) return barten_weight(scale, samples_per_degree(p), diagonal ? p.csf_diag_scale : p.csf_scale);
    return blend_table(p)->csf[p.csf_mode - 2][diagonal][scale];
}

// The low bits of x truncated to an integer: csf_mode 1 has weights that do not fit, and they wrap.
std::uint32_t low_16(double x) { return std::fabs(x) >= 0x1p31 ? 0 : std::uint16_t(std::int32_t(x)); }
std::uint32_t low_32(double x) { return std::uint32_t(std::int64_t(x)); }

// ---- Terms of one scale (sections 5.5, 5.6 and 6) ---------------------------------------------------------------------------------------

// The sum over the bands of cube root plus noise.
float pool(const std::array<float, bands>& cubes, float noise) {
    const auto root = [&](float cube) { return std::pow(cube, third) + noise; };
    return (root(cubes[0]) + root(cubes[1])) + root(cubes[2]);
}

}  // namespace

Status Parameters::check() const {
    constexpr double least = 3240.0;
    if (samples_per_height(*this) < least)
        return error(Code::invalid_argument,
                     "metric adm: viewing distance {} times display height {} is {}; it must be {} or more (options adm_norm_view_dist and "
                     "adm_ref_display_height)",
                     view_distance, display_height, samples_per_height(*this), least);
    if (csf_mode >= 2 && !blend_table(*this)) {
        std::string known;
        for (const BlendTable& table : blend_tables)
            known += fmt::format("{}{} at {}", known.empty() ? "" : ", ", table.display_height, table.view_distance);
        return error(Code::invalid_argument,
                     "metric adm: adm_csf_mode {} has no weights for display height {} at viewing distance {}: it has {}", csf_mode,
                     display_height, view_distance, known);
    }
    return {};
}

Status check_format(const PictureFormat& format) {
    ISO_DO(format.check());
    constexpr int least = 17;  // below, a band of scale 3 has a side of 1, for which the transform is not defined
    if (std::min(format.width, format.height) < least)
        return error(Code::invalid_argument, "metric adm needs pictures of {}x{} or more, not {}", least, least, format.describe());
    return {};
}

Geometry geometry(int width, int height) {
    Geometry result;
    for (ScaleGeometry& g : result) {
        width = (width + 1) / 2;
        height = (height + 1) / 2;
        const int left = (width - 5) / 10, top = (height - 5) / 10;
        g = {width, height, {left, width - left}, {top, height - top}};
    }
    return result;
}

ScaleShifts scale_shifts(const ScaleGeometry& g, int scale) {
    ScaleShifts s;
    const int columns = ceil_log2(g.width);
    s.row = ceil_log2(g.height);
    for (int k = 0; k < bands; ++k) s.cube[k] = scale > 0 ? columns : columns - (k < 2 ? 4 : 3);
    constexpr int square[scales] = {0, 31, 30, 31};
    s.reference_square = square[scale];
    s.reference_cube = scale > 0 ? ceil_log2(g.columns.size()) : 0;
    s.reference_row = scale > 0 ? ceil_log2(g.rows.size()) : std::max(0, ceil_log2(g.area()) - 20);
    return s;
}

Weights csf_weights(const Parameters& p, int scale) {
    const float hv = csf_weight(p, scale, false), d = csf_weight(p, scale, true);
    Weights w{.csf = {hv, hv, d}};
    if (scale > 0) {
        for (std::size_t k = 0; k < bands; ++k) w.fixed[k] = low_32(double(w.csf[k]) * 0x1p32);
    } else if (p.csf_mode == 0 && std::fabs(samples_per_height(p) - 3240.0) < 1e-8) {
        w.fixed = {36453, 36453, 49417};  // set by hand in the original; the formula gives 36451, 36451, 49414
    } else {
        w.fixed = {low_16(double(hv) * 0x1p21), low_16(double(hv) * 0x1p21), low_16(double(d) * 0x1p23)};
    }
    return w;
}

ScaleScore::ScaleScore(const Parameters& p, const ScaleGeometry& g, int scale)
    : scale_(scale),
      measured_(!(scale == 0 && p.skip_scale0)),
      additive_(!p.skip_aim),
      weights_(csf_weights(p, scale)),
      shifts_(scale_shifts(g, scale)),
      noise_(std::pow(float(double(g.area()) * p.noise_weight), third)) {
    for (std::size_t k = 0; k < bands; ++k) csf_cubed_[k] = std::pow(double(weights_.csf[k]), 3.0);
}

// Totals have `fraction` bits less what was shifted out. At scale 0 they pass through double on their way to float, at the others they do
// not.
float ScaleScore::numerator(const std::array<std::int64_t, bands>& totals, float noise) const {
    std::array<float, bands> cubes;
    for (std::size_t k = 0; k < bands; ++k) {
        constexpr int scale0_fraction[bands] = {52, 52, 57}, fraction[scales] = {0, 45, 39, 36};
        const int shift = (scale_ > 0 ? fraction[scale_] : scale0_fraction[k]) - shifts_.cube[k] - shifts_.row;
        cubes[k] = scale_ > 0 ? std::ldexp(float(totals[k]), -shift) : float(std::ldexp(double(totals[k]), -shift));
    }
    return pool(cubes, noise);
}

float ScaleScore::denominator(const ReferenceTotals& totals) const {
    constexpr int fraction[scales] = {18, 32, 27, 23};
    std::array<float, bands> cubes;
    for (std::size_t k = 0; k < bands; ++k)
        cubes[k] = float(std::ldexp(double(totals[k]), shifts_.reference_row + shifts_.reference_cube - fraction[scale_]) * csf_cubed_[k]);
    return pool(cubes, noise_);
}

ScaleTerms ScaleScore::terms(const ReferenceTotals& reference, const MaskedTotals& masked) const {
    if (!measured_) return {.num = 0, .den = 1e-10f, .aim_num = 0};
    return {
        .num = numerator(masked.restored, noise_), .den = denominator(reference), .aim_num = additive_ ? numerator(masked.additive, 0) : 0};
}

// ---- Scores (section 6) -----------------------------------------------------------------------------------------------------------------

void store_terms(const std::array<ScaleTerms, scales>& terms, std::span<double> record) {
    for (std::size_t s = 0; s < scales; ++s) {
        record[3 * s] = double(terms[s].num);
        record[3 * s + 1] = double(terms[s].den);
        record[3 * s + 2] = double(terms[s].aim_num);
    }
}

void conclude(std::span<const double> record, const Parameters& p, const PictureFormat& format, std::span<double> scores) {
    double num = 0, den = 0, aim_num = 0;
    for (std::size_t s = 0; s < scales; ++s) {
        num += record[3 * s];
        den += record[3 * s + 1];
        aim_num += record[3 * s + 2];
        scores[3 + s] = canonical(record[3 * s] / record[3 * s + 1]);
    }
    const double limit = 1e-10 * (double(format.width) * format.height) / (1920.0 * 1080.0);
    if (num < limit) num = 0;
    if (den < limit) den = 0;
    const double adm2 = den == 0 ? 1.0 : num / den;
    const double aim = den == 0 ? 0.0 : aim_num / den;  // the original leaves aim undefined without a denominator
    const double blend = adm2 * p.dlm_weight + (1 - aim) * (1 - p.dlm_weight);
    scores[0] = canonical(adm2);
    scores[1] = canonical(aim);
    scores[2] = blend > p.min_val ? blend : p.min_val;  // NaN gives min_val
    if (!p.debug) return;
    scores[7] = canonical(adm2);
    scores[8] = canonical(num);
    scores[9] = canonical(den);
    for (std::size_t s = 0; s < scales; ++s) {
        scores[10 + 2 * s] = canonical(record[3 * s]);
        scores[11 + 2 * s] = canonical(record[3 * s + 1]);
    }
}

}  // namespace isometric::adm
