// An option of a metric, as text.
#pragma once

#include <string>

namespace [[gnu::visibility("default")]] isometric {

struct OptionText {
    std::string name;
    std::string value;
    bool operator==(const OptionText&) const = default;
};

}  // namespace isometric
