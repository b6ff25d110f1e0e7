// What a model file says, parsed and checked: the common result of the JSON reader and of the built-in table.
// Formats and formulas: docs/metrics/model.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isometric/model.h"
#include "isometric/status.h"

namespace isometric {

inline constexpr std::size_t max_features = 64;
inline constexpr std::size_t max_knots = 10;
inline constexpr std::size_t max_members = 9999;  // their names end in four digits

enum class Training : std::uint8_t { unnamed, nu_svr, bootstrap, residue_bootstrap };  // model_type; a bootstrap kind may form a collection
enum class Normalisation : std::uint8_t { linear_rescale, none };
enum class KernelType : std::uint8_t { linear, polynomial, rbf, sigmoid };

struct Kernel {
    KernelType type = KernelType::rbf;
    double gamma = 0;
    double coef0 = 0;
    int degree = 0;
    bool operator==(const Kernel&) const = default;
};

// Support vectors are dense; `listed` keeps which values the file has, because an unlisted one takes no part in a dot product, not even
// as 0 times infinity.
struct Regression {
    Kernel kernel;
    double rho = 0;
    std::vector<double> coefficients;   // [vector], in the file's order, which is the order of the sum
    std::vector<double> values;         // [vector][feature], 0 where not listed
    std::vector<std::uint64_t> listed;  // [vector], bit i: feature i is listed
    std::size_t size() const { return coefficients.size(); }
};

struct Knot {
    double x = 0, y = 0;
    bool operator==(const Knot&) const = default;
};

struct Transform {
    bool enabled = false;
    std::optional<double> p0, p1, p2;
    std::optional<std::vector<Knot>> knots;
    bool out_lte_in = false;
    bool out_gte_in = false;
    bool operator==(const Transform&) const = default;
};

struct Clip {
    double min = 0, max = 0;
    bool operator==(const Clip&) const = default;
};

struct ModelDefinition {
    Training training = Training::unnamed;
    Normalisation normalisation = Normalisation::linear_rescale;
    std::vector<ModelFeature> features;  // feature i is SVM index i + 1
    double output_slope = 0, output_intercept = 0;
    std::vector<double> slopes, intercepts;  // [feature]; empty where normalisation is none
    std::optional<Transform> transform;
    std::optional<Clip> clip;
    double chroma_correction = 0;  // 0: off
    Regression regression;
};

// One model, or a collection: its base model and then the members.
struct ModelSet {
    bool collection = false;
    std::vector<ModelDefinition> models;
};

// Checks that concern several keys; `where` starts the error ("file.json: model_dict").
Status check(const ModelDefinition& model, std::string_view where);
Status check_collection(const ModelSet& set, std::string_view where);

// The only feature whose name contains `part`; an error for none and for several.
Result<std::size_t> feature_containing(const ModelDefinition& model, std::string_view part);

// The features of chroma correction.
inline constexpr std::string_view chroma_guide = "adm3";
inline constexpr std::string_view chroma_guided = "speed_chroma";

}  // namespace isometric
