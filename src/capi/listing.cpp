// What the library offers and what a context is doing (include/libvmaf/isometric.h).
#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "capi/context.h"
#include "isometric/model.h"

namespace isometric::capi {
namespace {

const std::vector<MetricDescription>& metrics() {
    static const auto& list = *new std::vector<MetricDescription>(list_metrics());
    return list;
}

const MetricDescription* metric(unsigned i) { return i < metrics().size() ? &metrics()[i] : nullptr; }

struct ModelText {
    std::string version, summary;
};
const ModelText* model(unsigned i) {
    static const auto& list = *[] {
        auto* texts = new std::vector<ModelText>;
        for (const BuiltinModel& m : builtin_models()) texts->push_back({std::string(m.version), std::string(m.summary)});
        return texts;
    }();
    return i < list.size() ? &list[i] : nullptr;
}

// The length of the text, or an errno.
template <class Text>
int copy_text(const char* function, VmafContext* vmaf, char* buffer, std::size_t size, Text&& text) {
    int length = 0;
    const int failed = with_context(function, vmaf, [&](Context& context) -> Status {
        if (size > 0) ISO_DO(not_null(buffer, "buffer"));
        ISO_TRY(const std::string all, text(context));
        length = int(all.size());
        if (size == 0) return {};
        const std::size_t copied = std::min(all.size(), size - 1);
        std::memcpy(buffer, all.data(), copied);
        buffer[copied] = '\0';
        return {};
    });
    return failed ? failed : length;
}

}  // namespace

ISO_C_INTERFACE_BEGIN

const char* isometric_version(void) {
    static const std::string& text = *new std::string(version());
    return text.c_str();
}

int isometric_context_error(VmafContext* vmaf, char* buffer, size_t size) {
    return copy_text("isometric_context_error", vmaf, buffer, size,
                     [](Context& context) -> Result<std::string> { return context.last_error(); });
}

int isometric_score_name(VmafContext* vmaf, unsigned i, char* buffer, size_t size) {
    return copy_text("isometric_score_name", vmaf, buffer, size, [&](Context& context) -> Result<std::string> {
        const Scores scores = context.scores();
        if (i >= scores.columns.size()) return error(Code::not_found, "there are {} scores, none numbered {}", scores.columns.size(), i);
        return scores.columns[i].name;
    });
}

int isometric_set_log_function(VmafContext* vmaf, IsometricLogFunction log, void* data) {
    return with_context("isometric_set_log_function", vmaf, [&](Context& context) -> Status {
        ISO_DO(context.may_wait());
        context.logger().set_function(log, data);
        return {};
    });
}

int isometric_frames(VmafContext* vmaf, unsigned* read, unsigned* scored) {
    return with_context("isometric_frames", vmaf, [&](Context& context) -> Status {
        if (read) *read = unsigned(context.frames_read());
        if (scored) *scored = unsigned(context.frames_scored());
        return {};
    });
}

const char* isometric_model_version(unsigned i) { return model(i) ? model(i)->version.c_str() : nullptr; }
const char* isometric_model_summary(unsigned i) { return model(i) ? model(i)->summary.c_str() : nullptr; }

const char* isometric_extractor_name(unsigned i) { return metric(i) ? metric(i)->name.c_str() : nullptr; }
const char* isometric_extractor_summary(unsigned i) { return metric(i) ? metric(i)->summary.c_str() : nullptr; }

const char* isometric_extractor_feature(unsigned i, unsigned feature) {
    return metric(i) && feature < metric(i)->features.size() ? metric(i)->features[feature].c_str() : nullptr;
}

int isometric_extractor_option(unsigned i, unsigned option, IsometricOption* out) {
    return guarded("isometric_extractor_option", [&]() -> Status {
        ISO_DO(not_null(out, "out"));
        *out = {};
        if (!metric(i)) return error(Code::not_found, "there are {} extractors, none numbered {}", metrics().size(), i);
        if (option >= metric(i)->options.size())
            return error(Code::not_found, "{} has {} options, none numbered {}", metric(i)->name, metric(i)->options.size(), option);
        const OptionDescription& o = metric(i)->options[option];
        *out = {o.name.c_str(),  o.alias.c_str(), o.type.c_str(),    o.default_value.c_str(),
                o.range.c_str(), o.help.c_str(),  o.in_feature_names};
        return {};
    });
}

ISO_C_INTERFACE_END

}  // namespace isometric::capi
