#include "model/svm_text.h"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <optional>

#include "base/error.h"
#include "model/number.h"

namespace isometric {
namespace {

constexpr int max_int = std::numeric_limits<int>::max();
constexpr std::string_view blanks = " \t\r\n";

// At most so much of a bad word in a message.
std::string_view shown(std::string_view word) { return word.substr(0, 40); }

class SvmTextReader {
public:
    SvmTextReader(std::string_view text, std::size_t features, std::string_view where) : rest_(text), features_(features), where_(where) {}

    Result<Regression> read() {
        ISO_DO(read_header());
        ISO_DO(check_header());
        drop_unused_parameters();
        ISO_DO(read_vectors());
        return std::move(svm_);
    }

private:
    template <class... Args>
    Error bad(fmt::format_string<Args...> format, Args&&... args) const {
        return error(Code::bad_model, "{}: line {}: {}", where_, line_, fmt::format(format, std::forward<Args>(args)...));
    }

    // The next word, which may stand on a later line; empty at the end.
    std::string_view next_word() {
        while (!rest_.empty() && blanks.find(rest_.front()) != std::string_view::npos) {
            if (rest_.front() == '\n') ++line_;
            rest_.remove_prefix(1);
        }
        const std::string_view word = rest_.substr(0, rest_.find_first_of(blanks));
        rest_.remove_prefix(word.size());
        return word;
    }

    Result<double> next_number(std::string_view key) {
        const std::string_view word = next_word();
        const std::optional<double> value = parse_number(word);
        if (!value) return bad("{} '{}' is not a finite number", key, shown(word));
        return *value;
    }
    Result<int> next_integer(std::string_view key, int minimum) {
        const std::string_view word = next_word();
        const std::optional<int> value = parse_integer(word, minimum, max_int);
        if (!value) return bad("{} '{}' is not an integer of at least {}", key, shown(word), minimum);
        return *value;
    }

    Status read_header();
    Status read_parameter(std::string_view key);
    Status read_svm_type();
    Status read_kernel_type();
    Status check_header() const;
    void drop_unused_parameters();
    Status read_vectors();
    Status read_vector(std::string_view line);

    enum Key : std::uint8_t {
        svm_type,
        kernel_type,
        degree,
        gamma,
        coef0,
        nr_class,
        total_sv,
        rho,
        label,
        prob_a,
        prob_b,
        nr_sv,
        key_count
    };
    static constexpr std::array<std::string_view, key_count> keys = {"svm_type", "kernel_type", "degree", "gamma", "coef0", "nr_class",
                                                                     "total_sv", "rho",         "label",  "probA", "probB", "nr_sv"};

