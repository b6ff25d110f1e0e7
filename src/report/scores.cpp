#include "isometric/scores.h"

#include "base/error.h"

namespace isometric {

const ScoreColumn* Scores::find(std::string_view name) const {
    for (const ScoreColumn& column : columns)
        if (column.name == name) return &column;
    for (const ScoreColumn& column : columns)
        if (column.report_name == name) return &column;
    return nullptr;
}

namespace {

// Sums in frame order (docs/reports.md, pooling). A NaN does not displace a minimum or maximum, but stays where it comes first.
struct Pool {
    std::int64_t count = 0;
    double sum = 0, reciprocals = 0, min = 0, max = 0;

    void add(double score) {
        if (count == 0 || score < min) min = score;
        if (count == 0 || score > max) max = score;
        sum += score;
        reciprocals += 1.0 / (score + 1.0);
        ++count;
    }

    double result(Pooling method) const {
        switch (method) {
            case Pooling::min: return min;
            case Pooling::max: return max;
            case Pooling::mean: return sum / double(count);
            case Pooling::harmonic_mean: break;
        }
        return double(count) / reciprocals - 1.0;
    }
};

}  // namespace

Result<double> pool(const ScoreColumn& column, Pooling method, std::int64_t first, std::int64_t last, int subsample) {
    if (first < 0 || last < first)
        return error(Code::invalid_argument, "pooling '{}': frames {}..{} are no interval", column.name, first, last);
    const std::int64_t step = subsample > 1 ? subsample : 1;
    const std::int64_t start = first % step == 0 ? first : first - first % step + step;
    Pool pool;
    for (std::int64_t frame = start; frame <= last; frame += step) {
        if (std::size_t(frame) >= column.values.size() || !column.values[std::size_t(frame)])
            return error(Code::not_found, "pooling '{}' over frames {}..{}: frame {} has no score", column.name, first, last, frame);
        pool.add(*column.values[std::size_t(frame)]);
    }
    if (pool.count == 0)
        return error(Code::invalid_argument, "pooling '{}': frames {}..{} hold no multiple of the subsampling {}", column.name, first, last,
                     step);
    return pool.result(method);
}

}  // namespace isometric
