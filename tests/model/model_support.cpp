#include "tests/model/model_support.h"

#include <fmt/format.h>

#include <bit>

namespace isometric::test {
namespace {

constexpr const char* kernel_names[] = {"linear", "polynomial", "rbf", "sigmoid"};

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

std::string list(const std::vector<double>& values, double first) {
    std::string text = fmt::format("[{}", first);
    for (double value : values) text += fmt::format(", {}", value);
    return text + "]";
}

std::string svm_text(const Regression& svm, std::size_t features) {
    std::string text = fmt::format("svm_type nu_svr\nkernel_type {}\n", kernel_names[std::size_t(svm.kernel.type)]);
    if (svm.kernel.type == KernelType::polynomial) text += fmt::format("degree {}\n", svm.kernel.degree);
    if (svm.kernel.type != KernelType::linear) text += fmt::format("gamma {}\n", svm.kernel.gamma);
    if (svm.kernel.type == KernelType::polynomial || svm.kernel.type == KernelType::sigmoid)
        text += fmt::format("coef0 {}\n", svm.kernel.coef0);
    text += fmt::format("nr_class 2\ntotal_sv {}\nrho {}\nSV\n", svm.size(), svm.rho);
    for (std::size_t v = 0; v < svm.size(); ++v) {
        text += fmt::format("{} ", svm.coefficients[v]);
        for (std::size_t i = 0; i < features; ++i)
            if (svm.listed[v] >> i & 1) text += fmt::format("{}:{} ", i + 1, svm.values[v * features + i]);
        text += "\n";
    }
    return text;
}

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + '"';
}

// The project's option values are text; a file may hold them as strings.
std::string options_json(const ModelFeature& feature) {
    std::string text = "{";
    for (const OptionText& option : feature.options)
        text += fmt::format("{}{}: {}", text.size() > 1 ? ", " : "", quoted(option.name), quoted(option.value));
    return text + "}";
}

std::string transform_json(const Transform& transform) {
    std::string text = fmt::format("{{\"enabled\": {}", transform.enabled);
    if (transform.p0) text += fmt::format(", \"p0\": {}", *transform.p0);
    if (transform.p1) text += fmt::format(", \"p1\": {}", *transform.p1);
    if (transform.p2) text += fmt::format(", \"p2\": {}", *transform.p2);
    if (transform.knots) {
        text += ", \"knots\": [";
        for (std::size_t k = 0; k < transform.knots->size(); ++k)
            text += fmt::format("{}[{}, {}]", k ? ", " : "", (*transform.knots)[k].x, (*transform.knots)[k].y);
        text += "]";
    }
    if (transform.out_lte_in) text += ", \"out_lte_in\": \"true\"";
    if (transform.out_gte_in) text += ", \"out_gte_in\": \"true\"";
    return text + "}";
}

std::string model_json(const ModelDefinition& model) {
    constexpr const char* types[] = {"", "LIBSVMNUSVR", "BOOTSTRAP_LIBSVMNUSVR", "RESIDUEBOOTSTRAP_LIBSVMNUSVR"};
    const bool rescaled = model.normalisation == Normalisation::linear_rescale;
    std::string names, options;
    for (const ModelFeature& feature : model.features) {
        names += fmt::format("{}{}", names.empty() ? "" : ", ", quoted(feature.name));
        options += fmt::format("{}{}", options.empty() ? "" : ", ", options_json(feature));
    }
    std::string text = "{\"model_dict\": {";
    if (model.training != Training::unnamed) text += fmt::format("\"model_type\": \"{}\", ", types[std::size_t(model.training)]);
    text += fmt::format("\"norm_type\": \"{}\", \"feature_names\": [{}], \"feature_opts_dicts\": [{}]",
                        rescaled ? "linear_rescale" : "none", names, options);
    if (rescaled)
        text += fmt::format(", \"slopes\": {}, \"intercepts\": {}", list(model.slopes, model.output_slope),
                            list(model.intercepts, model.output_intercept));
    if (model.transform) text += fmt::format(", \"score_transform\": {}", transform_json(*model.transform));
    if (model.clip) text += fmt::format(", \"score_clip\": [{}, {}]", model.clip->min, model.clip->max);
    if (model.chroma_correction != 0) text += fmt::format(", \"chroma_correction_parameter\": {}", model.chroma_correction);
    std::string svm = svm_text(model.regression, model.features.size());
    for (std::size_t at = svm.find('\n'); at != std::string::npos; at = svm.find('\n', at)) svm.replace(at, 1, "\\n");
    return text + fmt::format(", \"model\": \"{}\"}}}}", svm);
}

double signed_unit(Random& random) { return 2 * random.unit() - 1; }

Transform made_up_transform(Random& random) {
    Transform transform;
    transform.enabled = random.below(2);
    if (random.below(2)) transform.p0 = 5 * signed_unit(random);
    if (random.below(2)) transform.p1 = 2 * random.unit();
    if (random.below(2)) transform.p2 = 0.01 * signed_unit(random);
    if (random.below(2)) {
        transform.knots.emplace();
        double x = random.below(2) ? 0.0 : -20.0, y = random.below(2) ? 0.0 : 10.0;
        for (std::uint64_t k = random.below(max_knots + 1); k > 0; --k) {
            transform.knots->push_back({x, y});
            x += random.below(12) ? 30 * random.unit() : -1.0;  // now and then one that does not ascend
            y += random.below(4) ? 25 * random.unit() : 0.0;    // now and then a level one
        }
    }
    transform.out_lte_in = random.below(3) == 0;
    transform.out_gte_in = random.below(3) == 0;
    return transform;
}

Regression made_up_regression(Random& random, std::size_t features, const Kernel& kernel) {
    Regression svm;
    svm.kernel = kernel;
    svm.rho = signed_unit(random);
    const std::uint64_t vectors = 1 + random.below(90);
    for (std::uint64_t v = 0; v < vectors; ++v) {
        svm.coefficients.push_back(random.below(3) ? 4.0 : -4 * random.unit());
        if (v > 0 && random.below(4) == 0) {  // a vector for the second time, now and then with one value changed
            const std::size_t from = std::size_t(random.below(v));
            svm.listed.push_back(svm.listed[from]);
            for (std::size_t i = 0; i < features; ++i) svm.values.push_back(svm.values[from * features + i]);
            const std::size_t changed = std::size_t(random.below(features));
            if (random.below(2) && svm.listed.back() >> changed & 1) svm.values[v * features + changed] += 0.125;
            continue;
        }
        std::uint64_t listed = 0;
        for (std::size_t i = 0; i < features; ++i) {
            const bool is_listed = random.below(4) != 0;
            listed |= std::uint64_t(is_listed) << i;
            svm.values.push_back(is_listed ? (random.below(6) ? random.unit() : 0.0) : 0.0);
        }
        svm.listed.push_back(listed);
    }
    return svm;
}

Kernel made_up_kernel(Random& random) {
    Kernel kernel;
    kernel.type = random.below(2) ? KernelType::rbf : KernelType(random.below(4));
    if (kernel.type != KernelType::linear) kernel.gamma = random.unit();
    if (kernel.type == KernelType::polynomial || kernel.type == KernelType::sigmoid) kernel.coef0 = signed_unit(random);
    if (kernel.type == KernelType::polynomial) kernel.degree = int(random.below(8));
    return kernel;
}

ModelDefinition made_up_definition(Random& random) {
    ModelDefinition model;
    model.training = Training(random.below(4));
    model.normalisation = random.below(4) ? Normalisation::linear_rescale : Normalisation::none;
    const std::uint64_t features = 1 + random.below(9);
    for (std::uint64_t i = 0; i < features; ++i) model.features.push_back({fmt::format("made_up_feature_{}", i), {}});
    if (features >= 2 && random.below(2)) {
        model.chroma_correction = 120 * random.unit();
        model.features[0].name = "some_speed_chroma_uv";
        model.features[features - 1].name = "some_adm3_score";
    }
    if (model.normalisation == Normalisation::linear_rescale) {
        model.output_slope = 0.005 + 0.01 * random.unit();
        model.output_intercept = signed_unit(random);
        for (std::uint64_t i = 0; i < features; ++i) {
            model.slopes.push_back(0.01 + random.unit());
            model.intercepts.push_back(random.below(3) ? signed_unit(random) : 0.0);
        }
    }
    if (random.below(3)) model.transform = made_up_transform(random);
    if (random.below(2)) model.clip = random.below(5) ? Clip{0, 100} : Clip{70, 30};
    model.regression = made_up_regression(random, features, made_up_kernel(random));
    return model;
}

}  // namespace

