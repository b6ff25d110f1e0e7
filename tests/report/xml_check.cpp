#include "tests/report/xml_check.h"

#include <cctype>
#include <charconv>

namespace isometric::test {
namespace {

class Parser {
public:
    Parser(std::string_view text, std::string& problem) : rest_(text), problem_(problem) {}

    std::optional<XmlElement> document() {
        auto root = element();
        blanks();
        if (root && !rest_.empty()) return fail("text after the root element");
        return root;
    }

private:
    std::nullopt_t fail(std::string why) {
        if (problem_.empty()) problem_ = why + " before '" + std::string(rest_.substr(0, 40)) + "'";
        return std::nullopt;
    }
    void blanks() {
        while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n')) rest_.remove_prefix(1);
    }
    bool take(std::string_view expected) {
        if (!rest_.starts_with(expected)) return false;
        rest_.remove_prefix(expected.size());
        return true;
    }

    std::optional<std::string> name() {
        std::size_t n = 0;
        while (n < rest_.size() &&
               (std::isalnum(static_cast<unsigned char>(rest_[n])) || rest_[n] == '_' || (n > 0 && (rest_[n] == '-' || rest_[n] == '.'))))
            ++n;
        if (n == 0 || std::isdigit(static_cast<unsigned char>(rest_[0]))) return fail("no name");
        std::string result(rest_.substr(0, n));
        rest_.remove_prefix(n);
        return result;
    }

    std::optional<std::string> reference() {
        static const std::map<std::string, std::string, std::less<>> known{{"amp", "&"}, {"lt", "<"}, {"gt", ">"}, {"quot", "\""}};
        const std::size_t end = rest_.find(';');
        if (end == std::string_view::npos) return fail("reference without an end");
        const std::string_view body = rest_.substr(0, end);
        std::string value;
        if (const auto found = known.find(body); found != known.end()) {
            value = found->second;
        } else {
            int code = 0;
            if (body.size() < 2 || body[0] != '#') return fail("unknown reference");
            const auto [stop, status] = std::from_chars(body.data() + 1, body.data() + body.size(), code);
            if (status != std::errc() || stop != body.data() + body.size() || (code != 9 && code != 10 && code != 13))
                return fail("bad reference");
            value = char(code);
        }
        rest_.remove_prefix(end + 1);
        return value;
    }

    std::optional<std::string> value() {
        if (!take("\"")) return fail("no opening quote");
        std::string result;
        while (!take("\"")) {
            if (rest_.empty() || rest_[0] == '<' || (static_cast<unsigned char>(rest_[0]) < 0x20))
                return fail("character not allowed in a value");
            if (take("&")) {
                const auto character = reference();
                if (!character) return std::nullopt;
                result += *character;
            } else {
                result += rest_[0];
                rest_.remove_prefix(1);
            }
        }
        return result;
    }

    // After the name: attributes and "/>" or ">". True in `closed` for the former.
    bool attributes(XmlElement& element, bool& closed) {
        for (;;) {
            const std::size_t before = rest_.size();
            blanks();
            if ((closed = take("/>")) || take(">")) return true;
            if (before == rest_.size()) return fail("no blank before an attribute"), false;
            const auto key = name();
            if (!key || !take("=")) return fail("attribute without a value"), false;
            const auto text = value();
            if (!text) return false;
            if (!element.attributes.emplace(*key, *text).second) return fail("attribute " + *key + " twice"), false;
        }
    }

    std::optional<XmlElement> element() {
        blanks();
        if (!take("<")) return fail("no element");
        XmlElement result;
        const auto tag = name();
        if (!tag) return std::nullopt;
        result.name = *tag;
        bool closed = false;
        if (!attributes(result, closed)) return std::nullopt;
        while (!closed) {
            blanks();
            if (take("</" + result.name + ">")) return result;
            auto child = element();
            if (!child) return std::nullopt;
            result.children.push_back(std::move(*child));
        }
        return result;
    }

    std::string_view rest_;
    std::string& problem_;
};

}  // namespace

std::optional<XmlElement> parse_xml(std::string_view text, std::string& problem) { return Parser(text, problem).document(); }

}  // namespace isometric::test
