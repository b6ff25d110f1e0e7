#include "input/container_reader.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "input/container_guess.h"
#include "input/ffmpeg_library.h"

namespace isometric {
namespace {

constexpr int io_buffer_bytes = 1 << 16;

// libav's reads and seeks, on a ByteSource. An error of the source is kept for the message.
struct SourceIo {
    ByteSource source;
    std::string problem;

    static int read(void* self, std::uint8_t* buffer, int size) {
        auto& io = *static_cast<SourceIo*>(self);
        const auto got = io.source.read(buffer, std::size_t(size));
        if (!got) return io.problem = got.error().message, AVERROR(EIO);
        return *got == 0 ? AVERROR_EOF : int(*got);
    }

    static std::int64_t seek(void* self, std::int64_t offset, int whence) {
        ByteSource& source = static_cast<SourceIo*>(self)->source;
        const auto left = source.remaining();
        if (!left) return AVERROR(ENOSYS);
        const auto end = std::int64_t(source.offset() + *left);
        if (whence & AVSEEK_SIZE) return end;
        const int origin = whence & ~AVSEEK_FORCE;
        const std::int64_t to = offset + (origin == SEEK_CUR ? std::int64_t(source.offset()) : origin == SEEK_END ? end : 0);
        if (to < 0 || !source.seek(std::uint64_t(to))) return AVERROR(EINVAL);
        return to;
    }
};

// What of a decoded frame makes a picture: planar YUV or grey, words in native order.
Result<PictureFormat> picture_format(const AVPixFmtDescriptor* pixels, int width, int height) {
    if (!pixels) return error(Code::bad_input, "frames of unknown pixel format");
    const std::uint64_t unusable = AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BITSTREAM |
                                   AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_FLOAT | AV_PIX_FMT_FLAG_BAYER;
    const int colours = pixels->nb_components >= 3 ? 3 : 1;
    PictureFormat format{width, height, pixels->comp[0].depth, ChromaFormat::yuv400};
    bool usable = (pixels->flags & unusable) == 0 && (colours == 1 || (pixels->flags & AV_PIX_FMT_FLAG_PLANAR) != 0);
    for (int c = 0; c < colours; ++c) {
        const AVComponentDescriptor& component = pixels->comp[c];
        usable = usable && component.plane == c && component.shift == 0 && component.offset == 0 && component.depth == format.bit_depth &&
                 component.step == format.bytes_per_sample();
    }
    if (colours == 3) {
        if (pixels->log2_chroma_w == 1 && pixels->log2_chroma_h == 1) format.chroma = ChromaFormat::yuv420;
        else if (pixels->log2_chroma_w == 1 && pixels->log2_chroma_h == 0) format.chroma = ChromaFormat::yuv422;
        else if (pixels->log2_chroma_w == 0 && pixels->log2_chroma_h == 0) format.chroma = ChromaFormat::yuv444;
        else usable = false;
    }
    if (!usable)
        return error(Code::bad_input,
                     "frames of pixel format {}: only planar YUV (4:2:0, 4:2:2, 4:4:4) and grey of 8 to 16 bits are compared",
                     pixels->name);
    if (const Status valid = format.check(); !valid) return error(Code::bad_input, "{}", valid.error().message);
    return format;
}

// Decoders that return an error for a damaged frame also when they decode several at once. Others, MPEG-4's among them, say that there is a
// frame and give none, on which FFmpeg 5.1 aborts.
bool decodes_frames_in_parallel(AVCodecID codec) {
    return codec == AV_CODEC_ID_H264 || codec == AV_CODEC_ID_HEVC || codec == AV_CODEC_ID_VP9 || codec == AV_CODEC_ID_AV1;
}

template <class From, class To>
void copy_rows(const std::uint8_t* from, std::ptrdiff_t stride_bytes, PlaneView<To> to, int shift) {
    for (int y = 0; y < to.height; ++y, from += stride_bytes) {
        const From* row = reinterpret_cast<const From*>(from);
        if (sizeof(From) == sizeof(To) && shift == 0) std::copy_n(row, to.width, to.row(y));
        else std::transform(row, row + to.width, to.row(y), [shift](From sample) { return To(sample << shift); });
    }
}

class ContainerReader final : public FrameReader {
public:
    ContainerReader(std::string name, ByteSource source, const FfmpegFunctions& av)
        : name_(std::move(name)), av_(av), io_{std::move(source), {}} {}
    ~ContainerReader() override {
        av_.av_frame_free(&frame_);
        av_.av_packet_free(&packet_);
        av_.avcodec_free_context(&decoder_);
        av_.avformat_close_input(&container_);
        if (avio_) av_.av_freep(&avio_->buffer);
        av_.avio_context_free(&avio_);
    }

