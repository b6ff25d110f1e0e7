// The specification of `vif` (docs/metrics/vif.md) as naive scalar C++: what every path must equal, in every bit. One loop per sum, and no
// buffering beyond what the rules for small planes (section 6) ask for.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace isometric::test::vif_reference {

struct Options {
    double enhn_gain_limit = 100.0;  // vif_enhn_gain_limit, 1..100
    bool skip_scale0 = false;        // vif_skip_scale0
    bool debug = false;
};

struct Scores {  // per scale; a skipped scale 0 has num 0 and den -1
    std::array<float, 4> num{}, den{};
};

// Section 2: constants.

using Taps = std::span<const std::uint32_t>;  // symmetric, sum 2^16

inline Taps taps_of(int scale) {
    static constexpr std::uint32_t scale0[17] = {489,  935,  1640, 2640, 3896, 5274, 6547, 7455, 7784,
                                                 7455, 6547, 5274, 3896, 2640, 1640, 935,  489};
    static constexpr std::uint32_t scale1[9] = {1244, 3663, 7925, 12590, 14692, 12590, 7925, 3663, 1244};
    static constexpr std::uint32_t scale2[5] = {3571, 16004, 26386, 16004, 3571};
    static constexpr std::uint32_t scale3[3] = {10904, 43728, 10904};
    static constexpr Taps all[4] = {scale0, scale1, scale2, scale3};
    return all[scale];
}

inline int radius_of(int scale) { return int(taps_of(scale).size()) / 2; }

// 2048 * log2(i) for i in 32768..65535, at [i - 32768].
inline const std::vector<std::uint16_t>& log2_table() {
    static const std::vector<std::uint16_t> table = [] {
        std::vector<std::uint16_t> t(32768);
        for (int i = 32768; i < 65536; ++i) t[i - 32768] = std::uint16_t(std::floor(2048.0 * std::log2(double(i)) + 0.5 + 0x1p-10));
        return t;
    }();
    return table;
}

// 2048 * log2(v) of an integer v >= 2^17, from its 16 leading bits.
inline std::int64_t log2_q11(std::int64_t v) {
    const int shift = 48 - std::countl_zero(std::uint64_t(v));
    return std::int64_t(log2_table()[(v >> shift) - 32768]) + 2048 * shift;
}

constexpr std::int32_t noise_variance_q16 = 131072;  // 2.0
constexpr double epsilon = 65536 * 1.0e-10;
static_assert(epsilon == 0x1.b7cdfd9d7bdbbp-18);

// Sections 1 and 3: planes and downsampling.

// Reflection that does not repeat the edge sample, of period 2(n - 1); n >= 2.
inline int reflected(int i, int n) {
    const int period = 2 * (n - 1);
    i = std::abs(i) % period;
    return i < n ? i : period - i;
}

struct Plane {
    int width = 0, height = 0;
    std::vector<std::uint16_t> samples;  // [y][x]
    std::vector<std::uint16_t> beyond;   // [x], only for height 1: rows -1 and +1, which section 6 takes from the plane one scale up

    std::uint16_t row(int x, int y) const  // any y
    {
        if (height == 1) return y == 0 ? samples[x] : beyond[x];
        return samples[size_t(reflected(y, height)) * width + x];
    }
};

inline std::uint16_t rounded_shift(std::uint32_t sum, int bits) { return std::uint16_t((sum + (1u << (bits - 1))) >> bits); }

// Scale `scale` from the plane one scale up; bits: 8..16 for scale 1, 16 for scales 2 and 3.
inline Plane downsample(const Plane& in, int scale, int bits) {
    const Taps taps = taps_of(scale);
    const int radius = radius_of(scale);
    auto vertical = [&](int x, int y) {
        std::uint32_t sum = 0;
        for (int k = -radius; k <= radius; ++k) sum += taps[k + radius] * in.row(x, y + k);
        return rounded_shift(sum, bits);
    };
    Plane out{.width = in.width / 2, .height = in.height / 2, .samples = {}, .beyond = {}};
    for (int y = 0; y < out.height; ++y)
        for (int x = 0; x < out.width; ++x) {
            std::uint32_t sum = 0;
            for (int k = -radius; k <= radius; ++k) sum += taps[k + radius] * vertical(reflected(2 * x + k, in.width), 2 * y);
            out.samples.push_back(rounded_shift(sum, 16));
        }
    if (out.height == 1)
        for (int x = 0; x < out.width; ++x) out.beyond.push_back(in.row(x, 1));
    return out;
}

