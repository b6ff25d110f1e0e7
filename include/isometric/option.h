// An option of a metric, as text.
#pragma once

#include <string>

namespace isometric [[gnu::visibility("default")]] {

struct OptionText {
    std::string name;
    std::string value;
    bool operator==(const OptionText&) const = default;
};

}  // namespace isometric
