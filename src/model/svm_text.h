// The text form of a libsvm model, as model files hold it (docs/metrics/model.md, section 2).
#pragma once

#include <cstddef>
#include <string_view>

#include "isometric/status.h"
#include "model/definition.h"

namespace isometric {

// A regression over `features` features, indices 1 to `features`. Errors (Code::bad_model) start with `where` and name the line:
// classifiers, the precomputed kernel, missing or repeated parameters, numbers that are none, indices out of range or out of order,
// and more or fewer vectors than total_sv says.
Result<Regression> parse_svm_text(std::string_view text, std::size_t features, std::string_view where);

}  // namespace isometric
