#include "metrics/vif/vif_bands.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/assert.h"
#include "base/error.h"
#include "metrics/vif/vif_tables.h"

namespace isometric::vif {
namespace {

// Pairs of positions whose moments stay in the first-level cache between the horizontal filter and the statistic.
constexpr int chunk_pairs = 24;
static_assert(chunk_pairs % output_pairs_step == 0 && 2 * chunk_pairs <= max_statistic_vectors);

constexpr int window_pairs(int reach) { return band_rows / 2 + reach; }

}  // namespace

void RowsAhead::add(const void* row, std::size_t size_bytes) {
    if (rows_ == 0) row_ = offset_ = 0;
    ISO_ASSERT(rows_ < begin_.size());
    begin_[rows_++] = static_cast<const std::uint8_t*>(row);
    size_bytes_ = size_bytes;
}

void RowsAhead::fetch(std::size_t size_bytes) {
    for (std::size_t fetched = 0; fetched < size_bytes && row_ < rows_; fetched += line_bytes) {
        __builtin_prefetch(begin_[row_] + offset_, 0, 2);
        offset_ += line_bytes;
        if (offset_ >= size_bytes_) offset_ = 0, ++row_;
    }
}

Result<FramePlanes> FramePlanes::create(const PictureFormat& format, const RecordLayout& layout, InstructionSet set) {
    FramePlanes frame;
    frame.passes = &vif::passes(set);
    frame.format = format;
    frame.gain_limits.assign(layout.gain_limits().begin(), layout.gain_limits().end());
    frame.first_scale = layout.first_scale();
    for (int scale = 0; scale < scale_count; ++scale) {
        frame.shapes[std::size_t(scale)] = PlaneShape(scale, format.width, format.height, frame.passes->lanes);
        if (scale == 0) continue;
        for (std::vector<Plane>& planes : frame.planes) {
            ISO_TRY(Plane plane, Plane::create(frame.shapes[std::size_t(scale)]));
            planes.push_back(std::move(plane));
        }
    }
    return frame;
}

Result<Bands> Bands::create(const FramePlanes& frame) {
    Bands bands;
    for (Sums& sums : bands.sums_) sums.num_log.resize(frame.gain_limits.size());
    ISO_DO(bands.allocate(frame));
    return bands;
}

Status Bands::allocate(const FramePlanes& frame) {
    const PlaneShape& full = frame.shapes[0];
    const std::size_t vector_size = std::size_t(full.lanes), positions = full.vectors();
    const std::size_t sample_size = std::size_t(frame.format.bytes_per_sample());
    ring_pair_size_ = positions * vector_size * sample_size / 2;
    for (std::size_t i = 0; i < 2; ++i) {
        const std::size_t columns = std::size_t(full.lanes) * std::size_t(full.segment) + 2 * std::size_t(full.reach());
        ISO_TRY(extended_rows_[i], make_aligned<std::uint8_t>(columns * sample_size, "the extended rows of vif"));
        ISO_TRY(ring_[i], make_aligned<std::int32_t>(max_row_pairs * ring_pair_size_, "the rows of vif"));
    }
    const std::size_t pairs = std::size_t(full.position_pairs());
    ISO_TRY(lines_, make_aligned<std::int16_t>((band_rows * pairs + output_pairs_step) * half_count * 2 * vector_size, "the lines of vif"));
    ISO_TRY(decimated_lines_,
            make_aligned<std::int16_t>((band_rows / 2 * pairs + output_pairs_step) * 4 * vector_size, "the decimated lines of vif"));
    ISO_TRY(moments_, make_aligned<std::int32_t>(2 * chunk_pairs * moment_count * vector_size, "the moments of vif"));
    ISO_TRY(vector_scratch_,
            make_aligned<std::int32_t>(std::max(vertical_scratch_vectors, statistic_scratch_vectors) * vector_size, "vectors of vif"));
    return {};
}

void Bands::begin_frame() {
    for (Sums& sums : sums_) sums.clear();
    next_band_ = -1;
}

// Row pair m of a picture, m from -4 on: reflected rows, extended at both ends, into lanes.
template <class T>
void Bands::load_rows(const FramePlanes& frame, const Picture& picture, std::size_t which, int m) {
    const PlaneShape& shape = frame.shapes[0];
    const int reach = shape.reach();
    const PlaneView<const T> plane = picture.plane<T>(0);
    for (int i = 0; i < 2; ++i) {
        T* row = reinterpret_cast<T*>(extended_rows_[std::size_t(i)].get()) + reach;
        std::memcpy(row, plane.row(reflected(2 * m + i, shape.height)), std::size_t(shape.width) * sizeof(T));
        for (int k = 1; k <= reach; ++k) {
            row[-k] = row[reflected(-k, shape.width)];
            // The last lane ends before all of these if the picture does not fill it.
            if (shape.width - 1 + k < shape.lanes * shape.segment + reach)
                row[shape.width - 1 + k] = row[reflected(shape.width - 1 + k, shape.width)];
        }
    }
    std::int32_t* out = const_cast<std::int32_t*>(picture_rows(which, m));
    const int steps = int(shape.vectors() * sizeof(T)) / 4;
    frame.passes->transpose(extended_rows_[0].get(), extended_rows_[1].get(), std::ptrdiff_t(shape.segment) * std::ptrdiff_t(sizeof(T)),
                            steps, sizeof(T) == 1 ? 0 : 16 - frame.format.bit_depth, out);
}

void Bands::load_rows(const FramePlanes& frame, const Picture& ref, const Picture& dis, int m) {
    if (frame.format.bit_depth == 8) {
        load_rows<std::uint8_t>(frame, ref, 0, m);
        load_rows<std::uint8_t>(frame, dis, 1, m);
    } else {
        load_rows<std::uint16_t>(frame, ref, 0, m);
        load_rows<std::uint16_t>(frame, dis, 1, m);
    }
}

void Bands::fetch_rows(const FramePlanes& frame, const Picture& ref, const Picture& dis, int first_pair, int pairs) {
    rows_ahead_.clear();
    for (int y = 2 * first_pair; y < 2 * (first_pair + pairs) && y < frame.format.height; ++y)
        for (const Picture* picture : {&ref, &dis})
            rows_ahead_.add(picture->memory(0).data + y * picture->memory(0).stride_bytes,
                            std::size_t(frame.format.width) * std::size_t(frame.format.bytes_per_sample()));
}

const std::int32_t* Bands::picture_rows(std::size_t which, int m) const {
    return ring_[which].get() + std::size_t(m + max_row_pairs) % max_row_pairs * ring_pair_size_;
}

BandInput Bands::picture_input(const FramePlanes& frame, int first_pair, int pairs, int first_position) const {
    BandInput in{.position_pairs = frame.shapes[0].position_pairs() - first_position};  // as many on the right
    const std::size_t skip =
        std::size_t(first_position) * std::size_t(frame.passes->lanes) * std::size_t(frame.format.bytes_per_sample()) / 2;
    for (int m = 0; m < pairs; ++m) {
        in.ref[std::size_t(m)] = picture_rows(0, first_pair + m) + skip;
        in.dis[std::size_t(m)] = picture_rows(1, first_pair + m) + skip;
    }
    return in;
}

namespace {

BandInput plane_input(const FramePlanes& frame, int scale, int first_pair, int pairs, int first_position) {
    const std::size_t skip = std::size_t(first_position) * std::size_t(frame.passes->lanes), s = std::size_t(scale);
    BandInput in{.position_pairs = frame.shapes[s].position_pairs() - first_position};
    for (int m = 0; m < pairs; ++m) {
        in.ref[std::size_t(m)] = frame.planes[0][s - 1].row_pair(first_pair + m) + skip;
        in.dis[std::size_t(m)] = frame.planes[1][s - 1].row_pair(first_pair + m) + skip;
    }
    return in;
}

// The words of a column of a line: [half] vectors apart.
std::ptrdiff_t first_word(const FramePlanes& frame, int position, int lane) {
    return std::ptrdiff_t(position / 2) * half_count * 2 * frame.passes->lanes + 2 * lane + position % 2;
}

// Sections 6 of docs/metrics/vif.md: the last line of a scale whose next has one column, and the lines of that.
void keep_columns(FramePlanes& frame, int scale, const std::int16_t* line) {
    const PlaneShape& shape = frame.shapes[std::size_t(scale)];
    if (scale + 1 == scale_count || frame.shapes[std::size_t(scale + 1)].width != 1) return;
    for (int k = 1; k <= radius_of(scale + 1); ++k) {
        const int column = reflected(k, shape.width);
        const std::int16_t* words = line + first_word(frame, column % shape.segment + shape.reach(), column / shape.segment);
        for (int half = 0; half < half_count; ++half) frame.kept[std::size_t(k)][std::size_t(half)] = words[half * 2 * frame.passes->lanes];
    }
}

void place_columns(const FramePlanes& frame, int scale, std::int16_t* line) {
    const int reach = reach_of(scale);
    for (int k = 1; k <= radius_of(scale); ++k)
        for (const int position : {reach - k, reach + k}) {
            std::int16_t* words = line + first_word(frame, position, 0);
            for (int half = 0; half < half_count; ++half)
                words[half * 2 * frame.passes->lanes] = frame.kept[std::size_t(k)][std::size_t(half)];
        }
}

}  // namespace

void Bands::measure_picture(FramePlanes& frame, const Picture& ref, const Picture& dis, int begin, int end) {
    const int reach = reach_of(0), next_reach = reach_of(1);
    const bool byte = frame.format.bit_depth == 8;
    const auto moments = byte ? frame.passes->moments_byte : frame.passes->moments[0];
    const auto decimate = byte ? frame.passes->decimate_rows_byte : frame.passes->decimate_rows[0];
    if (begin != next_band_) loaded_ = (begin * band_rows - reach) / 2;
    next_band_ = end;
    for (int y = begin * band_rows; y < std::min(end * band_rows, frame.format.height); y += band_rows) {
        const int first = (y - reach) / 2;
        for (; loaded_ < first + max_row_pairs; ++loaded_) load_rows(frame, ref, dis, loaded_);
        fetch_rows(frame, ref, dis, loaded_, band_rows / 2);
        if (frame.first_scale == 0) score_band(frame, 0, y, picture_input(frame, first, max_row_pairs, 0), moments);
        decimate_band(frame, 0, y, picture_input(frame, (y - next_reach) / 2, window_pairs(next_reach), reach - next_reach), decimate);
    }
}

void Bands::measure_plane(FramePlanes& frame, int scale, int begin, int end) {
    const std::size_t s = std::size_t(scale);
    for (int y = begin * band_rows; y < std::min(end * band_rows, frame.shapes[s].height); y += band_rows) {
        const int reach = reach_of(scale);
        score_band(frame, scale, y, plane_input(frame, scale, (y - reach) / 2, window_pairs(reach), 0), frame.passes->moments[s]);
        if (scale == scale_count - 1) continue;
        const int next_reach = reach_of(scale + 1);
        decimate_band(frame, scale, y, plane_input(frame, scale, (y - next_reach) / 2, window_pairs(next_reach), reach - next_reach),
                      frame.passes->decimate_rows[s]);
    }
}

void Bands::score_band(FramePlanes& frame, int scale, int y, const BandInput& in, Passes::Vertical moments) {
    const PlaneShape& shape = frame.shapes[std::size_t(scale)];
    const std::ptrdiff_t stride = std::ptrdiff_t(shape.position_pairs()) * half_count * 2 * frame.passes->lanes;
    moments(in, {.lines = lines_.get(), .stride = stride}, vector_scratch_.get());
    for (int row = 0; row < band_rows && y + row < shape.height; ++row) {
        std::int16_t* line = lines_.get() + row * stride;
        if (shape.width == 1) place_columns(frame, scale, line);
        score_line(frame, scale, line);
        if (y + row == shape.height - 1) keep_columns(frame, scale, line);
    }
}

void Bands::score_line(const FramePlanes& frame, int scale, const std::int16_t* line) {
    const PlaneShape& shape = frame.shapes[std::size_t(scale)];
    Sums& sums = sums_[std::size_t(scale)];
    const RowShape row{.width = shape.width, .segment = shape.segment};
    const std::size_t chunk_bytes =
        2 * std::size_t(chunk_pairs) * std::size_t(frame.passes->lanes) * std::size_t(frame.format.bytes_per_sample());  // of a picture
    for (int first = 0; first < shape.output_pairs(); first += chunk_pairs) {
        const int pairs = std::min(chunk_pairs, shape.output_pairs() - first);
        // Half now and half below: a core has few misses in flight, and waits for them when it asks for more.
        if (scale == 0) rows_ahead_.fetch(chunk_bytes);
        frame.passes->horizontal[std::size_t(scale)](line + std::ptrdiff_t(first) * half_count * 2 * frame.passes->lanes, pairs,
                                                     moments_.get());
        if (scale == 0) rows_ahead_.fetch(chunk_bytes);
        const int begin = 2 * first, end = std::min(begin + 2 * pairs, shape.segment);
        for (std::size_t limit = 0; limit < frame.gain_limits.size(); limit += 2) {
            const auto limits =
                std::span<const double>(frame.gain_limits).subspan(limit, std::min<std::size_t>(2, frame.gain_limits.size() - limit));
            RowSums add;
            frame.passes->statistic(moments_.get(), begin, end, row, limits, vector_scratch_.get(), add);
            for (std::size_t i = 0; i < limits.size(); ++i) sums.num_log[limit + i] += add.num_log[i];
            if (limit != 0) continue;
            sums.den_log += add.den_log;
            sums.num_flat += add.num_flat;
            sums.den_flat += add.den_flat;
        }
    }
}

void Bands::decimate_band(FramePlanes& frame, int scale, int y, const BandInput& in, Passes::Vertical rows) {
    const PlaneShape &shape = frame.shapes[std::size_t(scale)], &next = frame.shapes[std::size_t(scale + 1)];
    const int skipped = (shape.reach() - next.reach());  // pairs of positions that the smaller filter does not read, at both ends
    BandInput narrow = in;
    narrow.position_pairs = shape.position_pairs() - skipped;
    const std::ptrdiff_t stride = std::ptrdiff_t(narrow.position_pairs) * 4 * frame.passes->lanes;
    rows(narrow, {.lines = decimated_lines_.get(), .stride = stride}, vector_scratch_.get());
    const std::size_t first_output = next.first_lane_index(0);
    for (int m = y / 4; m < y / 4 + 2 && 2 * m < next.height; ++m) {
        const std::int16_t* even = decimated_lines_.get() + (2 * m - y / 2) * stride;
        frame.passes->decimate_columns[std::size_t(scale)](even, even + stride, next.segment,
                                                           frame.planes[0][std::size_t(scale)].row_pair(m) + first_output,
                                                           frame.planes[1][std::size_t(scale)].row_pair(m) + first_output);
    }
}

}  // namespace isometric::vif
