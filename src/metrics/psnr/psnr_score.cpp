#include <cmath>
#include <limits>

#include "base/error.h"
#include "metrics/psnr/psnr.h"

namespace isometric::psnr {
namespace {

// As the comparisons of the reference go: with a NaN operand both return the second.
double larger(double a, double b) { return a > b ? a : b; }
double smaller(double a, double b) { return a < b ? a : b; }

std::uint32_t samples_of(const PictureFormat& format, int plane) {
    return std::uint32_t(format.plane_width(plane)) * std::uint32_t(format.plane_height(plane));
}

// peak^2 wraps for no depth: 65535^2 < 2^32.
double peak_squared(const Parameters& p) { return double(p.peak * p.peak); }

// Without a floor for the squared error the cap is 6 dB for each bit and two bits more (docs/metrics/psnr.md, section 2).
double cap_of(double min_sse, const Parameters& p, const PictureFormat& format, int plane) {
    if (min_sse == 0.0) return 6 * format.bit_depth + 12;
    const double least_mse = min_sse / double(samples_of(format, plane));
    return std::ceil(10.0 * std::log10(peak_squared(p) / least_mse));
}

double mean_squared_error(std::uint64_t sum, std::uint32_t samples) {
    // 0 / 0 gives a NaN whose sign depends on the processor; this is x86's.
    if (samples == 0) return std::copysign(std::numeric_limits<double>::quiet_NaN(), -1.0);
    return double(sum) / double(samples);
}

}  // namespace

Status check_format(const PictureFormat& format) {
    const int depth = format.bit_depth;
    if (depth != 8 && depth != 10 && depth != 12 && depth != 16)
        return error(Code::invalid_argument, "metric psnr needs a bit depth of 8, 10, 12 or 16, not {}", depth);
    if (std::uint64_t(format.width) * std::uint64_t(format.height) > std::numeric_limits<std::uint32_t>::max())
        return error(Code::invalid_argument, "metric psnr needs pictures of fewer than 2^32 samples, not {}x{}", format.width,
                     format.height);
    return {};
}

Parameters Parameters::from(const OptionValues& values, const PictureFormat& format) {
    Parameters p;
    p.planes = values.flag("enable_chroma") ? format.planes() : 1;
    p.mse = values.flag("enable_mse");
    p.apsnr = values.flag("enable_apsnr");
    p.peak = values.flag("reduced_hbd_peak") ? 255u << (format.bit_depth - 8) : (1u << format.bit_depth) - 1;
    for (int plane = 0; plane < 3; ++plane) p.cap[plane] = cap_of(values.real("min_sse"), p, format, plane);
    return p;
}

void store_squared_error(std::uint64_t sum, int plane, std::span<double> record) {
    record[std::size_t(plane) * 2] = double(sum >> 32);
    record[std::size_t(plane) * 2 + 1] = double(sum & 0xFFFFFFFFu);
}

std::uint64_t squared_error(std::span<const double> record, int plane) {
    return (std::uint64_t(record[std::size_t(plane) * 2]) << 32) + std::uint64_t(record[std::size_t(plane) * 2 + 1]);
}

void conclude(std::span<const double> record, const Parameters& p, const PictureFormat& format, std::span<double> scores) {
    std::size_t next = 0;
    for (int plane = 0; plane < p.planes; ++plane) {
        const double mse = mean_squared_error(squared_error(record, plane), samples_of(format, plane));
        scores[next++] = smaller(10.0 * std::log10(peak_squared(p) / larger(mse, 1e-16)), p.cap[plane]);
        if (p.mse) scores[next++] = mse;
    }
}

void aggregate(const RecordTable& records, const Parameters& p, const PictureFormat& format, std::vector<Aggregate>& out) {
    if (!p.apsnr) return;
    constexpr const char* names[3] = {"apsnr_y", "apsnr_cb", "apsnr_cr"};
    for (int plane = 0; plane < 3; ++plane) {
        // A plane that is not measured has no samples and no error: its value is -inf.
        std::uint64_t sum = 0, samples = 0;
        for (std::int64_t frame = 0; plane < p.planes && frame < records.frames(); ++frame) {
            sum += squared_error(records.record(frame), plane);
            samples += samples_of(format, plane);
        }
        const double ratio = 10 * ((std::log10(peak_squared(p)) + std::log10(double(samples))) - std::log10(double(sum)));
        const double cap = std::ceil(10 * std::log10(double(std::uint64_t(p.peak * p.peak) * samples * 2)));
        out.push_back({names[plane], smaller(ratio, cap)});
    }
}

std::vector<EmittedFeature> emitted(const Parameters& p) {
    std::vector<EmittedFeature> features;
    for (int plane = 0; plane < p.planes; ++plane) {
        features.push_back({2 * plane, WritePhase::first_frame});
        if (p.mse) features.push_back({2 * plane + 1, WritePhase::first_frame});
    }
    return features;
}

}  // namespace isometric::psnr
