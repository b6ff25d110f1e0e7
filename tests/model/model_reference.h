// Model prediction as naive scalar C++, written from docs/metrics/model.md, sections 3 to 5, and from nothing else: SVM
// regression, chroma correction, transform, clip and the outputs of a bootstrap collection, from numbers already parsed.
//
// The order of every sum is the definition: build with -ffp-contract=off. `exp` is a parameter because its last bit depends on the C
// library (3.1). Domain: a valid model (slopes and intercepts n + 1 long, both chroma features if corrected); nothing is checked here.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace model_reference {

using Exp = double (*)(double);

inline double library_exp(double x) { return std::exp(x); }

struct Node {
    int index;  // feature i has index i + 1
    double value;
};

struct SupportVector {
    double coefficient;
    std::vector<Node> nodes;  // ascending indices; absent means zero
};

enum class Kernel { linear, polynomial, rbf, sigmoid };

struct Svm {
    Kernel kernel = Kernel::rbf;
    double gamma = 0, coef0 = 0, rho = 0;
    int degree = 0;
    std::vector<SupportVector> vectors;  // in file order
};

struct Point {
    double x, y;
};

struct Transform {
    bool enabled = false;
    std::optional<double> p0, p1, p2;
    std::optional<std::vector<Point>> knots;
    bool out_lte_in = false, out_gte_in = false;
};

struct Clip {
    double min, max;
};

struct Model {
    std::vector<std::string> feature_names;  // n of them
    bool linear_rescale = true;              // norm_type; otherwise `none`
    std::vector<double> slopes, intercepts;  // n + 1: [0] of the output, [i + 1] of feature i
    Svm svm;
    Transform transform;
    std::optional<Clip> clip;
    std::optional<double> chroma_correction;  // chroma_correction_parameter; 0 counts as absent ("Do better" 5)
};

// 3.1 to 3.3
// -------------------------------------------------------------------------------------------------------------------------------

inline double rbf_kernel(std::span<const Node> x, std::span<const Node> v, double gamma, Exp exp) {
    double sum = 0;
    size_t i = 0, j = 0;
    while (i < x.size() || j < v.size()) {
        double difference;
        if (j == v.size() || (i < x.size() && x[i].index < v[j].index)) difference = x[i++].value;
        else if (i == x.size() || v[j].index < x[i].index) difference = v[j++].value;
        else difference = x[i++].value - v[j++].value;
        sum += difference * difference;
    }
    return exp(-gamma * sum);
}

inline double dot_product(std::span<const Node> x, std::span<const Node> v) {
    double sum = 0;
    for (const Node& a : x)
        for (const Node& b : v)
            if (a.index == b.index) sum += a.value * b.value;
    return sum;
}

inline double power(double base, int exponent) {
    double result = 1;
    while (exponent > 0) {
        if (exponent & 1) result *= base;
        base *= base;
        exponent >>= 1;
    }
    return result;
}

inline double kernel(const Svm& svm, std::span<const Node> x, std::span<const Node> v, Exp exp) {
    switch (svm.kernel) {
        case Kernel::linear: return dot_product(x, v);
        case Kernel::polynomial: return power(svm.gamma * dot_product(x, v) + svm.coef0, svm.degree);
        case Kernel::sigmoid: return std::tanh(svm.gamma * dot_product(x, v) + svm.coef0);
        case Kernel::rbf: break;
    }
    return rbf_kernel(x, v, svm.gamma, exp);
}

inline double decision(const Svm& svm, std::span<const Node> x, Exp exp) {
    double sum = 0;
    for (const SupportVector& v : svm.vectors) sum += v.coefficient * kernel(svm, x, v.nodes, exp);
    return sum - svm.rho;
}

inline size_t feature_containing(const Model& m, const char* part) {
    size_t i = 0;
    while (m.feature_names[i].find(part) == std::string::npos) ++i;
    return i;
}

inline double normalised(const Model& m, size_t feature, double value) {
    return m.linear_rescale ? m.slopes[feature + 1] * value + m.intercepts[feature + 1] : value;
}

inline double denormalised(const Model& m, size_t feature, double value) {
    return m.linear_rescale ? (value - m.intercepts[feature + 1]) / m.slopes[feature + 1] : value;
}

// A frame whose SpEED-chroma is exactly zero, after the round trip through the normalisation, gets c * (1 - adm3) in its place.
inline void correct_chroma(const Model& m, double c, std::vector<Node>& x) {
    const size_t guide = feature_containing(m, "adm3"), guided = feature_containing(m, "speed_chroma");
    if (denormalised(m, guided, x[guided].value) != 0.0) return;
    x[guided].value = normalised(m, guided, -c * denormalised(m, guide, x[guide].value) + c);
}

