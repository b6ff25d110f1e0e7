#include <fmt/format.h>

#include <iterator>

#include "report/report_format.h"
#include "report/report_names.h"

namespace isometric {
namespace {

using Out = std::back_insert_iterator<std::string>;

void write_frames(Out out, const Scores& scores, const NumberFormat& numbers) {
    std::vector<std::string> names;
    for (const ScoreColumn& column : scores.columns) names.push_back(xml_attribute_name(column.report_name));
    fmt::format_to(out, "  <frames>\n");
    for (const std::int64_t frame : report_rows(scores)) {
        fmt::format_to(out, "    <frame frameNum=\"{}\" ", frame);
        for (std::size_t i = 0; i < names.size(); ++i)
            if (const double* value = cell(scores.columns[i], frame)) fmt::format_to(out, "{}=\"{}\" ", names[i], numbers.print(*value));
        fmt::format_to(out, "/>\n");
    }
    fmt::format_to(out, "  </frames>\n");
}

void write_pooled(Out out, const Scores& scores, const NumberFormat& numbers) {
    const std::int64_t frames = pooled_frames(scores);
    fmt::format_to(out, "  <pooled_metrics>\n");
    for (const ScoreColumn& column : scores.columns) {
        fmt::format_to(out, "    <metric name=\"{}\" ", xml_text(column.report_name));
        if (const auto values = pooled_values(column, frames, scores.subsample))
            for (std::size_t i = 0; i < values->size(); ++i)
                fmt::format_to(out, "{}=\"{}\" ", report_poolings[i].name, numbers.print((*values)[i]));
        fmt::format_to(out, "/>\n");
    }
    fmt::format_to(out, "  </pooled_metrics>\n");
}

}  // namespace

std::string render_xml(const Scores& scores, const ReportSettings& settings) {
    std::string text;
    const Out out(text);
    fmt::format_to(out, "<VMAF version=\"{}\">\n", xml_text(settings.version));
    fmt::format_to(out, "  <params qualityWidth=\"{}\" qualityHeight=\"{}\" />\n", scores.format.width, scores.format.height);
    fmt::format_to(out, "  <fyi fps=\"{}\" ", print_fps(settings.fps));
    if (!scores.complete)
        fmt::format_to(out, "complete=\"false\" pooledFrames=\"{}\" error=\"{}\" ", pooled_frames(scores), xml_text(scores.error));
    fmt::format_to(out, "/>\n");
    write_frames(out, scores, settings.numbers);
    write_pooled(out, scores, settings.numbers);
    fmt::format_to(out, "  <aggregate_metrics ");
    for (const NamedScore& aggregate : scores.aggregates)
        fmt::format_to(out, "{}=\"{}\" ", xml_attribute_name(aggregate.name), settings.numbers.print(aggregate.value));
    fmt::format_to(out, "/>\n</VMAF>\n");
    return text;
}

}  // namespace isometric
