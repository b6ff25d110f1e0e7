#include "model/predictor.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <unordered_map>

#include "base/assert.h"

namespace isometric {
namespace {

constexpr std::size_t block = 32;  // rows whose distances are summed side by side, one per lane

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }
bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) { return same_bits(x, y); });
}

// Repeated squaring: the order of the products is part of the definition.
double integer_power(double base, int exponent) {
    double result = 1;
    for (; exponent > 0; exponent /= 2) {
        if (exponent % 2 == 1) result *= base;
        base *= base;
    }
    return result;
}

// A vector's values and listed features as a key.
std::string vector_key(const Regression& svm, std::size_t vector, std::size_t features) {
    std::string key(reinterpret_cast<const char*>(svm.values.data() + vector * features), features * sizeof(double));
    key.append(reinterpret_cast<const char*>(&svm.listed[vector]), sizeof svm.listed[vector]);
    return key;
}

double polynomial(const Transform& f, double y) {
    if (!f.p0 && !f.p1 && !f.p2) return y;
    double t = 0;
    if (f.p0) t += *f.p0;
    if (f.p1) t += *f.p1 * y;
    if (f.p2) t += *f.p2 * y * y;
    return t;
}

double on_segment(Knot a, Knot b, double t) {
    if (a.y == b.y) return a.y;
    if (a.x == 0) {
        const double slope = (b.y - a.y) / b.x;
        return slope * t + a.y;
    }
    const double slope = (b.y - a.y) / (b.x - a.x);
    return slope * t + (a.y - a.x * slope);
}

// On a knot the segment to its right counts. A segment that does not ascend ends the curve.
double piecewise_linear(const std::vector<Knot>& knots, double t) {
    if (knots.size() < 2) return t;
    double u = 0;
    for (std::size_t k = 0; k + 1 < knots.size(); ++k) {
        const Knot a = knots[k], b = knots[k + 1];
        if (!(a.x < b.x && a.y <= b.y)) break;
        const bool first = k == 0, last = k + 2 == knots.size();
        if ((a.x <= t && t <= b.x) || (first && t < a.x) || (last && t > b.x)) u = on_segment(a, b, t);
    }
    return u;
}

double transformed(const Transform& f, double y) {
    double t = polynomial(f, y);
    if (f.knots) t = piecewise_linear(*f.knots, t);
    if (f.out_lte_in && t > y) t = y;
    if (f.out_gte_in && t < y) t = y;
    return t;
}

// NaN last, so that it is an order.
bool ascending(double a, double b) { return std::isnan(b) ? !std::isnan(a) : a < b; }

double percentile(std::span<const double> sorted, double q) {
    const double position = q * double(sorted.size() - 1) / 100.0;
    const double low = std::floor(position), high = std::ceil(position);
    if (low == high) return sorted[std::size_t(low)];
    return sorted[std::size_t(low)] * (high - position) + sorted[std::size_t(high)] * (position - low);
}

}  // namespace

KernelPool::KernelPool(const ModelDefinition& model)
    : features_(model.features.size()),
      normalisation_(model.normalisation),
      slopes_(model.slopes),
      intercepts_(model.intercepts),
      chroma_correction_(model.chroma_correction),
      kernel_(model.regression.kernel) {
    if (chroma_correction_ == 0) return;
    const auto guide = feature_containing(model, chroma_guide), guided = feature_containing(model, chroma_guided);
    ISO_ASSERT(guide && guided);  // check() has seen to it
    chroma_guide_ = *guide;
    chroma_guided_ = *guided;
}

bool KernelPool::serves(const ModelDefinition& model) const {
    const Kernel& kernel = model.regression.kernel;
    return features_ == model.features.size() && normalisation_ == model.normalisation && same_bits(slopes_, model.slopes) &&
           same_bits(intercepts_, model.intercepts) && same_bits(chroma_correction_, model.chroma_correction) &&
           kernel_.type == kernel.type && same_bits(kernel_.gamma, kernel.gamma) && same_bits(kernel_.coef0, kernel.coef0) &&
           kernel_.degree == kernel.degree;
}

std::vector<std::vector<std::uint32_t>> KernelPool::assign(std::span<const Regression* const> regressions) {
    std::unordered_map<std::string, std::uint32_t> row_of;
    std::vector<const double*> distinct;
    std::vector<std::vector<std::uint32_t>> assigned;
    for (const Regression* svm : regressions) {
        std::vector<std::uint32_t>& rows = assigned.emplace_back();
        for (std::size_t v = 0; v < svm->size(); ++v) {
            const auto [entry, is_new] = row_of.try_emplace(vector_key(*svm, v, features_), std::uint32_t(distinct.size()));
            if (is_new) {
                distinct.push_back(svm->values.data() + v * features_);
                listed_.push_back(svm->listed[v]);
            }
            rows.push_back(entry->second);
        }
    }
    rows_ = distinct.size();
    stride_ = (rows_ + block - 1) / block * block;
    values_.assign(features_ * stride_, 0.0);
    for (std::size_t row = 0; row < rows_; ++row)
        for (std::size_t i = 0; i < features_; ++i) values_[i * stride_ + row] = distinct[row][i];
    return assigned;
}

double KernelPool::normalised(std::size_t feature, double value) const {
    return normalisation_ == Normalisation::linear_rescale ? slopes_[feature] * value + intercepts_[feature] : value;
}

double KernelPool::denormalised(std::size_t feature, double value) const {
    return normalisation_ == Normalisation::linear_rescale ? (value - intercepts_[feature]) / slopes_[feature] : value;
}