    Status open();

    const std::string& name() const override { return name_; }
    const PictureFormat& format() const override { return format_; }
    const std::vector<std::string>& remarks() const override { return remarks_; }
    Status set_output_bit_depth(int bit_depth) override;
    void set_luma_only(bool luma_only) override { luma_only_ = luma_only; }
    Result<bool> read(Picture& picture) override;
    Result<std::int64_t> skip(std::int64_t frames) override;
    std::optional<std::int64_t> frames_left() const override;

private:
    Status open_container();
    Status open_decoder();
    void collect_remarks();
    Result<bool> next_frame();  // the next decoded frame in frame_; damage is remembered
    Result<bool> decode();
    Result<bool> feed();  // one more packet for the decoder; false when the decoder was told of the end
    Status check_frame() const;
    Status check_end() const;
    double stated_seconds() const;
    std::string describe(int code) const;
    Error av_error(std::string_view what, int code) const;
    Error frame_error(std::string_view what) const;

    std::string name_;
    const FfmpegFunctions& av_;
    SourceIo io_;
    AVIOContext* avio_ = nullptr;
    AVFormatContext* container_ = nullptr;
    AVStream* stream_ = nullptr;  // the container's
    AVCodecContext* decoder_ = nullptr;
    AVPacket* packet_ = nullptr;
    AVFrame* frame_ = nullptr;
    bool draining_ = false;
    bool have_first_ = false;            // frame_ holds the first frame, decoded to learn the format
    std::int64_t position_ = -1;         // byte offset of the last packet
    std::int64_t end_ = AV_NOPTS_VALUE;  // of the last frame shown, in the stream's time base
    std::int64_t frame_number_ = 0;
    std::optional<Error> failed_;

