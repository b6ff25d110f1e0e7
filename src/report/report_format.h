// What the writers of the four formats share: which rows there are, which frames are pooled, and how numbers are printed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isometric/report.h"

namespace isometric {

std::string render_xml(const Scores& scores, const ReportSettings& settings);
std::string render_json(const Scores& scores, const ReportSettings& settings);
std::string render_csv(const Scores& scores, const ReportSettings& settings);
std::string render_sub(const Scores& scores, const ReportSettings& settings);

// The frames that get a row: those that subsampling chose and that hold a score in some column.
std::vector<std::int64_t> report_rows(const Scores& scores);

// nullptr when the column holds nothing for the frame.
const double* cell(const ScoreColumn& column, std::int64_t frame);

// The frames 0 .. count-1 are pooled: all that were read; when an error ended the run those before the first incomplete row.
std::int64_t pooled_frames(const Scores& scores);

// In the order in which reports print them.
struct PooledName {
    Pooling method;
    const char* name;
};
inline constexpr std::array<PooledName, 4> report_poolings{
    {{Pooling::min, "min"}, {Pooling::max, "max"}, {Pooling::mean, "mean"}, {Pooling::harmonic_mean, "harmonic_mean"}}};

// The four pooled values, or nothing when a frame lacks its score.
std::optional<std::array<double, 4>> pooled_values(const ScoreColumn& column, std::int64_t frames, int subsample);

// Two decimals.
std::string print_fps(double fps);

}  // namespace isometric
