// A small strict XML reader: enough to say whether a report is well-formed and what its attributes hold.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace isometric::test {

struct XmlElement {
    std::string name;
    std::map<std::string, std::string> attributes;  // values with their references resolved
    std::vector<XmlElement> children;
};

// Nothing when the text is not one well-formed element: `problem` says why.
std::optional<XmlElement> parse_xml(std::string_view text, std::string& problem);

}  // namespace isometric::test
