// What the tests of models share: definitions as the reference's structures and as JSON, made-up models, feature vectors.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isometric/model.h"
#include "model/definition.h"
#include "tests/model/model_reference.h"
#include "tests/support/fill.h"

namespace isometric::test {

model_reference::Model to_reference(const ModelDefinition& model, const ModelSettings& settings = {});

// What the naive reference says that Model::predict() returns.
std::vector<double> reference_scores(const ModelSet& set, const ModelSettings& settings, const std::vector<double>& features);

// A model file with the same figures.
std::string to_json(const ModelSet& set);

// Whether two definitions agree in every bit; the difference as text otherwise.
std::string difference(const ModelDefinition& a, const ModelDefinition& b);

// Any combination of kernel, normalisation, transform, clip, sparse vectors, as the seed has it.
ModelSet made_up_model(std::uint64_t seed);
ModelSet made_up_collection(std::uint64_t seed);

// Feature vectors for `count` features: extremes, ordinary values, values far outside.
std::vector<std::vector<double>> feature_vectors(std::size_t features, int count, std::uint64_t seed);

// The four combinations of flags.
std::vector<ModelSettings> all_flags();

}  // namespace isometric::test
