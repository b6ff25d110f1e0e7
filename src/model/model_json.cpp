#include "model/model_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "base/error.h"
#include "metrics/options.h"
#include "model/json_value.h"
#include "model/svm_text.h"

namespace isometric {
namespace {

using Kind = JsonValue::Kind;

// A value and the way to it, for messages: "file.json: model_dict.slopes[3]".
struct Place {
    const JsonValue& value;
    std::string path;

    template <class... Args>
    Error bad(fmt::format_string<Args...> format, Args&&... args) const {
        return error(Code::bad_model, "{}: {}", path, fmt::format(format, std::forward<Args>(args)...));
    }
    Status expect(Kind kind) const {
        if (value.kind != kind) return bad("{} is needed, {} is given", kind_name(kind), kind_name(value.kind));
        return {};
    }
    // The member of that name, unless it is absent or null.
    std::optional<Place> find(std::string_view key) const {
        const JsonValue* member = value.find(key);
        if (!member) return std::nullopt;
        return Place{*member, fmt::format("{}.{}", path, key)};
    }
    Result<Place> require(std::string_view key) const {
        std::optional<Place> member = find(key);
        if (!member) return bad("the key '{}' is missing", key);
        return *std::move(member);
    }
    Place item(std::size_t i) const { return {value.items[i], fmt::format("{}[{}]", path, i)}; }
};

Result<double> number(const Place& place) {
    ISO_DO(place.expect(Kind::number));
    return place.value.number;
}

Result<std::vector<double>> numbers(const Place& place) {
    ISO_DO(place.expect(Kind::array));
    std::vector<double> out;
    for (std::size_t i = 0; i < place.value.items.size(); ++i) {
        ISO_TRY(out.emplace_back(), number(place.item(i)));
    }
    return out;
}

// Names and values of options end up in reports and in the names of features.
Status check_printable(const Place& place, std::string_view text) {
    if (text.empty()) return place.bad("the text is empty");
    if (std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }))
        return place.bad("the text has a control character");
    return {};
}

Result<std::string> printable(const Place& place) {
    ISO_DO(place.expect(Kind::string));
    ISO_DO(check_printable(place, place.value.text));
    return place.value.text;
}

template <class T, std::size_t n>
Result<T> one_of(const Place& place, const std::array<std::pair<std::string_view, T>, n>& allowed) {
    ISO_DO(place.expect(Kind::string));
    std::string names;
    for (const auto& [name, value] : allowed) {
        if (name == place.value.text) return value;
        names += names.empty() ? "" : ", ";
        names += name;
    }
    return place.bad("'{}' is unknown; allowed are {}", place.value.text.substr(0, 40), names);
}

constexpr std::array<std::pair<std::string_view, Training>, 3> trainings = {{
    {"LIBSVMNUSVR", Training::nu_svr},
    {"BOOTSTRAP_LIBSVMNUSVR", Training::bootstrap},
    {"RESIDUEBOOTSTRAP_LIBSVMNUSVR", Training::residue_bootstrap},
}};
constexpr std::array<std::pair<std::string_view, Normalisation>, 2> normalisations = {{
    {"linear_rescale", Normalisation::linear_rescale},
    {"none", Normalisation::none},
}};
// A JSON string, where one would expect a boolean.
constexpr std::array<std::pair<std::string_view, bool>, 2> text_flags = {{{"true", true}, {"false", false}}};

// Numbers pass through the normalisation of libvmaf's dictionaries: 1.0 is "1" (docs/metrics/names.md).
Result<std::vector<OptionText>> read_options(const Place& place) {
    ISO_DO(place.expect(Kind::object));
    std::vector<OptionText> options;
    for (std::size_t i = 0; i < place.value.keys.size(); ++i) {
        const std::string& name = place.value.keys[i];
        const JsonValue& value = place.value.items[i];
        ISO_DO(check_printable(place, name));
        const Place option{value, fmt::format("{}.{}", place.path, name)};
        switch (value.kind) {
            case Kind::null: continue;
            case Kind::boolean: options.push_back({name, value.boolean ? "true" : "false"}); break;
            case Kind::number: options.push_back({name, normalised_number(value.text)}); break;
            case Kind::string: {
                ISO_TRY(std::string text, printable(option));
                options.push_back({name, std::move(text)});
                break;
            }
            case Kind::array:
            case Kind::object: return option.bad("a number, a string or a boolean is needed, {} is given", kind_name(value.kind));
        }
    }
    return options;
}

Result<std::vector<ModelFeature>> read_features(const Place& model) {
    ISO_TRY(const Place names, model.require("feature_names"));
    ISO_DO(names.expect(Kind::array));
    const std::size_t count = names.value.items.size();
    if (count < 1 || count > max_features) return names.bad("{} features; 1 to {} are possible", count, max_features);
    std::vector<ModelFeature> features(count);
    for (std::size_t i = 0; i < count; ++i) {
        ISO_TRY(features[i].name, printable(names.item(i)));
    }
    if (const auto options = model.find("feature_opts_dicts")) {
        ISO_DO(options->expect(Kind::array));
        if (options->value.items.size() != count) return options->bad("{} entries for {} features", options->value.items.size(), count);
        for (std::size_t i = 0; i < count; ++i) {
            ISO_TRY(features[i].options, read_options(options->item(i)));
        }
    }
    return features;
}