// The score before transform and clip. features: in the order of feature_names.
inline double raw_score(const Model& m, std::span<const double> features, Exp exp = library_exp) {
    std::vector<Node> x;
    for (size_t i = 0; i < features.size(); ++i) x.push_back({int(i) + 1, normalised(m, i, features[i])});
    if (m.chroma_correction.value_or(0.0) != 0.0) correct_chroma(m, *m.chroma_correction, x);
    const double y = decision(m.svm, x, exp);
    return m.linear_rescale ? (y - m.intercepts[0]) / m.slopes[0] : y;
}

// 4
// ----------------------------------------------------------------------------------------------------------------------------------------

inline double polynomial(const Transform& f, double y) {
    if (!f.p0 && !f.p1 && !f.p2) return y;
    double t = 0;
    if (f.p0) t += *f.p0;
    if (f.p1) t += *f.p1 * y;
    if (f.p2) t += *f.p2 * y * y;
    return t;
}

inline double on_segment(Point a, Point b, double t) {
    if (a.y == b.y) return a.y;
    if (a.x == 0) return (b.y - a.y) / b.x * t + a.y;
    const double slope = (b.y - a.y) / (b.x - a.x);
    return slope * t + (a.y - a.x * slope);
}

inline double piecewise_linear(std::span<const Point> knots, double t) {
    if (knots.size() < 2) return t;
    double u = 0;
    for (size_t k = 0; k + 1 < knots.size(); ++k) {
        const Point a = knots[k], b = knots[k + 1];
        if (!(a.x < b.x && a.y <= b.y)) break;
        const bool first = k == 0, last = k + 2 == knots.size();
        if ((a.x <= t && t <= b.x) || (first && t < a.x) || (last && t > b.x)) u = on_segment(a, b, t);
    }
    return u;
}

inline double transformed(const Transform& f, double y) {
    if (!f.enabled) return y;
    double t = polynomial(f, y);
    if (f.knots) t = piecewise_linear(*f.knots, t);
    if (f.out_lte_in && t > y) t = y;
    if (f.out_gte_in && t < y) t = y;
    return t;
}

inline double clipped(const std::optional<Clip>& c, double y) {
    if (!c) return y;
    if (y < c->min) y = c->min;
    if (y > c->max) y = c->max;
    return y;
}

inline double finished(const Model& m, double raw) { return clipped(m.clip, transformed(m.transform, raw)); }

inline double score(const Model& m, std::span<const double> features, Exp exp = library_exp) {
    return finished(m, raw_score(m, features, exp));
}

// 5
// ----------------------------------------------------------------------------------------------------------------------------------------

inline double percentile(std::span<const double> sorted, double q) {
    const double p = q * double(sorted.size() - 1) / 100.0;
    const double low = std::floor(p), high = std::ceil(p);
    if (low == high) return sorted[size_t(low)];
    return sorted[size_t(low)] * (high - p) + sorted[size_t(high)] * (p - low);
}

// What a collection stores for one frame, in order. members: numbers 1 to M of the file; name: that of the base model (number 0).
inline std::vector<std::pair<std::string, double>> collection_scores(const std::vector<Model>& members, const std::string& name,
                                                                     std::span<const double> features, Exp exp = library_exp) {
    const double count = double(members.size());
    std::vector<std::pair<std::string, double>> out;
    std::vector<double> raw;
    for (const Model& m : members) {
        raw.push_back(raw_score(m, features, exp));
        char number[16];
        std::snprintf(number, sizeof number, "_%04zu", raw.size());
        out.emplace_back(name + number, finished(m, raw.back()));
    }
    double mean = 0, variance = 0;
    for (double r : raw) mean += r;
    mean /= count;
    for (double r : raw) variance += (r - mean) * (r - mean);
    variance /= count;
    std::sort(raw.begin(), raw.end());
    auto conclude = [&](double y) { return finished(members[0], y); };
    const double delta = 0.01, slope = (conclude(mean + delta) - conclude(mean - delta)) / (2.0 * delta);
    out.emplace_back(name + "_bagging", conclude(mean));
    out.emplace_back(name + "_stddev", std::sqrt(variance) * slope);
    out.emplace_back(name + "_ci_p95_lo", conclude(percentile(raw, 2.5)));
    out.emplace_back(name + "_ci_p95_hi", conclude(percentile(raw, 97.5)));
    return out;
}

}  // namespace model_reference
