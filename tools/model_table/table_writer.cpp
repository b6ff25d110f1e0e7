#include "tools/model_table/table_writer.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <map>
#include <set>
#include <utility>

#include "base/error.h"

namespace isometric {
namespace {

constexpr std::size_t line_length = 120;

// Support vectors of a collection, or of one model: each distinct one once, in the order of first use.
struct VectorSection {
    std::string name;
    std::map<std::string, std::size_t> row_of;
    std::vector<std::string> rows;  // as written
};

std::string vector_text(const Regression& svm, std::size_t vector, std::size_t features) {
    std::string text;
    for (std::size_t i = 0; i < features; ++i) {
        if (i > 0) text += ' ';
        if (svm.listed[vector] >> i & 1) text += fmt::format("{}", svm.values[vector * features + i]);
        else text += '-';
    }
    return text;
}

class TableWriter {
public:
    Result<std::string> write(const std::vector<NamedModels>& models) {
        for (const NamedModels& entry : models) ISO_DO(add(entry));
        return vectors_text_ + regressions_text_ + models_text_;
    }

private:
    Status add(const NamedModels& entry);
    std::string add_vectors(const ModelSet& set, const std::string& name, VectorSection& section);
    std::string add_regression(const Regression& svm, std::size_t features, const VectorSection& section, const std::string& name);

    std::string vectors_text_, regressions_text_, models_text_;
    std::map<std::string, std::string> vectors_name_of_, regression_name_of_;  // by contents
};

Result<std::string> word(std::string_view text) {
    if (text.empty() || text.find_first_of(" \t\r\n\"\\") != std::string_view::npos)
        return error(Code::invalid_argument, "'{}' cannot stand in a table: it is empty or has blanks, quotes or backslashes", text);
    return std::string(text);
}

// Everything of a model but its regression.
Result<std::string> description(const ModelDefinition& model) {
    constexpr std::array<std::string_view, 4> trainings = {"unnamed", "nu_svr", "bootstrap", "residue_bootstrap"};
    const bool rescaled = model.normalisation == Normalisation::linear_rescale;
    std::string text = fmt::format("type {} {}\n", trainings[std::size_t(model.training)], rescaled ? "linear_rescale" : "none");
    if (rescaled) text += fmt::format("output {} {}\n", model.output_slope, model.output_intercept);
    for (std::size_t i = 0; i < model.features.size(); ++i) {
        ISO_TRY(const std::string name, word(model.features[i].name));
        text += "feature " + name;
        if (rescaled) text += fmt::format(" {} {}", model.slopes[i], model.intercepts[i]);
        for (const OptionText& option : model.features[i].options) {
            ISO_TRY(const std::string assignment, word(option.name + "=" + option.value));
            text += " " + assignment;
        }
        text += '\n';
    }
    if (const auto& transform = model.transform) {
        text += transform->enabled ? "transform on" : "transform off";
        for (const auto& [key, value] : {std::pair{"p0", transform->p0}, {"p1", transform->p1}, {"p2", transform->p2}})
            if (value) text += fmt::format(" {}={}", key, *value);
        if (transform->knots) {
            text += " knots=";
            for (std::size_t k = 0; k < transform->knots->size(); ++k)
                text += fmt::format("{}{},{}", k ? ";" : "", (*transform->knots)[k].x, (*transform->knots)[k].y);
        }
        if (transform->out_lte_in) text += " out_lte_in";
        if (transform->out_gte_in) text += " out_gte_in";
        text += '\n';
    }
    if (model.clip) text += fmt::format("clip {} {}\n", model.clip->min, model.clip->max);
    if (model.chroma_correction != 0) text += fmt::format("chroma_correction {}\n", model.chroma_correction);
    return text;
}

Status TableWriter::add(const NamedModels& entry) {
    ISO_TRY(const std::string name, word(entry.name));
    VectorSection section;
    section.name = add_vectors(entry.set, name, section);
    models_text_ += fmt::format("{} {}\n", entry.set.collection ? "collection" : "model", name);
    std::string last;
    for (std::size_t m = 0; m < entry.set.models.size(); ++m) {
        const ModelDefinition& model = entry.set.models[m];
        ISO_TRY(std::string text, description(model));
        if (text != last) models_text_ += text;
        last = std::move(text);
        const std::string regression_name = entry.set.collection ? fmt::format("{}_{:04}", name, m) : name;
        models_text_ += fmt::format("regression {}\n", add_regression(model.regression, model.features.size(), section, regression_name));
    }
    models_text_ += '\n';
    return {};
}

// Returns the name under which the same vectors stand already, or `name`.
std::string TableWriter::add_vectors(const ModelSet& set, const std::string& name, VectorSection& section) {
    const std::size_t features = set.models[0].features.size();
    std::string body;
    for (const ModelDefinition& model : set.models) {
        for (std::size_t v = 0; v < model.regression.size(); ++v) {
            std::string row = vector_text(model.regression, v, features);
            if (section.row_of.try_emplace(row, section.row_of.size()).second) body += row + "\n";
        }
    }
    const auto [known, is_new] = vectors_name_of_.try_emplace(body, name);
    if (is_new) vectors_text_ += fmt::format("vectors {} {}\n{}\n", name, features, body);
    return known->second;
}

std::string TableWriter::add_regression(const Regression& svm, std::size_t features, const VectorSection& section,
                                        const std::string& name) {
    constexpr std::array<std::string_view, 4> kernels = {"linear", "polynomial", "rbf", "sigmoid"};
    std::string text = fmt::format("{} {} rho={}", section.name, kernels[std::size_t(svm.kernel.type)], svm.rho);
    if (std::bit_cast<std::uint64_t>(svm.kernel.gamma) != 0) text += fmt::format(" gamma={}", svm.kernel.gamma);
    if (std::bit_cast<std::uint64_t>(svm.kernel.coef0) != 0) text += fmt::format(" coef0={}", svm.kernel.coef0);
    if (svm.kernel.degree != 0) text += fmt::format(" degree={}", svm.kernel.degree);
    text += '\n';
    std::size_t next = 0, column = 0;
    for (std::size_t v = 0; v < svm.size(); ++v) {
        const std::size_t row = section.row_of.at(vector_text(svm, v, features));
        const std::string term = row == next ? fmt::format("{}", svm.coefficients[v]) : fmt::format("{}:{}", row, svm.coefficients[v]);
        if (column > 0 && column + term.size() > line_length) {
            text += '\n';
            column = 0;
        }
        text += (column > 0 ? " " : "") + term;
        column += term.size() + 1;
        next = row + 1;
    }
    const auto [known, is_new] = regression_name_of_.try_emplace(text, name);
    if (is_new) regressions_text_ += fmt::format("regression {} {}\n\n", name, text);
    return known->second;
}

}  // namespace

Result<std::string> write_model_table(const std::vector<NamedModels>& models) { return TableWriter().write(models); }

}  // namespace isometric
