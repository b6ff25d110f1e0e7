// The frame flow of `vif` on the CPU: both lumas through all scales, from rows to sums.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned_memory.h"
#include "base/instruction_set.h"
#include "isometric/picture.h"
#include "isometric/status.h"
#include "metrics/vif/vif.h"
#include "metrics/vif/vif_passes.h"
#include "metrics/vif/vif_plane.h"

namespace isometric::vif {

// Rows of the pictures that the next band will need, fetched a few lines of cache at a time while this one is computed: a row begins on another
// page than the one before it, where processors do not fetch ahead by themselves.
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

// Scratch memory of one measuring thread, for pictures of one format: some rows of each stage, and the planes of scales 1 to 3.
class FrameScratch {
public:
    static Result<FrameScratch> create(const PictureFormat& format, const RecordLayout& layout, InstructionSet set);

    // The sums of every scale from layout.first_scale() on; those of a scale that is left out are 0.
    std::span<const Sums, scale_count> measure(const Picture& ref, const Picture& dis);

private:
    // Columns 1..8 of the last line of the scale before: what columns beyond a plane of one column read (docs/metrics/vif.md, section 6).
    using KeptColumns = std::array<std::array<std::int16_t, half_count>, 9>;

    explicit FrameScratch(const Passes& table) : passes_(&table) {}
    Status allocate();

    template <class T>
    void load_rows(const Picture& picture, std::size_t which, int m);
    void load_rows(const Picture& ref, const Picture& dis, int m);
    void fetch_rows(const Picture& ref, const Picture& dis, int first_pair, int pairs);
    const std::int32_t* picture_rows(std::size_t which, int m) const;
    BandInput picture_input(int first_pair, int pairs, int first_position) const;
    BandInput plane_input(int scale, int first_pair, int pairs, int first_position) const;

    void measure_picture(const Picture& ref, const Picture& dis);
    void measure_plane(int scale);
    void score_band(int scale, int y, const BandInput& in, Passes::Vertical moments);
    void score_line(int scale, const std::int16_t* line);
    void decimate_band(int scale, int y, const BandInput& in, Passes::Vertical rows);
    void keep_columns(int scale, const std::int16_t* line);
    void place_columns(int scale, std::int16_t* line) const;

    const Passes* passes_;
    PictureFormat format_;
    std::vector<double> gain_limits_;
    int first_scale_ = 0;
    std::array<Sums, scale_count> sums_;

    std::array<PlaneShape, scale_count> shapes_;
    std::vector<Plane> planes_[2];  // [ref, dis][scale - 1]
    std::array<AlignedArray<std::uint8_t>, 2> extended_rows_;  // two rows of a picture with what filters read beyond them
    std::array<AlignedArray<std::int32_t>, 2> ring_;           // [ref, dis]: the row pairs of the window at scale 0
    std::size_t ring_pair_size_ = 0;
    RowsAhead rows_ahead_;
    AlignedArray<std::int16_t> lines_, decimated_lines_;
    AlignedArray<std::int32_t> moments_, vector_scratch_;
    KeptColumns kept_{};
};

}  // namespace isometric::vif
