#include "isometric/report.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "report/report_format.h"

namespace isometric {
namespace {

constexpr std::array<std::pair<std::string_view, ReportFormat>, 4> format_names{
    {{"xml", ReportFormat::xml}, {"json", ReportFormat::json}, {"csv", ReportFormat::csv}, {"sub", ReportFormat::sub}}};

std::string lower_case(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
    return out;
}

}  // namespace

Result<ReportFormat> report_format_from_name(std::string_view name) {
    const std::string lower = lower_case(name);
    for (const auto& [known, format] : format_names)
        if (known == lower) return format;
    return error(Code::invalid_argument, "unknown report format '{}': xml, json, csv or sub", name);
}

Result<ReportFormat> report_format_from_path(std::string_view path) {
    const std::string_view file = path.substr(path.find_last_of('/') + 1);
    const std::size_t dot = file.find_last_of('.');
    if (dot == std::string_view::npos || dot == 0)
        return error(Code::invalid_argument, "report '{}': the name has no extension that tells the format (.xml, .json, .csv or .sub)",
                     path);
    auto format = report_format_from_name(file.substr(dot + 1));
    if (!format) return error(Code::invalid_argument, "report '{}': the extension is not .xml, .json, .csv or .sub", path);
    return format;
}

std::string render_report(const Scores& scores, const ReportSettings& settings) {
    switch (settings.format) {
        case ReportFormat::xml: return render_xml(scores, settings);
        case ReportFormat::json: return render_json(scores, settings);
        case ReportFormat::csv: return render_csv(scores, settings);
        case ReportFormat::sub: break;
    }
    return render_sub(scores, settings);
}

const double* cell(const ScoreColumn& column, std::int64_t frame) {
    if (frame < 0 || std::size_t(frame) >= column.values.size()) return nullptr;
    const std::optional<double>& value = column.values[std::size_t(frame)];
    return value ? &*value : nullptr;
}

std::vector<std::int64_t> report_rows(const Scores& scores) {
    std::size_t length = 0;
    for (const ScoreColumn& column : scores.columns) length = std::max(length, column.values.size());
    std::vector<std::int64_t> rows;
    for (std::int64_t frame = 0; frame < std::int64_t(length); frame += std::max(scores.subsample, 1)) {
        const auto has_score = [&](const ScoreColumn& column) { return cell(column, frame) != nullptr; };
        if (std::any_of(scores.columns.begin(), scores.columns.end(), has_score)) rows.push_back(frame);
    }
    return rows;
}

std::int64_t pooled_frames(const Scores& scores) {
    if (scores.complete) return scores.frames;
    const int step = std::max(scores.subsample, 1);
    for (std::int64_t frame = 0; frame < scores.frames; frame += step) {
        const auto has_score = [&](const ScoreColumn& column) { return cell(column, frame) != nullptr; };
        if (!std::all_of(scores.columns.begin(), scores.columns.end(), has_score)) return frame;
    }
    return scores.frames;
}

std::optional<std::array<double, 4>> pooled_values(const ScoreColumn& column, std::int64_t frames, int subsample) {
    std::array<double, 4> values{};
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Result<double> pooled = pool(column, report_poolings[i].method, 0, frames - 1, subsample);
        if (!pooled) return std::nullopt;
        values[i] = *pooled;
    }
    return values;
}

std::string print_fps(double fps) {
    if (!std::isfinite(fps)) return NumberFormat{}.print(fps);
    char text[384];
    return {text, std::to_chars(text, text + sizeof text, fps, std::chars_format::fixed, 2).ptr};
}

}  // namespace isometric
