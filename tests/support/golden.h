// The golden score tables: tests/golden/cases.txt names a clip pair and what was measured on it, tests/golden/tables/NAME.tsv has the
// scores.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "isometric/option.h"
#include "isometric/status.h"
#include "tests/support/clip.h"

namespace isometric::test {

// "adm:debug=true:adm_csf_mode=1" or, for a built-in model, "m:vmaf_v0.6.1".
struct GoldenRequest {
    bool is_model = false;
    std::string name;                 // of the metric, or the model's version
    std::vector<OptionText> options;  // of the metric
};

struct GoldenCase {
    std::string name;
    ClipSpec clip;  // distorted; clip.reference() is its partner
    std::vector<GoldenRequest> requests;
};

struct GoldenRow {
    std::int64_t frame = 0;
    std::string feature;  // as libvmaf's reports print it
    double value = 0;
};

struct GoldenTable {
    std::vector<GoldenRow> rows;                                  // in the file's order
    std::map<std::string, std::map<std::string, double>> pooled;  // [MIN MAX MEAN HMEAN][feature]

    std::map<std::int64_t, double> feature(std::string_view name) const;  // [frame]; empty when there is none
};

Result<GoldenCase> parse_golden_case(std::string_view line);
Result<GoldenTable> parse_golden_table(std::string_view text);

// The project's own tables.
Result<std::vector<GoldenCase>> golden_cases();
Result<GoldenCase> golden_case(std::string_view name);
Result<GoldenTable> golden_table(std::string_view name);

// "0x1.8p+1" exactly, whatever the locale; also "inf", "-inf", "nan".
Result<double> parse_hex_float(std::string_view text);

Result<std::string> read_whole_file(const std::string& path);

}  // namespace isometric::test
