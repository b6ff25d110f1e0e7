#include "metrics/adm/adm_measure.h"

#include <algorithm>

#include "base/error.h"
#include "metrics/adm/adm_workspace.h"

namespace isometric::adm {
namespace {

Interval hull(Interval a, Interval b) { return {std::min(a.begin, b.begin), std::max(a.end, b.end)}; }

// The scored part and its neighbours; the first column mirrors inwards.
Interval with_neighbours(Interval scored, int size) { return {std::max(scored.begin - 1, 0), std::min(scored.end + 1, size)}; }

// What the transform of n samples reads for its outputs.
Interval taps_of(Interval outputs, int n) { return {std::max(2 * outputs.begin - 1, 0), std::min(2 * outputs.end + 1, n)}; }

// Totals wrap.
template <class T>
void add(std::array<T, bands>& totals, const std::array<T, bands>& more) {
    for (std::size_t k = 0; k < bands; ++k) totals[k] = T(std::uint64_t(totals[k]) + std::uint64_t(more[k]));
}

// The last input row that output row i needs.
int last_tap(int i, int n) { return std::min(2 * i + 2, n - 1); }

}  // namespace

std::array<ScaleWindow, scales> windows(const Geometry& geometry, int width, int height) {
    std::array<ScaleWindow, scales> result;
    for (std::size_t s = scales; s-- > 0;) {
        const ScaleGeometry& g = geometry[s];
        ScaleWindow& w = result[s];
        w.rows = w.band_rows = with_neighbours(g.rows, g.height);
        w.columns = w.band_columns = with_neighbours(g.columns, g.width);
        if (s + 1 < scales) {
            w.rows = hull(w.rows, result[s + 1].input_rows);
            w.columns = hull(w.columns, result[s + 1].input_columns);
        }
        w.input_rows = taps_of(w.rows, s ? geometry[s - 1].height : height);
        w.input_columns = taps_of(w.columns, s ? geometry[s - 1].width : width);
    }
    return result;
}

Geometry share_of_rows(Geometry geometry, int part, int parts) {
    for (ScaleGeometry& g : geometry) {
        const Interval all = g.rows;
        g.rows = {all.begin + all.size() * part / parts, all.begin + all.size() * (part + 1) / parts};
    }
    return geometry;
}

// ---- Workspace --------------------------------------------------------------------------------------------------------------------------

// What one walk keeps.
class WalkRows {
public:
    static Result<std::unique_ptr<WalkRows>> create(const Measurement& m) {
        auto rows = std::make_unique<WalkRows>();
        RowMemory count;
        rows->lay_out(count, m);
        ISO_TRY(rows->memory_, make_aligned<std::byte>(count.used(), "the rows of metric adm"));
        RowMemory memory(rows->memory_.get());
        rows->lay_out(memory, m);
        return rows;
    }

    const ReferenceTotals& reference(std::size_t scale) const {
        return scale == 0 ? scale0.reference : scale == 1 ? scale1.reference : scale23[scale - 2].reference;
    }
    const MaskedTotals& masked(std::size_t scale, std::size_t variant) const {
        if (scale == 0) return scale0.variants[variant].totals;
        return scale == 1 ? scale1.variants[variant].totals : scale23[scale - 2].variants[variant].totals;
    }

    ScaleRows<void, std::int16_t, FineRow> scale0;
    ScaleRows<std::int16_t, std::int32_t, CoarseRow> scale1;
    std::array<ScaleRows<std::int32_t, std::int32_t, CoarseRow>, 2> scale23;
    PassingRows<std::int16_t> fine;
    PassingRows<std::int32_t> coarse;
    Filtered<FineRow> filtered_fine;
    Filtered<CoarseRow> filtered_coarse;

private:
    template <class Input, class T, class Row>
    static void lay_out_scale(RowMemory& memory, const Measurement& m, std::size_t scale, ScaleRows<Input, T, Row>& rows) {
        const std::size_t width = std::size_t(m.geometry_[scale].width);
        const std::size_t input_width = std::size_t(scale ? m.geometry_[scale - 1].width : m.format_.width);
        for (std::size_t picture = 0; picture < 2; ++picture) {
            rows.pairs[picture] = memory.take<std::int32_t>(pair_words(int(input_width)), 0);
            if constexpr (!std::is_void_v<Input>)
                for (Input*& row : rows.input[picture].rows) row = memory.take<Input>(input_width);
        }
        rows.variants.resize(m.variants_.size());
        for (VariantRows<T>& variant : rows.variants) variant.lay_out(memory, width);
    }

