// What the C interface costs: the same clip through it and through the C++ interface, pictures allocated and filled for every frame or
// taken from a pool; interleaved rounds, medians, ratios.
//
//   capi_bench [--rounds N] [--frames N] [--size WxH] [--bits N]
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "isometric/session.h"
#include "libvmaf/libvmaf.h"
#include "parity/clip.h"

namespace {

using namespace isometric;

struct Setting {
    std::string name;
    bool model = false;  // the default model, else psnr of luma
    int threads = 1;
    bool pool = false;
};

struct Clip {
    PictureFormat format;
    std::vector<Picture> ref, dis;  // what is copied into the pictures that are scored
};

[[noreturn]] void fail(const char* what) {
    fmt::print(stderr, "capi_bench: {}\n", what);
    std::exit(1);
}
void check(bool good, const char* what) {
    if (!good) fail(what);
}

void copy_planes(const Picture& from, const std::function<std::byte*(int)>& data, const std::function<std::ptrdiff_t(int)>& stride) {
    const PictureFormat& format = from.format();
    for (int p = 0; p < format.planes(); ++p) {
        const std::size_t row = std::size_t(format.plane_width(p)) * std::size_t(format.bytes_per_sample());
        for (int y = 0; y < format.plane_height(p); ++y)
            std::memcpy(data(p) + y * stride(p), from.memory(p).data + y * from.memory(p).stride_bytes, row);
    }
}

Picture filled(Picture picture, const Picture& from) {
    copy_planes(
        from, [&](int p) { return picture.memory(p).data; }, [&](int p) { return picture.memory(p).stride_bytes; });
    return picture;
}

double run_cpp(const Setting& setting, const Clip& clip, int frames) {
    Session session = *Session::create({.threads = setting.threads});
    const std::vector<OptionText> luma = {{"enable_chroma", "false"}};
    check(bool(setting.model ? session.add_model(*Model::builtin("vmaf_v0.6.1")) : session.add_metric("psnr", luma)), "cannot register");
    PicturePool pool = *PicturePool::create(clip.format, 2 * (setting.threads + 3));
    for (int i = 0; i < frames; ++i) {
        const std::size_t k = std::size_t(i) % clip.ref.size();
        const auto fresh = [&] { return setting.pool ? pool.acquire() : *Picture::allocate(clip.format); };
        Picture ref = filled(fresh(), clip.ref[k]), dis = filled(fresh(), clip.dis[k]);
        check(bool(session.push(std::move(ref), std::move(dis), i)), "push");
    }
    check(bool(session.finish()), "finish");
    return *session.pooled(setting.model ? "vmaf" : "psnr_y", Pooling::mean);
}

VmafPicture filled(VmafPicture picture, const Picture& from) {
    copy_planes(
        from, [&](int p) { return static_cast<std::byte*>(picture.data[p]); }, [&](int p) { return picture.stride[p]; });
    return picture;
}

double run_c(const Setting& setting, const Clip& clip, int frames) {
    VmafConfiguration cfg{VMAF_LOG_LEVEL_ERROR, unsigned(setting.threads), 1, 0, 0};
    VmafContext* vmaf = nullptr;
    VmafModel* model = nullptr;
    check(vmaf_init(&vmaf, cfg) == 0, "vmaf_init");
    if (setting.model) {
        VmafModelConfig model_cfg{nullptr, 0};
        check(vmaf_model_load(&model, &model_cfg, "vmaf_v0.6.1") == 0 && vmaf_use_features_from_model(vmaf, model) == 0, "model");
    } else {
        VmafFeatureDictionary* luma = nullptr;
        check(vmaf_feature_dictionary_set(&luma, "enable_chroma", "false") == 0 && vmaf_use_feature(vmaf, "psnr", luma) == 0, "psnr");
    }
    const unsigned w = unsigned(clip.format.width), h = unsigned(clip.format.height), bpc = unsigned(clip.format.bit_depth);
    if (setting.pool)
        check(vmaf_preallocate_pictures(vmaf, {{w, h, bpc, VMAF_PIX_FMT_YUV420P}, unsigned(2 * (setting.threads + 3))}) == 0, "pool");
    for (int i = 0; i < frames; ++i) {
        const std::size_t k = std::size_t(i) % clip.ref.size();
        const auto fresh = [&] {
            VmafPicture picture;
            check((setting.pool ? vmaf_fetch_preallocated_picture(vmaf, &picture)
                                : vmaf_picture_alloc(&picture, VMAF_PIX_FMT_YUV420P, bpc, w, h)) == 0,
                  "picture");
            return picture;
        };
        VmafPicture ref = filled(fresh(), clip.ref[k]), dis = filled(fresh(), clip.dis[k]);
        check(vmaf_read_pictures(vmaf, &ref, &dis, unsigned(i)) == 0, "vmaf_read_pictures");
    }
    check(vmaf_read_pictures(vmaf, nullptr, nullptr, 0) == 0, "flush");
    double score = 0;
    check(vmaf_feature_score_pooled(vmaf, setting.model ? "vmaf" : "psnr_y", VMAF_POOL_METHOD_MEAN, &score, 0, unsigned(frames - 1)) == 0,
          "score");
    vmaf_model_destroy(model);
    vmaf_close(vmaf);
    return score;
}

double cpu_seconds() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

struct Times {
    std::vector<double> cpu, wall;  // milliseconds a frame
};

template <class Run>
double timed(int frames, Times& times, Run run) {
    const double cpu = cpu_seconds();
    const auto wall = std::chrono::steady_clock::now();
    const double score = run();
    times.cpu.push_back((cpu_seconds() - cpu) * 1e3 / frames);
    times.wall.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - wall).count() / frames);
    return score;
}

