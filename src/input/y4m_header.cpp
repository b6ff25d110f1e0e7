#include "input/y4m_header.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>

#include "base/error.h"

namespace isometric {
namespace {

// What a C tag says.
struct ChromaTag {
    ChromaFormat chroma = ChromaFormat::yuv420;
    int bit_depth = 8;
    enum class Kind : std::uint8_t { plain, shifted_422, dv_411, pal_dv, with_alpha } kind = Kind::plain;
};

struct NamedTag {
    std::string_view name;
    ChromaTag tag;
};
constexpr NamedTag named_tags[] = {
    {"420", {ChromaFormat::yuv420}},
    {"420jpeg", {ChromaFormat::yuv420}},
    {"420mpeg2", {ChromaFormat::yuv420}},
    {"420paldv", {ChromaFormat::yuv420, 8, ChromaTag::Kind::pal_dv}},
    {"422", {ChromaFormat::yuv422, 8, ChromaTag::Kind::shifted_422}},
    {"411", {ChromaFormat::yuv422, 8, ChromaTag::Kind::dv_411}},
    {"444", {ChromaFormat::yuv444}},
    {"444alpha", {ChromaFormat::yuv444, 8, ChromaTag::Kind::with_alpha}},
    {"mono", {ChromaFormat::yuv400}},
};
// These are followed by a bit depth of 9 to 16.
constexpr NamedTag deep_tags[] = {
    {"420p", {ChromaFormat::yuv420}}, {"422p", {ChromaFormat::yuv422}}, {"444p", {ChromaFormat::yuv444}}, {"mono", {ChromaFormat::yuv400}}};

std::optional<ChromaTag> find_chroma(std::string_view name) {
    for (const NamedTag& known : named_tags)
        if (known.name == name) return known.tag;
    for (const NamedTag& known : deep_tags) {
        if (!name.starts_with(known.name)) continue;
        const std::string_view depth = name.substr(known.name.size());
        for (int bits = 9; bits <= PictureFormat::max_bit_depth; ++bits)
            if (depth == fmt::format("{}", bits)) return ChromaTag{known.tag.chroma, bits};
    }
    return std::nullopt;
}

// The integer that a text starts with, as C's strtol takes it; what follows stays in `text`.
std::optional<int> take_integer(std::string_view& text) {
    std::string_view digits = text;
    if (digits.starts_with('+')) digits.remove_prefix(1);
    if (digits.size() < text.size() && digits.starts_with('-')) return std::nullopt;
    int value = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (code != std::errc()) return std::nullopt;
    text = digits.substr(std::size_t(end - digits.data()));
    return value;
}

struct Ratio {
    int numerator = 0;
    int denominator = 0;
    std::string reduced() const {
        const auto divisor = std::max(std::gcd(std::int64_t(numerator), std::int64_t(denominator)), std::int64_t(1));
        return fmt::format("{}:{}", numerator / divisor, denominator / divisor);
    }
};

std::optional<Ratio> parse_ratio(std::string_view text) {
    const auto numerator = take_integer(text);
    if (!numerator || !text.starts_with(':')) return std::nullopt;
    text.remove_prefix(1);
    const auto denominator = take_integer(text);
    if (!denominator) return std::nullopt;
    return Ratio{*numerator, *denominator};
}

// The tags' values as they stand, the last of each letter.
struct Tags {
    std::optional<std::string_view> width, height, rate, aspect, interlacing, chroma;
    std::vector<std::string_view> extensions;
};

Tags split_tags(std::string_view rest) {
    Tags tags;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(' '), rest.size());
        const std::string_view tag = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (tag.empty()) continue;
        const std::string_view value = tag.substr(1);
        switch (tag[0]) {
            case 'W': tags.width = value; break;
            case 'H': tags.height = value; break;
            case 'F': tags.rate = value; break;
            case 'A': tags.aspect = value; break;
            case 'I': tags.interlacing = value; break;
            case 'C': tags.chroma = value; break;
            case 'X': tags.extensions.push_back(tag); break;
            default: break;  // the format lets readers ignore what they do not know
        }
    }
    return tags;
}

