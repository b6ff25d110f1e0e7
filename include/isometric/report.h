// Reports: XML, JSON, CSV and SUB, byte for byte as tools that read libvmaf's expect them (docs/reports.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "isometric/scores.h"
#include "isometric/status.h"

namespace [[gnu::visibility("default")]] isometric {

enum class ReportFormat : std::uint8_t { xml, json, csv, sub };

// From a file name's extension; an error names the four.
Result<ReportFormat> report_format_from_path(std::string_view path);
Result<ReportFormat> report_format_from_name(std::string_view name);

// How numbers are printed (docs/reports.md): by libvmaf's rule, with a number of significant digits, with the 17 that read back as the same
// double, or with six decimals. Always with a point, whatever the locale.
struct NumberFormat {
    enum class Kind : std::uint8_t { standard, digits, round_trip, legacy } kind = Kind::standard;
    int digits = 0;  // 1..17, for Kind::digits

    // "1".."17", "max" or "full" (17 significant digits), "legacy" (%.6f).
    static Result<NumberFormat> parse(std::string_view text);
    std::string print(double value) const;
};

struct ReportSettings {
    ReportFormat format = ReportFormat::xml;
    NumberFormat numbers;
    std::string version;  // printed as the producer's version
    double fps = 0;       // frames per second of the run, by wall clock
};

std::string render_report(const Scores& scores, const ReportSettings& settings);

// Written to a temporary file beside the target and renamed, so that a report is either the old or the new one. Devices and pipes are
// written in place, "-" and /dev/stdout without truncating what standard output was redirected to. Every failure, at closing too, is an error.
Status write_report(const Scores& scores, const ReportSettings& settings, const std::string& path);

}  // namespace isometric