    PictureFormat decoded_format_;
    PictureFormat format_;
    bool luma_only_ = false;
    std::vector<std::string> remarks_;
};

std::string ContainerReader::describe(int code) const {
    char text[AV_ERROR_MAX_STRING_SIZE] = "";
    av_.av_strerror(code, text, sizeof text);
    return io_.problem.empty() ? text : io_.problem;
}

Error ContainerReader::av_error(std::string_view what, int code) const {
    return error(Code::bad_input, "{}: {}: {}", name_, what, describe(code));
}

Error ContainerReader::frame_error(std::string_view what) const {
    return error(Code::bad_input, "{}: frame {}, {}: {}", name_, frame_number_,
                 position_ >= 0 ? fmt::format("near byte {}", position_) : std::string("byte unknown"), what);
}

Status ContainerReader::open() {
    ISO_DO(open_container());
    ISO_DO(open_decoder());
    ISO_TRY(const bool any, decode());
    if (!any) return error(Code::no_frames, "{}: has no frames", name_);
    have_first_ = true;
    auto format = picture_format(av_.av_pix_fmt_desc_get(AVPixelFormat(frame_->format)), frame_->width, frame_->height);
    if (!format) return within(name_, format.error());
    format_ = decoded_format_ = *format;
    collect_remarks();
    return {};
}

Status ContainerReader::open_container() {
    auto* buffer = static_cast<unsigned char*>(av_.av_malloc(io_buffer_bytes));
    container_ = av_.avformat_alloc_context();
    packet_ = av_.av_packet_alloc();
    frame_ = av_.av_frame_alloc();
    if (buffer)
        avio_ = av_.avio_alloc_context(buffer, io_buffer_bytes, 0, &io_, SourceIo::read, nullptr,
                                       io_.source.remaining() ? SourceIo::seek : nullptr);
    if (!avio_) av_.av_freep(&buffer);
    if (!avio_ || !container_ || !packet_ || !frame_) return error(Code::out_of_memory, "{}: no memory for reading", name_);
    container_->pb = avio_;
    // Without a name the contents alone say what it is: extensions mislead ("clip.yuv" would be raw video of some size). On failure the
    // context is freed.
    ISO_TRY(const std::string_view peeked, io_.source.peek(12));
    const std::string start(peeked);
    const int opened = av_.avformat_open_input(&container_, "", nullptr, nullptr);
    if (!io_.problem.empty()) return av_error("cannot be read", opened);
    if (opened < 0 || container_->probe_score <= AVPROBE_SCORE_RETRY)
        return not_readable(name_, start, fmt::format("FFmpeg cannot open it ({})", describe(opened)));
    if (const int code = av_.avformat_find_stream_info(container_, nullptr); code < 0) return av_error("no stream can be read", code);
    return {};
}

Status ContainerReader::open_decoder() {
    const AVCodec* codec = nullptr;
    const int index = av_.av_find_best_stream(container_, AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0);
    if (index == AVERROR_DECODER_NOT_FOUND) return error(Code::bad_input, "{}: FFmpeg has no decoder for its video", name_);
    if (index < 0 || !codec) return error(Code::bad_input, "{}: has no video stream", name_);
    stream_ = container_->streams[index];
    for (unsigned i = 0; i < container_->nb_streams; ++i)
        if (int(i) != index) container_->streams[i]->discard = AVDISCARD_ALL;
    decoder_ = av_.avcodec_alloc_context3(codec);
    if (!decoder_) return error(Code::out_of_memory, "{}: no memory for decoding", name_);
    if (const int code = av_.avcodec_parameters_to_context(decoder_, stream_->codecpar); code < 0)
        return av_error("the video cannot be decoded", code);
    decoder_->thread_count = 0;  // one per core
    decoder_->thread_type = decodes_frames_in_parallel(codec->id) ? FF_THREAD_FRAME | FF_THREAD_SLICE : FF_THREAD_SLICE;
    // A damaged frame is an error, where by default something is shown in its place.
    decoder_->err_recognition |= AV_EF_CRCCHECK | AV_EF_BITSTREAM | AV_EF_BUFFER | AV_EF_EXPLODE;
    if (const int code = av_.avcodec_open2(decoder_, codec, nullptr); code < 0) return av_error("the video cannot be decoded", code);
    return {};
}

// In the words of y4m headers, so that a container and a y4m file can be compared.
void ContainerReader::collect_remarks() {
    const AVRational rate = av_.av_guess_frame_rate(container_, stream_, nullptr);
    if (rate.num > 0) remarks_.push_back(fmt::format("frame rate {}:{}", rate.num, rate.den));
    const AVRational aspect = av_.av_guess_sample_aspect_ratio(container_, stream_, frame_);
    if (aspect.num > 0) remarks_.push_back(fmt::format("sample aspect {}:{}", aspect.num, aspect.den));
    if (frame_->color_range == AVCOL_RANGE_MPEG) remarks_.emplace_back("XCOLORRANGE=LIMITED");
    if (frame_->color_range == AVCOL_RANGE_JPEG) remarks_.emplace_back("XCOLORRANGE=FULL");
}

Status ContainerReader::set_output_bit_depth(int bit_depth) {
    if (bit_depth < decoded_format_.bit_depth || bit_depth > PictureFormat::max_bit_depth)
        return error(Code::invalid_argument, "{}: samples of {} bits cannot be given in {}", name_, decoded_format_.bit_depth, bit_depth);
    format_.bit_depth = bit_depth;
    return {};
}

// How long the video is by its own header; 0 when that does not say.
double ContainerReader::stated_seconds() const {
    if (stream_->duration > 0) return double(stream_->duration) * stream_->time_base.num / stream_->time_base.den;
    if (const AVDictionaryEntry* tag = av_.av_dict_get(stream_->metadata, "DURATION", nullptr, 0)) {  // Matroska: 00:01:02.345
        int hours = 0, minutes = 0;
        double seconds = 0;
        if (std::sscanf(tag->value, "%d:%d:%lf", &hours, &minutes, &seconds) == 3) return hours * 3600.0 + minutes * 60.0 + seconds;
    }
    const bool known =
        container_->nb_streams == 1 && container_->duration > 0 && container_->duration_estimation_method != AVFMT_DURATION_FROM_BITRATE;
    return known ? double(container_->duration) / AV_TIME_BASE : 0;
}

// Demuxers take a file that was cut off for a short one. Its header tells, but for the last frames, whose length is not certain.
Status ContainerReader::check_end() const {
    const double stated = stated_seconds();
    const AVRational rate = av_.av_guess_frame_rate(container_, stream_, nullptr);
    if (stated <= 0 || rate.num <= 0 || end_ == AV_NOPTS_VALUE) return {};
    const std::int64_t start = stream_->start_time != AV_NOPTS_VALUE ? stream_->start_time : 0;
    const double there = double(end_ - start) * stream_->time_base.num / stream_->time_base.den;
    if (stated - there <= 3.0 * rate.den / rate.num) return {};
    return frame_error(fmt::format("the stream ends after {:.3f} of the {:.3f} seconds that its header states", there, stated));
}

Result<bool> ContainerReader::feed() {
    for (;;) {
        av_.av_packet_unref(packet_);
        const int code = av_.av_read_frame(container_, packet_);
        if (code == AVERROR_EOF && io_.problem.empty()) {
            ISO_DO(check_end());
            draining_ = true;
            av_.avcodec_send_packet(decoder_, nullptr);
            return false;
        }
        if (code < 0) return frame_error("cannot be read: " + describe(code));
        if (packet_->stream_index != stream_->index) continue;
        if (packet_->pos >= 0) position_ = packet_->pos;
        const std::int64_t start = packet_->pts != AV_NOPTS_VALUE ? packet_->pts : packet_->dts;
        if (start != AV_NOPTS_VALUE) end_ = std::max(end_, start + packet_->duration);
        if (packet_->flags & AV_PKT_FLAG_CORRUPT) return frame_error("the stream is damaged or ends inside the frame");
        const int sent = av_.avcodec_send_packet(decoder_, packet_);
        if (sent < 0) return frame_error("cannot be decoded: " + describe(sent));
        return true;
    }
}

Result<bool> ContainerReader::decode() {
    for (;;) {
        const int code = av_.avcodec_receive_frame(decoder_, frame_);
        if (code == 0) break;
        if (code == AVERROR_EOF) return false;
        if (code != AVERROR(EAGAIN)) return frame_error("cannot be decoded: " + describe(code));
        if (draining_) return false;
        ISO_DO(feed());
    }
    if (frame_->decode_error_flags != 0 || (frame_->flags & AV_FRAME_FLAG_CORRUPT) != 0) return frame_error("is damaged");
    return true;
}

Status ContainerReader::check_frame() const {
    const auto format = picture_format(av_.av_pix_fmt_desc_get(AVPixelFormat(frame_->format)), frame_->width, frame_->height);
    if (!format) return frame_error(format.error().message);
    if (*format != decoded_format_)
        return frame_error(fmt::format("changes from {} to {}", decoded_format_.describe(), format->describe()));
    return {};
}

Result<bool> ContainerReader::next_frame() {
    if (failed_) return *failed_;
    Result<bool> more = have_first_ ? Result<bool>(true) : decode();
    have_first_ = false;
    if (more && *more)
        if (const Status same = check_frame(); !same) more = same.error();
    if (!more) failed_ = more.error();
    else if (*more) ++frame_number_;
    return more;
}

Result<bool> ContainerReader::read(Picture& picture) {
    if (picture.empty() || picture.format() != format_)
        return error(Code::invalid_argument, "{}: frames of {} need pictures of that format", name_, format_.describe());
    ISO_TRY(const bool more, next_frame());
    if (!more) return false;
    const int shift = format_.bit_depth - decoded_format_.bit_depth;
    for (int p = 0; p < (luma_only_ ? 1 : format_.planes()); ++p) {
        const std::uint8_t* from = frame_->data[p];
        const std::ptrdiff_t stride = frame_->linesize[p];
        if (format_.bit_depth == 8) copy_rows<std::uint8_t>(from, stride, picture.writable_plane<std::uint8_t>(p), 0);
        else if (decoded_format_.bit_depth == 8) copy_rows<std::uint8_t>(from, stride, picture.writable_plane<std::uint16_t>(p), shift);
        else copy_rows<std::uint16_t>(from, stride, picture.writable_plane<std::uint16_t>(p), shift);
    }
    return true;
}

Result<std::int64_t> ContainerReader::skip(std::int64_t frames) {
    std::int64_t skipped = 0;
    for (; skipped < frames; ++skipped) {
        ISO_TRY(const bool more, next_frame());
        if (!more) break;
    }
    return skipped;
}

std::optional<std::int64_t> ContainerReader::frames_left() const {
    const AVRational rate = av_.av_guess_frame_rate(container_, stream_, nullptr);
    const double stated = stated_seconds();
    if (stated <= 0 || rate.num <= 0) return std::nullopt;
    return std::max<std::int64_t>(std::llround(stated * rate.num / rate.den) - frame_number_, 0);
}

}  // namespace

Result<std::unique_ptr<FrameReader>> open_container(const std::string& name, ByteSource source, const InputOptions&) {
    const Result<const FfmpegFunctions*> av = load_ffmpeg();
    if (!av) {
        ISO_TRY(const std::string_view start, source.peek(12));
        return not_readable(name, start, av.error().message);
    }
    auto reader = std::make_unique<ContainerReader>(name, std::move(source), **av);
    if (const Status opened = reader->open(); !opened) return opened.error();
    return std::unique_ptr<FrameReader>(std::move(reader));
}

}  // namespace isometric
