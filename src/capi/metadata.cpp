#include "capi/metadata.h"

#include "base/error.h"
#include "capi/callback_scope.h"
#include "capi/context.h"

namespace isometric::capi {

void MetadataHandlers::add(const VmafMetadataConfiguration& cfg) {
    const std::lock_guard lock(mutex_);
    auto changed = handlers_ ? std::make_shared<Handlers>(*handlers_) : std::make_shared<Handlers>();
    changed->push_back({cfg.feature_name, cfg.callback, cfg.data});
    handlers_ = std::move(changed);
}

void MetadataHandlers::call(std::string_view name, unsigned index, double score) const {
    std::shared_ptr<const Handlers> handlers;
    {
        const std::lock_guard lock(mutex_);
        handlers = handlers_;
    }
    if (!handlers) return;
    for (const Handler& handler : *handlers) {
        if (handler.name != name) continue;
        std::string own_name(name);  // the callee may write to it
        VmafMetadata metadata{own_name.data(), index, score};
        const CallbackScope scope(this);
        handler.callback(handler.data, &metadata);
    }
}

ISO_C_INTERFACE_BEGIN

int vmaf_register_metadata_handler(VmafContext* vmaf, VmafMetadataConfiguration cfg) {
    return with_context("vmaf_register_metadata_handler", vmaf, [&](Context& context) -> Status {
        ISO_DO(not_null(cfg.feature_name, "feature_name"));
        ISO_DO(not_null(reinterpret_cast<const void*>(cfg.callback), "callback"));
        context.metadata().add(cfg);
        return {};
    });
}

ISO_C_INTERFACE_END

}  // namespace isometric::capi
