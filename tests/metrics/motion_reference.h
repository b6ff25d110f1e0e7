// The specification of `motion` (docs/metrics/motion.md) as naive scalar C++: what every path must equal, in every bit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "isometric/picture.h"

namespace isometric::test::motion_reference {

struct Options {
    bool force_zero = false;
    double blend_factor = 1.0, blend_offset = 40.0, fps_weight = 1.0, max_val = 10000.0;
    bool five_frame_window = false, moving_average = false;
};

struct Scores {  // by frame
    std::vector<double> sad, motion2, motion3;
};

inline int reflected(int i, int n) {
    i = std::abs(i);
    return i < n ? i : 2 * (n - 1) - i;
}

inline int sample(const Picture& picture, int x, int y) {
    if (picture.format().bit_depth == 8) return picture.plane<std::uint8_t>(0).row(y)[x];
    return picture.plane<std::uint16_t>(0).row(y)[x];
}

inline std::uint64_t blurred_sad(const Picture& earlier, const Picture& current) {
    constexpr std::int64_t taps[5] = {3571, 16004, 26386, 16004, 3571};
    const int width = current.format().width, height = current.format().height, bits = current.format().bit_depth;
    std::vector<std::int64_t> line(static_cast<std::size_t>(width));
    std::uint64_t sad = 0;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            std::int64_t sum = 0;
            for (int k = 0; k < 5; ++k) {
                const int row = reflected(y - 2 + k, height);
                sum += taps[k] * (sample(earlier, x, row) - sample(current, x, row));
            }
            line[std::size_t(x)] = (sum + (std::int64_t(1) << (bits - 1))) >> bits;
        }
        for (int x = 0; x < width; ++x) {
            std::int64_t sum = 0;
            for (int k = 0; k < 5; ++k) sum += taps[k] * line[std::size_t(reflected(x - 2 + k, width))];
            sad += std::uint64_t(std::abs((sum + 32768) >> 16));
        }
    }
    return sad;
}

inline double minimum(double a, double b) { return a < b ? a : b; }

inline Scores score(const std::vector<Picture>& frames, const Options& o) {
    const std::size_t count = frames.size(), d = o.five_frame_window ? 2 : 1;
    const auto blend = [&](double m) { return m * o.blend_factor + (1 - o.blend_factor) * minimum(o.blend_offset, m); };
    Scores s;
    for (std::size_t i = 0; i < count; ++i) {
        const PictureFormat& f = frames[i].format();
        if (i < d || o.force_zero) s.sad.push_back(0.0);
        else
            s.sad.push_back(minimum(double(blurred_sad(frames[i - d], frames[i])) / 256.0 /
                                        double(std::uint32_t(f.width) * std::uint32_t(f.height)) * o.fps_weight,
                                    o.max_val));
    }
    const double stamp = count > d ? minimum(blend(s.sad[d]), o.max_val) : 0.0;
    double previous = stamp;
    for (std::size_t i = 0; i < count; ++i) {
        double motion2 = 0.0, motion3 = stamp;
        if (i >= d) {
            if (i == count - 1) motion2 = s.sad[i];
            else if (i - (d - 1) >= d) motion2 = minimum(s.sad[i - (d - 1)], s.sad[i + 1]);
            else motion2 = s.sad[i + 1];
            const double present = minimum(blend(motion2), o.max_val);
            motion3 = o.moving_average ? (present + previous) / 2 : present;
            previous = present;
        }
        s.motion2.push_back(motion2);
        s.motion3.push_back(motion3);
    }
    return s;
}

}  // namespace isometric::test::motion_reference