// A frame whose SpEED-chroma is exactly 0 after the way there and back gets c * (1 - adm3) in its place.
void KernelPool::correct_chroma(double* x) const {
    if (denormalised(chroma_guided_, x[chroma_guided_]) != 0.0) return;
    const double guide = denormalised(chroma_guide_, x[chroma_guide_]);
    x[chroma_guided_] = normalised(chroma_guided_, -chroma_correction_ * guide + chroma_correction_);
}

void KernelPool::normalise(std::span<const double> features, double* x) const {
    for (std::size_t i = 0; i < features_; ++i) x[i] = normalised(i, features[i]);
    if (chroma_correction_ != 0) correct_chroma(x);
}

void KernelPool::evaluate(std::span<const double> features, double* kernel_values) const {
    double x[max_features];
    normalise(features, x);
    if (kernel_.type == KernelType::rbf) return evaluate_rbf(x, kernel_values);
    for (std::size_t row = 0; row < rows_; ++row) {
        const double dot = evaluate_dot(x, row);
        switch (kernel_.type) {
            case KernelType::linear: kernel_values[row] = dot; break;
            case KernelType::polynomial: kernel_values[row] = integer_power(kernel_.gamma * dot + kernel_.coef0, kernel_.degree); break;
            case KernelType::sigmoid: kernel_values[row] = std::tanh(kernel_.gamma * dot + kernel_.coef0); break;
            case KernelType::rbf: break;
        }
    }
}

// Every row's squared distance is summed by ascending feature, the rows of a block side by side. An unlisted value is 0, and x - 0 is x.
void KernelPool::evaluate_rbf(const double* x, double* kernel_values) const {
    const double negative_gamma = -kernel_.gamma;
    for (std::size_t start = 0; start < rows_; start += block) {
        double sums[block] = {};
        for (std::size_t i = 0; i < features_; ++i) {
            const double* column = values_.data() + i * stride_ + start;
            for (std::size_t lane = 0; lane < block; ++lane) {
                const double difference = x[i] - column[lane];
                sums[lane] += difference * difference;
            }
        }
        const std::size_t count = std::min(block, rows_ - start);
        for (std::size_t lane = 0; lane < count; ++lane) kernel_values[start + lane] = std::exp(negative_gamma * sums[lane]);
    }
}

double KernelPool::evaluate_dot(const double* x, std::size_t row) const {
    double dot = 0;
    for (std::size_t i = 0; i < features_; ++i)
        if (listed_[row] >> i & 1) dot += x[i] * values_[i * stride_ + row];
    return dot;
}

double Conclusion::operator()(double score, const ModelSettings& settings) const {
    double y = score;
    if (transform_ && (transform_->enabled || settings.enable_transform)) y = transformed(*transform_, y);
    if (clip_ && !settings.disable_clip) {
        if (y < clip_->min) y = clip_->min;
        if (y > clip_->max) y = clip_->max;
    }
    return y;
}

Predictor::Member::Member(const ModelDefinition& model)
    : coefficients(model.regression.coefficients),
      rho(model.regression.rho),
      normalisation(model.normalisation),
      output_slope(model.output_slope),
      output_intercept(model.output_intercept),
      conclusion(model) {}

double Predictor::Member::score(const double* kernel_values) const {
    double sum = 0;
    for (std::size_t v = 0; v < rows.size(); ++v) sum += coefficients[v] * kernel_values[rows[v]];
    sum -= rho;
    return normalisation == Normalisation::linear_rescale ? (sum - output_intercept) / output_slope : sum;
}

Predictor::Predictor(const ModelSet& set) {
    for (const ModelDefinition& model : set.models) {
        auto pool = std::find_if(pools_.begin(), pools_.end(), [&](const Pool& p) { return p.kernel.serves(model); });
        if (pool == pools_.end()) pool = pools_.insert(pool, Pool{KernelPool(model), {}});
        pool->members.push_back(members_.size());
        members_.emplace_back(model);
    }
    for (Pool& pool : pools_) {
        std::vector<const Regression*> regressions;
        for (std::size_t m : pool.members) regressions.push_back(&set.models[m].regression);
        auto rows = pool.kernel.assign(regressions);
        for (std::size_t i = 0; i < rows.size(); ++i) members_[pool.members[i]].rows = std::move(rows[i]);
    }
}

void Predictor::predict(std::span<const double> features, std::span<double> scores) const {
    for (const Pool& pool : pools_) {
        Scratch kernel_values(pool.kernel.size());
        pool.kernel.evaluate(features, kernel_values.data());
        for (std::size_t m : pool.members) scores[m] = members_[m].score(kernel_values.data());
    }
}

void bootstrap_scores(std::span<double> raw, const Conclusion& conclude, const ModelSettings& settings, std::span<double, 4> scores) {
    const double count = double(raw.size());
    double mean = 0;
    for (double r : raw) mean += r;
    mean /= count;
    double variance = 0;
    for (double r : raw) variance += (r - mean) * (r - mean);
    variance /= count;
    std::sort(raw.begin(), raw.end(), ascending);

    // The transform stretches the spread by its slope at the mean.
    constexpr double delta = 0.01;
    const double slope = (conclude(mean + delta, settings) - conclude(mean - delta, settings)) / (2.0 * delta);
    scores[0] = conclude(mean, settings);
    scores[1] = std::sqrt(variance) * slope;
    scores[2] = conclude(percentile(raw, 2.5), settings);
    scores[3] = conclude(percentile(raw, 97.5), settings);
}

}  // namespace isometric
