// What a command line asks for, as plain data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isometric/option.h"
#include "isometric/picture.h"
#include "isometric/report.h"

namespace isometric::cli {

struct ModelOverload {
    std::string metric;
    std::string option;
    std::string value;
};

struct ModelRequest {
    std::string version;  // of a built-in model
    std::string path;     // of a model file, when there is no version
    std::string name = "vmaf";
    bool disable_clip = false;
    bool enable_transform = false;
    std::vector<ModelOverload> overloads;

    const std::string& label() const { return version.empty() ? path : version; }
};

struct FeatureRequest {
    std::string metric;
    std::vector<OptionText> options;
    std::string backend;  // "cuda" from "adm_cuda"; empty: any
};

struct ReportRequest {
    std::string path;  // "-" is standard output
    ReportFormat format = ReportFormat::xml;

    bool to_standard_output() const;
};

struct InputRequest {
    std::string path;  // "-" is standard input
    std::int64_t skip = 0;
    int raw_bit_depth = 0;
};

struct Command {
    enum class Action : std::uint8_t { score, help, version, list_models, list_metrics };
    Action action = Action::score;

    InputRequest reference;
    InputRequest distorted;
    bool raw = false;
    PictureFormat raw_format;         // without the depths, which the inputs have
    std::int64_t frame_limit = 0;     // 0: all
    bool common_bit_depth = false;    // inputs of different depths are compared at the larger
    bool strict_length = false;       // inputs of different lengths are an error
    bool check_sample_range = false;  // samples above the bit depth are an error
    bool convert_chroma_siting = true;

    std::vector<ModelRequest> models;
    std::vector<FeatureRequest> features;
    bool predict = true;  // false: only the models' features

    int threads = 0;  // 0: one per core
    int subsample = 1;
    std::uint64_t cpu_mask = 0;
    std::string instruction_set;
    std::string backend = "auto";
    std::vector<std::string> excluded_backends;  // of auto
    std::string device;

    std::vector<ReportRequest> reports;
    NumberFormat numbers;
    bool numbers_given = false;
    int worst = 0;  // lowest frames to list for each model
    bool quiet = false;

    std::vector<std::string> notes;  // what was given and has no effect

    bool report_on_standard_output() const;
};

}  // namespace isometric::cli
