// motion/<content>/<bits>/<set>: one picture's sad, 1920x1080 unless said. read/<bits>: the sum of all bytes of both pictures, the least
// that any implementation does; `of_read` is the time in units of that.
#include <benchmark/benchmark.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

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

std::uint64_t read_both(const Pair& pair) {
    const PictureFormat& format = pair.current.format();
    std::uint64_t sum = 0;
    for (const Picture* picture : {&pair.earlier, &pair.current})
        for (int y = 0; y < format.height; ++y) {
            const auto* words = reinterpret_cast<const std::uint64_t*>(picture->memory(0).data + y * picture->memory(0).stride_bytes);
            const std::size_t count = std::size_t(format.width) * std::size_t(format.bytes_per_sample()) / 8;
            for (std::size_t i = 0; i < count; ++i) sum += words[i];
        }
    return sum;
}

std::map<std::string, double> best_read_ns;

void report(benchmark::State& state, const PictureFormat& format, double ns, double baseline_ns) {
    const double samples = double(format.width) * format.height;
    state.counters["ns_per_sample"] = ns / samples;
    state.counters["ms"] = ns * 1e-6;
    if (baseline_ns > 0) state.counters["of_read"] = ns / baseline_ns;
}

template <class Body>
double timed(benchmark::State& state, Body body) {
    double best = 1e300;
    for (auto _ : state) {
        const auto begin = std::chrono::steady_clock::now();
        body();
        best = std::min(best, std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count());
    }
    return best;
}

void read(benchmark::State& state, int width, int height, int bits) {
    const Pair pair = make_pair(width, height, bits, Content::video);
    const double ns = timed(state, [&] { benchmark::DoNotOptimize(read_both(pair)); });
    best_read_ns[std::to_string(width) + "/" + std::to_string(bits)] = ns;
    report(state, pair.current.format(), ns, 0);
}

void sad(benchmark::State& state, int width, int height, int bits, Content content, InstructionSet set) {
    const Pair pair = make_pair(width, height, bits, content);
    const motion::Scratch scratch = *motion::Scratch::create();
    const motion::Passes& passes = motion::passes(set);
    const double ns = timed(state, [&] {
        if (bits == 8)
            benchmark::DoNotOptimize(passes.sad_u8(pair.earlier.plane<std::uint8_t>(0), pair.current.plane<std::uint8_t>(0), scratch));
        else
            benchmark::DoNotOptimize(
                passes.sad_u16(pair.earlier.plane<std::uint16_t>(0), pair.current.plane<std::uint16_t>(0), bits, scratch));
    });
    report(state, pair.current.format(), ns, best_read_ns[std::to_string(width) + "/" + std::to_string(bits)]);
}

void register_all() {
    struct Size {
        int width, height;
    };
    const std::map<Content, std::string> contents = {{Content::video, "video"}, {Content::noise, "noise"}, {Content::still, "still"}};
    for (const Size size : {Size{1920, 1080}, Size{3840, 2160}})
        for (const int bits : {8, 10, 16}) {
            const std::string where = std::to_string(size.width) + "/" + std::to_string(bits);
            benchmark::RegisterBenchmark(("read/" + where).c_str(), [=](benchmark::State& s) {
                read(s, size.width, size.height, bits);
            })->Unit(benchmark::kMicrosecond);
            for (const auto& [content, name] : contents)
                for (const InstructionSet set : available_instruction_sets())
                    benchmark::RegisterBenchmark(("motion/" + name + "/" + where + "/" + std::string(to_string(set))).c_str(),
                                                 [=](benchmark::State& s) { sad(s, size.width, size.height, bits, content, set); })
                        ->Unit(benchmark::kMicrosecond);
        }
}

}  // namespace
}  // namespace isometric

int main(int argc, char** argv) {
    isometric::register_all();
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
}
