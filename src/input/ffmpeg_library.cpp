#include "input/ffmpeg_library.h"

#include <dlfcn.h>

#include "base/error.h"

namespace isometric {
namespace {

// The major version is part of the name: the structures of another one have another layout.
Result<void*> open_library(std::string_view name, int major) {
    const std::string file = fmt::format("lib{}.so.{}", name, major);
    if (void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
    return error(Code::bad_input, "FFmpeg's {} cannot be loaded", file);
}

template <class Function>
Status find(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(library, name));
    if (!function) return error(Code::bad_input, "FFmpeg's library has no {}", name);
    return {};
}

Result<FfmpegFunctions> load() {
    FfmpegFunctions functions;
    ISO_TRY(void* util, open_library("avutil", LIBAVUTIL_VERSION_MAJOR));
    ISO_TRY(void* codec, open_library("avcodec", LIBAVCODEC_VERSION_MAJOR));
    ISO_TRY(void* format, open_library("avformat", LIBAVFORMAT_VERSION_MAJOR));
#define ISO_FFMPEG_FIND_UTIL(name) ISO_DO(find(util, #name, functions.name));
#define ISO_FFMPEG_FIND_CODEC(name) ISO_DO(find(codec, #name, functions.name));
#define ISO_FFMPEG_FIND_FORMAT(name) ISO_DO(find(format, #name, functions.name));
    ISO_FFMPEG_UTIL(ISO_FFMPEG_FIND_UTIL)
    ISO_FFMPEG_CODEC(ISO_FFMPEG_FIND_CODEC)
    ISO_FFMPEG_FORMAT(ISO_FFMPEG_FIND_FORMAT)
    // They write to standard error at will, and what matters comes back as an error. A host that set a level of its own keeps it.
    if (functions.av_log_get_level() == AV_LOG_INFO) functions.av_log_set_level(AV_LOG_QUIET);
    return functions;
}

}  // namespace

Result<const FfmpegFunctions*> load_ffmpeg() {
    static const Result<FfmpegFunctions> loaded = load();
    if (!loaded) return loaded.error();
    return &loaded.value();
}

}  // namespace isometric