// Slopes or intercepts: that of the output, then those of the features.
Status read_rescaling(const Place& model, std::string_view key, std::size_t features, double& output, std::vector<double>& of_features) {
    ISO_TRY(const Place place, model.require(key));
    ISO_TRY(const std::vector<double> values, numbers(place));
    if (values.size() != features + 1)
        return place.bad("{} numbers; {} features and the output need {}", values.size(), features, features + 1);
    output = values[0];
    of_features.assign(values.begin() + 1, values.end());
    return {};
}

Result<std::vector<Knot>> read_knots(const Place& place) {
    ISO_DO(place.expect(Kind::array));
    const std::size_t count = place.value.items.size();
    if (count > max_knots) return place.bad("{} knots; at most {} are possible", count, max_knots);
    std::vector<Knot> knots;
    for (std::size_t i = 0; i < count; ++i) {
        ISO_TRY(const std::vector<double> knot, numbers(place.item(i)));
        if (knot.size() != 2) return place.item(i).bad("{} numbers; a knot has 2", knot.size());
        knots.push_back({knot[0], knot[1]});
    }
    return knots;
}

Result<Transform> read_transform(const Place& place) {
    ISO_DO(place.expect(Kind::object));
    Transform transform;
    if (const auto enabled = place.find("enabled")) {
        ISO_DO(enabled->expect(Kind::boolean));
        transform.enabled = enabled->value.boolean;
    }
    for (const auto& [key, member] : {std::pair{"p0", &Transform::p0}, {"p1", &Transform::p1}, {"p2", &Transform::p2}}) {
        if (const auto factor = place.find(key)) {
            ISO_TRY(transform.*member, number(*factor));
        }
    }
    if (const auto knots = place.find("knots")) {
        ISO_TRY(transform.knots, read_knots(*knots));
    }
    for (const auto& [key, member] : {std::pair{"out_lte_in", &Transform::out_lte_in}, {"out_gte_in", &Transform::out_gte_in}}) {
        if (const auto flag = place.find(key)) {
            ISO_TRY(transform.*member, one_of(*flag, text_flags));
        }
    }
    return transform;
}

Result<Clip> read_clip(const Place& place) {
    ISO_TRY(const std::vector<double> bounds, numbers(place));
    if (bounds.size() != 2) return place.bad("{} numbers; minimum and maximum are needed", bounds.size());
    return Clip{bounds[0], bounds[1]};
}

Result<ModelDefinition> read_model(const Place& place) {
    ISO_DO(place.expect(Kind::object));
    ModelDefinition model;
    if (const auto type = place.find("model_type")) {
        ISO_TRY(model.training, one_of(*type, trainings));
    }
    ISO_TRY(const Place norm_type, place.require("norm_type"));
    ISO_TRY(model.normalisation, one_of(norm_type, normalisations));
    ISO_TRY(model.features, read_features(place));
    if (model.normalisation == Normalisation::linear_rescale) {
        ISO_DO(read_rescaling(place, "slopes", model.features.size(), model.output_slope, model.slopes));
        ISO_DO(read_rescaling(place, "intercepts", model.features.size(), model.output_intercept, model.intercepts));
    }
    if (const auto transform = place.find("score_transform")) {
        ISO_TRY(model.transform, read_transform(*transform));
    }
    if (const auto clip = place.find("score_clip")) {
        ISO_TRY(model.clip, read_clip(*clip));
    }
    if (const auto chroma = place.find("chroma_correction_parameter")) {
        ISO_TRY(model.chroma_correction, number(*chroma));
    }
    ISO_TRY(const Place svm, place.require("model"));
    ISO_DO(svm.expect(Kind::string));
    ISO_TRY(model.regression, parse_svm_text(svm.value.text, model.features.size(), svm.path));
    ISO_DO(check(model, place.path));
    return model;
}

bool is_number_key(std::string_view key) {
    return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) { return c >= '0' && c <= '9'; });
}

Result<ModelSet> read_collection(const Place& root) {
    ModelSet set{.collection = true, .models = {}};
    for (std::size_t i = 0; i < root.value.keys.size(); ++i) {
        const std::string& key = root.value.keys[i];
        if (!is_number_key(key)) continue;
        // libvmaf would skip the member, and score a smaller collection.
        if (key != std::to_string(set.models.size()))
            return root.bad("the key '{}' where '{}' is expected: the models of a collection stand in ascending order", key.substr(0, 40),
                            set.models.size());
        const Place entry{root.value.items[i], fmt::format("{}: {}", root.path, key)};
        ISO_DO(entry.expect(Kind::object));
        ISO_TRY(const Place model, entry.require("model_dict"));
        ISO_TRY(set.models.emplace_back(), read_model(model));
    }
    if (set.models.empty()) return root.bad("not a model: there is no key 'model_dict', and no '0' of a collection");
    ISO_DO(check_collection(set, root.path));
    return set;
}

}  // namespace

Result<ModelSet> parse_model_json(std::string_view text, std::string_view origin) {
    ISO_TRY(const JsonValue document, parse_json(text, origin));
    const Place root{document, std::string(origin)};
    ISO_DO(root.expect(Kind::object));
    if (const JsonValue* model = document.find("model_dict")) {
        ModelSet set;
        ISO_TRY(set.models.emplace_back(), read_model({*model, fmt::format("{}: model_dict", origin)}));
        return set;
    }
    return read_collection(root);
}

}  // namespace isometric
