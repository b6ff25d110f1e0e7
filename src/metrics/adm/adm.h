// `adm`: detail loss and additive impairment, fixed point. A four-scale wavelet transform is taken of both luma planes. Every distorted
// band is split into a restored part r (the reference's detail, faded) and an additive part a = distorted - r; each is weighted by contrast
// sensitivity and masked by the other. With cube roots of sums of cubes over the middle of the bands, per scale and added up,
//     adm2 = |r masked by a| / |reference|,   aim = |a masked by r| / |reference|,   adm3 = w adm2 + (1 - w)(1 - aim).
// Scores are about 1 for equal pictures; more than 1 when contrast was raised (docs/metrics/adm.md).
//
// Reads luma of both pictures. Domain: sides of 17 and more, bit depth 8..16. Bands of a scale are [band h v d][y][x], 16-bit integers at
// scale 0 and 32-bit ones at scales 1..3. Frames are independent of each other.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>

#include "metrics/metric.h"

namespace isometric {

const MetricInfo& adm_info();

namespace adm {

constexpr int scales = 4;
constexpr int bands = 3;  // h v d: high vertically, high horizontally, high both ways

// One configuration.
struct Parameters {
    bool debug = false;
    bool skip_aim = false;
    bool skip_scale0 = false;
    double csf_scale = 1.0;  // of csf_mode 1 alone, as the next
    double csf_diag_scale = 1.0;
    double dlm_weight = 0.5;
    double gain_limit = 100.0;
    double view_distance = 3.0;  // in picture heights
    int display_height = 1080;
    int csf_mode = 0;
    double noise_weight = 0.03125;
    double min_val = 0.0;

    static Parameters from(const OptionValues& values);
    // An error when the combination has no weights.
    Status check() const;
};

Status check_format(const PictureFormat& format);

// ---- Geometry ---------------------------------------------------------------------------------------------------------------------------

// begin <= index < end
struct Interval {
    int begin = 0, end = 0;
    int size() const { return end - begin; }
};

// The bands of one scale, and the part of them that is scored.
struct ScaleGeometry {
    int width = 0, height = 0;
    Interval columns, rows;
    int area() const { return columns.size() * rows.size(); }
};

using Geometry = std::array<ScaleGeometry, scales>;
Geometry geometry(int width, int height);

// Input index of tap 0..3 of output i of a transform of n inputs: 2 i - 1 + tap, mirrored about sample 0 on one side and about the edge
// behind the last sample on the other.
constexpr int tap_index(int i, int tap, int n) {
    const int x = 2 * i - 1 + tap;
    if (x < 0) return -x;
    return x < n ? x : 2 * n - x - 1;
}

// Neighbours for masking: the first mirrors, the last repeats.
constexpr int index_before(int i) { return i == 0 ? 1 : i - 1; }
constexpr int index_after(int i, int n) { return i == n - 1 ? i : i + 1; }

// ceil(log2 n) for n >= 1, in integers (docs/metrics/adm.md, section 1).
constexpr int ceil_log2(int n) { return int(std::bit_width(unsigned(n - 1))); }

// ---- Fixed-point figures of a configuration, for every backend --------------------------------------------------------------------------

// Fixed points of the passes: values of scale 0 are 16 bits wide, of scales 1..3 32 bits. All right shifts round by half their unit but
// where noted.
struct ScaleShifts {
    int cube[bands] = {};        // numerators: dropped from every cube
    int row = 0;                 // numerators: dropped from every row's total
    int reference_square = 0;    // denominators, scales 1..3: dropped from every square, rounding by a whole unit
    int reference_cube = 0;      // denominators: dropped from every cube
    int reference_row = 0;       // denominators: dropped from every row's total
};
ScaleShifts scale_shifts(const ScaleGeometry& geometry, int scale);

// No coefficient of a scale is larger: the samples' range, filtered by taps whose magnitudes add up to 54822.
constexpr std::array<std::int64_t, scales> largest_coefficient = [] {
    std::array<std::int64_t, scales> largest{};
    constexpr std::int64_t taps = 15826 + 27411 + 7345 + 4240;
    constexpr int vertical_shift[scales] = {16, 0, 16, 16}, horizontal_shift[scales] = {16, 15, 16, 15};
    std::int64_t input = 1 << 15;  // at scale 0 in full scale: (sample - 2^(b-1)) * 2^(16-b)
    for (std::size_t s = 0; s < scales; ++s) {
        const std::int64_t vertical = ((taps * input) >> vertical_shift[s]) + 1;
        input = largest[s] = ((taps * vertical) >> horizontal_shift[s]) + 1;
    }
    return largest;
}();
static_assert(largest_coefficient[0] < 1 << 15 && largest_coefficient[1] < std::int64_t(1) << 31 &&
              largest_coefficient[3] < std::int64_t(1) << 31);

// Contrast sensitivity of bands h, v, d.
struct Weights {
    std::array<float, bands> csf{};
    std::array<std::uint32_t, bands> fixed{};  // with 21, 21, 23 fraction bits at scale 0 (in 16 bits), 32 at scales 1..3
};
Weights csf_weights(const Parameters& parameters, int scale);

// A row's total as it goes into the frame's: the only place where row totals are rounded. Wraps as the reference does.
constexpr std::int64_t fold_row(std::int64_t row, int shift) {
    return shift == 0 ? row : std::int64_t(std::uint64_t(row) + (std::uint64_t(1) << (shift - 1))) >> shift;
}
constexpr std::uint64_t fold_row_unsigned(std::uint64_t row, int shift) {
    return shift == 0 ? row : (row + (std::uint64_t(1) << (shift - 1))) >> shift;
}

// ---- What the passes of any backend produce, and its conclusion -------------------------------------------------------------------------

// Sums of cubes of the reference's bands over the scored region, row by row folded.
using ReferenceTotals = std::array<std::uint64_t, bands>;

// The same of the masked parts, for one configuration.
struct MaskedTotals {
    std::array<std::int64_t, bands> restored{};  // r masked by a
    std::array<std::int64_t, bands> additive{};  // a masked by r
};

// One scale's terms of the scores.
struct ScaleTerms {
    float num = 0, den = 0, aim_num = 0;
};

// The constants of one scale of one configuration, and the way from totals to terms.
class ScaleScore {
public:
    ScaleScore(const Parameters& parameters, const ScaleGeometry& geometry, int scale);

    const Weights& weights() const { return weights_; }
    const ScaleShifts& shifts() const { return shifts_; }
    // Whether the scale's totals are wanted at all, and those of the additive part.
    bool measured() const { return measured_; }
    bool additive() const { return additive_; }

    ScaleTerms terms(const ReferenceTotals& reference, const MaskedTotals& masked) const;

private:
    float numerator(const std::array<std::int64_t, bands>& totals, float noise) const;
    float denominator(const ReferenceTotals& totals) const;

    int scale_;
    bool measured_, additive_;
    Weights weights_;
    ScaleShifts shifts_;
    std::array<double, bands> csf_cubed_;
    float noise_;  // added to every root of numerator and denominator
};

// A record holds num, den and aim_num of the four scales, for each configuration in turn.
constexpr int record_doubles = 3 * scales;
void store_terms(const std::array<ScaleTerms, scales>& terms, std::span<double> record);

// The scores of a frame in the order of emitted(), from its record.
void conclude(std::span<const double> record, const Parameters& parameters, const PictureFormat& format, std::span<double> scores);
std::span<const EmittedFeature> emitted(const Parameters& parameters);

}  // namespace adm
}  // namespace isometric
