// `vif`: visual information fidelity in fixed point. At four scales, each half the size of the one before, Gaussian-weighted means and
// second moments of the two lumas give per sample the variances sigma1_sq (reference), sigma2_sq (distorted) and the covariance sigma12.
// The distorted picture is seen as gain * reference + noise of variance sv_sq; both pass through a channel of noise variance 2:
//
//     num = sum log2(1 + gain^2 sigma1_sq / (sv_sq + 2)),  den = sum log2(1 + sigma1_sq / 2),  score of a scale = num / den
//
// with logarithms rounded to 1/2048, and flat samples (sigma1_sq < 2) counted by their distortion instead (docs/metrics/vif.md).
//
// Reads luma alone, no earlier frames. Domain: bit depth 8..16, width >= 4, height >= 8. Units: planes of scale 0 hold samples as stored,
// of scales 1 to 3 full scale (2^bits - 1) << (16 - bits); variances are Q16 of 8-bit steps squared.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "metrics/metric.h"

namespace isometric {

const MetricInfo& vif_info();

namespace vif {

constexpr int scale_count = 4;
constexpr int min_width = 4;   // narrower: a scale that counts would read outside every plane
constexpr int min_height = 8;  // lower: scale 3 would be empty

// One configuration.
struct Parameters {
    double gain_limit = 100.0;
    bool skip_scale0 = false;
    bool debug = false;

    static Parameters from(const OptionValues& values);
};

// An error when the metric is not defined for the format.
Status check_format(const PictureFormat& format);

// What a scale adds up, in integers: any order, any split. Logarithms in 1/2048, variances in Q16.
struct Sums {
    std::int64_t den_log = 0;           // log2((2 + sigma1_sq) / 2) where sigma1_sq >= 2
    std::int64_t num_flat = 0;          // sigma2_sq where sigma1_sq < 2
    std::int64_t den_flat = 0;          // the number of those samples
    std::vector<std::int64_t> num_log;  // [gain limit] log2((gain^2 sigma1_sq + sv_sq + 2) / (sv_sq + 2)) where sigma1_sq >= 2

    void clear();
    void add(const Sums& other);
};

// What the statistics of several configurations have to deliver, and where each finds its own in a record.
class RecordLayout {
public:
    explicit RecordLayout(std::span<const Parameters> variants);

    // The different gain limits of the variants.
    std::span<const double> gain_limits() const { return gain_limits_; }
    // The first scale that any variant counts: 0, or 1 when all skip scale 0. (Its planes are formed in any case.)
    int first_scale() const { return first_scale_; }

    int size() const { return 2 * scale_count * int(limit_of_variant_.size()); }
    // Writes what the sums of all scales give to a record: num and den of every scale, variant after variant.
    void write(std::span<const Sums, scale_count> sums, std::span<double> record) const;
    std::span<const double> variant(std::span<const double> record, int variant) const;

private:
    std::vector<double> gain_limits_;
    std::vector<int> limit_of_variant_;
    std::vector<bool> skips_scale0_;
    int first_scale_ = 1;
};

// The scores of one frame in the order of emitted(), from its part of a record. A pure function: every backend concludes with it.
void conclude(std::span<const double> record, const Parameters& variant, std::span<double> scores);

// The features of a configuration in the order of conclude()'s scores.
std::span<const EmittedFeature> emitted(const Parameters& variant);

}  // namespace vif
}  // namespace isometric
