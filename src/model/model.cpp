#include "isometric/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/assert.h"
#include "base/error.h"
#include "metrics/registry.h"
#include "model/builtin.h"
#include "model/definition.h"
#include "model/model_json.h"
#include "model/predictor.h"
#include "model/table.h"

namespace isometric {
namespace {

constexpr std::array<BuiltinModel, 17> builtins = {{
    {"vmaf_v0.6.1", "HDTV 1080p watched from 3 picture heights; the default"},
    {"vmaf_v0.6.1neg", "vmaf_v0.6.1 without credit for enhancement (NEG)"},
    {"vmaf_4k_v0.6.1", "4K television watched from 1.5 picture heights"},
    {"vmaf_4k_v0.6.1neg", "vmaf_4k_v0.6.1 without credit for enhancement (NEG)"},
    {"vmaf_b_v0.6.3", "collection: vmaf_v0.6.1 with a confidence interval from 20 resamples"},
    {"vmaf_float_v0.6.1", "vmaf_v0.6.1 on floating-point features"},
    {"vmaf_float_v0.6.1neg", "vmaf_v0.6.1neg on floating-point features"},
    {"vmaf_float_4k_v0.6.1", "vmaf_4k_v0.6.1 on floating-point features"},
    {"vmaf_float_b_v0.6.3", "vmaf_b_v0.6.3 on floating-point features"},
    {"vmaf_v1.0.16_3d0h", "VMAF v1: 1080p watched from 3 picture heights"},
    {"vmaf_v1.0.16_5d0h", "VMAF v1: 1080p watched from 5 picture heights"},
    {"vmaf_v1.0.16_1d5h_2160", "VMAF v1: 2160p watched from 1.5 picture heights"},
    {"vmaf_v1.0.16_3d0h_2160", "VMAF v1: 2160p watched from 3 picture heights"},
    {"vmaf_v1.0.16_hfr_3d0h", "vmaf_v1.0.16_3d0h for 50 to 60 frames per second"},
    {"vmaf_v1.0.16_hfr_5d0h", "vmaf_v1.0.16_5d0h for 50 to 60 frames per second"},
    {"vmaf_v1.0.16_hfr_1d5h_2160", "vmaf_v1.0.16_1d5h_2160 for 50 to 60 frames per second"},
    {"vmaf_v1.0.16_hfr_3d0h_2160", "vmaf_v1.0.16_3d0h_2160 for 50 to 60 frames per second"},
}};

constexpr std::size_t max_file_bytes = std::size_t(64) << 20;  // the largest published collection has 0.4 MB

// The metric that provides a feature, here or in libvmaf; empty when none does.
std::string_view metric_of(const ModelFeature& feature) {
    if (const MetricInfo* metric = find_metric_of_feature(feature.name)) return metric->name;
    return missing_metric_of_feature(feature.name);
}

std::string joined(std::span<const std::string_view> names) {
    std::string text;
    for (std::string_view name : names) text += fmt::format("{}{}", text.empty() ? "" : ", ", name);
    return text;
}

// " Did you mean 'x'?", or nothing.
std::string suggestion(std::string_view name, std::span<const std::string_view> candidates) {
    const std::string_view near = nearest_name(name, candidates);
    return near.empty() ? std::string() : fmt::format("; did you mean '{}'?", near);
}

Result<std::string> read_file(const std::string& path) {
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    const auto failed = [&](int number) { return error(Code::bad_model, "model file {}: {}", path, std::strerror(number)); };
    const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rb"));
    if (!file) return failed(errno);
    std::string text;
    std::array<char, 1 << 16> part;
    while (const std::size_t count = std::fread(part.data(), 1, part.size(), file.get())) {
        text.append(part.data(), count);
        if (text.size() > max_file_bytes) return error(Code::bad_model, "model file {}: larger than {} bytes", path, max_file_bytes);
    }
    if (std::ferror(file.get())) return failed(errno);
    return text;
}

Status check_settings(const ModelSettings& settings) {
    if (settings.name.empty()) return error(Code::invalid_argument, "a model needs a name: its scores are found by it");
    return {};
}

}  // namespace

struct Model::Body {
    explicit Body(const ModelSet& set) : collection(set.collection), features(set.models[0].features), predictor(set) {}

