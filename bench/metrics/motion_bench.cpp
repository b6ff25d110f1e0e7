// motion/<content>/<bits>/<set>: one picture's sad, 1920x1080 unless said. read/<bits>: the sum of all bytes of both pictures, the least
// that any implementation does; `of_read` is the time in units of that.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

#include "bench/metrics/interleaved.h"
#include "metrics/motion/motion_passes.h"

namespace isometric {
namespace {

enum class Content { video, noise, still };

struct Pair {
    Picture earlier, current;
};

// video: a pan over smooth structure with a little noise; noise: any samples; still: the same picture twice.
template <class T>
void fill(Picture& picture, Content content, int frame) {
    const auto plane = picture.writable_plane<T>(0);
    const int bits = picture.format().bit_depth;
    std::uint32_t state = 1 + std::uint32_t(content == Content::still ? 0 : frame);
    for (int y = 0; y < plane.height; ++y)
        for (int x = 0; x < plane.width; ++x) {
            state = state * 1664525u + 1013904223u;
            const std::uint32_t X = std::uint32_t(x + 3 * frame), Y = std::uint32_t(y + frame);
            const std::uint32_t level = 64 + ((X * X / 97 + Y * X / 53) & 127) + (state >> 29);
            plane.row(y)[x] = T(content == Content::video ? level << (bits - 8) : state >> (32 - bits));
        }
}

Pair make_pair(int width, int height, int bits, Content content) {
    const PictureFormat format{width, height, bits, ChromaFormat::yuv400};
    Pair pair{*Picture::allocate(format), *Picture::allocate(format)};
    for (int frame = 0; frame < 2; ++frame) {
        Picture& picture = frame ? pair.current : pair.earlier;
        if (bits == 8) fill<std::uint8_t>(picture, content, frame);
        else fill<std::uint16_t>(picture, content, frame);
    }
    return pair;
}

void sad(benchmark::State& state, const PictureFormat& format, Content content, InstructionSet set) {
    const Pair pair = make_pair(format.width, format.height, format.bit_depth, content);
    const motion::Scratch scratch = *motion::Scratch::create();
    const motion::Passes& passes = motion::passes(set);
    const motion::Rows rows{0, format.height};
    const auto measure = [&] {
        if (format.bit_depth == 8)
            return passes.sad_u8(pair.earlier.plane<std::uint8_t>(0), pair.current.plane<std::uint8_t>(0), rows, scratch);
        return passes.sad_u16(pair.earlier.plane<std::uint16_t>(0), pair.current.plane<std::uint16_t>(0), format.bit_depth, rows, scratch);
    };
    bench::interleaved(
        state, double(format.width) * format.height, "of_read", [&] { benchmark::DoNotOptimize(measure()); },
        [&] { benchmark::DoNotOptimize(bench::read_plane(pair.earlier, 0) + bench::read_plane(pair.current, 0)); });
}

}  // namespace

void bench::register_cases() {
    const std::pair<Content, const char*> contents[] = {{Content::video, "video"}, {Content::noise, "noise"}, {Content::still, "still"}};
    for (const auto& [width, height] : {std::pair{1920, 1080}, {3840, 2160}})
        for (const int bits : {8, 10, 16})
            for (const auto& [content, name] : contents)
                for (const InstructionSet set : available_instruction_sets()) {
                    const PictureFormat format{width, height, bits, ChromaFormat::yuv400};
                    const std::string title = std::string("motion/") + name + "/" + std::to_string(width) + "/" + std::to_string(bits) +
                                              "/" + std::string(to_string(set));
                    benchmark::RegisterBenchmark(title.c_str(), [=, kind = content](benchmark::State& s) { sad(s, format, kind, set); })
                        ->UseManualTime()
                        ->Unit(benchmark::kMicrosecond);
                }
}

}  // namespace isometric
