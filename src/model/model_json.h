// Model files: JSON to checked definitions (docs/metrics/model.md, section 1).
#pragma once

#include <string_view>

#include "isometric/status.h"
#include "model/definition.h"

namespace isometric {

// Errors (Code::bad_model) name `origin` and the key.
Result<ModelSet> parse_model_json(std::string_view text, std::string_view origin);

}  // namespace isometric
