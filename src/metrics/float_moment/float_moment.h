// `float_moment`: the mean of the luma samples and of their squares, of both pictures, in 8-bit steps. Each is a serial sum in double
// precision in raster order, and squares are single-precision products; the sums are formed in parallel with the same bits
// (docs/metrics/float_moment.md).
//
// Reads the luma of both pictures. Domain: bit depth 8..16, fewer than 2^31 samples, any sample words.
#pragma once

#include <cstdint>
#include <span>

#include "metrics/metric.h"

namespace isometric {

const MetricInfo& float_moment_info();

namespace float_moment {

// An error when the metric is not defined for the format.
Status check_format(const PictureFormat& format);

// What one sample of 8 bits is at a bit depth. Depths without a scale of their own are read as bytes: see reads_bytes().
int scale(int bit_depth);

// Depths other than 10, 12 and 16 read `width` bytes at the start of each row, whatever the samples' size. At 9, 11, 13, 14 and 15 bits
// these are the halves of the first samples: a defect of libvmaf that its scores have, and so ours.
bool reads_bytes(int bit_depth);

// The serial sums of a picture: samples, and squares, in steps of the bit depth. Both are integers of at most 53 significant bits.
struct Sums {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
};

// A record holds the sums of both pictures, which doubles hold exactly.
constexpr int record_size = 4;
void store(const Sums& ref, const Sums& dis, std::span<double> record);

// The scores in the order of the features: first moments of ref and dis, second moments of both. Every backend concludes with it.
void conclude(std::span<const double> record, const PictureFormat& format, std::span<double> scores);

// On a device (float_moment_twin.cpp).
Result<std::unique_ptr<Twin>> create_twin(std::span<const OptionValues> variants, const PictureFormat& format, Device& device);

}  // namespace float_moment
}  // namespace isometric
