#include <fmt/format.h>

#include <iterator>

#include "report/report_format.h"
#include "report/report_names.h"

namespace isometric {

// MicroDVD subtitles: one line per frame, '|' starts a new line on the screen.
std::string render_sub(const Scores& scores, const ReportSettings& settings) {
    std::string text;
    const std::back_insert_iterator<std::string> out(text);
    for (const std::int64_t frame : report_rows(scores)) {
        fmt::format_to(out, "{{{}}}{{{}}}frame: {}|", frame, frame + 1, frame);
        for (const ScoreColumn& column : scores.columns)
            if (const double* value = cell(column, frame))
                fmt::format_to(out, "{}: {}|", sub_text(column.report_name), settings.numbers.print(*value));
        fmt::format_to(out, "\n");
    }
    return text;
}

}  // namespace isometric
