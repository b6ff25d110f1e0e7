#include "capi/model.h"

#include "base/error.h"
#include "capi/boundary.h"
#include "capi/dictionary.h"
#include "capi/handle_table.h"

namespace isometric::capi {
namespace {

static_assert(sizeof(VmafModelConfig) == 8 + sizeof(void*) && offsetof(VmafModelConfig, flags) == 8);
static_assert(sizeof(VmafModelCollectionScore) == 40 && offsetof(VmafModelCollectionScore, bootstrap.ci.p95.hi) == 32);

HandleTable<VmafModel, ModelState>& models() {
    static auto& table = *new HandleTable<VmafModel, ModelState>;  // outlives static destructors of the program
    return table;
}

HandleTable<VmafModelCollection, ModelState>& collections() {
    static auto& table = *new HandleTable<VmafModelCollection, ModelState>;
    return table;
}

Error gone(const char* what) { return error(Code::invalid_argument, "the {} was destroyed, or never was one", what); }

enum class Source { builtin, file };

Result<std::shared_ptr<ModelState>> load(const VmafModelConfig* cfg, Source source, const char* origin) {
    ISO_DO(not_null(cfg, "cfg"));
    ISO_DO(not_null(origin, source == Source::file ? "path" : "version"));
    ModelSettings settings;
    if (cfg->name) settings.name = cfg->name;
    if (settings.name.empty()) return error(Code::invalid_argument, "the name of a model cannot be empty");
    settings.disable_clip = cfg->flags & VMAF_MODEL_FLAG_DISABLE_CLIP;
    settings.enable_transform = cfg->flags & VMAF_MODEL_FLAG_ENABLE_TRANSFORM;
    ISO_TRY(Model model, source == Source::file ? Model::load(origin, settings) : Model::builtin(origin, settings));
    return std::make_shared<ModelState>(std::move(model));
}

Status load_model(VmafModel** model, const VmafModelConfig* cfg, Source source, const char* origin) {
    ISO_DO(not_null(model, "model"));
    *model = nullptr;
    ISO_TRY(std::shared_ptr<ModelState> state, load(cfg, source, origin));
    *model = models().add(std::move(state));
    return {};
}

Status load_collection(VmafModel** model, VmafModelCollection** collection, const VmafModelConfig* cfg, Source source, const char* origin) {
    if (model) *model = nullptr;
    if (collection) *collection = nullptr;
    ISO_DO(not_null(model, "model"));
    ISO_DO(not_null(collection, "model_collection"));
    ISO_TRY(std::shared_ptr<ModelState> state, load(cfg, source, origin));
    if (!state->model().is_collection()) return error(Code::bad_model, "{} is a single model, no collection", origin);
    VmafModel* const base = models().add(state);
    *collection = collections().add(std::move(state));
    *model = base;
    return {};
}

}  // namespace

Model ModelState::model() const {
    const std::lock_guard lock(mutex_);
    return model_;
}

Status ModelState::overload(std::string_view metric, const std::vector<OptionText>& options) {
    const std::lock_guard lock(mutex_);
    Model changed = model_;  // all of the options or none
    for (const OptionText& option : options) ISO_DO(changed.overload(metric, option.name, option.value));
    model_ = std::move(changed);
    return {};
}

Result<std::shared_ptr<ModelState>> find_model(const VmafModel* model) {
    ISO_DO(not_null(model, "model"));
    std::shared_ptr<ModelState> state = models().find(model);
    if (!state) return gone("model");
    return state;
}

Result<std::shared_ptr<ModelState>> find_collection(const VmafModelCollection* collection) {
    ISO_DO(not_null(collection, "model_collection"));
    std::shared_ptr<ModelState> state = collections().find(collection);
    if (!state) return gone("model collection");
    return state;
}

ISO_C_INTERFACE_BEGIN

int vmaf_model_load(VmafModel** model, VmafModelConfig* cfg, const char* version) {
    return guarded("vmaf_model_load", [&] { return load_model(model, cfg, Source::builtin, version); });
}

int vmaf_model_load_from_path(VmafModel** model, VmafModelConfig* cfg, const char* path) {
    return guarded("vmaf_model_load_from_path", [&] { return load_model(model, cfg, Source::file, path); });
}

int vmaf_model_collection_load(VmafModel** model, VmafModelCollection** model_collection, VmafModelConfig* cfg, const char* version) {
    return guarded("vmaf_model_collection_load", [&] { return load_collection(model, model_collection, cfg, Source::builtin, version); });
}

int vmaf_model_collection_load_from_path(VmafModel** model, VmafModelCollection** model_collection, VmafModelConfig* cfg,
                                         const char* path) {
    return guarded("vmaf_model_collection_load_from_path",
                   [&] { return load_collection(model, model_collection, cfg, Source::file, path); });
}

int vmaf_model_feature_overload(VmafModel* model, const char* feature_name, VmafFeatureDictionary* opts_dict) {
    const ConsumedDictionary consumed(opts_dict);
    return guarded("vmaf_model_feature_overload", [&]() -> Status {
        ISO_DO(not_null(opts_dict, "opts_dict"));
        ISO_TRY(const std::vector<OptionText> options, take_dictionary(opts_dict));
        ISO_DO(not_null(feature_name, "feature_name"));
        ISO_TRY(const std::shared_ptr<ModelState> state, find_model(model));
        return state->overload(feature_name, options);
    });
}

int vmaf_model_collection_feature_overload(VmafModel* model, VmafModelCollection** model_collection, const char* feature_name,
                                           VmafFeatureDictionary* opts_dict) {
    const ConsumedDictionary consumed(opts_dict);
    return guarded("vmaf_model_collection_feature_overload", [&]() -> Status {
        ISO_DO(not_null(opts_dict, "opts_dict"));
        ISO_TRY(const std::vector<OptionText> options, take_dictionary(opts_dict));
        ISO_DO(not_null(feature_name, "feature_name"));
        ISO_DO(not_null(model_collection, "model_collection"));
        ISO_TRY(const std::shared_ptr<ModelState> base, find_model(model));
        ISO_TRY(const std::shared_ptr<ModelState> collection, find_collection(*model_collection));
        if (base != collection) ISO_DO(base->overload(feature_name, options));
        return collection->overload(feature_name, options);
    });
}

void vmaf_model_destroy(VmafModel* model) {
    guarded("vmaf_model_destroy", [&]() -> Status {
        if (model && !models().remove(model)) return gone("model");
        return {};
    });
}

void vmaf_model_collection_destroy(VmafModelCollection* model_collection) {
    guarded("vmaf_model_collection_destroy", [&]() -> Status {
        if (model_collection && !collections().remove(model_collection)) return gone("model collection");
        return {};
    });
}

ISO_C_INTERFACE_END

}  // namespace isometric::capi