// Section 4: the statistic.

struct Moments {  // one column of the five lines M1, M2, Q11, Q22, Q12 between the vertical and the horizontal filter
    std::uint32_t mean_ref = 0, mean_dis = 0, ref_sq = 0, dis_sq = 0, ref_dis = 0;
};

struct Line {
    int width = 0;
    std::vector<Moments> columns;
    std::array<Moments, 9> beyond{};  // only for width 1: columns -k and +k, which section 6 takes from the statistic one scale up

    const Moments& column(int x) const  // any x
    {
        if (width == 1) return x == 0 ? columns[0] : beyond[std::abs(x)];
        return columns[reflected(x, width)];
    }
};

inline Moments vertical_moments(const Plane& ref, const Plane& dis, int x, int y, int scale, int bits) {
    const Taps taps = taps_of(scale);
    const int radius = radius_of(scale);
    std::uint32_t mean_ref = 0, mean_dis = 0;
    std::uint64_t ref_sq = 0, dis_sq = 0, ref_dis = 0;
    for (int k = -radius; k <= radius; ++k) {
        const std::uint32_t tap = taps[k + radius], r = ref.row(x, y + k), d = dis.row(x, y + k);
        mean_ref += tap * r;
        mean_dis += tap * d;
        ref_sq += std::uint64_t(tap) * r * r;
        dis_sq += std::uint64_t(tap) * d * d;
        ref_dis += std::uint64_t(tap) * r * d;
    }
    const int mean_shift = scale == 0 ? bits : 16, square_shift = scale == 0 ? 2 * (bits - 8) : 16;
    const std::uint64_t half = square_shift == 0 ? 0 : std::uint64_t(1) << (square_shift - 1);
    auto rounded = [&](std::uint64_t sum) { return std::uint32_t((sum + half) >> square_shift); };
    return {rounded_shift(mean_ref, mean_shift), rounded_shift(mean_dis, mean_shift), rounded(ref_sq), rounded(dis_sq), rounded(ref_dis)};
}

struct Variances {  // Q16; ref and covariance may be slightly negative
    std::int32_t ref, dis, covariance;
};

inline Variances variances(const Line& line, int x, int scale) {
    const Taps taps = taps_of(scale);
    const int radius = radius_of(scale);
    std::uint32_t mean_ref = 0, mean_dis = 0;  // Q24
    std::uint64_t ref_sq = 0, dis_sq = 0, ref_dis = 0;
    for (int k = -radius; k <= radius; ++k) {
        const std::uint32_t tap = taps[k + radius];
        const Moments& m = line.column(x + k);
        mean_ref += tap * m.mean_ref;
        mean_dis += tap * m.mean_dis;
        ref_sq += std::uint64_t(tap) * m.ref_sq;
        dis_sq += std::uint64_t(tap) * m.dis_sq;
        ref_dis += std::uint64_t(tap) * m.ref_dis;
    }
    auto less_means = [](std::uint64_t sum, std::uint32_t a, std::uint32_t b) {
        const std::uint32_t moment = std::uint32_t((sum + 32768) >> 16);
        const std::uint32_t product = std::uint32_t((std::uint64_t(a) * b + (std::uint64_t(1) << 31)) >> 32);
        return std::int32_t(moment - product);
    };
    return {less_means(ref_sq, mean_ref, mean_ref), std::max(less_means(dis_sq, mean_dis, mean_dis), 0),
            less_means(ref_dis, mean_ref, mean_dis)};
}

struct Sums {  // NL, DL, NN, DN of section 4
    std::int64_t num_log = 0, den_log = 0, num_flat = 0, den_flat = 0;
};