    std::string_view rest_;
    std::size_t features_;
    std::string_view where_;
    int line_ = 1;
    std::array<bool, key_count> seen_ = {};
    int total_ = 0;
    Regression svm_;
};

Status SvmTextReader::read_header() {
    for (;;) {
        const std::string_view key = next_word();
        if (key.empty()) return bad("the text ends before the word SV");
        if (key == "SV") return {};
        ISO_DO(read_parameter(key));
    }
}

Status SvmTextReader::read_parameter(std::string_view key) {
    std::size_t k = 0;
    while (k < keys.size() && keys[k] != key) ++k;
    if (k == keys.size()) return bad("unknown parameter '{}'", shown(key));
    if (seen_[k]) return bad("{} is given twice", key);
    seen_[k] = true;
    switch (Key(k)) {
        case svm_type: return read_svm_type();
        case kernel_type: return read_kernel_type();
        case degree: {
            ISO_TRY(svm_.kernel.degree, next_integer(key, 0));
            return {};
        }
        case gamma: {
            ISO_TRY(svm_.kernel.gamma, next_number(key));
            return {};
        }
        case coef0: {
            ISO_TRY(svm_.kernel.coef0, next_number(key));
            return {};
        }
        case nr_class: {
            ISO_TRY(const int classes, next_integer(key, 1));
            if (classes != 2) return bad("nr_class is {}; a regression has 2", classes);
            return {};
        }
        case total_sv: {
            ISO_TRY(total_, next_integer(key, 1));
            return {};
        }
        case rho: {
            ISO_TRY(svm_.rho, next_number(key));
            return {};
        }
        case label:
        case nr_sv: {  // of classifiers; two numbers, and no part of a regression
            ISO_TRY([[maybe_unused]] const double first, next_number(key));
            ISO_TRY([[maybe_unused]] const double second, next_number(key));
            return {};
        }
        case prob_a:
        case prob_b: {  // of the error model of a regression
            ISO_TRY([[maybe_unused]] const double value, next_number(key));
            return {};
        }
        case key_count: break;
    }
    return {};
}

Status SvmTextReader::read_svm_type() {
    const std::string_view type = next_word();
    if (type == "epsilon_svr" || type == "nu_svr") return {};
    if (type == "c_svc" || type == "nu_svc" || type == "one_class")
        return bad("svm_type {} gives classes; a model needs a regression, epsilon_svr or nu_svr", type);
    return bad("unknown svm_type '{}'; allowed are epsilon_svr and nu_svr", shown(type));
}

Status SvmTextReader::read_kernel_type() {
    const std::string_view type = next_word();
    if (type == "linear") svm_.kernel.type = KernelType::linear;
    else if (type == "polynomial") svm_.kernel.type = KernelType::polynomial;
    else if (type == "rbf") svm_.kernel.type = KernelType::rbf;
    else if (type == "sigmoid") svm_.kernel.type = KernelType::sigmoid;
    else if (type == "precomputed") return bad("kernel_type precomputed: features cannot stand for the values of a kernel");
    else return bad("unknown kernel_type '{}'; allowed are linear, polynomial, rbf and sigmoid", shown(type));
    return {};
}

Status SvmTextReader::check_header() const {
    const auto required = [&](Key key) -> Status {
        if (!seen_[key]) return bad("{} is missing before SV", keys[key]);
        return {};
    };
    for (Key key : {svm_type, kernel_type, nr_class, total_sv, rho}) ISO_DO(required(key));
    const KernelType type = svm_.kernel.type;
    if (type != KernelType::linear) ISO_DO(required(gamma));
    if (type == KernelType::polynomial) ISO_DO(required(degree));
    if (type == KernelType::polynomial || type == KernelType::sigmoid) ISO_DO(required(coef0));
    return {};
}

// Parameters that the kernel does not have may be given; kernels that compute the same compare equal.
void SvmTextReader::drop_unused_parameters() {
    Kernel& kernel = svm_.kernel;
    if (kernel.type == KernelType::linear) kernel.gamma = 0;
    if (kernel.type != KernelType::polynomial) kernel.degree = 0;
    if (kernel.type != KernelType::polynomial && kernel.type != KernelType::sigmoid) kernel.coef0 = 0;
}

Status SvmTextReader::read_vectors() {
    // The rest of the line with the word SV is blank, or the first vector stands on it.
    while (!rest_.empty()) {
        const std::size_t end = std::min(rest_.find('\n'), rest_.size());
        const std::string_view line = rest_.substr(0, end);
        if (line.find_first_not_of(blanks) != std::string_view::npos) ISO_DO(read_vector(line));
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        ++line_;
    }
    if (svm_.size() != std::size_t(total_)) return bad("the text ends after {} support vectors; total_sv is {}", svm_.size(), total_);
    return {};
}

Status SvmTextReader::read_vector(std::string_view line) {
    if (svm_.size() == std::size_t(total_)) return bad("more support vectors than total_sv, {}", total_);
    const auto next_field = [&line] {
        line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
        const std::string_view field = line.substr(0, line.find_first_of(blanks));
        line.remove_prefix(field.size());
        return field;
    };
    const std::string_view first = next_field();
    const std::optional<double> coefficient = parse_number(first);
    if (!coefficient) return bad("the coefficient '{}' is not a finite number", shown(first));

    const std::size_t row = svm_.values.size();
    svm_.values.resize(row + features_);
    std::uint64_t listed = 0;
    int last = 0;
    for (std::string_view field = next_field(); !field.empty(); field = next_field()) {
        const std::size_t colon = std::min(field.find(':'), field.size());
        const std::optional<int> index = parse_integer(field.substr(0, colon), 1, int(features_));
        const std::optional<double> value = parse_number(field.substr(std::min(colon + 1, field.size())));
        if (!index) return bad("'{}': the index must be 1 to {}, the number of features", shown(field), features_);
        if (*index <= last) return bad("'{}': indices must ascend, {} stands before", shown(field), last);
        if (!value) return bad("'{}': the value is not a finite number", shown(field));
        svm_.values[row + std::size_t(*index) - 1] = *value;
        listed |= std::uint64_t(1) << (*index - 1);
        last = *index;
    }
    svm_.coefficients.push_back(*coefficient);
    svm_.listed.push_back(listed);
    return {};
}

}  // namespace

Result<Regression> parse_svm_text(std::string_view text, std::size_t features, std::string_view where) {
    return SvmTextReader(text, features, where).read();
}

}  // namespace isometric