model_reference::Model to_reference(const ModelDefinition& model, const ModelSettings& settings) {
    model_reference::Model out;
    for (const ModelFeature& feature : model.features) out.feature_names.push_back(feature.name);
    out.linear_rescale = model.normalisation == Normalisation::linear_rescale;
    out.slopes = {model.output_slope};
    out.slopes.insert(out.slopes.end(), model.slopes.begin(), model.slopes.end());
    out.intercepts = {model.output_intercept};
    out.intercepts.insert(out.intercepts.end(), model.intercepts.begin(), model.intercepts.end());
    const Kernel& kernel = model.regression.kernel;
    out.svm.kernel = model_reference::Kernel(kernel.type);
    out.svm.gamma = kernel.gamma;
    out.svm.coef0 = kernel.coef0;
    out.svm.degree = kernel.degree;
    out.svm.rho = model.regression.rho;
    const std::size_t features = model.features.size();
    for (std::size_t v = 0; v < model.regression.size(); ++v) {
        model_reference::SupportVector vector{model.regression.coefficients[v], {}};
        for (std::size_t i = 0; i < features; ++i)
            if (model.regression.listed[v] >> i & 1) vector.nodes.push_back({int(i) + 1, model.regression.values[v * features + i]});
        out.svm.vectors.push_back(std::move(vector));
    }
    if (const auto& transform = model.transform) {
        out.transform = {transform->enabled || settings.enable_transform,
                         transform->p0,
                         transform->p1,
                         transform->p2,
                         {},
                         transform->out_lte_in,
                         transform->out_gte_in};
        if (transform->knots) {
            out.transform.knots.emplace();
            for (const Knot& knot : *transform->knots) out.transform.knots->push_back({knot.x, knot.y});
        }
    }
    if (model.clip && !settings.disable_clip) out.clip = {model.clip->min, model.clip->max};
    if (model.chroma_correction != 0) out.chroma_correction = model.chroma_correction;
    return out;
}