inline void add_pixel(const Variances& v, double gain_limit, Sums& sums) {
    if (v.ref < noise_variance_q16) {
        sums.num_flat += v.dis;
        sums.den_flat += 1;
        return;
    }
    sums.den_log += log2_q11(std::int64_t(noise_variance_q16) + v.ref) - 2048 * 17;
    if (v.covariance <= 0 || v.dis <= 0) return;
    double gain = double(v.covariance) / (double(v.ref) + epsilon);
    const std::int32_t residual = std::max(std::int32_t(double(v.dis) - gain * double(v.covariance)), 0);  // with the gain before its cap
    gain = std::min(gain, gain_limit);
    const std::int64_t noise = std::int64_t(residual) + noise_variance_q16;
    const std::int64_t signal = std::int64_t(gain * gain * double(v.ref)) + noise;
    sums.num_log += log2_q11(signal) - log2_q11(noise);
}

// Adds one scale to scores. beyond: in, the columns kept from the scale above; out, those of this one (section 6).
inline void statistic(const Plane& ref, const Plane& dis, int scale, int bits, double gain_limit, std::array<Moments, 9>& beyond,
                      Scores& scores) {
    Line line{.width = ref.width, .columns = std::vector<Moments>(ref.width), .beyond = beyond};
    Sums sums;
    for (int y = 0; y < ref.height; ++y) {
        for (int x = 0; x < ref.width; ++x) line.columns[x] = vertical_moments(ref, dis, x, y, scale, bits);
        for (int x = 0; x < ref.width; ++x) add_pixel(variances(line, x, scale), gain_limit, sums);
    }
    if (ref.width > 0)
        for (int k = 1; k <= radius_of(scale); ++k) beyond[k] = line.column(k);
    scores.num[scale] = float(double(sums.num_log) / 2048.0 + (double(sums.den_flat) - double(sums.num_flat) / 16384.0 / 65025.0));
    scores.den[scale] = float(double(sums.den_log) / 2048.0 + double(sums.den_flat));
}

// ref and dis: luma of width * height samples without padding.
inline Scores score(std::span<const std::uint16_t> ref_luma, std::span<const std::uint16_t> dis_luma, int width, int height, int bits,
                    const Options& options) {
    Plane ref{.width = width, .height = height, .samples = {ref_luma.begin(), ref_luma.end()}, .beyond = {}};
    Plane dis{.width = width, .height = height, .samples = {dis_luma.begin(), dis_luma.end()}, .beyond = {}};
    Scores scores;
    std::array<Moments, 9> beyond{};
    for (int scale = 0; scale < 4; ++scale) {
        if (scale > 0) {
            ref = downsample(ref, scale, scale == 1 ? bits : 16);
            dis = downsample(dis, scale, scale == 1 ? bits : 16);
        }
        if (scale == 0 && options.skip_scale0) {
            scores.num[0] = 0.0f;
            scores.den[0] = -1.0f;
        } else {
            statistic(ref, dis, scale, bits, options.enhn_gain_limit, beyond, scores);
        }
    }
    return scores;
}

// Section 5: what one frame emits, in order, under the names without option suffix.

using Features = std::vector<std::pair<std::string, double>>;

inline Features features(const Scores& s, const Options& options) {
    const int first = options.skip_scale0 ? 1 : 0;
    Features out;
    for (int scale = 0; scale < 4; ++scale) {
        // Single precision. 0 / 0 where the plane is empty is the NaN of x86 processors, sign bit set: others would give one without.
        const bool is_empty = s.num[scale] == 0.0f && s.den[scale] == 0.0f;
        const double ratio = is_empty ? std::bit_cast<double>(std::uint64_t(0xFFF8) << 48) : double(s.num[scale] / s.den[scale]);
        out.emplace_back("VMAF_integer_feature_vif_scale" + std::to_string(scale) + "_score", scale < first ? 0.0 : ratio);
    }
    if (!options.debug) return out;
    double num = 0.0, den = 0.0;
    for (int scale = first; scale < 4; ++scale) {
        num += double(s.num[scale]);
        den += double(s.den[scale]);
    }
    out.emplace_back("integer_vif", den == 0.0 ? 1.0 : num / den);
    out.emplace_back("integer_vif_num", num);
    out.emplace_back("integer_vif_den", den);
    for (int scale = 0; scale < 4; ++scale) {
        out.emplace_back("integer_vif_num_scale" + std::to_string(scale), double(s.num[scale]));
        out.emplace_back("integer_vif_den_scale" + std::to_string(scale), double(s.den[scale]));
    }
    return out;
}

}  // namespace isometric::test::vif_reference
