#include "metrics/vif/vif_frame.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "metrics/vif/vif_tables.h"

namespace isometric::vif {
namespace {

// Reflection that does not repeat the edge sample, of period 2(n - 1); n >= 2.
int reflected(int i, int n) {
    const int period = 2 * (n - 1);
    i = std::abs(i) % period;
    return i < n ? i : period - i;
}

std::uint16_t rounded_shift(std::uint32_t sum, int bits) { return std::uint16_t((sum + (1u << (bits - 1))) >> bits); }

std::int64_t log2_q11(std::int64_t v) {
    const int shift = 48 - std::countl_zero(std::uint64_t(v));
    return std::int64_t(log2_table()[std::size_t(v >> shift) - 32768]) + 2048 * shift;
}

}  // namespace

std::uint16_t FrameScratch::Plane::at(int x, int y) const {
    if (height == 1) return y == 0 ? samples[std::size_t(x)] : beyond[std::size_t(x)];
    return samples[std::size_t(reflected(y, height)) * std::size_t(width) + std::size_t(x)];
}

Result<FrameScratch> FrameScratch::create(const PictureFormat& format, const RecordLayout& layout, InstructionSet) {
    FrameScratch scratch;
    scratch.format_ = format;
    scratch.gain_limits_.assign(layout.gain_limits().begin(), layout.gain_limits().end());
    scratch.first_scale_ = layout.first_scale();
    for (Sums& sums : scratch.sums_) sums.num_log.resize(scratch.gain_limits_.size());
    int width = format.width, height = format.height;
    for (auto& pair : scratch.planes_) {
        for (Plane& plane : pair) {
            plane.width = width;
            plane.height = height;
            plane.samples.resize(std::size_t(width) * std::size_t(height));
            plane.beyond.resize(std::size_t(width));
        }
        width /= 2, height /= 2;
    }
    scratch.line_.resize(std::size_t(format.width));
    return scratch;
}

void FrameScratch::load(const Picture& picture, Plane& plane) const {
    for (int y = 0; y < plane.height; ++y) {
        std::uint16_t* row = plane.samples.data() + std::size_t(y) * std::size_t(plane.width);
        if (format_.bit_depth == 8) std::copy_n(picture.plane<std::uint8_t>(0).row(y), plane.width, row);
        else std::copy_n(picture.plane<std::uint16_t>(0).row(y), plane.width, row);
    }
}

template <int scale>
void FrameScratch::downsample(const Plane& in, Plane& out) const {
    const int bits = scale == 1 ? format_.bit_depth : 16;
    std::vector<std::uint16_t> line(std::size_t(in.width));
    for (int y = 0; y < out.height; ++y) {
        for (int x = 0; x < in.width; ++x) {
            std::uint32_t sum = 0;
            for (int k = -radius<scale>; k <= radius<scale>; ++k) sum += tap<scale>(k) * in.at(x, 2 * y + k);
            line[std::size_t(x)] = rounded_shift(sum, bits);
        }
        for (int x = 0; x < out.width; ++x) {
            std::uint32_t sum = 0;
            for (int k = -radius<scale>; k <= radius<scale>; ++k) sum += tap<scale>(k) * line[std::size_t(reflected(2 * x + k, in.width))];
            out.samples[std::size_t(y) * std::size_t(out.width) + std::size_t(x)] = rounded_shift(sum, 16);
        }
    }
    for (int x = 0; x < out.width; ++x) out.beyond[std::size_t(x)] = in.at(x, 1);
}

template <int scale>
void FrameScratch::statistic(const Plane& ref, const Plane& dis) {
    if (ref.width == 0) return;
    const int mean_shift = scale == 0 ? format_.bit_depth : 16, square_shift = scale == 0 ? 2 * (format_.bit_depth - 8) : 16;
    const std::uint64_t half = square_shift == 0 ? 0 : std::uint64_t(1) << (square_shift - 1);
    Sums& sums = sums_[scale];
    const auto column = [&](int x) -> const Moments& {
        if (ref.width == 1) return x == 0 ? line_[0] : beyond_[std::size_t(std::abs(x))];
        return line_[std::size_t(reflected(x, ref.width))];
    };
    for (int y = 0; y < ref.height; ++y) {
        for (int x = 0; x < ref.width; ++x) {
            std::uint32_t m1 = 0, m2 = 0;
            std::uint64_t q11 = 0, q22 = 0, q12 = 0;
            for (int k = -radius<scale>; k <= radius<scale>; ++k) {
                const std::uint64_t r = ref.at(x, y + k), d = dis.at(x, y + k), f = tap<scale>(k);
                m1 += std::uint32_t(f * r), m2 += std::uint32_t(f * d);
                q11 += f * r * r, q22 += f * d * d, q12 += f * r * d;
            }
            const auto rounded = [&](std::uint64_t q) { return std::uint32_t((q + half) >> square_shift); };
            line_[std::size_t(x)] = {rounded_shift(m1, mean_shift), rounded_shift(m2, mean_shift), rounded(q11), rounded(q22),
                                     rounded(q12)};
        }
        for (int x = 0; x < ref.width; ++x) {
            std::uint32_t a1 = 0, a2 = 0;
            std::uint64_t xx = 0, yy = 0, xy = 0;
            for (int k = -radius<scale>; k <= radius<scale>; ++k) {
                const Moments& m = column(x + k);
                const std::uint64_t f = tap<scale>(k);
                a1 += std::uint32_t(f * m.mean_ref), a2 += std::uint32_t(f * m.mean_dis);
                xx += f * m.ref_sq, yy += f * m.dis_sq, xy += f * m.ref_dis;
            }
            const auto less_means = [](std::uint64_t sum, std::uint32_t a, std::uint32_t b) {
                return std::int32_t(std::uint32_t((sum + 32768) >> 16) -
                                    std::uint32_t((std::uint64_t(a) * b + (std::uint64_t(1) << 31)) >> 32));
            };
            const std::int32_t s1 = less_means(xx, a1, a1), s2 = std::max(less_means(yy, a2, a2), 0), s12 = less_means(xy, a1, a2);
            if (s1 < noise_variance_q16) {
                sums.num_flat += s2;
                ++sums.den_flat;
                continue;
            }
            sums.den_log += log2_q11(std::int64_t(noise_variance_q16) + s1) - 2048 * 17;
            if (s12 <= 0 || s2 <= 0) continue;
            const double gain = double(s12) / (double(s1) + epsilon_q16);
            const std::int64_t noise = std::max(std::int32_t(double(s2) - gain * double(s12)), 0) + std::int64_t(noise_variance_q16);
            for (std::size_t i = 0; i < gain_limits_.size(); ++i) {
                const double limited = std::min(gain, gain_limits_[i]);
                sums.num_log[i] += log2_q11(std::int64_t(limited * limited * double(s1)) + noise) - log2_q11(noise);
            }
        }
    }
    for (int k = 1; k <= radius<scale>; ++k) beyond_[std::size_t(k)] = column(k);
}

std::span<const Sums, scale_count> FrameScratch::measure(const Picture& ref, const Picture& dis) {
    for (Sums& sums : sums_) sums.clear();
    load(ref, planes_[0][0]);
    load(dis, planes_[0][1]);
    if (first_scale_ == 0) statistic<0>(planes_[0][0], planes_[0][1]);
    for (std::size_t i = 0; i < 2; ++i) downsample<1>(planes_[0][i], planes_[1][i]);
    statistic<1>(planes_[1][0], planes_[1][1]);
    for (std::size_t i = 0; i < 2; ++i) downsample<2>(planes_[1][i], planes_[2][i]);
    statistic<2>(planes_[2][0], planes_[2][1]);
    for (std::size_t i = 0; i < 2; ++i) downsample<3>(planes_[2][i], planes_[3][i]);
    statistic<3>(planes_[3][0], planes_[3][1]);
    return sums_;
}

}  // namespace isometric::vif
