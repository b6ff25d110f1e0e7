// The functions that feed a context.
#include "base/error.h"
#include "capi/context.h"
#include "capi/dictionary.h"

namespace isometric::capi {
namespace {

int fetch(const char* function, VmafContext* vmaf, VmafPicture* pic, std::optional<std::chrono::milliseconds> timeout) {
    return with_context(function, vmaf, [&](Context& context) -> Status {
        ISO_DO(not_null(pic, "pic"));
        *pic = {};
        ISO_TRY(*pic, context.fetch(timeout));
        return {};
    });
}

}  // namespace

ISO_C_INTERFACE_BEGIN

int vmaf_use_feature(VmafContext* vmaf, const char* feature_name, VmafFeatureDictionary* opts_dict) {
    const ConsumedDictionary consumed(opts_dict);
    return with_context("vmaf_use_feature", vmaf, [&](Context& context) -> Status {
        ISO_TRY(const std::vector<OptionText> options, take_dictionary(opts_dict));
        ISO_DO(not_null(feature_name, "feature_name"));
        return context.use_metric(feature_name, options);
    });
}

int vmaf_use_features_from_model(VmafContext* vmaf, VmafModel* model) {
    return with_context("vmaf_use_features_from_model", vmaf, [&](Context& context) -> Status {
        ISO_TRY(std::shared_ptr<ModelState> state, find_model(model));
        return context.use_model(std::move(state));
    });
}

int vmaf_use_features_from_model_collection(VmafContext* vmaf, VmafModelCollection* model_collection) {
    return with_context("vmaf_use_features_from_model_collection", vmaf, [&](Context& context) -> Status {
        ISO_TRY(std::shared_ptr<ModelState> state, find_collection(model_collection));
        return context.use_model(std::move(state));
    });
}

int vmaf_import_feature_score(VmafContext* vmaf, const char* feature_name, double value, unsigned index) {
    return with_context("vmaf_import_feature_score", vmaf, [&](Context& context) -> Status {
        ISO_DO(not_null(feature_name, "feature_name"));
        return context.import_score(feature_name, value, index);
    });
}

int vmaf_preallocate_pictures(VmafContext* vmaf, VmafPictureConfiguration cfg) {
    return with_context("vmaf_preallocate_pictures", vmaf, [&](Context& context) -> Status {
        ISO_TRY(const PictureFormat format, format_of(cfg.pic_params.pix_fmt, cfg.pic_params.bpc, cfg.pic_params.w, cfg.pic_params.h));
        return context.preallocate(format, cfg.pic_cnt);
    });
}

int vmaf_fetch_preallocated_picture(VmafContext* vmaf, VmafPicture* pic) {
    return fetch("vmaf_fetch_preallocated_picture", vmaf, pic, std::nullopt);
}

int isometric_fetch_picture(VmafContext* vmaf, VmafPicture* pic, unsigned timeout_ms) {
    return fetch("isometric_fetch_picture", vmaf, pic, std::chrono::milliseconds(timeout_ms));
}

int vmaf_read_pictures(VmafContext* vmaf, VmafPicture* ref, VmafPicture* dist, unsigned index) {
    const ConsumedPictures consumed(ref, dist);
    return with_context("vmaf_read_pictures", vmaf, [&](Context& context) -> Status {
        if (!ref && !dist) return context.flush();
        ISO_DO(not_null(ref, "ref"));
        ISO_DO(not_null(dist, "dist"));
        auto pair = take_pair(*ref, *dist);
        if (!pair) return within(fmt::format("frame {}", index), std::move(pair).error());
        return context.read(std::move(*pair), index);
    });
}

ISO_C_INTERFACE_END

}  // namespace isometric::capi