Result<int> parse_side(std::optional<std::string_view> text, const char* what, char letter) {
    if (!text) return error(Code::bad_input, "the y4m header has no {} ({})", what, letter);
    std::string_view rest = *text;
    const auto value = take_integer(rest);
    if (!value) return error(Code::bad_input, "the y4m header's {} is '{}{}', not a whole number", what, letter, *text);
    return *value;
}

Status check_interlacing(const Tags& tags) {
    if (!tags.interlacing || tags.interlacing->starts_with('p') || tags.interlacing->starts_with('?')) return {};
    return error(Code::bad_input, "the stream is interlaced ('I{}'); only progressive video is compared", *tags.interlacing);
}

Result<std::vector<std::string>> list_remarks(const Tags& tags) {
    if (!tags.rate) return error(Code::bad_input, "the y4m header has no frame rate (F)");
    const auto rate = parse_ratio(*tags.rate);
    if (!rate) return error(Code::bad_input, "the y4m header's frame rate is 'F{}', not two numbers as in F25:1", *tags.rate);
    std::vector<std::string> remarks{"frame rate " + rate->reduced()};
    if (tags.aspect) {
        const auto aspect = parse_ratio(*tags.aspect);
        if (!aspect) return error(Code::bad_input, "the y4m header's sample aspect is 'A{}', not two numbers as in A1:1", *tags.aspect);
        if (aspect->numerator != 0) remarks.push_back("sample aspect " + aspect->reduced());  // 0:0 says that it is not known
    }
    for (const std::string_view extension : tags.extensions) remarks.emplace_back(extension);
    return remarks;
}

StreamLayout layout_of(const PictureFormat& format, const ChromaTag& tag, bool convert) {
    StreamLayout layout = plain_layout(format);
    using Kind = ChromaTag::Kind;
    if (tag.kind == Kind::shifted_422 && convert) layout.conversion = ChromaConversion::move_422;
    if (tag.kind == Kind::pal_dv && convert) layout.conversion = ChromaConversion::pal_dv;
    if (tag.kind == Kind::with_alpha) layout.planes.push_back({"alpha", format.width, format.height, FilePlane::dropped});
    if (tag.kind == Kind::dv_411) {
        layout.conversion = convert ? ChromaConversion::widen_411 : ChromaConversion::repeat_411;
        for (FilePlane& plane : layout.planes)
            if (plane.picture_plane > 0) plane.width = (format.width + 3) / 4;
    }
    return layout;
}

}  // namespace

Result<Y4mHeader> parse_y4m_header(std::string_view line, bool convert_chroma_siting) {
    if (!line.starts_with(y4m_signature)) return error(Code::bad_input, "does not start with {}2: it is no y4m stream", y4m_signature);
    line.remove_prefix(std::min(y4m_signature.size() + 1, line.size()));  // the version digit is 2 in every file
    const Tags tags = split_tags(line);
    PictureFormat format;
    ISO_TRY(format.width, parse_side(tags.width, "width", 'W'));
    ISO_TRY(format.height, parse_side(tags.height, "height", 'H'));
    ISO_TRY(std::vector<std::string> remarks, list_remarks(tags));
    ISO_DO(check_interlacing(tags));
    const std::string_view chroma = tags.chroma.value_or("420");
    const auto tag = find_chroma(chroma);
    if (!tag)
        return error(Code::bad_input,
                     "unknown chroma 'C{}': 420, 420jpeg, 420mpeg2, 420paldv, 422, 411, 444, 444alpha, mono, or 420p, 422p, 444p or mono "
                     "with a bit depth of 9 to 16",
                     chroma);
    format.chroma = tag->chroma;
    format.bit_depth = tag->bit_depth;
    if (const Status valid = format.check(); !valid) return error(Code::bad_input, "{}", valid.error().message);
    return Y4mHeader{layout_of(format, *tag, convert_chroma_siting), std::move(remarks)};
}

}  // namespace isometric
