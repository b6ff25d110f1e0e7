// What --list-models and --list-metrics print.
#pragma once

#include <string>

namespace isometric::cli {

std::string models_listing();
std::string metrics_listing();

}  // namespace isometric::cli
