#include "model/definition.h"

#include <algorithm>

#include "base/error.h"
#include "metrics/registry.h"

namespace isometric {
namespace {

// The options of a feature must be ones that its metric has. Features that no metric provides are not refused here: their scores may be
// imported. A session refuses a model that asks for them.
Status check_options(const ModelFeature& feature, std::string_view where) {
    const MetricInfo* metric = find_metric_of_feature(feature.name);
    if (!metric) return {};
    if (auto values = OptionValues::parse(*metric, feature.options); !values) {
        Error problem = std::move(values).error();
        problem.code = Code::bad_model;
        return within(where, std::move(problem));
    }
    return {};
}

bool same_features(const ModelDefinition& a, const ModelDefinition& b) {
    return std::equal(a.features.begin(), a.features.end(), b.features.begin(), b.features.end(),
                      [](const ModelFeature& x, const ModelFeature& y) { return x.name == y.name && x.options == y.options; });
}

}  // namespace

Result<std::size_t> feature_containing(const ModelDefinition& model, std::string_view part) {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < model.features.size(); ++i) {
        if (model.features[i].name.find(part) == std::string::npos) continue;
        if (found) return error(Code::bad_model, "several features have '{}' in their names", part);
        found = i;
    }
    if (!found) return error(Code::bad_model, "no feature has '{}' in its name", part);
    return *found;
}

Status check(const ModelDefinition& model, std::string_view where) {
    if (model.normalisation == Normalisation::linear_rescale && model.output_slope == 0)
        return error(Code::bad_model, "{}.slopes[0]: the score is divided by it, so it cannot be 0", where);
    if (model.chroma_correction != 0) {
        for (std::string_view part : {chroma_guide, chroma_guided}) {
            auto feature = feature_containing(model, part);
            if (!feature) return within(std::string(where) + ".chroma_correction_parameter", std::move(feature).error());
        }
    }
    for (std::size_t i = 0; i < model.features.size(); ++i)
        ISO_DO(check_options(model.features[i], std::string(where) + fmt::format(".feature_opts_dicts[{}]", i)));
    return {};
}

Status check_collection(const ModelSet& set, std::string_view where) {
    const std::size_t members = set.models.size() - 1;
    if (members < 1) return error(Code::bad_model, "{}: a collection needs the models 0 and 1 at least", where);
    if (members > max_members) return error(Code::bad_model, "{}: {} members; at most {} are possible", where, members, max_members);
    for (std::size_t i = 1; i <= members; ++i) {
        const ModelDefinition& member = set.models[i];
        if (member.training != Training::bootstrap && member.training != Training::residue_bootstrap)
            return error(Code::bad_model, "{}: {}.model_dict.model_type: members of a collection have a bootstrap type", where, i);
        if (!same_features(member, set.models[0]))
            return error(Code::bad_model, "{}: {}.model_dict: its features and their options differ from those of model 0", where, i);
    }
    return {};
}

}  // namespace isometric
