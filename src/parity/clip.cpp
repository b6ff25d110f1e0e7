#include "parity/clip.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <utility>

#include "base/error.h"

namespace isometric {
namespace {

using std::uint16_t;
using std::uint32_t;

constexpr std::array<std::pair<std::string_view, Source>, 9> source_names{{{"texture", Source::texture},
                                                                           {"cut", Source::cut},
                                                                           {"noise", Source::noise},
                                                                           {"max", Source::max},
                                                                           {"black", Source::black},
                                                                           {"flatdots", Source::flatdots},
                                                                           {"checker1", Source::checker1},
                                                                           {"checker10", Source::checker10},
                                                                           {"gradient", Source::gradient}}};
constexpr std::array<std::pair<std::string_view, DistortionKind>, 7> distortion_names{{{"none", DistortionKind::none},
                                                                                       {"noise", DistortionKind::noise},
                                                                                       {"blur", DistortionKind::blur},
                                                                                       {"quant", DistortionKind::quant},
                                                                                       {"shift", DistortionKind::shift},
                                                                                       {"gain", DistortionKind::gain},
                                                                                       {"posterize", DistortionKind::posterize}}};
constexpr std::array<std::pair<std::string_view, ChromaFormat>, 4> chroma_names{{{"400", ChromaFormat::yuv400},
                                                                                 {"420", ChromaFormat::yuv420},
                                                                                 {"422", ChromaFormat::yuv422},
                                                                                 {"444", ChromaFormat::yuv444}}};

template <class Table>
auto find_name(const Table& table, std::string_view name) -> std::optional<decltype(table[0].second)> {
    for (const auto& [known, value] : table)
        if (known == name) return value;
    return std::nullopt;
}

template <class Table, class Value>
std::string_view name_of(const Table& table, Value value) {
    return std::find_if(table.begin(), table.end(), [&](const auto& entry) { return entry.second == value; })->first;
}

template <class Int>
bool parse_int(std::string_view text, Int& value) {
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    return code == std::errc() && end == text.data() + text.size();
}

// Stateless 32-bit mixing: the value at a lattice point depends on its coordinates and the seed alone.
uint32_t mix(uint32_t a, uint32_t b, uint32_t c, uint32_t seed) {
    uint32_t h = seed * 0x9E3779B1u ^ a * 0x85EBCA77u ^ b * 0xC2B2AE3Du ^ c * 0x27D4EB2Fu;
    h ^= h >> 15;
    h *= 0x2C1B3C6Du;
    h ^= h >> 12;
    h *= 0x297A2D39u;
    return h ^ h >> 15;
}

// Value noise in 0..65535 with cells of 2^shift samples, bilinear in fixed point. The last cell's corners are kept, as rows are
// walked from left to right.
class ValueNoise {
public:
    ValueNoise(int plane, int shift, uint32_t seed) : tag_(uint32_t(plane * 131 + shift)), shift_(shift), seed_(seed) {}

    uint32_t operator()(int x, int y) {
        const int cell = 1 << shift_, fx = x & (cell - 1), fy = y & (cell - 1);
        enter(x >> shift_, y >> shift_);
        const std::int64_t top = corners_[0] * (cell - fx) + corners_[1] * fx;
        const std::int64_t bottom = corners_[2] * (cell - fx) + corners_[3] * fx;
        return uint32_t((top * (cell - fy) + bottom * fy) >> (2 * shift_));
    }

private:
    void enter(int cx, int cy) {
        if (cx == cx_ && cy == cy_) return;
        cx_ = cx, cy_ = cy;
        for (int i = 0; i < 4; ++i)
            corners_[std::size_t(i)] = mix(uint32_t(cx + (i & 1)), uint32_t(cy + (i >> 1)), tag_, seed_) & 0xFFFF;
    }

