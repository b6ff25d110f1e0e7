#include "base/error.h"
#include "metrics/float_moment/float_moment.h"

namespace isometric::float_moment {

Status check_format(const PictureFormat& format) {
    if (std::int64_t(format.width) * format.height > INT32_MAX)
        return error(Code::invalid_argument, "metric float_moment needs pictures of fewer than 2^31 samples, not {}x{}", format.width,
                     format.height);
    return {};
}

int scale(int bit_depth) {
    switch (bit_depth) {
        case 10: return 4;
        case 12: return 16;
        case 16: return 256;
        default: return 1;
    }
}

bool reads_bytes(int bit_depth) { return scale(bit_depth) == 1; }

void store(const Sums& ref, const Sums& dis, std::span<double> record) {
    record[0] = double(ref.first);
    record[1] = double(dis.first);
    record[2] = double(ref.second);
    record[3] = double(dis.second);
}

void conclude(std::span<const double> record, const PictureFormat& format, std::span<double> scores) {
    // The scale is a power of two, so only the division by the number of samples rounds.
    const double step = scale(format.bit_depth), samples = double(format.width * format.height);
    for (std::size_t i = 0; i < 2; ++i) scores[i] = record[i] / step / samples;
    for (std::size_t i = 2; i < 4; ++i) scores[i] = record[i] / (step * step) / samples;
}

}  // namespace isometric::float_moment
