// One thread's work on a frame of `vif`: bands of rows of a scale, from rows to sums and to the rows of the next scale.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned_memory.h"
#include "isometric/picture.h"
#include "isometric/status.h"
#include "metrics/vif/vif.h"
#include "metrics/vif/vif_passes.h"
#include "metrics/vif/vif_plane.h"

namespace isometric::vif {

// What the threads of a frame share. Bands write rows of the next scale that are theirs alone; the last band alone writes `kept`.
struct FramePlanes {
    // Columns 1..8 of the last line of the scale before: what columns beyond a plane of one column read (docs/metrics/vif.md, section 6).
    using KeptColumns = std::array<std::array<std::int16_t, half_count>, 9>;

    static Result<FramePlanes> create(const PictureFormat& format, const RecordLayout& layout, InstructionSet set);

    const Passes* passes = nullptr;
    PictureFormat format;
    std::vector<double> gain_limits;
    int first_scale = 0;
    std::array<PlaneShape, scale_count> shapes;
    std::vector<Plane> planes[2];  // [ref, dis][scale - 1]
    KeptColumns kept{};
};

// Rows of the pictures that the next band will need, fetched a few lines of cache at a time while this one is computed: a row begins on
// another page than the one before it, where processors do not fetch ahead by themselves.
class RowsAhead {
public:
    void clear() { rows_ = 0; }
    void add(const void* row, std::size_t size_bytes);
    void fetch(std::size_t size_bytes);

private:
    static constexpr std::size_t line_bytes = 64;
    std::array<const std::uint8_t*, 2 * band_rows> begin_{};
    std::size_t rows_ = 0, row_ = 0, size_bytes_ = 0, offset_ = 0;
};

class Bands {
public:
    static Result<Bands> create(const FramePlanes& frame);

    void begin_frame();
    // Bands begin..end - 1 of the pictures, or of the planes of a scale from 1 on: their statistic, and their part of the next scale. Bands
    // that follow those measured last are cheaper.
    void measure_picture(FramePlanes& frame, const Picture& ref, const Picture& dis, int begin, int end);
    void measure_plane(FramePlanes& frame, int scale, int begin, int end);
    // Of the bands since begin_frame().
    std::span<const Sums, scale_count> sums() const { return sums_; }

private:
    Bands() = default;
    Status allocate(const FramePlanes& frame);

    template <class T>
    void load_rows(const FramePlanes& frame, const Picture& picture, std::size_t which, int m);
    void load_rows(const FramePlanes& frame, const Picture& ref, const Picture& dis, int m);
    void fetch_rows(const FramePlanes& frame, const Picture& ref, const Picture& dis, int first_pair, int pairs);
    const std::int32_t* picture_rows(std::size_t which, int m) const;
    BandInput picture_input(const FramePlanes& frame, int first_pair, int pairs, int first_position) const;

    void score_band(FramePlanes& frame, int scale, int y, const BandInput& in, Passes::Vertical moments);
    void score_line(const FramePlanes& frame, int scale, const std::int16_t* line);
    void decimate_band(FramePlanes& frame, int scale, int y, const BandInput& in, Passes::Vertical rows);

    std::array<Sums, scale_count> sums_;
    std::array<AlignedArray<std::uint8_t>, 2> extended_rows_;  // two rows of a picture with what filters read beyond them
    std::array<AlignedArray<std::int32_t>, 2> ring_;           // [ref, dis]: the row pairs of the window at scale 0
    std::size_t ring_pair_size_ = 0;
    int loaded_ = 0;     // the row pair after those in the ring
    int next_band_ = 0;  // whose window begins in the ring
    RowsAhead rows_ahead_;
    AlignedArray<std::int16_t> lines_, decimated_lines_;
    AlignedArray<std::int32_t> moments_, vector_scratch_;
};

}  // namespace isometric::vif
