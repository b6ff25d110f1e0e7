// Models: from the features of a frame to a score (docs/metrics/model.md).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isometric/option.h"
#include "isometric/status.h"

namespace [[gnu::visibility("default")]] isometric {

struct ModelSettings {
    std::string name = "vmaf";      // the score's name in tables and reports
    bool disable_clip = false;      // leave the score outside the model's range
    bool enable_transform = false;  // apply a transform that the model has but leaves off
};

// A feature that a model reads: its raw name and the options of the metric that provides it.
struct ModelFeature {
    std::string name;
    std::vector<OptionText> options;
};

// A loaded model or bootstrap collection. Copies share the figures and are cheap; only the feature options are a copy's own.
class Model {
public:
    // A built-in model by its published version, "vmaf_v0.6.1". The error for an unknown one names the nearest.
    static Result<Model> builtin(std::string_view version, const ModelSettings& settings = {});
    // A model file (JSON; a single model or a collection).
    static Result<Model> load(const std::string& path, const ModelSettings& settings = {});
    // The text of a model file; `origin` names it in errors.
    static Result<Model> parse(std::string_view json, std::string_view origin, const ModelSettings& settings = {});

    const std::string& name() const;     // ModelSettings::name
    const std::string& version() const;  // the built-in version or the path
    bool is_collection() const;

    // In the order of the support vectors' indices; for a collection, of its base model (all members read the same).
    std::span<const ModelFeature> features() const;

    // Sets an option of every feature that metric `metric` provides. An error when the model reads none of its features or the metric has
    // no such option.
    Status overload(std::string_view metric, std::string_view option, std::string_view value);

    // What predict() returns: the name; for a collection also NAME_0001 .. of the members, then NAME_bagging, NAME_stddev, NAME_ci_p95_lo
    // and NAME_ci_p95_hi.
    std::vector<std::string> score_names() const;

    // features in the order of features(), scores in the order of score_names().
    void predict(std::span<const double> features, std::span<double> scores) const;

private:
    struct Body;
    explicit Model(std::shared_ptr<const Body> body);
    std::shared_ptr<const Body> body_;
    ModelSettings settings_;
    std::string version_;
    std::vector<ModelFeature> features_;
};

struct BuiltinModel {
    std::string_view version;
    std::string_view summary;  // what it is for, one line
};
std::span<const BuiltinModel> builtin_models();

}  // namespace isometric
