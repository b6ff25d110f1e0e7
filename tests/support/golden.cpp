#include "tests/support/golden.h"

#include <charconv>
#include <fstream>
#include <iterator>

#include "base/error.h"

namespace isometric::test {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

std::string_view trim(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string golden_path(std::string_view file) { return fmt::format("{}/golden/{}", ISO_TEST_DATA, file); }

GoldenRequest parse_request(std::string_view word) {
    GoldenRequest request;
    const auto parts = split(word, ':');
    request.is_model = parts[0] == "m";
    request.name = parts[request.is_model ? 1 : 0];
    for (std::size_t i = request.is_model ? 2 : 1; i < parts.size(); ++i) {
        const std::size_t equals = parts[i].find('=');
        request.options.push_back({std::string(parts[i].substr(0, equals)),
                                   equals == std::string_view::npos ? std::string() : std::string(parts[i].substr(equals + 1))});
    }
    return request;
}

}  // namespace

Result<double> parse_hex_float(std::string_view text) {
    std::string_view digits = text;
    const bool negative = digits.starts_with('-');
    if (negative) digits.remove_prefix(1);
    const bool hex = digits.starts_with("0x");
    if (hex) digits.remove_prefix(2);
    double value = 0;
    const auto [end, code] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, hex ? std::chars_format::hex : std::chars_format::general);
    if (code != std::errc() || end != digits.data() + digits.size()) return error(Code::bad_input, "'{}' is no hex float", text);
    return negative ? -value : value;
}

std::map<std::int64_t, double> GoldenTable::feature(std::string_view name) const {
    std::map<std::int64_t, double> values;
    for (const GoldenRow& row : rows)
        if (row.feature == name) values.emplace(row.frame, row.value);
    return values;
}

Result<GoldenCase> parse_golden_case(std::string_view line) {
    const auto parts = split(line, '|');
    if (parts.size() != 3) return error(Code::bad_input, "golden case '{}': name | clip | features", line);
    GoldenCase result;
    result.name = trim(parts[0]);
    ISO_TRY(result.clip, ClipSpec::parse(trim(parts[1])));
    for (const std::string_view word : split(trim(parts[2]), ' '))
        if (!word.empty()) result.requests.push_back(parse_request(word));
    return result;
}

Result<GoldenTable> parse_golden_table(std::string_view text) {
    GoldenTable table;
    for (const std::string_view line : split(text, '\n')) {
        if (line.empty() || line.starts_with('#')) continue;
        const auto cells = split(line, '\t');
        if (cells.size() != 4) return error(Code::bad_input, "golden table: '{}' has {} cells, not 4", line, cells.size());
        ISO_TRY(const double value, parse_hex_float(cells[2]));
        std::int64_t frame = 0;
        const auto [end, code] = std::from_chars(cells[0].data(), cells[0].data() + cells[0].size(), frame);
        if (code == std::errc() && end == cells[0].data() + cells[0].size()) table.rows.push_back({frame, std::string(cells[1]), value});
        else table.pooled[std::string(cells[0])][std::string(cells[1])] = value;
    }
    return table;
}

Result<std::string> read_whole_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return error(Code::bad_input, "{}: cannot be opened", path);
    return std::string(std::istreambuf_iterator<char>(file), {});
}

Result<std::vector<GoldenCase>> golden_cases() {
    ISO_TRY(const std::string text, read_whole_file(golden_path("cases.txt")));
    std::vector<GoldenCase> cases;
    for (const std::string_view line : split(text, '\n')) {
        if (trim(line).empty() || line.starts_with('#')) continue;
        ISO_TRY(GoldenCase parsed, parse_golden_case(line));
        cases.push_back(std::move(parsed));
    }
    return cases;
}

Result<GoldenCase> golden_case(std::string_view name) {
    ISO_TRY(const std::vector<GoldenCase> cases, golden_cases());
    for (const GoldenCase& candidate : cases)
        if (candidate.name == name) return candidate;
    return error(Code::not_found, "there is no golden case '{}'", name);
}

Result<GoldenTable> golden_table(std::string_view name) {
    ISO_TRY(const std::string text, read_whole_file(golden_path(fmt::format("tables/{}.tsv", name))));
    return parse_golden_table(text);
}

}  // namespace isometric::test