    bool collection;
    std::vector<ModelFeature> features;
    Predictor predictor;
};

Model::Model(std::shared_ptr<const Body> body) : body_(std::move(body)), features_(body_->features) {}

Result<Model> Model::builtin(std::string_view version, const ModelSettings& settings) {
    ISO_DO(check_settings(settings));
    std::vector<std::string_view> versions;
    for (const BuiltinModel& model : builtins) versions.push_back(model.version);
    if (std::find(versions.begin(), versions.end(), version) == versions.end())
        return error(Code::bad_model, "there is no built-in model '{}'{}", version, suggestion(version, versions));
    ISO_TRY(const ModelSet set, read_model_table(builtin_model_table(), version));
    Model model(std::make_shared<const Body>(set));
    model.settings_ = settings;
    model.version_ = version;
    return model;
}

Result<Model> Model::load(const std::string& path, const ModelSettings& settings) {
    ISO_DO(check_settings(settings));
    ISO_TRY(const std::string text, read_file(path));
    return parse(text, path, settings);
}

Result<Model> Model::parse(std::string_view json, std::string_view origin, const ModelSettings& settings) {
    ISO_DO(check_settings(settings));
    ISO_TRY(const ModelSet set, parse_model_json(json, origin));
    Model model(std::make_shared<const Body>(set));
    model.settings_ = settings;
    model.version_ = origin;
    return model;
}

const std::string& Model::name() const { return settings_.name; }
const std::string& Model::version() const { return version_; }
bool Model::is_collection() const { return body_->collection; }
std::span<const ModelFeature> Model::features() const { return features_; }

Status Model::overload(std::string_view metric, std::string_view option, std::string_view value) {
    std::vector<std::string_view> read;  // metrics that the model reads
    for (const ModelFeature& feature : features_)
        if (const std::string_view name = metric_of(feature); !name.empty() && std::find(read.begin(), read.end(), name) == read.end())
            read.push_back(name);
    if (std::find(read.begin(), read.end(), metric) == read.end())
        return error(Code::invalid_argument, "model {} reads nothing of a metric '{}'; it reads {}{}", version_, metric,
                     read.empty() ? "no metric's features" : joined(read), suggestion(metric, read));

    const std::string text = normalised_number(value);
    std::vector<ModelFeature> changed = features_;
    for (ModelFeature& feature : changed) {
        if (metric_of(feature) != metric) continue;
        const auto known =
            std::find_if(feature.options.begin(), feature.options.end(), [&](const OptionText& o) { return o.name == option; });
        if (known != feature.options.end()) known->value = text;
        else feature.options.push_back({std::string(option), text});
        // A metric that is not here yet has no table to compare with; a session refuses the model for it.
        if (const MetricInfo* info = find_metric(metric)) ISO_DO(OptionValues::parse(*info, feature.options));
    }
    features_ = std::move(changed);
    return {};
}

std::vector<std::string> Model::score_names() const {
    std::vector<std::string> names = {settings_.name};
    if (!body_->collection) return names;
    for (std::size_t member = 1; member < body_->predictor.size(); ++member)
        names.push_back(fmt::format("{}_{:04}", settings_.name, member));
    for (const char* suffix : {"_bagging", "_stddev", "_ci_p95_lo", "_ci_p95_hi"}) names.push_back(settings_.name + suffix);
    return names;
}

void Model::predict(std::span<const double> features, std::span<double> scores) const {
    const Predictor& predictor = body_->predictor;
    const std::size_t models = predictor.size();
    ISO_ASSERT(features.size() == features_.size());
    ISO_ASSERT(scores.size() == models + (body_->collection ? 4 : 0));
    Scratch raw(models);
    predictor.predict(features, {raw.data(), models});
    for (std::size_t m = 0; m < models; ++m) scores[m] = predictor.conclusion(m)(raw.data()[m], settings_);
    if (body_->collection)
        bootstrap_scores({raw.data() + 1, models - 1}, predictor.conclusion(1), settings_, scores.subspan(models).first<4>());
}

std::span<const BuiltinModel> builtin_models() { return builtins; }

}  // namespace isometric