    uint32_t tag_;
    int shift_;
    uint32_t seed_;
    int cx_ = -1, cy_ = -1;
    std::array<std::int64_t, 4> corners_{};
};

// A pan over value noise in four octaves, a disc moving against it, and thin moving bars.
class Texture {
public:
    Texture(int frame, int plane, uint32_t seed)
        : frame_(frame), octaves_{ValueNoise(plane, 6, seed), ValueNoise(plane, 4, seed), ValueNoise(plane, 2, seed), ValueNoise(plane, 1, seed)} {}

    uint32_t operator()(int x, int y) {
        const int px = x + 3 * frame_, py = y + frame_;
        uint32_t level = (octaves_[0](px, py) * 4 + octaves_[1](px, py) * 2 + octaves_[2](px, py) + octaves_[3](px, py)) >> 3;
        const int dx = x - (40 + 5 * frame_), dy = y - 60;
        if (dx * dx + dy * dy < 28 * 28) level = level / 4 + 0xA000;
        if (((x + 7 * frame_) % 97) < 3) level = level / 2;
        return std::min<uint32_t>(level, 0xFFFF);
    }

private:
    int frame_;
    std::array<ValueNoise, 4> octaves_;
};

constexpr int cut_frame = 3;  // where Source::cut changes scene

template <class Level>
void fill_levels(ClipPlane& plane, int bit_depth, Level level) {
    for (int y = 0; y < plane.height; ++y)
        for (int x = 0; x < plane.width; ++x) plane.at(x, y) = uint16_t(uint32_t(level(x, y)) >> (16 - bit_depth));
}

void fill_source(ClipPlane& out, const ClipSpec& spec, int frame, int plane) {
    const int bits = spec.format.bit_depth;
    const uint32_t seed = spec.seed;
    const auto random = [&](int x, int y) { return mix(uint32_t(x), uint32_t(y), uint32_t(frame * 4 + plane), seed); };
    switch (spec.source) {
        case Source::noise: return fill_levels(out, bits, [&](int x, int y) { return random(x, y) & 0xFFFF; });
        case Source::max: return fill_levels(out, bits, [](int, int) { return 0xFFFF; });
        case Source::black: return fill_levels(out, bits, [](int, int) { return 0; });
        case Source::flatdots: return fill_levels(out, bits, [&](int x, int y) { return random(x, y) % 997 == 0 ? 0x8100 : 0x8000; });
        case Source::checker1: return fill_levels(out, bits, [&](int x, int y) { return ((x + y + frame) & 1) ? 0xE000 : 0x1000; });
        case Source::checker10:
            return fill_levels(out, bits, [&](int x, int y) { return (((x + frame) / 10 + y / 10) & 1) ? 0xE000 : 0x1000; });
        case Source::gradient:
            return fill_levels(out, bits,
                               [&](int x, int y) { return (std::int64_t(x + 2 * frame) * 23 + std::int64_t(y) * 11) & 0xFFFF; });
        case Source::texture: return fill_levels(out, bits, Texture(frame, plane, seed));
        case Source::cut: return fill_levels(out, bits, Texture(frame, plane, frame >= cut_frame ? seed + 1000 : seed));
    }
}

uint16_t clamped(const ClipPlane& p, int x, int y) { return p.at(std::clamp(x, 0, p.width - 1), std::clamp(y, 0, p.height - 1)); }

// f(x, y) -> the new sample.
template <class F>
void rewrite(ClipPlane& out, F f) {
    for (int y = 0; y < out.height; ++y)
        for (int x = 0; x < out.width; ++x) out.at(x, y) = uint16_t(f(x, y));
}

void blur(ClipPlane& plane) {  // binomial 3x3
    const ClipPlane from = plane;
    rewrite(plane, [&](int x, int y) {
        uint32_t sum = 0;
        for (int j = -1; j <= 1; ++j)
            for (int i = -1; i <= 1; ++i) sum += uint32_t(clamped(from, x + i, y + j)) << (2 - std::abs(i) - std::abs(j));
        return (sum + 8) >> 4;
    });
}

// Blocks of 8x8: the mean is kept, the difference from it rounded to steps of q.
void quantise(ClipPlane& plane, int q, int peak) {
    const ClipPlane in = plane;
    for (int by = 0; by < in.height; by += 8)
        for (int bx = 0; bx < in.width; bx += 8) {
            std::int64_t sum = 0;
            for (int j = 0; j < 8; ++j)
                for (int i = 0; i < 8; ++i) sum += clamped(in, bx + i, by + j);
            const int mean = int((sum + 32) >> 6);
            for (int y = by; y < std::min(by + 8, in.height); ++y)
                for (int x = bx; x < std::min(bx + 8, in.width); ++x) {
                    const int residual = int(in.at(x, y)) - mean;
                    const int magnitude = (std::abs(residual) + q / 2) / q * q;
                    plane.at(x, y) = uint16_t(std::clamp(mean + (residual < 0 ? -magnitude : magnitude), 0, peak));
                }
        }
}

void distort(ClipPlane& out, const ClipSpec& spec, int frame, int plane) {
    const int amount = spec.distortion.amount;
    const int peak = (1 << spec.format.bit_depth) - 1;
    const int step = std::max(amount, 1);
    switch (spec.distortion.kind) {
        case DistortionKind::none: return;
        case DistortionKind::noise:
            return rewrite(out, [&](int x, int y) {
                const uint32_t r = mix(uint32_t(x), uint32_t(y), uint32_t(frame * 4 + plane + 7777), spec.seed);
                return std::clamp(int(out.at(x, y)) + int(r % uint32_t(2 * amount + 1)) - amount, 0, peak);
            });
        case DistortionKind::blur:
            for (int pass = 0; pass < step; ++pass) blur(out);
            return;
        case DistortionKind::quant: return quantise(out, step, peak);
        case DistortionKind::shift: {
            const ClipPlane in = out;
            return rewrite(out, [&](int x, int y) { return clamped(in, x + amount, y); });
        }
        case DistortionKind::gain:
            return rewrite(out, [&](int x, int y) { return std::clamp<std::int64_t>(std::int64_t(out.at(x, y)) * amount / 100, 0, peak); });
        case DistortionKind::posterize:
            return rewrite(out, [&](int x, int y) { return std::min(out.at(x, y) / step * step + step / 2, peak); });
    }
}

}  // namespace

Result<ChromaFormat> parse_chroma(std::string_view text) {
    if (const auto found = find_name(chroma_names, text)) return *found;
    return error(Code::invalid_argument, "unknown chroma '{}' (400, 420, 422 or 444)", text);
}

Result<Source> parse_source(std::string_view text) {
    if (const auto found = find_name(source_names, text)) return *found;
    return error(Code::invalid_argument, "unknown source '{}'", text);
}

Result<Distortion> parse_distortion(std::string_view text) {
    const std::size_t colon = text.find(':');
    const auto kind = find_name(distortion_names, text.substr(0, colon));
    if (!kind) return error(Code::invalid_argument, "unknown distortion '{}'", text);
    Distortion result{*kind, 0};
    if (colon != std::string_view::npos && !parse_int(text.substr(colon + 1), result.amount))
        return error(Code::invalid_argument, "distortion '{}': an integer must follow the colon", text);
    return result;
}

Result<ClipSpec> ClipSpec::parse(std::string_view text) {
    std::array<std::string_view, 7> words;
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find_first_not_of(' ', at)) != std::string_view::npos && count < words.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        words[count++] = text.substr(at, end - at);
        at = end;
    }
    if (count != words.size()) return error(Code::invalid_argument, "clip '{}': size, bits, chroma, frames, source, distortion and seed", text);
    ClipSpec spec;
    const std::size_t x = words[0].find('x');
    if (x == std::string_view::npos || !parse_int(words[0].substr(0, x), spec.format.width) ||
        !parse_int(words[0].substr(x + 1), spec.format.height) || !parse_int(words[1], spec.format.bit_depth) ||
        !parse_int(words[3], spec.frames) || !parse_int(words[6], spec.seed))
        return error(Code::invalid_argument, "clip '{}': not a number", text);
    ISO_TRY(spec.format.chroma, parse_chroma(words[2]));
    ISO_TRY(spec.source, parse_source(words[4]));
    ISO_TRY(spec.distortion, parse_distortion(words[5]));
    return spec;
}

