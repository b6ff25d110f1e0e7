// The little languages of --model and --feature: items "key=value" between colons. A backslash takes the meaning from a colon, an equals
// sign or a backslash after it, so that any path can be given.
#pragma once

#include <string_view>

#include "cli/command.h"
#include "isometric/status.h"

namespace isometric::cli {

// "version=vmaf_v0.6.1:name=a:disable_clip:adm.adm_enhn_gain_limit=1.2", "path=model.json", or just "vmaf_v0.6.1" or "model.json".
// What has no effect is added to `notes`.
Result<ModelRequest> parse_model(std::string_view text, std::vector<std::string>& notes);

// "psnr", "psnr=enable_chroma=false:enable_apsnr=true", "psnr:enable_chroma=false", "name=psnr:enable_chroma=false".
Result<FeatureRequest> parse_feature(std::string_view text);

}  // namespace isometric::cli
