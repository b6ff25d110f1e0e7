// Host arithmetic of `vif`: from integer sums to scores.
#include <algorithm>
#include <bit>
#include <limits>

#include "base/assert.h"
#include "base/error.h"
#include "metrics/vif/vif.h"

namespace isometric::vif {
namespace {

// One rounding to single. A call of its own since g++ 12 -O3 drops the rounding of double(float(x)) when its vectoriser joins the two sides
// of a condition, as in RecordLayout::write().
[[gnu::noinline]] float to_single(double value) { return float(value); }

struct ScaleScore {
    float num = 0, den = 0;
};

// Section 5 of docs/metrics/vif.md: in double as written, then one rounding to single.
ScaleScore scale_score(const Sums& sums, int limit) {
    const double num_log = double(sums.num_log[std::size_t(limit)]) / 2048.0;
    const double num_flat = double(sums.den_flat) - (double(sums.num_flat) / 16384.0) / 65025.0;
    return {.num = to_single(num_log + num_flat), .den = to_single(double(sums.den_log) / 2048.0 + double(sums.den_flat))};
}

// libvmaf's columns of a scale that is not counted.
constexpr ScaleScore skipped{.num = 0.0f, .den = -1.0f};

// A scale of an empty plane (width below 8) is 0 / 0. Its sign is that of x86 processors, on every machine.
double ratio(float num, float den) {
    if (num == 0.0f && den == 0.0f) return std::bit_cast<double>(std::uint64_t(0xFFF8) << 48);
    return double(num / den);
}

constexpr EmittedFeature all_features[] = {{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}, {9}, {10}, {11}, {12}, {13}, {14}};
constexpr std::size_t scale_features = scale_count;

}  // namespace

Parameters Parameters::from(const OptionValues& values) {
    return {.gain_limit = values.real("vif_enhn_gain_limit"), .skip_scale0 = values.flag("vif_skip_scale0"), .debug = values.flag("debug")};
}

Status check_format(const PictureFormat& format) {
    if (format.width < min_width || format.height < min_height)
        return error(Code::invalid_argument, "metric vif needs pictures of {}x{} or more, not {}x{}", min_width, min_height, format.width,
                     format.height);
    return {};
}

void Sums::clear() {
    den_log = num_flat = den_flat = 0;
    std::fill(num_log.begin(), num_log.end(), 0);
}

void Sums::add(const Sums& other) {
    ISO_ASSERT(num_log.size() == other.num_log.size());
    den_log += other.den_log;
    num_flat += other.num_flat;
    den_flat += other.den_flat;
    for (std::size_t i = 0; i < num_log.size(); ++i) num_log[i] += other.num_log[i];
}

RecordLayout::RecordLayout(std::span<const Parameters> variants) {
    for (const Parameters& variant : variants) {
        auto found = std::find(gain_limits_.begin(), gain_limits_.end(), variant.gain_limit);
        if (found == gain_limits_.end()) found = gain_limits_.insert(found, variant.gain_limit);
        limit_of_variant_.push_back(int(found - gain_limits_.begin()));
        skips_scale0_.push_back(variant.skip_scale0);
        if (!variant.skip_scale0) first_scale_ = 0;
    }
}

void RecordLayout::write(std::span<const Sums, scale_count> sums, std::span<double> record) const {
    ISO_ASSERT(record.size() == std::size_t(size()));
    std::size_t next = 0;
    for (std::size_t variant = 0; variant < limit_of_variant_.size(); ++variant)
        for (int scale = 0; scale < scale_count; ++scale) {
            const bool skip = scale == 0 && skips_scale0_[variant];
            const ScaleScore score = skip ? skipped : scale_score(sums[std::size_t(scale)], limit_of_variant_[variant]);
            record[next++] = double(score.num);
            record[next++] = double(score.den);
        }
}

std::span<const double> RecordLayout::variant(std::span<const double> record, int variant) const {
    return record.subspan(std::size_t(variant) * 2 * scale_count, 2 * scale_count);
}

void conclude(std::span<const double> record, const Parameters& variant, std::span<double> scores) {
    ISO_ASSERT(scores.size() == emitted(variant).size());
    const auto num = [&](int scale) { return record[2 * std::size_t(scale)]; };
    const auto den = [&](int scale) { return record[2 * std::size_t(scale) + 1]; };
    const int first = variant.skip_scale0 ? 1 : 0;

    std::size_t next = 0;
    for (int scale = 0; scale < scale_count; ++scale) scores[next++] = scale < first ? 0.0 : ratio(float(num(scale)), float(den(scale)));
    if (!variant.debug) return;

    double num_sum = 0.0, den_sum = 0.0;
    for (int scale = first; scale < scale_count; ++scale) {
        num_sum += num(scale);
        den_sum += den(scale);
    }
    scores[next++] = den_sum == 0.0 ? 1.0 : num_sum / den_sum;
    scores[next++] = num_sum;
    scores[next++] = den_sum;
    for (int scale = 0; scale < scale_count; ++scale) {
        scores[next++] = num(scale);
        scores[next++] = den(scale);
    }
}

std::span<const EmittedFeature> emitted(const Parameters& variant) {
    const std::span<const EmittedFeature> all = all_features;
    return variant.debug ? all : all.first(scale_features);
}

}  // namespace isometric::vif