    void lay_out(RowMemory& memory, const Measurement& m) {
        lay_out_scale(memory, m, 0, scale0);
        lay_out_scale(memory, m, 1, scale1);
        lay_out_scale(memory, m, 2, scale23[0]);
        lay_out_scale(memory, m, 3, scale23[1]);
        fine.lay_out(memory, std::size_t(m.geometry_[0].width));
        coarse.lay_out(memory, std::size_t(m.geometry_[1].width));
        const std::size_t width = std::size_t(m.geometry_[0].width) + 4;
        for (FineRow* row : {&filtered_fine.low, &filtered_fine.high})
            *row = {memory.take<std::int16_t>(width), memory.take<std::int16_t>(width)};
        for (CoarseRow* row : {&filtered_coarse.low, &filtered_coarse.high})
            *row = {memory.take<std::int16_t>(width), memory.take<std::int16_t>(width)};
    }

    AlignedArray<std::byte> memory_;
};

// Rows for as many walks as a frame was ever divided into.
class AdmWorkspace final : public Workspace {
public:
    Status provide(const Measurement& m, int parts) {
        while (walks.size() < std::size_t(parts)) {
            ISO_TRY(auto rows, WalkRows::create(m));
            walks.push_back(std::move(rows));
        }
        return {};
    }

    std::vector<std::unique_ptr<WalkRows>> walks;
};

// ---- One frame pair ---------------------------------------------------------------------------------------------------------------------

// Over the scored rows of `geometry`.
class Walk {
public:
    Walk(const Measurement& measurement, const Geometry& geometry, WalkRows& rows)
        : m_(measurement),
          geometry_(geometry),
          windows_(windows(geometry, m_.format_.width, m_.format_.height)),
          w_(rows),
          passes_(m_.passes_) {}

    void run(const Picture& ref, const Picture& dis) {
        if (m_.format_.bit_depth == 8) run_samples<std::uint8_t>(ref, dis, passes_.vertical_u8);
        else run_samples<std::uint16_t>(ref, dis, passes_.vertical_u16);
    }

private:
    template <class Input, class T, class Row>
    void start(ScaleRows<Input, T, Row>& rows) {
        rows.reference = {};
        for (VariantRows<T>& variant : rows.variants) variant.totals = {};
    }

    template <class T>
    void run_samples(const Picture& ref, const Picture& dis, const VerticalPasses<T, FineRow>& vertical) {
        start(w_.scale0);
        start(w_.scale1);
        start(w_.scale23[0]);
        start(w_.scale23[1]);
        for (std::size_t s = 1; s < scales; ++s) next_row_[s] = windows_[s].rows.begin;
        const std::array<PlaneView<const T>, 2> planes = {ref.plane<T>(0), dis.plane<T>(0)};
        const Interval rows = windows_[0].rows;
        for (int i = rows.begin; i < rows.end; ++i) {
            const Filtered<FineRow> filtered = wanted(w_.filtered_fine, 0, i);
            for (std::size_t picture = 0; picture < 2; ++picture) {
                const auto row = [&](int y) { return planes[picture].row(y); };
                const RowPair<T> ahead = i + 1 < rows.end ? later_rows<T>(0, i + 1, row) : RowPair<T>{};
                filter_rows(0, i, vertical, w_.scale0.pairs[picture], filtered, row, ahead.upper);
                passes_.horizontal_fine(filtered, windows_[0].columns, {w_.scale1.input[picture][i], w_.fine.detail[picture]},
                                        {reinterpret_cast<const std::byte*>(ahead.lower), int(sizeof(T))});
            }
            sum_row(0, i, w_.scale0, w_.fine, passes_.fine);
            feed(1, i);
        }
    }

