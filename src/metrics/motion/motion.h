// `motion`: how much the reference changes from frame to frame. The difference of two luma pictures is blurred with a Gaussian of five taps
// (sigma 1), vertically and then horizontally, in integers; its mean absolute value, in steps of 8-bit samples, is `sad`. `motion2` is the
// smaller of the sads into and out of a frame, `motion3` blends, caps and averages it (docs/metrics/motion.md).
//
// Reads the luma of the reference alone: the present picture and the one `distance` frames earlier.
// Domain: bit depth 8..16, luma of 3x3 samples or more.
#pragma once

#include <cstdint>
#include <span>

#include "metrics/metric.h"

namespace isometric {

const MetricInfo& motion_info();

namespace motion {

constexpr int min_side = 3;      // the blur reflects two samples at each border
constexpr int max_distance = 2;  // of the pictures that are compared, in frames

// One configuration.
struct Parameters {
    bool force_zero = false;
    double blend_factor = 1.0;
    double blend_offset = 40.0;
    double fps_weight = 1.0;
    double max_val = 10000.0;
    bool five_frame_window = false;
    bool moving_average = false;
    bool debug = false;

    static Parameters from(const OptionValues& values);
    int distance() const { return five_frame_window ? 2 : 1; }
};

// An error when the metric is not defined for the format.
Status check_format(const PictureFormat& format);

// What a record holds: for every distance that a variant needs, nearest first, the sum of absolute blurred differences as an exact
// double (below 2^48); 0 on the first frames, which have no partner.
class RecordLayout {
public:
    explicit RecordLayout(std::span<const Parameters> variants);

    int size() const { return count_; }
    int distance(int slot) const { return distances_[slot]; }
    // The slot of a variant; -1 when it reads none.
    int slot(const Parameters& variant) const;

private:
    int count_ = 0;
    int distances_[max_distance] = {};
};

// The scores of one frame in the order of `emitted`, from the records around it. A pure function: every backend concludes with it.
void conclude(const RecordTable& records, const RecordLayout& layout, const Parameters& variant, const PictureFormat& format,
              std::int64_t frame, std::span<double> scores);

// The last frame whose record conclude() needs.
std::int64_t last_needed(const Parameters& variant, std::int64_t frame);

// The features of a configuration in the order of conclude()'s scores.
std::span<const EmittedFeature> emitted(const Parameters& variant);

}  // namespace motion
}  // namespace isometric