std::string ClipSpec::describe() const {
    std::string text = fmt::format("{}x{} {} {} {} {} {}", format.width, format.height, format.bit_depth, name_of(chroma_names, format.chroma),
                                   frames, name_of(source_names, source), name_of(distortion_names, distortion.kind));
    if (distortion.kind != DistortionKind::none) text += fmt::format(":{}", distortion.amount);
    return text + fmt::format(" {}", seed);
}

ClipSpec ClipSpec::reference() const { return with({}); }

ClipSpec ClipSpec::with(Distortion d) const {
    ClipSpec result = *this;
    result.distortion = d;
    return result;
}

ClipFrame make_frame(const ClipSpec& spec, int frame) {
    const PictureFormat& f = spec.format;
    ClipFrame planes;
    for (int p = 0; p < f.planes(); ++p) {
        const bool half_width = p > 0 && f.chroma != ChromaFormat::yuv444, half_height = p > 0 && f.chroma == ChromaFormat::yuv420;
        ClipPlane& plane = planes.emplace_back(half_width ? (f.width + 1) / 2 : f.width, half_height ? (f.height + 1) / 2 : f.height);
        fill_source(plane, spec, frame, p);
        distort(plane, spec, frame, p);
    }
    return planes;
}

namespace {

template <class T>
void copy_plane(const ClipPlane& from, PlaneView<T> to) {
    for (int y = 0; y < to.height; ++y)
        for (int x = 0; x < to.width; ++x) to.row(y)[x] = T(from.at(x, y));
}

}  // namespace

