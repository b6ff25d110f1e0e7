#include "metrics/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/assert.h"
#include "base/error.h"
#include "metrics/metric.h"

namespace isometric {
namespace {

// The whole text as a number, as strtod reads it in the C locale (decimal, hex, inf, nan; a sign; blanks after it), or nothing.
template <class T>
bool parse_whole(std::string_view text, T& value) {
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    bool negative = false;
    if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
        negative = text.front() == '-';
        text.remove_prefix(1);
        if (text.empty() || text.front() == '+' || text.front() == '-') return false;
    }
    auto format = std::chars_format::general;
    if (text.starts_with("0x") || text.starts_with("0X")) {
        text.remove_prefix(2);
        format = std::chars_format::hex;
    }
    const char* end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data(), end, value, format);
    if (stop != end || text.empty()) return false;
    if (code == std::errc::result_out_of_range) value = std::numeric_limits<T>::infinity();
    if (negative) value = -value;
    return true;
}

std::string known_names(const MetricInfo& info) {
    std::string names;
    for (const OptionSpec& option : info.options) {
        names += names.empty() ? "" : ", ";
        names += option.name;
    }
    return names.empty() ? "it has none" : "it has " + names;
}

Error unknown_option(const MetricInfo& info, std::string_view name) {
    std::vector<std::string_view> names;
    for (const OptionSpec& option : info.options) names.push_back(option.name);
    const std::string_view near = nearest_name(name, names);
    if (near.empty()) return error(Code::invalid_argument, "metric {} has no option '{}': {}", info.name, name, known_names(info));
    return error(Code::invalid_argument, "metric {} has no option '{}'; did you mean '{}'?", info.name, name, near);
}

Error bad_value(const MetricInfo& info, const OptionSpec& option, std::string_view value, std::string_view allowed) {
    return error(Code::invalid_argument, "metric {}, option {}: '{}' is not {}", info.name, option.name, value, allowed);
}

Result<double> parse_number(const MetricInfo& info, const OptionSpec& option, std::string_view given) {
    if (option.type == OptionType::boolean) {
        if (given == "true") return 1.0;
        if (given == "false") return 0.0;
        return bad_value(info, option, given, "true or false");
    }
    const bool whole = option.type == OptionType::integer;
    const std::string allowed = fmt::format("{} from {} to {}", whole ? "an integer" : "a number", option.minimum, option.maximum);
    double value = 0;
    if (!parse_whole(normalised_number(given), value) || std::isnan(value)) return bad_value(info, option, given, allowed);
    if (whole && value != std::floor(value)) return bad_value(info, option, given, allowed);
    if (value < option.minimum || value > option.maximum) return bad_value(info, option, given, allowed);
    return value;
}

}  // namespace

std::string normalised_number(std::string_view text) {
    float value = 0;
    if (!parse_whole(text, value)) return std::string(text);
    return fmt::format("{:g}", value);
}

std::string_view nearest_name(std::string_view name, std::span<const std::string_view> candidates) {
    std::string_view best;
    std::size_t best_distance = std::max<std::size_t>(2, name.size() / 3) + 1;
    for (std::string_view candidate : candidates) {
        // Levenshtein's distance, one row at a time.
        std::vector<std::size_t> row(candidate.size() + 1);
        for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
        for (std::size_t i = 0; i < name.size(); ++i) {
            std::size_t diagonal = row[0];
            row[0] = i + 1;
            for (std::size_t j = 0; j < candidate.size(); ++j) {
                const std::size_t substituted = diagonal + (name[i] != candidate[j]);
                diagonal = row[j + 1];
                row[j + 1] = std::min({substituted, row[j] + 1, row[j + 1] + 1});
            }
        }
        if (row.back() < best_distance) {
            best_distance = row.back();
            best = candidate;
        }
    }
    return best;
}

OptionValues::OptionValues(const MetricInfo& info) : info_(&info) {
    for (const OptionSpec& option : info.options) values_.push_back({option.default_number, std::string(option.default_text), false});
}

Result<OptionValues> OptionValues::parse(const MetricInfo& info, std::span<const OptionText> given) {
    OptionValues values(info);
    for (const OptionText& item : given) {
        const auto option = std::find_if(info.options.begin(), info.options.end(), [&](const OptionSpec& o) { return o.name == item.name; });
        if (option == info.options.end()) return unknown_option(info, item.name);
        Value& value = values.values_[std::size_t(option - info.options.begin())];
        Value parsed{option->default_number, item.value, true};
        if (option->type != OptionType::text) {
            parsed.text.clear();
            ISO_TRY(parsed.number, parse_number(info, *option, item.value));
        }
        if (value.given && (value.number != parsed.number || value.text != parsed.text))
            return error(Code::invalid_argument, "metric {}, option {}: given twice with different values", info.name, item.name);
        value = std::move(parsed);
    }
    return values;
}

Status OptionValues::merge(const OptionValues& other) {
    ISO_ASSERT(info_ == other.info_);
    for (std::size_t i = 0; i < values_.size(); ++i) {
        const Value& theirs = other.values_[i];
        if (!theirs.given) continue;
        Value& ours = values_[i];
        if (ours.given && (ours.number != theirs.number || ours.text != theirs.text))
            return error(Code::invalid_argument, "metric {} is asked for twice with different values of option {}, which its feature names do not tell apart",
                         info_->name, info_->options[i].name);
        ours = theirs;
    }
    return {};
}

std::size_t OptionValues::index(std::string_view name) const {
    const auto option = std::find_if(info_->options.begin(), info_->options.end(), [&](const OptionSpec& o) { return o.name == name; });
    ISO_ASSERT(option != info_->options.end());
    return std::size_t(option - info_->options.begin());
}

double OptionValues::number(std::string_view name) const { return values_[index(name)].number; }
const std::string& OptionValues::text(std::string_view name) const { return values_[index(name)].text; }

std::string OptionValues::name_suffix() const {
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < values_.size(); ++i) {
        const OptionSpec& option = info_->options[i];
        if (option.in_name && (values_[i].number != option.default_number || values_[i].text != option.default_text)) shown.push_back(i);
    }
    std::sort(shown.begin(), shown.end(), [&](std::size_t a, std::size_t b) { return info_->options[a].name < info_->options[b].name; });
    std::string suffix;
    for (std::size_t i : shown) {
        const OptionSpec& option = info_->options[i];
        suffix += '_';
        suffix += option.alias.empty() ? option.name : option.alias;
        switch (option.type) {
            case OptionType::boolean: break;
            case OptionType::integer: suffix += fmt::format("_{}", std::int64_t(values_[i].number)); break;
            case OptionType::real: suffix += fmt::format("_{:g}", values_[i].number); break;
            case OptionType::text: suffix += "_" + values_[i].text; break;
        }
    }
    return suffix;
}

}  // namespace isometric
