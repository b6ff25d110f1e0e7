#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "report/report_format.h"
#include "report/report_names.h"

namespace isometric {
namespace {

using Out = std::back_insert_iterator<std::string>;

// JSON has no infinities and no NaN.
std::string print_number(double value, const NumberFormat& numbers) { return std::isfinite(value) ? numbers.print(value) : "null"; }

void write_frame(Out out, const Scores& scores, const std::vector<std::string>& names, std::int64_t frame, const NumberFormat& numbers) {
    fmt::format_to(out, "    {{\n      \"frameNum\": {},\n      \"metrics\": {{\n", frame);
    std::size_t left = 0;
    for (const ScoreColumn& column : scores.columns) left += cell(column, frame) != nullptr;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const double* value = cell(scores.columns[i], frame);
        if (!value) continue;
        // The reference ends no line after a null; readers that compare bytes depend on it.
        fmt::format_to(out, "        {}: {}{}{}", names[i], print_number(*value, numbers), --left > 0 ? "," : "",
                       std::isfinite(*value) ? "\n" : "");
    }
    fmt::format_to(out, "      }}\n    }}");
}

void write_frames(Out out, const Scores& scores, const NumberFormat& numbers) {
    std::vector<std::string> names;
    for (const ScoreColumn& column : scores.columns) names.push_back(json_text(column.report_name));
    fmt::format_to(out, "  \"frames\": [\n");
    const std::vector<std::int64_t> rows = report_rows(scores);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        write_frame(out, scores, names, rows[i], numbers);
        fmt::format_to(out, "{}\n", i + 1 < rows.size() ? "," : "");
    }
    fmt::format_to(out, "  ],\n");
}

void write_pooled(Out out, const Scores& scores, const NumberFormat& numbers) {
    const std::int64_t frames = pooled_frames(scores);
    fmt::format_to(out, "  \"pooled_metrics\": {{\n");
    for (std::size_t c = 0; c < scores.columns.size(); ++c) {
        const ScoreColumn& column = scores.columns[c];
        fmt::format_to(out, "    {}: {{\n", json_text(column.report_name));
        if (const auto values = pooled_values(column, frames, scores.subsample))
            for (std::size_t i = 0; i < values->size(); ++i)
                fmt::format_to(out, "      \"{}\": {}{}\n", report_poolings[i].name, print_number((*values)[i], numbers),
                               i + 1 < values->size() ? "," : "");
        fmt::format_to(out, "    }}{}\n", c + 1 < scores.columns.size() ? "," : "");
    }
    fmt::format_to(out, "  }},\n");
}

}  // namespace

std::string render_json(const Scores& scores, const ReportSettings& settings) {
    std::string text;
    const Out out(text);
    fmt::format_to(out, "{{\n  \"version\": {},\n", json_text(settings.version));
    fmt::format_to(out, "  \"fps\": {},\n", std::isfinite(settings.fps) ? print_fps(settings.fps) : "null");
    if (!scores.complete)
        fmt::format_to(out, "  \"complete\": false,\n  \"pooled_frames\": {},\n  \"error\": {},\n", pooled_frames(scores),
                       json_text(scores.error));
    write_frames(out, scores, settings.numbers);
    write_pooled(out, scores, settings.numbers);
    fmt::format_to(out, "  \"aggregate_metrics\": {{\n");
    for (std::size_t i = 0; i < scores.aggregates.size(); ++i)
        fmt::format_to(out, "    {}: {}{}\n", json_text(scores.aggregates[i].name),
                       print_number(scores.aggregates[i].value, settings.numbers), i + 1 < scores.aggregates.size() ? "," : "");
    fmt::format_to(out, "  }}\n}}\n");
    return text;
}

}  // namespace isometric
