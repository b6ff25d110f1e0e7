#include "metrics/motion/motion.h"

#include <algorithm>

#include "base/assert.h"
#include "base/error.h"

namespace isometric::motion {
namespace {

double smaller(double a, double b) { return a < b ? a : b; }

// Sums of the blurred differences count 1/256 of an 8-bit step, whatever the bit depth (docs/metrics/motion.md, section 2).
constexpr double units_per_step = 256.0;

// The records as one configuration's scores of frame distance.
class SadScores {
public:
    SadScores(const RecordTable& records, int slot, const Parameters& variant, const PictureFormat& format)
        : records_(records), slot_(slot), variant_(variant), samples_(std::uint32_t(format.width) * std::uint32_t(format.height)) {}

    double at(std::int64_t frame) const {
        if (variant_.force_zero || frame < variant_.distance()) return 0.0;
        const double sum = records_.record(frame)[std::size_t(slot_)];
        return smaller(((sum / units_per_step) / double(samples_)) * variant_.fps_weight, variant_.max_val);
    }

private:
    const RecordTable& records_;
    int slot_;
    const Parameters& variant_;
    std::uint32_t samples_;
};

double blend(double motion, const Parameters& p) {
    return motion * p.blend_factor + (1 - p.blend_factor) * smaller(p.blend_offset, motion);
}

double blended_and_capped(double motion, const Parameters& p) { return smaller(blend(motion, p), p.max_val); }

// The quieter of the two sides of a frame; the last frame of the stream has one side, as has the first with an earlier partner.
double motion2_at(const SadScores& sad, std::int64_t frame, std::int64_t frames, std::int64_t distance) {
    if (frame < distance) return 0.0;
    if (frame == frames - 1) return sad.at(frame);
    const std::int64_t before = frame - (distance - 1);
    return before >= distance ? smaller(sad.at(before), sad.at(frame + 1)) : sad.at(frame + 1);
}

// motion3 before it is averaged. The first frames take the value of the first one that has a partner.
double motion3_at(const SadScores& sad, std::int64_t frame, std::int64_t frames, const Parameters& p) {
    const std::int64_t distance = p.distance();
    if (frame < distance) return frames > distance ? blended_and_capped(sad.at(distance), p) : 0.0;
    return blended_and_capped(motion2_at(sad, frame, frames, distance), p);
}

constexpr EmittedFeature all_features[] = {
    {0, WritePhase::first_frame},
    {1, WritePhase::first_frame},
    {2, WritePhase::flush},
    {3, WritePhase::flush},
};
constexpr EmittedFeature default_features[] = {all_features[0], all_features[2], all_features[3]};

}  // namespace

Status check_format(const PictureFormat& format) {
    if (format.width < min_side || format.height < min_side)
        return error(Code::invalid_argument, "metric motion needs pictures of {}x{} or more, not {}x{}", min_side, min_side, format.width,
                     format.height);
    if (std::uint64_t(format.width) * std::uint64_t(format.height) > UINT32_MAX)
        return error(Code::invalid_argument, "metric motion needs pictures of fewer than 2^32 samples, not {}x{}", format.width,
                     format.height);
    return {};
}

RecordLayout::RecordLayout(std::span<const Parameters> variants) {
    for (int distance = 1; distance <= max_distance; ++distance) {
        const bool read =
            std::any_of(variants.begin(), variants.end(), [&](const Parameters& p) { return !p.force_zero && p.distance() == distance; });
        if (read) distances_[count_++] = distance;
    }
}

int RecordLayout::slot(const Parameters& variant) const {
    if (variant.force_zero) return -1;
    for (int slot = 0; slot < count_; ++slot)
        if (distances_[slot] == variant.distance()) return slot;
    return -1;
}

void conclude(const RecordTable& records, const RecordLayout& layout, const Parameters& variant, const PictureFormat& format,
              std::int64_t frame, std::span<double> scores) {
    ISO_ASSERT(scores.size() == emitted(variant).size());
    const SadScores sad(records, layout.slot(variant), variant, format);
    const std::int64_t frames = records.frames();
    double motion3 = motion3_at(sad, frame, frames, variant);
    if (variant.moving_average && frame >= variant.distance()) motion3 = (motion3 + motion3_at(sad, frame - 1, frames, variant)) / 2;

    std::size_t next = 0;
    scores[next++] = sad.at(frame);
    if (variant.debug) scores[next++] = sad.at(frame);
    scores[next++] = motion2_at(sad, frame, frames, variant.distance());
    scores[next++] = motion3;
}

std::int64_t last_needed(const Parameters& variant, std::int64_t frame) { return std::max<std::int64_t>(frame + 1, variant.distance()); }

std::span<const EmittedFeature> emitted(const Parameters& variant) {
    if (variant.debug) return all_features;
    return default_features;
}

}  // namespace isometric::motion