Picture to_picture(const ClipSpec& spec, const ClipFrame& frame) {
    Result<Picture> picture = Picture::allocate(spec.format);
    if (!picture) std::abort();  // a test's own format
    for (int p = 0; p < spec.format.planes(); ++p) {
        if (spec.format.bit_depth > 8) copy_plane(frame[std::size_t(p)], picture->writable_plane<uint16_t>(p));
        else copy_plane(frame[std::size_t(p)], picture->writable_plane<std::uint8_t>(p));
    }
    return *std::move(picture);
}

Picture make_picture(const ClipSpec& spec, int frame) { return to_picture(spec, make_frame(spec, frame)); }

std::vector<Picture> make_clip(const ClipSpec& spec) {
    std::vector<Picture> clip;
    for (int n = 0; n < spec.frames; ++n) clip.push_back(make_picture(spec, n));
    return clip;
}

std::string y4m_header(const ClipSpec& spec) {
    const PictureFormat& f = spec.format;
    const bool mono = f.chroma == ChromaFormat::yuv400;
    std::string tag{mono ? "mono" : name_of(chroma_names, f.chroma)};
    if (f.bit_depth > 8) tag += fmt::format("{}{}", mono ? "" : "p", f.bit_depth);
    else if (f.chroma == ChromaFormat::yuv420) tag = "420jpeg";
    return fmt::format("YUV4MPEG2 W{} H{} F25:1 Ip A1:1 C{}\n", f.width, f.height, tag);
}

void append_planes(const ClipSpec& spec, const ClipFrame& frame, std::string& bytes) {
    for (const ClipPlane& plane : frame)
        for (const uint16_t sample : plane.samples) {
            bytes.push_back(char(sample & 0xFF));
            if (spec.format.bit_depth > 8) bytes.push_back(char(sample >> 8));
        }
}

std::string to_y4m(const ClipSpec& spec) {
    std::string bytes = y4m_header(spec);
    for (int n = 0; n < spec.frames; ++n) {
        bytes += "FRAME\n";
        append_planes(spec, make_frame(spec, n), bytes);
    }
    return bytes;
}

std::string to_raw(const ClipSpec& spec) {
    std::string bytes;
    for (int n = 0; n < spec.frames; ++n) append_planes(spec, make_frame(spec, n), bytes);
    return bytes;
}

}  // namespace isometric
