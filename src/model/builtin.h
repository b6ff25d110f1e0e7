// The embedded table of published models.
#pragma once

#include <string_view>

namespace isometric {

// builtin/models.table (format: model/table.h); compiled from it at build time.
std::string_view builtin_model_table();

}  // namespace isometric
