// `psnr`: the peak signal-to-noise ratio of each plane in decibels, 10 log10(peak^2 / mse), capped; the mean squared error itself on
// request, and for the stream the ratio of all frames together (`apsnr`). The squared error is an exact integer sum (docs/metrics/psnr.md).
//
// Reads all planes of both pictures, or luma alone without `enable_chroma`. Domain: bit depth 8, 10, 12 or 16, any size, any sample words.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "metrics/metric.h"

namespace isometric {

const MetricInfo& psnr_info();

namespace psnr {

// One configuration on one picture format.
struct Parameters {
    int planes = 3;  // measured: 1 without chroma
    bool mse = false;
    bool apsnr = false;
    std::uint32_t peak = 255;
    double cap[3] = {};  // upper bound of a plane's score

    static Parameters from(const OptionValues& values, const PictureFormat& format);
};

// An error when the metric is not defined for the format.
Status check_format(const PictureFormat& format);

// A record holds the squared error of each measured plane, below 2^64, as two exact doubles: the high and the low 32 bits.
constexpr int record_doubles_per_plane = 2;
void store_squared_error(std::uint64_t sum, int plane, std::span<double> record);
std::uint64_t squared_error(std::span<const double> record, int plane);

// The scores of a frame in the order of `emitted`, from its record. Every backend concludes with it.
void conclude(std::span<const double> record, const Parameters& parameters, const PictureFormat& format, std::span<double> scores);

// apsnr_y, apsnr_cb, apsnr_cr over all records; nothing unless asked for.
void aggregate(const RecordTable& records, const Parameters& parameters, const PictureFormat& format, std::vector<Aggregate>& out);

// On a device (psnr_twin.cpp).
Result<std::unique_ptr<Twin>> create_twin(std::span<const OptionValues> variants, const PictureFormat& format, Device& device);

// The features of a configuration in the order of conclude()'s scores.
std::vector<EmittedFeature> emitted(const Parameters& parameters);

}  // namespace psnr
}  // namespace isometric
