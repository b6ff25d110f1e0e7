#include "metrics/adm/adm_measure.h"

#include <algorithm>
#include <cmath>

namespace isometric::adm {
namespace {

struct Plane {
    int width = 0, height = 0;
    std::vector<std::int32_t> values;
    Plane() = default;
    Plane(int w, int h) : width(w), height(h), values(std::size_t(w) * std::size_t(h)) {}
    std::int32_t& at(int y, int x) { return values[std::size_t(y) * std::size_t(width) + std::size_t(x)]; }
    std::int32_t at(int y, int x) const { return values[std::size_t(y) * std::size_t(width) + std::size_t(x)]; }
};
using Bands = std::array<Plane, bands>;

constexpr std::int64_t low_taps[4] = {15826, 27411, 7345, -4240};
constexpr std::int64_t high_taps[4] = {-4240, -7345, 27411, -15826};

std::int64_t add(std::int64_t a, std::int64_t b) { return std::int64_t(std::uint64_t(a) + std::uint64_t(b)); }
std::int64_t round_shift(std::int64_t x, int shift) { return fold_row(x, shift); }
std::int32_t narrow(std::int64_t x, int scale) { return scale == 0 ? std::int16_t(x) : std::int32_t(x); }
std::int32_t magnitude(std::int32_t x) { return x < 0 ? std::int32_t(-std::int64_t(x)) : x; }

Plane filter_rows(const Plane& in, const std::int64_t (&taps)[4], std::int64_t offset, int shift, int scale) {
    Plane out(in.width, (in.height + 1) / 2);
    for (int i = 0; i < out.height; ++i)
        for (int j = 0; j < out.width; ++j) {
            std::int64_t sum = offset;
            for (int k = 0; k < 4; ++k) sum += taps[k] * in.at(tap_index(i, k, in.height), j);
            out.at(i, j) = narrow(round_shift(sum, shift), scale);
        }
    return out;
}

Plane filter_columns(const Plane& in, const std::int64_t (&taps)[4], int shift, int scale) {
    Plane out((in.width + 1) / 2, in.height);
    for (int i = 0; i < out.height; ++i)
        for (int j = 0; j < out.width; ++j) {
            std::int64_t sum = 0;
            for (int k = 0; k < 4; ++k) sum += taps[k] * in.at(i, tap_index(j, k, in.width));
            out.at(i, j) = narrow(round_shift(sum, shift), scale);
        }
    return out;
}

struct Transformed {
    Plane a;
    Bands bands;
};

Transformed transform(const Plane& in, int scale, int depth) {
    constexpr int vertical[4] = {0, 0, 16, 16}, horizontal[4] = {16, 15, 16, 15};
    const int shift = scale == 0 ? depth : vertical[scale];
    const Plane low = filter_rows(in, low_taps, scale == 0 ? -(std::int64_t(46342) << (depth - 1)) : 0, shift, scale);
    const Plane high = filter_rows(in, high_taps, 0, shift, scale);
    const int h = horizontal[scale];
    return {filter_columns(low, low_taps, h, scale),
            {filter_columns(high, low_taps, h, scale), filter_columns(low, high_taps, h, scale), filter_columns(high, high_taps, h, scale)}};
}

bool same_direction(std::int64_t oh, std::int64_t ov, std::int64_t th, std::int64_t tv) {
    constexpr double cos_sq = 16772106 * 0x1p-24;
    const double p = double(float(oh * th + ov * tv)), m = double(float(oh * oh + ov * ov)), n = double(float(th * th + tv * tv));
    return p >= 0 && p * p >= (cos_sq * m) * n;
}

std::int64_t ratio_q15(std::int32_t o, std::int32_t t, int scale) {
    if (o == 0) return 32768;
    std::int64_t m = std::abs(std::int64_t(o));
    int shift = 0;
    if (scale > 0 && m >= 32768) {
        shift = 17 - std::countl_zero(std::uint32_t(m));
        m = round_shift(m, shift);
    }
    const std::int64_t reciprocal = (std::int64_t(1) << 30) / (o < 0 ? -m : m);
    return std::clamp<std::int64_t>(round_shift(reciprocal * t, 15 + shift), 0, 32768);
}

std::int32_t restored(std::int32_t o, std::int32_t t, bool same, double gain, int scale) {
    const std::int64_t k = ratio_q15(o, t, scale);
    const std::int32_t r = narrow(round_shift(k * o, 15), scale);
    if (!same || k == 0 || o == 0) return r;
    const std::int64_t limited = std::int64_t(double(r) * gain);
    return std::int32_t(o > 0 ? std::min<std::int64_t>(limited, t) : std::max<std::int64_t>(limited, t));
}

void decouple(const Bands& ref, const Bands& dis, double gain, int scale, Bands& r, Bands& a) {
    r = a = ref;
    for (std::size_t n = 0; n < ref[0].values.size(); ++n) {
        const bool same = same_direction(ref[0].values[n], ref[1].values[n], dis[0].values[n], dis[1].values[n]);
        for (std::size_t k = 0; k < bands; ++k) {
            const std::int32_t t = dis[k].values[n];
            r[k].values[n] = restored(ref[k].values[n], t, same, gain, scale);
            a[k].values[n] = narrow(std::int64_t(t) - r[k].values[n], scale);
        }
    }
}

std::int32_t weighted(std::int64_t q, std::int32_t v, std::size_t band, int scale) {
    if (scale > 0) return std::int32_t(round_shift(q * v, 28));
    return std::int16_t(band < 2 ? (q * v + 16384) >> 15 : (q * v + 65535) >> 17);
}

std::int32_t share(std::int32_t c, std::int64_t q12, std::int64_t q32, int scale) {
    if (scale == 0) return std::int16_t((q12 * magnitude(c) + 2048) >> 12);
    return std::int32_t((q32 * magnitude(c) - (std::int64_t(1) << 31)) >> 32);
}

std::array<std::int64_t, bands> masked_cubes(const Bands& source, const Bands& masking, const Weights& weights, const ScaleShifts& shifts,
                                             const ScaleGeometry& g, int scale) {
    Bands centre = masking, around = masking;
    for (std::size_t k = 0; k < bands; ++k)
        for (std::size_t n = 0; n < masking[k].values.size(); ++n) {
            const std::int32_t c = weighted(weights.fixed[k], masking[k].values[n], k, scale);
            around[k].values[n] = share(c, 4369, 143165577, scale);
            centre[k].values[n] = share(c, 8738, 286331153, scale);
        }
    std::array<std::int64_t, bands> totals{};
    for (int i = g.rows.begin; i < g.rows.end; ++i) {
        std::array<std::int64_t, bands> row{};
        const int rows[3] = {index_before(i), i, index_after(i, g.height)};
        for (int j = g.columns.begin; j < g.columns.end; ++j) {
            const int columns[3] = {index_before(j), j, index_after(j, g.width)};
            std::int64_t sum = 0;
            for (std::size_t k = 0; k < bands; ++k) {
                for (int y : rows)
                    for (int x : columns) sum += around[k].at(y, x);
                sum += centre[k].at(i, j) - around[k].at(i, j);
            }
            const std::int32_t threshold = std::int32_t(sum);
            for (std::size_t k = 0; k < bands; ++k) {
                const std::int32_t v = source[k].at(i, j), sub = scale > 0 ? 0 : k < 2 ? 10 : 12;
                const std::int64_t q = weights.fixed[k];
                const std::int32_t x = scale > 0 ? weighted(q, v, k, scale) : std::int32_t(q * v);
                const std::int32_t excess = std::int32_t(std::int64_t(magnitude(x)) - std::int32_t(std::int64_t(threshold) << sub));
                const std::int64_t e = std::max(excess, 0);
                const std::int64_t square = std::int32_t(round_shift(e * e, scale == 0 && k < 2 ? 29 : 30));
                row[k] = add(row[k], round_shift(square * e, shifts.cube[k]));
            }
        }
        for (std::size_t k = 0; k < bands; ++k) totals[k] = add(totals[k], fold_row(row[k], shifts.row));
    }
    return totals;
}

ReferenceTotals reference_cubes(const Bands& ref, const ScaleShifts& shifts, const ScaleGeometry& g, int scale) {
    ReferenceTotals totals{};
    for (std::size_t k = 0; k < bands; ++k)
        for (int i = g.rows.begin; i < g.rows.end; ++i) {
            std::uint64_t row = 0;
            for (int j = g.columns.begin; j < g.columns.end; ++j) {
                const std::uint64_t m = std::uint64_t(std::abs(std::int64_t(ref[k].at(i, j))));
                const int s = shifts.reference_square;
                const std::uint64_t square = scale > 0 ? (m * m + (std::uint64_t(1) << s)) >> s : m * m;
                row += fold_row_unsigned(square * m, shifts.reference_cube);
            }
            totals[k] += fold_row_unsigned(row, shifts.reference_row);
        }
    return totals;
}

Plane luma(const Picture& picture) {
    const PictureFormat& f = picture.format();
    Plane plane(f.width, f.height);
    for (int y = 0; y < f.height; ++y)
        for (int x = 0; x < f.width; ++x)
            plane.at(y, x) = f.bit_depth == 8 ? picture.plane<std::uint8_t>(0).row(y)[x] : picture.plane<std::uint16_t>(0).row(y)[x];
    return plane;
}

}  // namespace

Measurement::Measurement(std::span<const Parameters> variants, const PictureFormat& format, InstructionSet)
    : format_(format), geometry_(geometry(format.width, format.height)) {
    for (const Parameters& p : variants) {
        gains_.push_back(p.gain_limit);
        scores_.push_back({ScaleScore(p, geometry_[0], 0), ScaleScore(p, geometry_[1], 1), ScaleScore(p, geometry_[2], 2), ScaleScore(p, geometry_[3], 3)});
    }
}

Result<std::unique_ptr<Workspace>> Measurement::create_workspace() const { return std::make_unique<Workspace>(); }

void Measurement::measure(const Picture& ref, const Picture& dis, Workspace&, std::span<double> record) const {
    Plane ref_a = luma(ref), dis_a = luma(dis);
    std::vector<std::array<ScaleTerms, scales>> terms(scores_.size());
    for (int s = 0; s < scales; ++s) {
        Transformed r = transform(ref_a, s, format_.bit_depth), d = transform(dis_a, s, format_.bit_depth);
        const ScaleGeometry& g = geometry_[std::size_t(s)];
        for (std::size_t v = 0; v < scores_.size(); ++v) {
            const ScaleScore& score = scores_[v][std::size_t(s)];
            Bands restored_part, additive_part;
            decouple(r.bands, d.bands, gains_[v], s, restored_part, additive_part);
            const MaskedTotals masked = {masked_cubes(restored_part, additive_part, score.weights(), score.shifts(), g, s),
                                         masked_cubes(additive_part, restored_part, score.weights(), score.shifts(), g, s)};
            terms[v][std::size_t(s)] = score.terms(reference_cubes(r.bands, score.shifts(), g, s), masked);
        }
        ref_a = std::move(r.a);
        dis_a = std::move(d.a);
    }
    for (std::size_t v = 0; v < scores_.size(); ++v) store_terms(terms[v], record.subspan(v * record_doubles, record_doubles));
}

}  // namespace isometric::adm
