// Generated clips: deterministic, integer arithmetic only, so every machine makes the same samples. Self-tests score them, and the golden score
// tables (tests/golden/) were measured on them, so their bytes never change (tests/support/clip_test.cpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isometric/picture.h"
#include "isometric/status.h"

namespace isometric {

// What a sample's level comes from before distortion.
enum class Source : std::uint8_t { texture, cut, noise, max, black, flatdots, checker1, checker10, gradient };
// What was done to the source; `amount` is its strength.
enum class DistortionKind : std::uint8_t { none, noise, blur, quant, shift, gain, posterize };

struct Distortion {
    DistortionKind kind = DistortionKind::none;
    int amount = 0;  // noise: largest change; blur: passes; quant, posterize: step; shift: samples to the left; gain: percent
    bool operator==(const Distortion&) const = default;
};

struct ClipSpec {
    PictureFormat format{576, 324, 8, ChromaFormat::yuv420};
    int frames = 3;
    Source source = Source::texture;
    Distortion distortion;
    std::uint32_t seed = 1;

    // "577x323 10 420 6 texture quant:12 1": size, bit depth, chroma, frames, source, distortion, seed.
    static Result<ClipSpec> parse(std::string_view text);
    std::string describe() const;  // the text that parse() reads

    ClipSpec reference() const;  // the same clip undistorted
    ClipSpec with(Distortion d) const;
};

Result<ChromaFormat> parse_chroma(std::string_view text);  // "400", "420", "422", "444"
Result<Source> parse_source(std::string_view text);
Result<Distortion> parse_distortion(std::string_view text);  // "none", "quant:24"

// One plane as a file has it: chroma sides are rounded up, where a picture's are rounded down.
struct ClipPlane {
    int width = 0;
    int height = 0;
    std::vector<std::uint16_t> samples;  // [y][x]

    ClipPlane(int w, int h) : width(w), height(h), samples(std::size_t(w) * std::size_t(h)) {}
    std::uint16_t& at(int x, int y) { return samples[std::size_t(y) * std::size_t(width) + std::size_t(x)]; }
    std::uint16_t at(int x, int y) const { return samples[std::size_t(y) * std::size_t(width) + std::size_t(x)]; }
};
using ClipFrame = std::vector<ClipPlane>;

ClipFrame make_frame(const ClipSpec& spec, int frame);
// The frame as readers give it: at odd sizes the last chroma column and row are left out.
Picture to_picture(const ClipSpec& spec, const ClipFrame& frame);
std::vector<Picture> make_clip(const ClipSpec& spec);
Picture make_picture(const ClipSpec& spec, int frame = 0);

// The bytes of a y4m file of the clip, and of its parts; a raw file has the planes alone.
std::string y4m_header(const ClipSpec& spec);
void append_planes(const ClipSpec& spec, const ClipFrame& frame, std::string& bytes);
std::string to_y4m(const ClipSpec& spec);
std::string to_raw(const ClipSpec& spec);

}  // namespace isometric
