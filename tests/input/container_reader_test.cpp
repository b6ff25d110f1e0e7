// Containers, written here with FFmpeg (FFV1, which is lossless) and read back.
extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/pixdesc.h>
}

#include "base/error.h"
#include "input/input_pair.h"
#include "tests/input/input_files.h"
#include "tests/support/pictures.h"

namespace isometric::test {
namespace {

AVPixelFormat pixel_format(const PictureFormat& format) {
    const bool deep = format.bit_depth > 8;
    std::string name = format.chroma == ChromaFormat::yuv400   ? "gray"
                       : format.chroma == ChromaFormat::yuv420 ? "yuv420p"
                       : format.chroma == ChromaFormat::yuv422 ? "yuv422p"
                                                               : "yuv444p";
    if (deep) name += fmt::format("{}le", format.bit_depth);
    return av_get_pix_fmt(name.c_str());
}

class Writer {
public:
    Writer(const ClipSpec& spec, const std::string& path, AVCodecID id) : spec_(spec) {
        avformat_alloc_output_context2(&container_, nullptr, "matroska", path.c_str());
        const AVCodec* codec = avcodec_find_encoder(id);
        encoder_ = avcodec_alloc_context3(codec);
        encoder_->width = spec.format.width;
        encoder_->height = spec.format.height;
        encoder_->pix_fmt = pixel_format(spec.format);
        encoder_->time_base = {1, 25};
        encoder_->framerate = {25, 1};
        encoder_->color_range = AVCOL_RANGE_MPEG;
        encoder_->bit_rate = 4000000;
        encoder_->thread_count = 1;
        encoder_->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
        if (avcodec_open2(encoder_, codec, nullptr) < 0) throw std::runtime_error("no encoder for " + spec.format.describe());
        stream_ = avformat_new_stream(container_, nullptr);
        stream_->time_base = encoder_->time_base;
        stream_->avg_frame_rate = {25, 1};
        avcodec_parameters_from_context(stream_->codecpar, encoder_);
        avio_open(&container_->pb, path.c_str(), AVIO_FLAG_WRITE);
        if (avformat_write_header(container_, nullptr) < 0) throw std::runtime_error("no header");
    }
    ~Writer() {
        encode(nullptr);
        av_write_trailer(container_);
        avio_closep(&container_->pb);
        avcodec_free_context(&encoder_);
        avformat_free_context(container_);
    }

    void write(int n) {
        AVFrame* frame = av_frame_alloc();
        frame->width = encoder_->width;
        frame->height = encoder_->height;
        frame->format = encoder_->pix_fmt;
        frame->pts = n;
        av_frame_get_buffer(frame, 0);
        const ClipFrame planes = make_frame(spec_, n);
        for (std::size_t p = 0; p < planes.size(); ++p)
            for (int y = 0; y < planes[p].height; ++y) {
                std::uint8_t* row = frame->data[p] + y * frame->linesize[p];
                for (int x = 0; x < planes[p].width; ++x) {
                    if (spec_.format.bit_depth == 8) row[x] = std::uint8_t(planes[p].at(x, y));
                    else reinterpret_cast<std::uint16_t*>(row)[x] = planes[p].at(x, y);
                }
            }
        encode(frame);
        av_frame_free(&frame);
    }

private:
    void encode(AVFrame* frame) {
        avcodec_send_frame(encoder_, frame);
        AVPacket* packet = av_packet_alloc();
        while (avcodec_receive_packet(encoder_, packet) == 0) {
            packet->duration = 1;
            av_packet_rescale_ts(packet, encoder_->time_base, stream_->time_base);
            packet->stream_index = 0;
            av_interleaved_write_frame(container_, packet);
        }
        av_packet_free(&packet);
    }

