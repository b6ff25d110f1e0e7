#include <fmt/format.h>

#include <iterator>

#include "report/report_format.h"
#include "report/report_names.h"

namespace isometric {

std::string render_csv(const Scores& scores, const ReportSettings& settings) {
    std::string text;
    const std::back_insert_iterator<std::string> out(text);
    fmt::format_to(out, "Frame,");
    for (const ScoreColumn& column : scores.columns) fmt::format_to(out, "{},", csv_text(column.report_name));
    fmt::format_to(out, "\n");
    for (const std::int64_t frame : report_rows(scores)) {
        fmt::format_to(out, "{},", frame);
        for (const ScoreColumn& column : scores.columns) {
            const double* value = cell(column, frame);
            fmt::format_to(out, "{},", value ? settings.numbers.print(*value) : "");
        }
        fmt::format_to(out, "\n");
    }
    return text;
}

}  // namespace isometric