    // Input row y of a scale is there: makes the output rows that waited for it.
    void feed(std::size_t s, int y) {
        if (s == scales) return;
        const int n = geometry_[s - 1].height;
        for (; next_row_[s] < windows_[s].rows.end && last_tap(next_row_[s], n) <= y; ++next_row_[s]) {
            if (s == 1) make_row(s, next_row_[s], w_.scale1, passes_.vertical_i16);
            else make_row(s, next_row_[s], w_.scale23[s - 2], passes_.vertical_i32);
            feed(s + 1, next_row_[s]);
        }
    }

    template <class Input>
    void make_row(std::size_t s, int i, ScaleRows<Input, std::int32_t, CoarseRow>& rows, const VerticalPasses<Input, CoarseRow>& vertical) {
        const Filtered<CoarseRow> filtered = wanted(w_.filtered_coarse, s, i);
        for (std::size_t picture = 0; picture < 2; ++picture) {
            filter_rows(s, i, vertical, rows.pairs[picture], filtered, [&](int y) { return rows.input[picture][y]; });
            std::int32_t* const a = s + 1 < scales ? w_.scale23[s - 1].input[picture][i] : w_.coarse.unused;
            passes_.horizontal_coarse(filtered, windows_[s].columns, int(s), {a, w_.coarse.detail[picture]});
        }
        sum_row(s, i, rows, w_.coarse, passes_.coarse);
    }

    bool has_bands(std::size_t s, int i) const { return i >= windows_[s].band_rows.begin && i < windows_[s].band_rows.end; }

    // What row i is filtered to: outside of the rows whose bands count only band a is.
    template <class Row>
    Filtered<Row> wanted(const Filtered<Row>& rows, std::size_t s, int i) const {
        return has_bands(s, i) ? rows : Filtered<Row>{rows.low, {}};
    }

    int input_height(std::size_t s) const { return s ? geometry_[s - 1].height : m_.format_.height; }
    int input_width(std::size_t s) const { return s ? geometry_[s - 1].width : m_.format_.width; }

    // The input rows of two neighbouring taps of output row i, and of its last two.
    template <class Input, class RowAt>
    RowPair<Input> tap_rows(std::size_t s, int i, int tap, RowAt row) const {
        return {row(tap_index(i, tap, input_height(s))), row(tap_index(i, tap + 1, input_height(s)))};
    }
    template <class Input, class RowAt>
    RowPair<Input> later_rows(std::size_t s, int i, RowAt row) const {
        return tap_rows<Input>(s, i, 2, row);
    }

    template <class Input, class Row, class RowAt>
    void filter_rows(std::size_t s, int i, const VerticalPasses<Input, Row>& vertical, std::int32_t* pairs, const Filtered<Row>& out,
                     RowAt row, const Input* ahead = nullptr) {
        const ScaleWindow& window = windows_[s];
        const int width = input_width(s), depth = m_.format_.bit_depth;
        if (i == window.rows.begin) vertical.begin(tap_rows<Input>(s, i, 0, row), window.input_columns, width, depth, pairs);
        vertical.next(later_rows<Input>(s, i, row), ahead, window.input_columns, width, depth, pairs, out);
    }

    // Row i of both pictures' bands is in `passing`: adds it to the reference's sums, prepares it as a masking row, and sums the row before
    // it.
    template <class Input, class T, class Row>
    void sum_row(std::size_t s, int i, ScaleRows<Input, T, Row>& rows, PassingRows<T>& passing, const BandPasses<T>& passes) {
        if (!has_bands(s, i)) return;
        const ScaleWindow& window = windows_[s];
        const ScaleGeometry& g = geometry_[s];
        const ConstBandRows<T> ref = read_only(passing.detail[0]), dis = read_only(passing.detail[1]);
        if (i >= g.rows.begin && i < g.rows.end) add_reference(ref, g, m_.variants_[0].scores[s].shifts(), passes, rows.reference);
        passes.restore(ref, dis, window.band_columns, passing.faded, passing.same_way);
        for (std::size_t v = 0; v < m_.variants_.size(); ++v) {
            const Measurement::Variant& variant = m_.variants_[v];
            if (!variant.scores[s].measured()) continue;
            VariantRows<T>& kept = rows.variants[v];
            passes.weigh(read_only(passing.faded), dis, passing.same_way, variant.figures[s], g.columns, g.width, kept.restored[i],
                         kept.additive[i]);
            if (i > g.rows.begin) add_masked(s, i - 1, variant, kept, passes);
            if (i + 1 == g.rows.end && i + 1 == g.height) add_masked(s, i, variant, kept, passes);
        }
    }

