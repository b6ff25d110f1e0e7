#include "cli/specifications.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/error.h"
#include "metrics/options.h"

namespace isometric::cli {
namespace {

struct Item {
    std::string key;
    std::optional<std::string> value;  // nullopt: there was no equals sign
};

// Splits at colons and, once in each item, at the equals sign; escapes are resolved in passing.
std::vector<Item> split_items(std::string_view text) {
    std::vector<Item> items(1);
    const auto add = [&](char c) { (items.back().value ? *items.back().value : items.back().key) += c; };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const char next = i + 1 < text.size() ? text[i + 1] : '\0';
        if (c == '\\' && (next == ':' || next == '=' || next == '\\')) {
            add(next);
            ++i;
        } else if (c == ':') {
            items.emplace_back();
        } else if (c == '=' && !items.back().value) {
            items.back().value.emplace();
        } else {
            add(c);
        }
    }
    return items;
}

Result<bool> parse_switch(std::string_view text, const Item& item) {
    if (!item.value || *item.value == "true") return true;
    if (*item.value == "false") return false;
    return error(Code::invalid_argument, "--model '{}': {}={}: it may be true or false", text, item.key, *item.value);
}

constexpr std::array<std::string_view, 5> model_keys{"version", "path", "name", "disable_clip", "enable_transform"};

std::string hint(std::string_view name, std::span<const std::string_view> candidates) {
    const std::string_view nearest = nearest_name(name, candidates);
    return nearest.empty() ? std::string() : fmt::format("; did you mean {}?", nearest);
}

// A word without a value: a built-in model's version, or a file where it looks like one.
void name_model(ModelRequest& model, const std::string& word) {
    const bool is_file = word.ends_with(".json") || word.ends_with(".pkl") || word.find('/') != std::string::npos;
    (is_file ? model.path : model.version) = word;
}

Status set_model_item(ModelRequest& model, std::string_view text, const Item& item) {
    const auto dot = item.key.find('.');
    if (item.key == "disable_clip") {
        ISO_TRY(model.disable_clip, parse_switch(text, item));
    } else if (item.key == "enable_transform") {
        ISO_TRY(model.enable_transform, parse_switch(text, item));
    } else if (!item.value) {
        return error(Code::invalid_argument, "--model '{}': '{}' needs a value{}", text, item.key, hint(item.key, model_keys));
    } else if (item.value->empty()) {
        return error(Code::invalid_argument, "--model '{}': '{}' has an empty value", text, item.key);
    } else if (item.key == "version") {
        model.version = *item.value;
    } else if (item.key == "path") {
        model.path = *item.value;
    } else if (item.key == "name") {
        model.name = *item.value;
    } else if (dot != std::string::npos && dot > 0 && dot + 1 < item.key.size()) {
        model.overloads.push_back({item.key.substr(0, dot), item.key.substr(dot + 1), *item.value});
    } else {
        return error(Code::invalid_argument, "--model '{}': unknown key '{}'; there are {} and METRIC.OPTION=VALUE{}", text, item.key,
                     fmt::join(model_keys, ", "), hint(item.key, model_keys));
    }
    return {};
}

}  // namespace

Result<ModelRequest> parse_model(std::string_view text, std::vector<std::string>& notes) {
    ModelRequest model;
    std::vector<Item> items = split_items(text);
    const Item& first = items.front();
    if (!first.value && !first.key.empty() && std::ranges::find(model_keys, std::string_view(first.key)) == model_keys.end()) {
        name_model(model, first.key);
        items.erase(items.begin());
    }
    for (const Item& item : items) {
        if (item.key.empty() && !item.value) continue;  // "a::b" and a colon at the end
        ISO_DO(set_model_item(model, text, item));
    }
    if (model.version.empty() && model.path.empty())
        return error(Code::invalid_argument,
                     "--model '{}' names no model; add version=vmaf_v0.6.1 or another of --list-models, or path=FILE", text);
    if (!model.version.empty() && !model.path.empty()) {
        notes.push_back(fmt::format("--model '{}': path= has no effect because a version is given", text));
        model.path.clear();
    }
    return model;
}

namespace {

// "adm_cuda" is adm, on that backend.
void split_backend(FeatureRequest& feature) {
    for (const std::string_view backend : {"cuda", "sycl", "hip", "metal"}) {
        const std::string suffix = fmt::format("_{}", backend);
        if (!feature.metric.ends_with(suffix) || feature.metric.size() == suffix.size()) continue;
        feature.metric.resize(feature.metric.size() - suffix.size());
        feature.backend = backend;
        return;
    }
}

}  // namespace

Result<FeatureRequest> parse_feature(std::string_view text) {
    FeatureRequest feature;
    std::vector<Item> items = split_items(text);
    const auto name = std::ranges::find(items, "name", &Item::key);
    if (name != items.end()) {
        feature.metric = name->value.value_or("");
        items.erase(name);
    } else {
        feature.metric = items.front().key;
        if (items.front().value) {  // "psnr=option=value": the value is the first option
            items = split_items(text.substr(text.find('=') + 1));
            if (items.front().key.empty()) return error(Code::invalid_argument, "--feature '{}': no option after the equals sign", text);
        } else {
            items.erase(items.begin());
        }
    }
    if (feature.metric.empty()) return error(Code::invalid_argument, "--feature '{}' names no metric; --list-metrics lists them", text);
    for (Item& item : items) {
        if (item.key.empty() && !item.value) continue;
        if (item.key.empty() || !item.value || item.value->empty())
            return error(Code::invalid_argument, "--feature '{}': option '{}' needs a value, as in {}=OPTION=VALUE", text, item.key,
                         feature.metric);
        feature.options.push_back({std::move(item.key), std::move(*item.value)});
    }
    split_backend(feature);
    return feature;
}

}  // namespace isometric::cli
