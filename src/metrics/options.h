// Options of metrics: one table per metric, and the values of one configuration.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isometric/option.h"
#include "isometric/status.h"

namespace isometric {

struct MetricInfo;

enum class OptionType : std::uint8_t { boolean, integer, real, text };

// One row of a metric's option table. Parsing, --help, documentation, feature names and the C ABI all read it.
struct OptionSpec {
    std::string_view name;
    std::string_view alias;  // in feature names; empty: the name itself
    OptionType type = OptionType::boolean;
    double default_number = 0;  // boolean: 0 or 1
    std::string_view default_text = {};
    double minimum = 0;  // integer and real: inclusive
    double maximum = 0;
    bool in_name = false;  // a value other than the default shows in the names of the features
    std::string_view help = {};
};

// Rows of a table, for constexpr tables. `named` = part of feature names.
enum class Naming : bool { unnamed, named };
constexpr OptionSpec flag(std::string_view name, std::string_view alias, bool value, Naming naming, std::string_view help) {
    return {name, alias, OptionType::boolean, value ? 1.0 : 0.0, {}, 0, 1, naming == Naming::named, help};
}
constexpr OptionSpec integer(std::string_view name, std::string_view alias, int value, int minimum, int maximum, Naming naming, std::string_view help) {
    return {name, alias, OptionType::integer, double(value), {}, double(minimum), double(maximum), naming == Naming::named, help};
}
constexpr OptionSpec real(std::string_view name, std::string_view alias, double value, double minimum, double maximum, Naming naming, std::string_view help) {
    return {name, alias, OptionType::real, value, {}, minimum, maximum, naming == Naming::named, help};
}
constexpr OptionSpec text(std::string_view name, std::string_view alias, std::string_view value, Naming naming, std::string_view help) {
    return {name, alias, OptionType::text, 0, value, 0, 0, naming == Naming::named, help};
}

// One configuration of one metric: a value for every row of its table.
class OptionValues {
public:
    // All defaults.
    explicit OptionValues(const MetricInfo& info);
    // Errors name the metric, the option, the value, what is allowed, and for an unknown option the nearest name.
    static Result<OptionValues> parse(const MetricInfo& info, std::span<const OptionText> given);

    bool flag(std::string_view name) const { return number(name) != 0; }
    int integer(std::string_view name) const { return int(number(name)); }
    double real(std::string_view name) const { return number(name); }
    const std::string& text(std::string_view name) const;

    // Adds the other's explicitly given values of options that are not part of names; both must have the same identity. An error if both
    // give one option different values.
    Status merge(const OptionValues& other);

    // The suffix of feature names, "" when all named options have their defaults: "_csf_2_egl_1" (model.md 6.3, docs/metrics/names.md).
    std::string name_suffix() const;
    const MetricInfo& info() const { return *info_; }

private:
    struct Value {
        double number = 0;
        std::string text;
        bool given = false;
    };
    double number(std::string_view name) const;
    std::size_t index(std::string_view name) const;

    const MetricInfo* info_;
    std::vector<Value> values_;  // in table order
};

// Numeric text as libvmaf's dictionaries keep it: the value rounded to float, printed with six significant digits; other text unchanged.
std::string normalised_number(std::string_view text);

// The candidate with the smallest edit distance to `name`, empty when none is near.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace isometric
