#include <gtest/gtest.h>

#include "tests/input/input_files.h"
#include "tests/support/pictures.h"

namespace isometric::test {
namespace {

using RawReader = InputFiles;

TEST_F(RawReader, ReadsEveryFormatAndOddSizes) {
    for (const char* text : {"64x48 8 420 3 texture none 1", "63x47 8 420 3 noise none 3", "1x1 8 420 2 noise none 4",
                             "33x35 12 422 2 noise none 7", "33x35 10 444 2 noise none 8", "37x5 8 422 2 noise none 9",
                             "41x31 16 420 2 noise none 12", "41x31 9 400 2 noise none 20", "41x31 8 444 2 noise none 21"}) {
        const ClipSpec spec = clip(text);
        for (const bool pipe : {false, true}) {
            const std::string file = pipe ? put_pipe(to_raw(spec), 333) : put("a.yuv", to_raw(spec));
            const ReadFrames got = read_all(file, raw_options(spec));
            EXPECT_EQ(got.error, "") << text;
            ASSERT_EQ(got.frames.size(), std::size_t(spec.frames)) << text;
            for (int n = 0; n < spec.frames; ++n) EXPECT_SAME_PICTURES(make_picture(spec, n), got.frames[std::size_t(n)]) << text;
            if (pipe) join_pipe();
        }
    }
}

TEST_F(RawReader, SkipsAndCountsFrames) {
    const ClipSpec spec = clip("63x47 10 420 4 noise none 3");
    auto reader = *open_input(put("a.yuv", to_raw(spec)), raw_options(spec));
    EXPECT_EQ(*reader->skip(3), 3);
    EXPECT_EQ(reader->frames_left(), 1);
    const ReadFrames got = read_all(*reader);
    ASSERT_EQ(got.frames.size(), 1u);
    EXPECT_SAME_PICTURES(make_picture(spec, 3), got.frames[0]);
    EXPECT_EQ(*reader->skip(10), 0);
    EXPECT_TRUE(reader->remarks().empty());
}

TEST_F(RawReader, ACutFrameHintsAtTheGeometry) {
    const ClipSpec spec = clip("20x10 8 420 2 noise none 1");
    const std::string bytes = to_raw(spec);
    const ReadFrames got = read_all(put("a.yuv", bytes.substr(0, 450)), raw_options(spec));
    EXPECT_EQ(got.frames.size(), 1u);
    EXPECT_EQ(got.error,
              path("a.yuv") +
                  ": frame 1, byte 450: the stream ends inside the luma plane, after 150 of 200 bytes; the file's 450 bytes are no "
                  "multiple of the 300 of a frame of 20x10 4:2:0 8 bit: are size, format and bit depth right?");
    const std::string pipe = put_pipe(bytes.substr(0, 599), 100);
    const ReadFrames piped = read_all(pipe, raw_options(spec));
    EXPECT_EQ(piped.error, pipe + ": frame 1, byte 599: the stream ends inside the Cr plane, after 49 of 50 bytes");
}

// On for raw input unless switched off: 10-bit geometry on other data is the usual mistake.
TEST_F(RawReader, ChecksSamples) {
    ClipSpec spec = clip("20x10 10 420 2 noise none 1");
    std::string bytes = to_raw(spec);
    bytes[2 * 199 + 1] = '\x40';
    InputOptions options = raw_options(spec);
    const std::string message =
        "frame 0, byte 398: the luma sample at column 19, row 9 is " + std::to_string(0x4000 + std::uint8_t(bytes[398]));
    EXPECT_NE(read_all(put("a.yuv", bytes), options).error.find(message), std::string::npos) << read_all(path("a.yuv"), options).error;
    options.check_sample_range = false;
    EXPECT_EQ(read_all(path("a.yuv"), options).frames.size(), 2u);
    for (const int bits : {8, 9, 11, 12, 14, 15, 16}) {  // the largest sample fits
        spec.format.bit_depth = bits;
        spec.source = Source::max;
        EXPECT_EQ(read_all(put("a.yuv", to_raw(spec)), raw_options(spec)).error, "") << bits;
    }
}

TEST_F(RawReader, RefusesWhatCannotBe) {
    const ClipSpec spec = clip("20x10 8 420 2 noise none 1");
    const ReadFrames got = read_all(put("a.yuv", to_y4m(spec)), raw_options(spec));
    EXPECT_NE(got.error.find("a.yuv: is a y4m stream"), std::string::npos) << got.error;
    InputOptions options = raw_options(spec);
    for (const PictureFormat& bad : {PictureFormat{0, 10, 8}, PictureFormat{20, -1, 8}, PictureFormat{20, 10, 7}, PictureFormat{20, 10, 17},
                                     PictureFormat{100000, 10, 8}}) {
        options.raw_format = bad;
        const auto reader = open_input(put("a.yuv", to_raw(spec)), options);
        ASSERT_FALSE(reader);
        EXPECT_EQ(reader.error().message.find(path("a.yuv") + ": "), 0u) << reader.error().message;
    }
    options.raw_format = {65536, 65536, 16, ChromaFormat::yuv444};
    const auto absurd = open_input(path("a.yuv"), options);
    ASSERT_FALSE(absurd);
    EXPECT_NE(absurd.error().message.find("but the file has only 600 more"), std::string::npos);
    EXPECT_EQ(read_all(put("empty", ""), raw_options(spec)).error, "");
}

}  // namespace
}  // namespace isometric::test
