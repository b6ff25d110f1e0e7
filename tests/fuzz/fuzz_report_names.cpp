// Names and numbers in reports: eight bytes are a score, the rest are names, separated by NUL. Every format stays readable, and the
// seventeen digits of a score read back as the same bits.
#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "isometric/report.h"
#include "report/report_names.h"
#include "tests/report/xml_check.h"

using namespace isometric;

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

// Commas outside quotes, per line; quotes must close.
std::vector<std::size_t> csv_columns(const std::string& text) {
    std::vector<std::size_t> columns;
    std::size_t commas = 0;
    bool quoted = false;
    for (const char c : text) {
        if (c == '"') quoted = !quoted;
        if (quoted) continue;
        if (c == ',') ++commas;
        if (c == '\n') columns.push_back(std::exchange(commas, 0));
    }
    require(!quoted);
    return columns;
}

Scores scores_of(std::string_view text, double value) {
    Scores scores;
    scores.frames = 2;
    while (scores.columns.size() < 20) {
        const std::size_t end = std::min(text.find('\0'), text.size());
        const std::string name(text.substr(0, end));
        // Two columns of one name are the engine's to refuse.
        const auto same = [&](const ScoreColumn& column) { return column.report_name == name; };
        if (std::none_of(scores.columns.begin(), scores.columns.end(), same))
            scores.columns.push_back({name, name, true, {value, std::nullopt}});
        if (end == text.size()) break;
        text.remove_prefix(end + 1);
    }
    scores.aggregates = {{scores.columns[0].name, value}};
    scores.complete = text.size() % 2 != 0;
    scores.error = scores.columns[0].name;
    return scores;
}

void check_number(double value) {
    for (const char* precision : {"max", "17", "6", "legacy"}) {
        const std::string text = NumberFormat::parse(precision)->print(value);
        require(text.find(',') == std::string::npos && !text.empty());
        if (std::isfinite(value) && text.size() > 0 && (precision[0] == 'm' || precision[0] == '1'))
            require(std::bit_cast<std::uint64_t>(std::strtod(text.c_str(), nullptr)) == std::bit_cast<std::uint64_t>(value));
    }
    require(!NumberFormat{}.print(value).empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 8 || size > 4096) return 0;
    double value = 0;
    std::memcpy(&value, data, sizeof value);
    check_number(value);
    const Scores scores = scores_of({reinterpret_cast<const char*>(data) + 8, size - 8}, value);
    const std::string version = scores.columns[0].name;
    const auto render = [&](ReportFormat format) { return render_report(scores, {format, {}, version, value}); };

    require(nlohmann::json::accept(render(ReportFormat::json)));
    std::string problem;
    const auto xml = test::parse_xml(render(ReportFormat::xml), problem);
    require(xml.has_value());
    require(xml->children[2].children.size() == 1 && xml->children[2].children[0].attributes.size() == scores.columns.size() + 1);
    const auto columns = csv_columns(render(ReportFormat::csv));
    require(columns.size() == 2 && columns[0] == scores.columns.size() + 1 && columns[1] == columns[0]);
    const std::string sub = render(ReportFormat::sub);
    require(std::count(sub.begin(), sub.end(), '\n') == 1 &&
            std::count(sub.begin(), sub.end(), '|') == std::ptrdiff_t(scores.columns.size() + 1));
    return 0;
}
