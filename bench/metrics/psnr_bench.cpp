// psnr/<errors>/<width>/<bits>/<set>: the squared error of one luma plane. `of_read` is its time in units of reading each word of both
// planes once, which is the least that any implementation does.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

#include "bench/metrics/interleaved.h"
#include "metrics/psnr/psnr_passes.h"

namespace isometric {
namespace {

// Errors of a few steps of 8 bits, as codecs make them, or any.
enum class Errors { small, any };

template <class T>
void fill(Picture& ref, Picture& dis, Errors errors) {
    const auto r = ref.writable_plane<T>(0), d = dis.writable_plane<T>(0);
    const int bits = ref.format().bit_depth;
    std::uint32_t state = 1;
    for (int y = 0; y < r.height; ++y)
        for (int x = 0; x < r.width; ++x) {
            state = state * 1664525u + 1013904223u;
            r.row(y)[x] = T((state >> (33 - bits)) + 8);
            d.row(y)[x] = T(errors == Errors::small ? r.row(y)[x] - (state & 7) : state >> 16 & ((1u << bits) - 1));
        }
}

void squared_error(benchmark::State& state, const PictureFormat& format, Errors errors, InstructionSet set) {
    Picture ref = *Picture::allocate(format), dis = *Picture::allocate(format);
    if (format.bit_depth == 8) fill<std::uint8_t>(ref, dis, errors);
    else fill<std::uint16_t>(ref, dis, errors);
    const psnr::Passes& passes = psnr::passes(set);
    const auto measure = [&] {
        if (format.bit_depth == 8) return passes.squared_error_u8(ref.plane<std::uint8_t>(0), dis.plane<std::uint8_t>(0));
        return passes.squared_error_u16(ref.plane<std::uint16_t>(0), dis.plane<std::uint16_t>(0));
    };
    bench::interleaved(
        state, double(format.width) * format.height, "of_read", [&] { benchmark::DoNotOptimize(measure()); },
        [&] { benchmark::DoNotOptimize(bench::read_plane(ref, 0) + bench::read_plane(dis, 0)); });
}

}  // namespace

void bench::register_cases() {
    for (const auto& [width, height] : {std::pair{1920, 1080}, {3840, 2160}})
        for (const int bits : {8, 10, 16})
            for (const auto& [errors, name] : {std::pair{Errors::small, "small"}, {Errors::any, "any"}})
                for (const InstructionSet set : available_instruction_sets()) {
                    const PictureFormat format{width, height, bits, ChromaFormat::yuv400};
                    const std::string title = std::string("psnr/") + name + "/" + std::to_string(width) + "/" + std::to_string(bits) + "/" +
                                              std::string(to_string(set));
                    benchmark::RegisterBenchmark(title.c_str(),
                                                 [=, kind = errors](benchmark::State& s) { squared_error(s, format, kind, set); })
                        ->UseManualTime()
                        ->Unit(benchmark::kMicrosecond);
                }
}

}  // namespace isometric
