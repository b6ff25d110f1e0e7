#include "model/json_value.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "model/number.h"

namespace isometric {
namespace {

constexpr std::size_t max_depth = 64;  // the tree's destructor recurses

// Receives the parser's events; returning false ends it. Open containers are moved to their parents when they close.
class TreeBuilder {
public:
    explicit TreeBuilder(std::string_view origin) : origin_(origin) {}

    bool null() { return add(JsonValue{}); }
    bool boolean(bool value) {
        JsonValue item = of_kind(JsonValue::Kind::boolean);
        item.boolean = value;
        return add(std::move(item));
    }
    bool number_integer(std::int64_t value) {
        // The parser calls this for numbers with a sign only: a zero here is "-0".
        if (value == 0) return add_number(-0.0, "-0");
        return add_number(double(value), std::to_string(value));
    }
    bool number_unsigned(std::uint64_t value) { return add_number(double(value), std::to_string(value)); }
    bool number_float(double, std::string text) {
        // The parser puts the locale's decimal point into the text; anything that is no other part of a number is that point.
        for (char& c : text)
            if (std::string_view("0123456789+-eE").find(c) == std::string_view::npos) c = '.';
        const std::optional<double> value = parse_number(text);
        if (!value) return fail(error(Code::bad_model, "{}: the number {} is out of range", origin_, text));
        return add_number(*value, std::move(text));
    }
    bool string(std::string& value) {
        JsonValue item = of_kind(JsonValue::Kind::string);
        item.text = std::move(value);
        return add(std::move(item));
    }
    bool binary(const std::vector<std::uint8_t>&) { return false; }  // no such thing in JSON text
    bool key(std::string& value) {
        open_.back().keys.push_back(std::move(value));
        return true;
    }
    bool start_object(std::size_t) { return open(JsonValue::Kind::object); }
    bool start_array(std::size_t) { return open(JsonValue::Kind::array); }
    bool end_array() { return close(); }
    bool end_object() {
        std::vector<std::string_view> keys(open_.back().keys.begin(), open_.back().keys.end());
        std::sort(keys.begin(), keys.end());
        const auto twice = std::adjacent_find(keys.begin(), keys.end());
        if (twice != keys.end()) return fail(error(Code::bad_model, "{}: the key '{}' stands twice in one object", origin_, *twice));
        return close();
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& problem) {
        std::string_view what = problem.what();
        if (const std::size_t end = what.find("] "); what.starts_with('[') && end != std::string_view::npos) what.remove_prefix(end + 2);
        return fail(error(Code::bad_model, "{}: {}", origin_, what));
    }

    Result<JsonValue> finish(bool whole) {
        if (error_) return *std::move(error_);
        if (!whole) return error(Code::bad_model, "{}: not JSON", origin_);
        return std::move(root_);
    }

private:
    static JsonValue of_kind(JsonValue::Kind kind) {
        JsonValue item;
        item.kind = kind;
        return item;
    }
    bool add_number(double value, std::string text) {
        JsonValue item = of_kind(JsonValue::Kind::number);
        item.number = value;
        item.text = std::move(text);
        return add(std::move(item));
    }
    bool add(JsonValue value) {
        if (open_.empty()) root_ = std::move(value);
        else open_.back().items.push_back(std::move(value));
        return true;
    }
    bool open(JsonValue::Kind kind) {
        if (open_.size() == max_depth) return fail(error(Code::bad_model, "{}: nested deeper than {}", origin_, max_depth));
        open_.push_back(of_kind(kind));
        return true;
    }
    bool close() {
        JsonValue done = std::move(open_.back());
        open_.pop_back();
        return add(std::move(done));
    }
    bool fail(Error problem) {
        error_ = std::move(problem);
        return false;
    }

    std::string_view origin_;
    JsonValue root_;
    std::vector<JsonValue> open_;
    std::optional<Error> error_;
};

}  // namespace

const JsonValue* JsonValue::find(std::string_view key) const {
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (keys[i] == key) return items[i].kind == Kind::null ? nullptr : &items[i];
    return nullptr;
}

Result<JsonValue> parse_json(std::string_view text, std::string_view origin) {
    TreeBuilder builder(origin);
    const bool whole = nlohmann::json::sax_parse(text.begin(), text.end(), &builder, nlohmann::json::input_format_t::json, false);
    return builder.finish(whole);
}

std::string_view kind_name(JsonValue::Kind kind) {
    switch (kind) {
        case JsonValue::Kind::null: return "null";
        case JsonValue::Kind::boolean: return "a boolean";
        case JsonValue::Kind::number: return "a number";
        case JsonValue::Kind::string: return "a string";
        case JsonValue::Kind::array: return "an array";
        case JsonValue::Kind::object: return "an object";
    }
    return "";
}

}  // namespace isometric