    template <class T>
    static void add_reference(const ConstBandRows<T>& ref, const ScaleGeometry& g, const ScaleShifts& shifts, const BandPasses<T>& passes,
                              ReferenceTotals& totals) {
        for (std::size_t k = 0; k < bands; ++k)
            totals[k] += fold_row_unsigned(passes.cubes(ref[k], g.columns, shifts), shifts.reference_row);
    }

    template <class T>
    void add_masked(std::size_t s, int i, const Measurement::Variant& variant, VariantRows<T>& kept, const BandPasses<T>& passes) {
        const ScaleGeometry& g = geometry_[s];
        const int before = index_before(i), after = index_after(i, g.height);
        const auto add = [&](Ring<Part<T>, 3>& source, Ring<Part<T>, 3>& masking, std::array<std::int64_t, bands>& totals) {
            const auto row = passes.mask(source[i].source, masking[before].masking, masking[i].masking, masking[after].masking,
                                         variant.figures[s], g.columns);
            for (std::size_t k = 0; k < bands; ++k)
                totals[k] = std::int64_t(std::uint64_t(totals[k]) + std::uint64_t(fold_row(row[k], variant.scores[s].shifts().row)));
        };
        add(kept.restored, kept.additive, kept.totals.restored);
        if (variant.scores[s].additive()) add(kept.additive, kept.restored, kept.totals.additive);
    }

    const Measurement& m_;
    const Geometry geometry_;
    const std::array<ScaleWindow, scales> windows_;
    WalkRows& w_;
    const Passes& passes_;
    std::array<int, scales> next_row_{};
};

// ---- Measurement ------------------------------------------------------------------------------------------------------------------------

Measurement::Measurement(std::span<const Parameters> variants, const PictureFormat& format, const Passes& passes)
    : format_(format),
      geometry_(geometry(format.width, format.height)),
      passes_(passes) {
    for (const Parameters& p : variants) {
        Variant variant{{ScaleScore(p, geometry_[0], 0), ScaleScore(p, geometry_[1], 1), ScaleScore(p, geometry_[2], 2),
                         ScaleScore(p, geometry_[3], 3)},
                        {}};
        for (std::size_t s = 0; s < scales; ++s) {
            const ScaleScore& score = variant.scores[s];
            MaskFigures& figures = variant.figures[s];
            figures = {p.gain_limit, score.weights().fixed, {}, wide_weights(score.weights(), int(s))};
            std::copy_n(score.shifts().cube, bands, figures.cube_shift.begin());
        }
        variants_.push_back(variant);
    }
}

Result<std::unique_ptr<Workspace>> Measurement::create_workspace() const {
    auto workspace = std::make_unique<AdmWorkspace>();
    ISO_DO(workspace->provide(*this, 1));
    return std::unique_ptr<Workspace>(std::move(workspace));
}

Status Measurement::measure(const Picture& ref, const Picture& dis, Workspace& workspace, std::span<double> record, int parts,
                            const Splitter* splitter) const {
    auto& w = static_cast<AdmWorkspace&>(workspace);
    ISO_DO(w.provide(*this, parts));
    const auto walk = [&](int part) { Walk(*this, share_of_rows(geometry_, part, parts), *w.walks[std::size_t(part)]).run(ref, dis); };
    if (parts == 1) walk(0);
    else splitter->run(parts, walk);

    const auto walks = std::span(w.walks).first(std::size_t(parts));
    for (std::size_t v = 0; v < variants_.size(); ++v) {
        std::array<ScaleTerms, scales> terms;
        for (std::size_t s = 0; s < scales; ++s) {
            ReferenceTotals reference{};
            MaskedTotals masked;
            for (const auto& rows : walks) {
                add(reference, rows->reference(s));
                add(masked.restored, rows->masked(s, v).restored);
                add(masked.additive, rows->masked(s, v).additive);
            }
            terms[s] = variants_[v].scores[s].terms(reference, masked);
        }
        store_terms(terms, record.subspan(v * record_doubles, record_doubles));
    }
    return {};
}

}  // namespace isometric::adm