std::vector<double> reference_scores(const ModelSet& set, const ModelSettings& settings, const std::vector<double>& features) {
    std::vector<double> out = {model_reference::score(to_reference(set.models[0], settings), features)};
    if (!set.collection) return out;
    std::vector<model_reference::Model> members;
    for (std::size_t m = 1; m < set.models.size(); ++m) members.push_back(to_reference(set.models[m], settings));
    for (const auto& [name, value] : model_reference::collection_scores(members, settings.name, features)) out.push_back(value);
    return out;
}

std::string to_json(const ModelSet& set) {
    if (!set.collection) return model_json(set.models[0]);
    std::string text = "{";
    for (std::size_t m = 0; m < set.models.size(); ++m) text += fmt::format("{}\"{}\": {}", m ? ", " : "", m, model_json(set.models[m]));
    return text + "}";
}

std::string difference(const ModelDefinition& a, const ModelDefinition& b) {
    const auto same = [](const std::vector<double>& x, const std::vector<double>& y) {
        return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](double p, double q) { return same_bits(p, q); });
    };
    if (a.training != b.training) return "training";
    if (a.normalisation != b.normalisation) return "normalisation";
    if (a.features.size() != b.features.size()) return "features";
    for (std::size_t i = 0; i < a.features.size(); ++i)
        if (a.features[i].name != b.features[i].name || a.features[i].options != b.features[i].options) return fmt::format("feature {}", i);
    if (!same({a.output_slope, a.output_intercept}, {b.output_slope, b.output_intercept})) return "output";
    if (!same(a.slopes, b.slopes) || !same(a.intercepts, b.intercepts)) return "slopes or intercepts";
    if (a.transform != b.transform) return "transform";
    if (a.clip != b.clip) return "clip";
    if (!same_bits(a.chroma_correction, b.chroma_correction)) return "chroma correction";
    if (a.regression.kernel != b.regression.kernel || !same_bits(a.regression.rho, b.regression.rho)) return "kernel or rho";
    if (!same(a.regression.coefficients, b.regression.coefficients)) return "coefficients";
    if (!same(a.regression.values, b.regression.values)) return "vectors";
    if (a.regression.listed != b.regression.listed) return "listed values";
    return "";
}

ModelSet made_up_model(std::uint64_t seed) {
    Random random(seed);
    return {false, {made_up_definition(random)}};
}

ModelSet made_up_collection(std::uint64_t seed) {
    Random random(seed);
    ModelSet set{true, {made_up_definition(random)}};
    const std::uint64_t members = 1 + random.below(12);
    for (std::uint64_t m = 0; m < members; ++m) {
        ModelDefinition member = set.models[0];
        member.training = Training::bootstrap;
        const bool own_kernel = random.below(4) == 0;
        member.regression =
            made_up_regression(random, member.features.size(), own_kernel ? made_up_kernel(random) : member.regression.kernel);
        if (random.below(4) == 0 && !member.slopes.empty()) member.slopes.back() += 0.25;
        if (random.below(4) == 0) member.transform = made_up_transform(random);
        // Vectors of another member, as resampling gives them.
        const ModelDefinition& other = set.models[std::size_t(random.below(set.models.size()))];
        member.regression.coefficients.insert(member.regression.coefficients.end(), other.regression.coefficients.begin(),
                                              other.regression.coefficients.end());
        member.regression.values.insert(member.regression.values.end(), other.regression.values.begin(), other.regression.values.end());
        member.regression.listed.insert(member.regression.listed.end(), other.regression.listed.begin(), other.regression.listed.end());
        set.models.push_back(std::move(member));
    }
    return set;
}

std::vector<std::vector<double>> feature_vectors(std::size_t features, int count, std::uint64_t seed) {
    Random random(seed);
    std::vector<std::vector<double>> out = {std::vector<double>(features, 0.0), std::vector<double>(features, 1.0),
                                            std::vector<double>(features, 1e6), std::vector<double>(features, -0.0),
                                            std::vector<double>(features, 5e-324)};
    while (out.size() < std::size_t(count)) {
        std::vector<double> vector(features);
        for (double& value : vector) {
            switch (random.below(8)) {
                case 0: value = 0; break;
                case 1: value = 30 * random.unit(); break;
                case 2: value = 100 * signed_unit(random); break;
                default: value = random.unit(); break;
            }
        }
        out.push_back(std::move(vector));
    }
    return out;
}

std::vector<ModelSettings> all_flags() {
    std::vector<ModelSettings> out;
    for (bool disable_clip : {false, true})
        for (bool enable_transform : {false, true}) out.push_back({"vmaf", disable_clip, enable_transform});
    return out;
}

}  // namespace isometric::test
