#include "model/table.h"

#include <array>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "base/error.h"
#include "model/number.h"

namespace isometric {
namespace {

struct Section {
    std::string_view kind, name;
    std::string_view header;  // what follows the name on the first line
    std::string_view body;
};

struct Vectors {
    std::size_t features = 0;
    std::vector<double> values;         // [vector][feature]
    std::vector<std::uint64_t> listed;  // [vector]
};

// The text before the first `end`, which is taken off together with it.
std::string_view take_until(std::string_view& text, char end) {
    const std::size_t length = std::min(text.find(end), text.size());
    const std::string_view taken = text.substr(0, length);
    text.remove_prefix(std::min(length + 1, text.size()));
    return taken;
}

// The next word, on this line or a later one; empty at the end.
std::string_view take_word(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \n"), text.size()));
    const std::string_view word = text.substr(0, text.find_first_of(" \n"));
    text.remove_prefix(word.size());
    return word;
}

class TableReader {
public:
    explicit TableReader(std::string_view table) {
        while (!table.empty()) {
            std::string_view header = take_until(table, '\n');
            if (header.empty() || header.starts_with('#')) continue;
            const std::size_t length = table.starts_with('\n') ? 0 : std::min(table.find("\n\n"), table.size());
            Section section;
            section.kind = take_word(header);
            section.name = take_word(header);
            section.header = header;
            section.body = table.substr(0, length);
            sections_.push_back(section);
            table.remove_prefix(length);
        }
    }

    const std::vector<Section>& sections() const { return sections_; }
    Result<ModelSet> model(std::string_view name);

private:
    template <class... Args>
    Error bad(fmt::format_string<Args...> format, Args&&... args) const {
        return error(Code::bad_model, "model table: {} {}: {}", current_.kind, current_.name,
                     fmt::format(format, std::forward<Args>(args)...));
    }
    Result<double> number(std::string_view text) const {
        const std::optional<double> value = parse_number(text);
        if (!value) return bad("'{}' is not a number", text);
        return *value;
    }
    Status enter(std::string_view kind, std::string_view name) {
        for (const Section& section : sections_)
            if (section.kind == kind && section.name == name) {
                current_ = section;
                return {};
            }
        return error(Code::bad_model, "model table: there is no {} {}", kind, name);
    }

    Result<const Vectors*> vectors(std::string_view name);
    Result<Regression> regression(std::string_view name);
    Status read_parameter(std::string_view word, Regression& svm) const;
    Status read_terms(std::string_view terms, const Vectors& rows, Regression& svm) const;
    Status read_line(std::string_view key, std::string_view values, ModelDefinition& model) const;
    Status read_type(std::string_view values, ModelDefinition& model) const;
    Status read_feature(std::string_view values, ModelDefinition& model) const;
    Result<Transform> read_transform(std::string_view values) const;
    Result<std::vector<Knot>> read_knots(std::string_view text) const;

