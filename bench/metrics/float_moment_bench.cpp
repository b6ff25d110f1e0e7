// float_moment/<content>/<size>/<bits>/<set>: the sums of one picture. `of_exact` is the time in units of plain exact sums of the same
// picture with the same instruction set, which is what a picture costs that cannot round; `of_read` in units of reading the picture.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

#include "bench/metrics/interleaved.h"
#include "metrics/float_moment/float_moment_passes.h"

namespace isometric {
namespace {

// bright: the upper eighth; noise: any samples; dark_end: bright, then odd samples below 4096, which tie.
enum class Content { noise, bright, dark_end };

template <class T>
void fill(Picture& picture, Content content) {
    const auto plane = picture.writable_plane<T>(0);
    const std::uint32_t bits = std::uint32_t(picture.format().bit_depth), max = (1u << bits) - 1;
    std::uint32_t state = 1;
    for (int y = 0; y < plane.height; ++y)
        for (int x = 0; x < plane.width; ++x) {
            state = state * 1664525u + 1013904223u;
            std::uint32_t v = state >> (32 - bits);
            if (content != Content::noise) v = max - (v >> 3);
            if (content == Content::dark_end && y > plane.height * 3 / 5) v = (state >> 20) | 1;
            plane.row(y)[x] = T(v);
        }
}

float_moment::Sums exact(const float_moment::Passes& passes, const PlaneView<const std::uint16_t>& plane) {
    float_moment::Sums sums;
    for (int y = 0; y < plane.height; ++y) {
        const auto row = passes.sums_of_cleared(plane.row(y), std::size_t(plane.width), 0);
        sums.first += row.first;
        sums.second += row.second;
    }
    return sums;
}

void moment(benchmark::State& state, const PictureFormat& format, Content content, InstructionSet set, bool of_read) {
    Picture picture = *Picture::allocate(format);
    const float_moment::Passes& passes = float_moment::passes(set);
    const double samples = double(format.width) * format.height;
    const auto read = [&] { benchmark::DoNotOptimize(bench::read_plane(picture, 0)); };
    if (format.bit_depth == 8) {
        fill<std::uint8_t>(picture, content);
        bench::interleaved(
            state, samples, "of_read", [&] { benchmark::DoNotOptimize(passes.sums_u8(picture.plane<std::uint8_t>(0))); }, read);
        return;
    }
    fill<std::uint16_t>(picture, content);
    const auto subject = [&] {
        benchmark::DoNotOptimize(float_moment::sums_u16(passes, picture.plane<std::uint16_t>(0), format.bit_depth));
    };
    if (of_read) bench::interleaved(state, samples, "of_read", subject, read);
    else
        bench::interleaved(state, samples, "of_exact", subject,
                           [&] { benchmark::DoNotOptimize(exact(passes, picture.plane<std::uint16_t>(0))); });
}

}  // namespace

void bench::register_cases() {
    struct Case {
        const char* name;
        Content content;
        int width, height, bits;
    };
    constexpr Case cases[] = {
        {"noise", Content::noise, 1920, 1080, 8},        {"noise", Content::noise, 1920, 1080, 10},
        {"noise", Content::noise, 1920, 1080, 16},       {"noise", Content::noise, 3840, 2160, 16},
        {"bright", Content::bright, 3840, 2160, 16},     {"dark_end", Content::dark_end, 3840, 2160, 16},
        {"noise", Content::noise, 7680, 4320, 16},       {"bright", Content::bright, 7680, 4320, 16},
        {"dark_end", Content::dark_end, 7680, 4320, 16},
    };
    for (const Case& c : cases)
        for (const InstructionSet set : available_instruction_sets())
            for (const bool of_read : {false, true}) {
                if (c.bits == 8 && !of_read) continue;
                const std::string name = std::string("float_moment/") + c.name + "/" + std::to_string(c.width) + "/" +
                                         std::to_string(c.bits) + "/" + std::string(to_string(set)) + (of_read ? "/of_read" : "/of_exact");
                benchmark::RegisterBenchmark(name.c_str(),
                                             [=](benchmark::State& s) {
                                                 moment(s, {c.width, c.height, c.bits, ChromaFormat::yuv400}, c.content, set, of_read);
                                             })
                    ->UseManualTime()
                    ->Unit(benchmark::kMicrosecond);
            }
}

}  // namespace isometric
