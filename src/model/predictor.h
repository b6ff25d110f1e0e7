// Prediction: support vector regression over normalised features, transform, clip (docs/metrics/model.md, sections 3 and 4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "model/definition.h"

namespace isometric {

// The kernel values of one normalised input and a set of vectors. Models of a collection are trained on resamples of one data set, so most
// of their vectors are the same: each distinct one is evaluated once per frame, and the members' sums take its value.
class KernelPool {
public:
    explicit KernelPool(const ModelDefinition& model);

    // Whether the model normalises its features and evaluates its kernel with the same bits.
    bool serves(const ModelDefinition& model) const;
    // Lays out the distinct vectors of the regressions; returns for each of them the row of each of its vectors.
    std::vector<std::vector<std::uint32_t>> assign(std::span<const Regression* const> regressions);

    std::size_t size() const { return rows_; }
    // kernel_values[row], size() of them.
    void evaluate(std::span<const double> features, double* kernel_values) const;

private:
    void normalise(std::span<const double> features, double* x) const;
    double normalised(std::size_t feature, double value) const;
    double denormalised(std::size_t feature, double value) const;
    void correct_chroma(double* x) const;
    void evaluate_rbf(const double* x, double* kernel_values) const;
    double evaluate_dot(const double* x, std::size_t row) const;

    std::size_t features_;
    Normalisation normalisation_;
    std::vector<double> slopes_, intercepts_;  // [feature]
    double chroma_correction_;
    std::size_t chroma_guide_ = 0, chroma_guided_ = 0;
    Kernel kernel_;
    std::size_t rows_ = 0, stride_ = 0;  // stride_: rows_ rounded up to whole blocks
    std::vector<double> values_;         // [feature][stride_]
    std::vector<std::uint64_t> listed_;  // [row], bits of the features that take part in a dot product
};

// Transform and clip of a model under the flags of a caller.
class Conclusion {
public:
    explicit Conclusion(const ModelDefinition& model) : transform_(model.transform), clip_(model.clip) {}
    double operator()(double score, const ModelSettings& settings) const;

private:
    std::optional<Transform> transform_;
    std::optional<Clip> clip_;
};

// The models of a file, ready to predict.
class Predictor {
public:
    explicit Predictor(const ModelSet& set);

    std::size_t size() const { return members_.size(); }
    // scores[model]: before transform and clip.
    void predict(std::span<const double> features, std::span<double> scores) const;
    const Conclusion& conclusion(std::size_t model) const { return members_[model].conclusion; }

private:
    struct Member {
        explicit Member(const ModelDefinition& model);
        double score(const double* kernel_values) const;

        std::vector<double> coefficients;
        std::vector<std::uint32_t> rows;  // of the pool
        double rho;
        Normalisation normalisation;
        double output_slope, output_intercept;
        Conclusion conclusion;
    };
    struct Pool {
        KernelPool kernel;
        std::vector<std::size_t> members;
    };
    std::vector<Pool> pools_;
    std::vector<Member> members_;
};

// Numbers on the stack when they fit.
class Scratch {
public:
    explicit Scratch(std::size_t size)
        : heap_(size > fixed ? std::make_unique<double[]>(size) : nullptr), data_(heap_ ? heap_.get() : fixed_) {}
    double* data() { return data_; }

private:
    static constexpr std::size_t fixed = 1024;
    double fixed_[fixed];
    std::unique_ptr<double[]> heap_;
    double* data_;
};

// The four values of a collection, in the order of Model::score_names(). raw: members' scores before transform and clip; sorted on return.
// `conclude` is the first member's.
void bootstrap_scores(std::span<double> raw, const Conclusion& conclude, const ModelSettings& settings, std::span<double, 4> scores);

}  // namespace isometric
