// FFmpeg's libraries, loaded when the first container is opened. They are not linked to: loading them takes longer than scoring a short y4m
// clip, and the program runs where they are missing.
#pragma once

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/pixdesc.h>
}

#include <string>

#include "isometric/status.h"

namespace isometric {

// The functions that the reader calls, under their own names.
// clang-format off
#define ISO_FFMPEG_FORMAT(X)                                                                                              \
    X(avformat_alloc_context) X(avformat_open_input) X(avformat_find_stream_info) X(av_find_best_stream) X(av_read_frame) \
    X(avformat_close_input) X(avio_alloc_context) X(avio_context_free) X(av_guess_frame_rate) X(av_guess_sample_aspect_ratio)
#define ISO_FFMPEG_CODEC(X)                                                                                                     \
    X(avcodec_alloc_context3) X(avcodec_parameters_to_context) X(avcodec_open2) X(avcodec_send_packet) X(avcodec_receive_frame) \
    X(avcodec_free_context) X(av_packet_alloc) X(av_packet_free) X(av_packet_unref)
#define ISO_FFMPEG_UTIL(X)                                                                                               \
    X(av_frame_alloc) X(av_frame_free) X(av_pix_fmt_desc_get) X(av_strerror) X(av_malloc) X(av_freep) X(av_log_get_level) \
    X(av_log_set_level) X(av_dict_get)
// clang-format on

struct FfmpegFunctions {
#define ISO_FFMPEG_MEMBER(name) decltype(&::name) name = nullptr;
    ISO_FFMPEG_FORMAT(ISO_FFMPEG_MEMBER)
    ISO_FFMPEG_CODEC(ISO_FFMPEG_MEMBER)
    ISO_FFMPEG_UTIL(ISO_FFMPEG_MEMBER)
#undef ISO_FFMPEG_MEMBER
};

// Loaded once for the process. An error names the library that is missing.
Result<const FfmpegFunctions*> load_ffmpeg();

}  // namespace isometric
