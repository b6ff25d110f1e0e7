#include <gtest/gtest.h>
#include <sys/wait.h>

#include "input/chroma_siting.h"
#include "tests/input/input_files.h"
#include "tests/support/fill.h"
#include "tests/support/guarded.h"
#include "tests/support/pictures.h"

namespace isometric::test {
namespace {

using Y4mReader = InputFiles;

constexpr const char* plain_clips[] = {
    "64x48 8 420 3 texture none 1", "128x16 8 420 2 noise none 2",  "63x47 8 420 3 noise none 3",   "1x1 8 420 2 noise none 4",
    "2x1 8 420 2 noise none 5",     "130x6 10 420 2 noise none 6",  "33x35 12 422 2 noise none 7",  "33x35 10 444 2 noise none 8",
    "33x35 8 444 2 noise none 9",   "129x3 9 420 2 noise none 10",  "40x30 14 420 2 noise none 11", "41x31 16 420 2 noise none 12",
    "40x30 9 422 2 noise none 13",  "40x30 14 422 1 noise none 14", "41x31 16 422 2 noise none 15", "40x30 9 444 1 noise none 16",
    "40x30 14 444 1 noise none 17", "41x31 16 444 2 noise none 18", "41x31 8 400 2 noise none 19",  "41x31 9 400 2 noise none 20",
    "64x30 10 400 2 noise none 21", "41x31 11 420 2 noise none 22", "41x31 12 400 2 noise none 23", "41x31 16 400 2 noise none 24",
};

void expect_clip(const ReadFrames& got, const ClipSpec& spec) {
    EXPECT_EQ(got.error, "") << spec.describe();
    ASSERT_EQ(got.frames.size(), std::size_t(spec.frames)) << spec.describe();
    for (int n = 0; n < spec.frames; ++n)
        EXPECT_SAME_PICTURES(make_picture(spec, n), got.frames[std::size_t(n)]) << spec.describe() << " frame " << n;
}

TEST_F(Y4mReader, ReadsEveryFormatAndOddSizes) {
    for (const char* text : plain_clips) expect_clip(read_all(put("a.y4m", to_y4m(clip(text)))), clip(text));
}

TEST_F(Y4mReader, ReadsPipesInAnyPieces) {
    for (const char* text : {"63x47 8 420 3 noise none 3", "33x35 10 444 2 noise none 8", "128x16 8 420 2 noise none 2"})
        for (const std::size_t piece : {1, 7, 4096, 100000}) {
            expect_clip(read_all(put_pipe(to_y4m(clip(text)), piece)), clip(text));
            join_pipe();
        }
}

// Standard input, as a pipe and as a redirected file.
TEST_F(Y4mReader, ReadsStandardInput) {
    const ClipSpec spec = clip("63x47 8 420 3 noise none 3");
    for (const bool pipe : {false, true})
        for (const char* name : {"-", "/dev/stdin", "/dev/fd/0"}) {
            const std::string file = pipe ? put_pipe(to_y4m(spec), 1000) : put("f", to_y4m(spec));
            const int saved = ::dup(STDIN_FILENO), opened = ::open(file.c_str(), O_RDONLY);
            ::dup2(opened, STDIN_FILENO);
            ::close(opened);
            const auto reader = open_input(name);
            EXPECT_EQ((*reader)->name(), name == std::string("-") ? "standard input" : name);
            expect_clip(read_all(**reader), spec);
            ::dup2(saved, STDIN_FILENO);
            ::close(saved);
            if (pipe) join_pipe();
        }
}

// Rows go to the picture's own strides; nothing beside them is touched.
TEST_F(Y4mReader, FillsPicturesOfAnyStride) {
    for (const char* text : plain_clips) {
        const ClipSpec spec = clip(text);
        auto reader = *open_input(put("a.y4m", to_y4m(spec)));
        Picture guarded = guarded_picture(*Picture::allocate(spec.format));
        for (int n = 0; n < spec.frames; ++n) {
            ASSERT_TRUE(*reader->read(guarded));
            EXPECT_SAME_PICTURES(make_picture(spec, n), guarded) << text;
        }
        EXPECT_FALSE(*reader->read(guarded));
        EXPECT_FALSE(*reader->read(guarded));  // the end stays the end
    }
}

TEST_F(Y4mReader, RefusesPicturesOfAnotherFormat) {
    auto reader = *open_input(put("a.y4m", to_y4m(clip("64x48 8 420 1 noise none 1"))));
    Picture other = *Picture::allocate({64, 48, 10, ChromaFormat::yuv420});
    EXPECT_EQ(reader->read(other).error().code, Code::invalid_argument);
    Picture empty;
    EXPECT_EQ(reader->read(empty).error().code, Code::invalid_argument);
    EXPECT_EQ(read_all(*reader).frames.size(), 1u);  // and goes on
}

// A y4m stream around planes of noise.
struct Stream {
    std::string header;
    std::vector<ChromaPlane> planes;
    std::string bytes() const {
        std::string text = header + "\nFRAME\n";
        for (const ChromaPlane& plane : planes) text.append(plane.samples.begin(), plane.samples.end());
        return text;
    }
};

Stream noise_stream(const std::string& tag, int width, int height, std::initializer_list<std::pair<int, int>> sides) {
    Stream stream{"YUV4MPEG2 W" + std::to_string(width) + " H" + std::to_string(height) + " F25:1 Ip C" + tag, {}};
    for (const auto& [w, h] : sides) {
        ChromaPlane& plane = stream.planes.emplace_back(ChromaPlane{w, h, std::vector<std::uint8_t>(std::size_t(w * h))});
        fill<std::uint8_t>(plane.samples, Fill::full_range_noise, stream.planes.size());
    }
    return stream;
}

void expect_plane(const ChromaPlane& expected, const Picture& picture, int plane, int shift = 0) {
    for (int y = 0; y < picture.format().plane_height(plane); ++y)
        for (int x = 0; x < picture.format().plane_width(plane); ++x)
            ASSERT_EQ(sample_at(picture, plane, x, y), expected.samples[std::size_t(y * expected.width + x)] << shift)
                << plane << " " << x << "," << y;
}

// The conversions act on the file's planes, whose last column an odd picture then drops; widening to more bits comes after.
TEST_F(Y4mReader, ConvertsChromaSiting) {
    for (const bool convert : {true, false})
        for (const int depth : {0, 10}) {
            InputOptions options;
            options.convert_chroma_siting = convert;
            options.output_bit_depth = depth;
            const int shift = depth ? depth - 8 : 0;
            const auto moved = [&](const ChromaPlane& in) {
                ChromaPlane out;
                move_chroma_right(in, out);
                return convert ? out : in;
            };
            const Stream s422 = noise_stream("422", 37, 5, {{37, 5}, {19, 5}, {19, 5}});
            const ReadFrames got422 = read_all(put("a", s422.bytes()), options);
            ASSERT_EQ(got422.frames.size(), 1u) << got422.error;
            for (int p = 0; p < 3; ++p) expect_plane(p ? moved(s422.planes[std::size_t(p)]) : s422.planes[0], got422.frames[0], p, shift);

            const Stream s411 = noise_stream("411", 37, 5, {{37, 5}, {10, 5}, {10, 5}});
            const ReadFrames got411 = read_all(put("a", s411.bytes()), options);
            ASSERT_EQ(got411.frames.size(), 1u) << got411.error;
            for (int p = 1; p < 3; ++p) {
                ChromaPlane wide;
                (convert ? widen_411 : repeat_411)(s411.planes[std::size_t(p)], 19, wide);
                expect_plane(wide, got411.frames[0], p, shift);
            }

            const Stream pal = noise_stream("420paldv", 36, 10, {{36, 10}, {18, 5}, {18, 5}});
            const ReadFrames got_pal = read_all(put("a", pal.bytes()), options);
            ASSERT_EQ(got_pal.frames.size(), 1u) << got_pal.error;
            for (int p = 1; p < 3; ++p) {
                ChromaPlane shifted = moved(pal.planes[std::size_t(p)]), out = shifted;
                if (convert) (p == 1 ? move_chroma_up : move_chroma_down)(shifted, out);
                expect_plane(out, got_pal.frames[0], p, shift);
            }
            expect_plane(pal.planes[0], got_pal.frames[0], 0, shift);
        }
}

TEST_F(Y4mReader, DropsAlpha) {
    const Stream stream = noise_stream("444alpha", 12, 5, {{12, 5}, {12, 5}, {12, 5}, {12, 5}});
    const std::string frame = stream.bytes().substr(stream.header.size() + 1);
    const ReadFrames got = read_all(put("a", stream.header + "\n" + frame + frame));
    EXPECT_EQ(got.error, "");
    ASSERT_EQ(got.frames.size(), 2u);
    for (int p = 0; p < 3; ++p) expect_plane(stream.planes[std::size_t(p)], got.frames[1], p);
    EXPECT_NE(
        read_all(put("a", stream.bytes().substr(0, stream.bytes().size() - 1))).error.find("inside the alpha plane, after 59 of 60 bytes"),
        std::string::npos);
}

TEST_F(Y4mReader, ShiftsToALargerDepth) {
    for (const char* text : {"33x35 8 420 2 noise none 1", "33x35 10 444 2 noise none 2", "64x48 9 422 1 noise none 3"})
        for (const int depth : {10, 12, 16}) {
            const ClipSpec spec = clip(text);
            InputOptions options;
            options.output_bit_depth = depth;
            const ReadFrames got = read_all(put("a.y4m", to_y4m(spec)), options);
            ASSERT_EQ(got.frames.size(), std::size_t(spec.frames)) << got.error;
            EXPECT_EQ(got.frames[0].format().bit_depth, depth);
            for (int p = 0; p < 3; ++p)
                for (int y = 0; y < spec.format.plane_height(p); ++y)
                    for (int x = 0; x < spec.format.plane_width(p); ++x)
                        ASSERT_EQ(sample_at(got.frames[0], p, x, y), sample_at(make_picture(spec), p, x, y)
                                                                         << (depth - spec.format.bit_depth));
        }
    InputOptions smaller;
    smaller.output_bit_depth = 8;
    EXPECT_EQ(open_input(put("a.y4m", to_y4m(clip("16x16 10 420 1 noise none 2"))), smaller).error().code, Code::invalid_argument);
    smaller.output_bit_depth = 17;
    EXPECT_FALSE(open_input(path("a.y4m"), smaller));
}

TEST_F(Y4mReader, LumaOnlyLeavesChromaAlone) {
    InputOptions options;
    options.luma_only = true;
    for (const char* text : {"63x47 8 420 3 noise none 3", "33x35 10 422 2 noise none 4"}) {
        const ClipSpec spec = clip(text);
        for (const bool pipe : {false, true}) {
            const std::string file = pipe ? put_pipe(to_y4m(spec), 1000) : put("a.y4m", to_y4m(spec));
            const ReadFrames got = read_all(file, options);
            ASSERT_EQ(got.frames.size(), std::size_t(spec.frames)) << got.error;
            for (int n = 0; n < spec.frames; ++n) {
                const Picture expected = make_picture(spec, n);
                const Picture& frame = got.frames[std::size_t(n)];
                for (int y = 0; y < spec.format.height; ++y)
                    for (int x = 0; x < spec.format.width; ++x) ASSERT_EQ(sample_at(frame, 0, x, y), sample_at(expected, 0, x, y));
                EXPECT_EQ(sample_at(frame, 1, 3, 3), spec.format.bit_depth > 8 ? 0xA7A7 : 0xA7);
            }
            if (pipe) join_pipe();
        }
    }
}

TEST_F(Y4mReader, SkipsFrames) {
    const ClipSpec spec = clip("63x47 8 420 5 noise none 3");
    for (const std::int64_t skip : {0, 1, 4, 5, 7}) {
        for (const bool pipe : {false, true}) {
            const std::string file = pipe ? put_pipe(to_y4m(spec), 100) : put("a.y4m", to_y4m(spec));
            auto reader = *open_input(file);
            EXPECT_EQ(reader->frames_left(), pipe ? std::nullopt : std::optional<std::int64_t>(5));
            EXPECT_EQ(*reader->skip(skip), std::min<std::int64_t>(skip, 5));
            EXPECT_EQ(reader->frames_left().value_or(0), pipe ? 0 : std::max<std::int64_t>(5 - skip, 0));
            const ReadFrames got = read_all(*reader);
            ASSERT_EQ(std::int64_t(got.frames.size()), std::max<std::int64_t>(5 - skip, 0)) << got.error;
            for (std::size_t n = 0; n < got.frames.size(); ++n) EXPECT_SAME_PICTURES(make_picture(spec, int(skip) + int(n)), got.frames[n]);
            if (pipe) join_pipe();
        }
    }
}

TEST_F(Y4mReader, FrameParametersAreIgnored) {
    const ClipSpec spec = clip("16x16 8 420 1 noise none 1");
    std::string planes;
    append_planes(spec, make_frame(spec, 0), planes);
    const std::string longest(60000, 'x');
    const ReadFrames got =
        read_all(put("a", y4m_header(spec) + "FRAME Ip XA=1\n" + planes + "FRAMEjunk\n" + planes + "FRAME " + longest + "\n" + planes));
    EXPECT_EQ(got.error, "");
    ASSERT_EQ(got.frames.size(), 3u);
    for (const Picture& frame : got.frames) EXPECT_SAME_PICTURES(make_picture(spec), frame);
    EXPECT_NE(
        read_all(put("a", y4m_header(spec) + "FRAME " + std::string(70000, 'x') + "\n" + planes)).error.find("no end within 65536 bytes"),
        std::string::npos);
}

TEST_F(Y4mReader, HeaderLinesMayBeLong) {
    const ClipSpec spec = clip("16x16 8 420 1 noise none 1");
    const std::string file = to_y4m(spec), rest = file.substr(y4m_header(spec).size());
    const std::string start = "YUV4MPEG2 W16 H16 F25:1 X", padding(65536 - start.size(), 'y');
    expect_clip(read_all(put("a", start + padding + "\n" + rest)), spec);
    EXPECT_NE(read_all(put("a", start + padding + "y\n" + rest)).error.find("no end within 65536 bytes"), std::string::npos);
    EXPECT_NE(read_all(put("a", "YUV4MPEG2 W16 H16 F25:1")).error.find("no end"), std::string::npos);
}

// The frames before the damage are whole, the message says where it is, and it stays.
TEST_F(Y4mReader, DamageIsNamedAndKeepsEarlierFrames) {
    const ClipSpec spec = clip("20x10 8 420 3 noise none 1");
    const std::string file = to_y4m(spec);
    const std::size_t header = y4m_header(spec).size(), frame = 6 + 300;
    struct Case {
        std::string bytes;
        std::size_t whole;
        std::string message;
    };
    std::string broken = file;
    broken[header + 2 * frame] = 'G';
    const std::vector<Case> cases{
        {file.substr(0, header + 2 * frame + 6 + 199), 2,
         "frame 2, byte " + std::to_string(header + 2 * frame + 205) + ": the stream ends inside the luma plane, after 199 of 200 bytes"},
        {file.substr(0, header + 2 * frame + 6 + 200), 2,
         "frame 2, byte " + std::to_string(header + 2 * frame + 206) + ": the stream ends inside the Cb plane, after 0 of 50 bytes"},
        {file.substr(0, file.size() - 1), 2,
         "frame 2, byte " + std::to_string(file.size() - 1) + ": the stream ends inside the Cr plane, after 49 of 50 bytes"},
        {file.substr(0, header + frame + 6), 1,
         "frame 1, byte " + std::to_string(header + frame + 6) + ": the stream ends inside the luma plane, after 0 of 200"},
        {broken, 2,
         "frame 2, byte " + std::to_string(header + 2 * frame) + ": no 'FRAME' where a frame should start: the stream is damaged"},
        {file + file, 3,
         "frame 3, byte " + std::to_string(file.size()) +
             ": no 'FRAME' where a frame should start: the stream is damaged or a second one was appended"},
        {file + "FRA", 3, "frame 3, byte " + std::to_string(file.size() + 3) + ": the stream ends inside the 'FRAME'"},
        {file + "FRAME", 3, "the stream ends inside the 'FRAME'"},
        {file + "FRAMEx", 3, "has no end within"},
        {file + "123456", 3, "no 'FRAME'"},
        {file + "\n", 3, ""},
        {file + "12345", 3, ""},
    };
    for (const Case& c : cases)
        for (const bool pipe : {false, true}) {
            const std::string name = pipe ? put_pipe(c.bytes, 64) : put("a.y4m", c.bytes);
            auto reader = *open_input(name);
            const ReadFrames got = read_all(*reader);
            EXPECT_EQ(got.frames.size(), c.whole) << c.message;
            for (std::size_t n = 0; n < got.frames.size(); ++n) EXPECT_SAME_PICTURES(make_picture(spec, int(n)), got.frames[n]);
            if (c.message.empty()) {
                EXPECT_EQ(got.error, "");
            } else {
                EXPECT_NE(got.error.find(c.message), std::string::npos) << got.error << "\nwanted: " << c.message;
                EXPECT_EQ(got.error.find(name + ": frame "), 0u) << got.error;
            }
            EXPECT_EQ(read_all(*reader).error, got.error);
            EXPECT_EQ(reader->skip(1).has_value(), c.message.empty());
            if (pipe) join_pipe();
        }
}

TEST_F(Y4mReader, SkippingNoticesDamage) {
    const ClipSpec spec = clip("20x10 8 420 3 noise none 1");
    auto reader = *open_input(put("a.y4m", to_y4m(spec).substr(0, to_y4m(spec).size() - 1)));
    EXPECT_EQ(*reader->skip(2), 2);
    EXPECT_NE(reader->skip(1).error().message.find("inside the Cr plane"), std::string::npos);
    auto again = *open_input(path("a.y4m"));
    EXPECT_FALSE(again->skip(3));
}

TEST_F(Y4mReader, WhatIsNoY4mIsNamed) {
    EXPECT_NE(read_all(path("missing.y4m")).error.find("missing.y4m: cannot be opened: No such file"), std::string::npos);
    EXPECT_NE(read_all(folder_.string()).error.find("Is a directory"), std::string::npos);
    EXPECT_NE(read_all(put("a", "")).error.find("is empty"), std::string::npos);
    EXPECT_NE(read_all(put("a", "some text\n")).error.find("a: is not y4m (it does not start with YUV4MPEG2)"), std::string::npos);
    EXPECT_EQ(read_all(put("a", "YUV4MPEG2 W16 H16 F25:1\n")).error, "");  // no frames is no damage
}

// Refused when opened, before anyone takes memory for pictures.
TEST_F(Y4mReader, AbsurdSizesAreRefused) {
    for (const char* size : {"W100000 H100000", "W65537 H1", "W2147483647 H2147483647"})
        EXPECT_NE(open_input(put("a", "YUV4MPEG2 " + std::string(size) + " F25:1\nFRAME\n")).error().message.find("sides must be"),
                  std::string::npos);
    const auto file = open_input(put("a", "YUV4MPEG2 W65536 H65536 F25:1\nFRAME\nabc"));
    ASSERT_FALSE(file);
    EXPECT_NE(file.error().message.find("frames of 65536x65536 4:2:0 8 bit take 6442450944 bytes, but the file has only 9 more"),
              std::string::npos)
        << file.error().message;
    const auto pipe = open_input(put_pipe("YUV4MPEG2 W65536 H65536 F25:1\nFRAME\nabc", 100));
    ASSERT_FALSE(pipe);
    EXPECT_NE(pipe.error().message.find("are read from a pipe"), std::string::npos) << pipe.error().message;
}

TEST_F(Y4mReader, ChecksSamplesWhenAsked) {
    ClipSpec spec = clip("20x10 10 420 2 noise none 1");
    std::string file = to_y4m(spec);
    const std::size_t header = y4m_header(spec).size(), sample = header + 606 + 6 + 400 + 2 * (3 * 10 + 7);  // frame 1, Cb, row 3, column 7
    file[sample] = '\1';
    file[sample + 1] = '\4';  // 1025
    EXPECT_EQ(read_all(put("a", file)).error, "");
    InputOptions options;
    options.check_sample_range = true;
    const ReadFrames got = read_all(put("a", file), options);
    EXPECT_EQ(got.frames.size(), 1u);
    EXPECT_NE(
        got.error.find("frame 1, byte " + std::to_string(sample) + ": the Cb sample at column 7, row 3 is 1025, above the 1023 of 10 bits"),
        std::string::npos)
        << got.error;
    options.luma_only = true;
    EXPECT_EQ(read_all(path("a"), options).error, "");
}

}  // namespace
}  // namespace isometric::test