    ClipSpec spec_;
    AVFormatContext* container_ = nullptr;
    AVCodecContext* encoder_ = nullptr;
    AVStream* stream_ = nullptr;
};

class ContainerReader : public InputFiles {
protected:
    std::string put_container(const ClipSpec& spec, const std::string& name = "a.mkv", AVCodecID codec = AV_CODEC_ID_FFV1) const {
        Writer writer(spec, path(name), codec);
        for (int n = 0; n < spec.frames; ++n) writer.write(n);
        return path(name);
    }
    std::string bytes(const std::string& name) const {
        std::ifstream file(path(name), std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(file), {});
    }
};

TEST_F(ContainerReader, GivesTheSamplesThatWereEncoded) {
    for (const char* text :
         {"64x48 8 420 5 texture none 1", "63x47 8 420 3 texture none 2", "64x48 8 422 2 noise none 3", "61x43 8 444 2 noise none 4",
          "64x48 10 420 3 texture none 5", "63x47 10 422 2 noise none 6", "64x48 12 444 2 texture none 7", "63x47 16 420 2 noise none 8",
          "61x43 8 400 2 noise none 9", "64x48 16 400 2 noise none 10"}) {
        const ClipSpec spec = clip(text);
        const ReadFrames got = read_all(put_container(spec));
        EXPECT_EQ(got.error, "") << text;
        ASSERT_EQ(got.frames.size(), std::size_t(spec.frames)) << text;
        for (int n = 0; n < spec.frames; ++n)
            EXPECT_SAME_PICTURES(make_picture(spec, n), got.frames[std::size_t(n)]) << text << " frame " << n;
    }
}

TEST_F(ContainerReader, ReadsPipes) {
    const ClipSpec spec = clip("64x48 8 420 5 texture none 1");
    put_container(spec);
    const ReadFrames got = read_all(put_pipe(bytes("a.mkv"), 1000));
    EXPECT_EQ(got.error, "");
    ASSERT_EQ(got.frames.size(), 5u);
    EXPECT_SAME_PICTURES(make_picture(spec, 4), got.frames[4]);
}

TEST_F(ContainerReader, SkipsWidensAndLeavesChroma) {
    const ClipSpec spec = clip("64x48 8 420 5 texture none 1");
    InputOptions options;
    options.output_bit_depth = 10;
    options.luma_only = true;
    auto reader = open_input(put_container(spec), options);
    ASSERT_TRUE(reader) << reader.error().message;
    EXPECT_EQ((*reader)->frames_left(), 5);
    EXPECT_EQ(*(*reader)->skip(3), 3);
    EXPECT_EQ((*reader)->frames_left(), 2);
    const ReadFrames got = read_all(**reader);
    ASSERT_EQ(got.frames.size(), 2u);
    const Picture expected = make_picture(spec, 3);
    for (int y = 0; y < 48; ++y)
        for (int x = 0; x < 64; ++x) ASSERT_EQ(sample_at(got.frames[0], 0, x, y), sample_at(expected, 0, x, y) << 2);
    EXPECT_EQ(sample_at(got.frames[0], 1, 3, 3), 0xA7A7);
    EXPECT_EQ(*(*reader)->skip(3), 0);
    options.output_bit_depth = 8;
    put_container(clip("64x48 10 420 1 noise none 1"), "deep.mkv");
    EXPECT_EQ(open_input(path("deep.mkv"), options).error().code, Code::invalid_argument);
    Picture other = *Picture::allocate({64, 48, 8, ChromaFormat::yuv420});
    EXPECT_EQ((*reader)->read(other).error().code, Code::invalid_argument);
}

TEST_F(ContainerReader, RemarksCompareWithThoseOfY4m) {
    const ClipSpec spec = clip("64x48 8 420 2 texture none 1");
    auto reader = *open_input(put_container(spec));
    EXPECT_EQ(reader->remarks(), (std::vector<std::string>{"frame rate 25:1", "XCOLORRANGE=LIMITED"}));
    put("b.y4m", to_y4m(spec));
    const auto pair = InputPair::open({{path("a.mkv"), {}, 0}, {path("b.y4m"), {}, 0}, false});
    ASSERT_TRUE(pair) << pair.error().message;
    EXPECT_TRUE(pair->warnings().empty());
}

// A file that was cut off says so, though the demuxer takes it for a short one.
TEST_F(ContainerReader, ACutFileIsNamed) {
    const ClipSpec spec = clip("64x48 8 420 12 noise none 1");
    put_container(spec);
    const std::string whole = bytes("a.mkv");
    const ReadFrames got = read_all(put("cut.mkv", whole.substr(0, whole.size() / 2)));
    EXPECT_NE(got.error.find("cut.mkv: frame "), std::string::npos) << got.error;
    EXPECT_NE(got.error.find("seconds that its header states"), std::string::npos) << got.error;
    EXPECT_GE(got.frames.size(), 4u);
    for (std::size_t n = 0; n < got.frames.size(); ++n) EXPECT_SAME_PICTURES(make_picture(spec, int(n)), got.frames[n]);
}

// The frames before a damaged one are given, nothing in its place. (A decoder must notice: FFV1's, for one, shows something else.)
TEST_F(ContainerReader, ADamagedFrameIsAnError) {
    const ClipSpec spec = clip("64x48 8 420 6 noise none 1");
    const ReadFrames whole = read_all(put_container(spec, "a.mkv", AV_CODEC_ID_MPEG4));
    ASSERT_EQ(whole.frames.size(), 6u) << whole.error;
    std::string damaged = bytes("a.mkv");
    const std::size_t at = damaged.size() / 6 * 7 / 2;  // in frame 3 or near it
    for (std::size_t i = 0; i < 400; ++i) damaged[at + i] = char(damaged[at + i] ^ 0x5A);
    const ReadFrames got = read_all(put("damaged.mkv", damaged));
    EXPECT_GE(got.frames.size(), 2u);
    EXPECT_LE(got.frames.size(), 4u);
    for (std::size_t n = 0; n < got.frames.size(); ++n) EXPECT_SAME_PICTURES(whole.frames[n], got.frames[n]) << n;
    EXPECT_NE(got.error.find(fmt::format("damaged.mkv: frame {}, near byte ", got.frames.size())), std::string::npos) << got.error;
}

TEST_F(ContainerReader, WhatIsNoVideoIsNamed) {
    const std::string wanted =
        "is not y4m (it does not start with YUV4MPEG2) and no known container; for raw YUV give width, height, pixel format and bit depth";
    EXPECT_NE(read_all(put("text", "some text\n")).error.find(wanted), std::string::npos);
    const ClipSpec spec = clip("64x48 8 420 6 noise none 1");
    for (const char* name : {"a.yuv", "a", "a.mp4"})
        EXPECT_NE(read_all(put(name, to_raw(spec))).error.find(wanted), std::string::npos) << read_all(path(name)).error;
    EXPECT_NE(read_all(put("x", std::string("\0\0\0\x18", 4) + "ftypmp42" + std::string(100, '\0')))
                  .error.find("looks like MP4, but FFmpeg cannot open it"),
              std::string::npos);
}

}  // namespace
}  // namespace isometric::test
