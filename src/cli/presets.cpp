#include "cli/presets.h"

#include <initializer_list>

#include "base/error.h"
#include "cli/specifications.h"

namespace isometric::cli {
namespace {

void add_model(Command& command, std::string_view version, std::string_view name) {
    ModelRequest model;
    model.version = version;
    model.name = name;
    command.models.push_back(std::move(model));
}

Status add_features(Command& command, std::initializer_list<std::string_view> specifications) {
    for (const std::string_view text : specifications) {
        ISO_TRY(FeatureRequest feature, parse_feature(text));
        command.features.push_back(std::move(feature));
    }
    return {};
}

}  // namespace

Status add_aom_ctc(Command& command, std::string_view version) {
    constexpr std::string_view known = "v1.0 v2.0 v3.0 v4.0 v5.0 v6.0 v7.0";
    if (version == "proposed") return error(Code::invalid_argument, "--aom_ctc proposed is deprecated; take one of {}", known);
    if (version.size() != 4 || known.find(version) == std::string_view::npos || version.front() != 'v')
        return error(Code::invalid_argument, "--aom_ctc: unknown version '{}'; there are {}", version, known);
    const int major = version[1] - '0';

    add_model(command, "vmaf_v0.6.1", "vmaf");
    add_model(command, "vmaf_v0.6.1neg", "vmaf_neg");
    ISO_DO(add_features(command, {"psnr=reduced_hbd_peak=true:enable_apsnr=true:min_sse=0.5", "ciede",
                                  major >= 7 ? "float_ssim=scale=1:enable_db=true:clip_db=true" : "float_ssim=enable_db=true:clip_db=true",
                                  "float_ms_ssim=enable_db=true:clip_db=true", "psnr_hvs"}));
    if (major >= 3) ISO_DO(add_features(command, {"cambi"}));
    if (major >= 6) command.common_bit_depth = true;
    return {};
}

Status add_nflx_ctc(Command& command, std::string_view version) {
    if (version != "v1.0") return error(Code::invalid_argument, "--nflx_ctc: unknown version '{}'; there is v1.0", version);
    add_model(command, "vmaf_4k_v0.6.1", "vmaf");
    add_model(command, "vmaf_4k_v0.6.1neg", "vmaf_neg");
    return add_features(command, {"psnr=enable_chroma=true:enable_apsnr=true", "float_ssim=enable_db=true:clip_db=true", "cambi"});
}

}  // namespace isometric::cli
