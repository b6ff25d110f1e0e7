#include "capi/dictionary.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "capi/boundary.h"
#include "capi/handle_table.h"
#include "metrics/options.h"

namespace isometric::capi {
namespace {

struct Dictionary {
    std::vector<OptionText> options;
};

HandleTable<VmafFeatureDictionary, Dictionary>& dictionaries() {
    static auto& table = *new HandleTable<VmafFeatureDictionary, Dictionary>;  // outlives static destructors of the program
    return table;
}

void set(Dictionary& dictionary, std::string_view key, std::string_view value) {
    const auto same =
        std::find_if(dictionary.options.begin(), dictionary.options.end(), [&](const OptionText& o) { return o.name == key; });
    if (same != dictionary.options.end()) same->value = value;
    else dictionary.options.push_back({std::string(key), std::string(value)});
}

// Numbers are kept as libvmaf keeps them, which changes those with more than six digits.
std::string kept_value(std::string_view key, std::string_view text) {
    std::string kept = normalised_number(text);
    double given = 0, after = 0;
    const auto read = [](std::string_view t, double& number) {
        const auto [end, code] = std::from_chars(t.data(), t.data() + t.size(), number);
        return code == std::errc() && end == t.data() + t.size();
    };
    if (read(text, given) && read(kept, after) && given != after)
        log_without_context(VMAF_LOG_LEVEL_WARNING,
                            fmt::format("option {}: {} is taken as {}, because libvmaf rounds numbers so", key, text, kept));
    return kept;
}

}  // namespace

Result<std::vector<OptionText>> take_dictionary(VmafFeatureDictionary* dictionary) {
    if (!dictionary) return std::vector<OptionText>{};
    const std::shared_ptr<Dictionary> taken = dictionaries().remove(dictionary);
    if (!taken) return error(Code::invalid_argument, "the dictionary was consumed or freed before");
    return std::move(taken->options);
}

ConsumedDictionary::~ConsumedDictionary() { dictionaries().remove(dictionary_); }

ISO_C_INTERFACE_BEGIN

int vmaf_feature_dictionary_set(VmafFeatureDictionary** dict, const char* key, const char* val) {
    return guarded("vmaf_feature_dictionary_set", [&]() -> Status {
        ISO_DO(not_null(dict, "dict"));
        ISO_DO(not_null(key, "key"));
        ISO_DO(not_null(val, "val"));
        const std::string value = kept_value(key, val);
        if (!*dict) {
            auto made = std::make_shared<Dictionary>();
            set(*made, key, value);
            *dict = dictionaries().add(std::move(made));
            return {};
        }
        if (!dictionaries().find(*dict, [&](Dictionary& dictionary) { set(dictionary, key, value); }))
            return error(Code::invalid_argument, "the dictionary was consumed or freed before");
        return {};
    });
}

int vmaf_feature_dictionary_free(VmafFeatureDictionary** dict) {
    return guarded("vmaf_feature_dictionary_free", [&]() -> Status {
        ISO_DO(not_null(dict, "dict"));
        dictionaries().remove(*dict);  // one that was consumed is gone already
        *dict = nullptr;
        return {};
    });
}

ISO_C_INTERFACE_END

}  // namespace isometric::capi