    std::vector<Section> sections_;
    Section current_;  // for messages
    std::map<std::string_view, Vectors> vectors_;
};

Result<const Vectors*> TableReader::vectors(std::string_view name) {
    if (const auto known = vectors_.find(name); known != vectors_.end()) return &known->second;
    ISO_DO(enter("vectors", name));
    Vectors rows;
    std::string_view header = current_.header;
    const std::optional<int> features = parse_integer(take_word(header), 1, int(max_features));
    if (!features) return bad("the number of features is missing");
    rows.features = std::size_t(*features);
    for (std::string_view body = current_.body; !body.empty();) {
        std::string_view line = take_until(body, '\n');
        std::uint64_t listed = 0;
        for (std::size_t i = 0; i < rows.features; ++i) {
            const std::string_view word = take_word(line);
            double& value = rows.values.emplace_back(0.0);
            if (word == "-") continue;
            ISO_TRY(value, number(word));
            listed |= std::uint64_t(1) << i;
        }
        rows.listed.push_back(listed);
    }
    return &vectors_.emplace(name, std::move(rows)).first->second;
}

Result<Regression> TableReader::regression(std::string_view name) {
    ISO_DO(enter("regression", name));
    const Section section = current_;
    std::string_view header = section.header;
    ISO_TRY(const Vectors* rows, vectors(take_word(header)));
    current_ = section;

    Regression svm;
    const std::string_view kernel = take_word(header);
    if (kernel == "linear") svm.kernel.type = KernelType::linear;
    else if (kernel == "polynomial") svm.kernel.type = KernelType::polynomial;
    else if (kernel == "rbf") svm.kernel.type = KernelType::rbf;
    else if (kernel == "sigmoid") svm.kernel.type = KernelType::sigmoid;
    else return bad("unknown kernel '{}'", kernel);
    for (std::string_view word = take_word(header); !word.empty(); word = take_word(header)) ISO_DO(read_parameter(word, svm));
    ISO_DO(read_terms(section.body, *rows, svm));
    return svm;
}

Status TableReader::read_parameter(std::string_view word, Regression& svm) const {
    const std::string_view key = take_until(word, '=');
    ISO_TRY(const double value, number(word));
    if (key == "rho") svm.rho = value;
    else if (key == "gamma") svm.kernel.gamma = value;
    else if (key == "coef0") svm.kernel.coef0 = value;
    else if (key == "degree") svm.kernel.degree = int(value);
    else return bad("unknown parameter '{}'", key);
    return {};
}

Status TableReader::read_terms(std::string_view terms, const Vectors& rows, Regression& svm) const {
    std::size_t row = 0;
    for (std::string_view term = take_word(terms); !term.empty(); term = take_word(terms)) {
        if (const std::size_t colon = term.find(':'); colon != std::string_view::npos) {
            const std::optional<int> given = parse_integer(term.substr(0, colon), 0, std::numeric_limits<int>::max());
            if (!given) return bad("bad term '{}'", term);
            row = std::size_t(*given);
            term.remove_prefix(colon + 1);
        }
        if (row >= rows.listed.size()) return bad("there is no vector {}", row);
        ISO_TRY(const double coefficient, number(term));
        svm.coefficients.push_back(coefficient);
        svm.listed.push_back(rows.listed[row]);
        const auto first = rows.values.begin() + std::ptrdiff_t(row * rows.features);
        svm.values.insert(svm.values.end(), first, first + std::ptrdiff_t(rows.features));
        ++row;
    }
    return {};
}

Result<ModelSet> TableReader::model(std::string_view name) {
    ModelSet set;
    set.collection = !enter("model", name);
    if (set.collection) ISO_DO(enter("collection", name));
    const Section section = current_;
    ModelDefinition model;
    for (std::string_view body = section.body; !body.empty();) {
        std::string_view line = take_until(body, '\n');
        const std::string_view key = take_word(line);
        if (key == "regression") {
            ISO_TRY(model.regression, regression(take_word(line)));
            current_ = section;
            if (model.regression.values.size() != model.regression.size() * model.features.size())
                return bad("the regression has other features");
            set.models.push_back(model);
        } else {
            ISO_DO(read_line(key, line, model));
        }
    }
    if (set.models.empty()) return bad("no regression");
    for (const ModelDefinition& done : set.models) ISO_DO(check(done, name));
    if (set.collection) ISO_DO(check_collection(set, name));
    return set;
}

Status TableReader::read_line(std::string_view key, std::string_view values, ModelDefinition& model) const {
    if (key == "type") return read_type(values, model);
    if (key == "feature") return read_feature(values, model);
    if (key == "transform") {
        ISO_TRY(model.transform, read_transform(values));
    } else if (key == "output") {
        ISO_TRY(model.output_slope, number(take_word(values)));
        ISO_TRY(model.output_intercept, number(take_word(values)));
    } else if (key == "clip") {
        Clip clip;
        ISO_TRY(clip.min, number(take_word(values)));
        ISO_TRY(clip.max, number(take_word(values)));
        model.clip = clip;
    } else if (key == "chroma_correction") {
        ISO_TRY(model.chroma_correction, number(take_word(values)));
    } else {
        return bad("unknown key '{}'", key);
    }
    return {};
}

Status TableReader::read_type(std::string_view values, ModelDefinition& model) const {
    constexpr std::array<std::string_view, 4> trainings = {"unnamed", "nu_svr", "bootstrap", "residue_bootstrap"};  // of Training
    const std::string_view training = take_word(values), normalisation = take_word(values);
    std::size_t i = 0;
    while (i < trainings.size() && trainings[i] != training) ++i;
    if (i == trainings.size()) return bad("unknown type '{}'", training);
    if (normalisation != "linear_rescale" && normalisation != "none") return bad("unknown normalisation '{}'", normalisation);
    model = {};
    model.training = Training(i);
    model.normalisation = normalisation == "none" ? Normalisation::none : Normalisation::linear_rescale;
    return {};
}

Status TableReader::read_feature(std::string_view values, ModelDefinition& model) const {
    if (model.features.size() == max_features) return bad("more than {} features", max_features);
    ModelFeature feature;
    feature.name = take_word(values);
    if (model.normalisation == Normalisation::linear_rescale) {
        ISO_TRY(model.slopes.emplace_back(), number(take_word(values)));
        ISO_TRY(model.intercepts.emplace_back(), number(take_word(values)));
    }
    for (std::string_view option = take_word(values); !option.empty(); option = take_word(values)) {
        const std::string_view name = take_until(option, '=');
        feature.options.push_back({std::string(name), std::string(option)});
    }
    model.features.push_back(std::move(feature));
    return {};
}

Result<Transform> TableReader::read_transform(std::string_view values) const {
    Transform transform;
    const std::string_view state = take_word(values);
    if (state != "on" && state != "off") return bad("a transform is on or off, not '{}'", state);
    transform.enabled = state == "on";
    for (std::string_view word = take_word(values); !word.empty(); word = take_word(values)) {
        const std::string_view key = take_until(word, '=');
        if (key == "p0") {
            ISO_TRY(transform.p0, number(word));
        } else if (key == "p1") {
            ISO_TRY(transform.p1, number(word));
        } else if (key == "p2") {
            ISO_TRY(transform.p2, number(word));
        } else if (key == "knots") {
            ISO_TRY(transform.knots, read_knots(word));
        } else if (key == "out_lte_in") transform.out_lte_in = true;
        else if (key == "out_gte_in") transform.out_gte_in = true;
        else return bad("unknown part of a transform '{}'", key);
    }
    return transform;
}

Result<std::vector<Knot>> TableReader::read_knots(std::string_view text) const {
    std::vector<Knot> knots;
    while (!text.empty()) {
        std::string_view pair = take_until(text, ';');
        Knot knot;
        ISO_TRY(knot.x, number(take_until(pair, ',')));
        ISO_TRY(knot.y, number(pair));
        knots.push_back(knot);
    }
    return knots;
}

}  // namespace

Result<ModelSet> read_model_table(std::string_view table, std::string_view name) { return TableReader(table).model(name); }

std::vector<std::string_view> model_table_names(std::string_view table) {
    const TableReader reader(table);
    std::vector<std::string_view> names;
    for (const Section& section : reader.sections())
        if (section.kind == "model" || section.kind == "collection") names.push_back(section.name);
    return names;
}

}  // namespace isometric