double quantile(std::vector<double> values, double q) {
    std::sort(values.begin(), values.end());
    return values[std::size_t(q * double(values.size() - 1))];
}

int number(const char* text) {
    int value = 0;
    std::from_chars(text, text + std::strlen(text), value);
    return value;
}

}  // namespace

int main(int argc, char** argv) {
    int rounds = 9, frames = 48;
    ClipSpec spec;
    spec.format = {1920, 1080, 8, ChromaFormat::yuv420};
    spec.frames = 3;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string option = argv[i];
        if (option == "--rounds") rounds = number(argv[i + 1]);
        else if (option == "--frames") frames = number(argv[i + 1]);
        else if (option == "--bits") spec.format.bit_depth = number(argv[i + 1]);
        else if (option == "--size") {
            spec.format.width = number(argv[i + 1]);
            spec.format.height = number(std::strchr(argv[i + 1], 'x') + 1);
        } else fail("unknown option");
    }
    spec.distortion = {DistortionKind::quant, 24 << (spec.format.bit_depth - 8)};
    const Clip clip{spec.format, make_clip(spec.reference()), make_clip(spec)};
    fmt::print("{}, {} frames, {} rounds\n{:<34} {:>10} {:>10} {:>8} {:>8} {:>8}\n", clip.format.describe(), frames, rounds, "",
               "C++ cpu ms", "C cpu ms", "cpu", "wall", "spread");
    for (const bool model : {true, false}) {
        for (const int threads : {1, 2}) {
            for (const bool pool : {false, true}) {
                const Setting setting{
                    fmt::format("{}, {} threads, {}", model ? "vmaf_v0.6.1" : "psnr luma", threads, pool ? "pool" : "allocated"), model,
                    threads, pool};
                Times cpp, c;
                for (int round = 0; round < rounds; ++round) {
                    const double a = timed(frames, cpp, [&] { return run_cpp(setting, clip, frames); });
                    const double b = timed(frames, c, [&] { return run_c(setting, clip, frames); });
                    check(a == b, "the scores differ");
                }
                const double cpu = quantile(c.cpu, 0.5) / quantile(cpp.cpu, 0.5), wall = quantile(c.wall, 0.5) / quantile(cpp.wall, 0.5);
                const double spread = (quantile(cpp.cpu, 0.75) - quantile(cpp.cpu, 0.25)) / 2 / quantile(cpp.cpu, 0.5);
                fmt::print("{:<34} {:>10.3f} {:>10.3f} {:>8.3f} {:>8.3f} {:>7.1f}%\n", setting.name, quantile(cpp.cpu, 0.5),
                           quantile(c.cpu, 0.5), cpu, wall, spread * 100);
            }
        }
    }
}
