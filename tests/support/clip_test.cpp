#include "tests/support/clip.h"

#include <gtest/gtest.h>

#include "tests/support/bits.h"

namespace isometric::test {
namespace {

std::uint64_t fnv1a(std::string_view bytes) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char c : bytes) hash = (hash ^ std::uint8_t(c)) * 0x100000001b3u;
    return hash;
}

struct KnownClip {
    const char* spec;
    std::uint64_t y4m_fnv1a;
};

// Made with the generator that the golden tables were measured on: every source, distortion, depth and chroma format.
constexpr KnownClip known_clips[] = {
    {"67x43 8 420 3 texture none 1", 0x1d27cf74df8f6f57u},
    {"67x43 8 420 2 texture quant:24 2", 0x57d9fae2393293b9u},
    {"130x70 10 420 2 texture quant:12 3", 0x565c720a9433b088u},
    {"64x48 12 422 2 texture noise:60 5", 0x62b07c62d921012cu},
    {"63x47 9 422 2 texture blur:2 6", 0x80f0689b4f2f16eeu},
    {"64x48 16 444 2 noise noise:900 8", 0xdef0436d6c49a879u},
    {"33x35 8 444 3 texture gain:130 9", 0x194310c87573b1fau},
    {"33x35 16 400 2 texture posterize:500 10", 0x7948f1ff32a3f0ebu},
    {"70x150 8 400 2 flatdots blur:1 11", 0xfae582cc53e40b84u},
    {"64x64 8 420 6 cut blur:1 12", 0xa2a82be7bde126b8u},
    {"61x61 14 420 5 cut shift:3 13", 0x37a0fa8c029a0f40u},
    {"64x64 8 420 2 max noise:3 14", 0x7b111a049556e7c0u},
    {"64x64 10 420 2 black noise:9 15", 0x7e48c9dcd97f8c90u},
    {"64x64 8 422 3 checker1 shift:1 16", 0xa78fdac09bd8d0efu},
    {"65x63 8 420 3 checker10 shift:-3 17", 0xcdb051f7e72b5b0du},
    {"128x64 8 420 2 gradient posterize:4 18", 0x57df46ae14c7c83fu},
    {"128x64 10 444 2 gradient posterize:16 4000000000", 0x276c183282c36796u},
    {"1x1 8 420 2 noise none 20", 0x2abbb3c3b2ed4addu},
    {"19x17 11 420 2 noise quant:40 21", 0x7e170245e05ed259u},
    {"200x120 8 420 2 texture none 22", 0x4fdb0166bfd8e078u},
};

TEST(Clip, HasTheBytesThatTheGoldenTablesWereMeasuredOn) {
    for (const KnownClip& known : known_clips) {
        const auto spec = ClipSpec::parse(known.spec);
        ASSERT_TRUE(spec) << spec.error().message;
        EXPECT_EQ(fnv1a(to_y4m(*spec)), known.y4m_fnv1a) << known.spec;
    }
}

TEST(Clip, SpecificationsReadBack) {
    for (const KnownClip& known : known_clips) EXPECT_EQ(ClipSpec::parse(known.spec)->describe(), known.spec);
    for (const char* bad :
         {"", "64x64 8 420 3 texture none", "64 8 420 3 texture none 1", "64x64 8 421 3 texture none 1", "64x64 8 420 3 text none 1",
          "64x64 8 420 3 texture quant: 1", "64x64 8 420 3 texture melt 1", "64x64 8.5 420 3 texture none 1"})
        EXPECT_FALSE(ClipSpec::parse(bad)) << bad;
}

// The picture has the file's samples but for the last chroma column and row of odd sizes.
TEST(Clip, PicturesHaveTheSamplesOfTheFile) {
    for (const char* text :
         {"63x47 9 420 2 texture blur:2 6", "63x47 8 422 2 noise none 6", "62x48 8 444 1 noise none 7", "33x35 16 400 2 texture none 10"}) {
        const ClipSpec spec = *ClipSpec::parse(text);
        const auto clip = make_clip(spec);
        ASSERT_EQ(clip.size(), std::size_t(spec.frames));
        for (int n = 0; n < spec.frames; ++n) {
            const ClipFrame frame = make_frame(spec, n);
            for (int p = 0; p < spec.format.planes(); ++p)
                for (int y = 0; y < spec.format.plane_height(p); ++y)
                    for (int x = 0; x < spec.format.plane_width(p); ++x) {
                        const int sample = spec.format.bit_depth > 8 ? clip[std::size_t(n)].plane<std::uint16_t>(p).row(y)[x]
                                                                     : clip[std::size_t(n)].plane<std::uint8_t>(p).row(y)[x];
                        ASSERT_EQ(sample, frame[std::size_t(p)].at(x, y))
                            << text << " frame " << n << " plane " << p << " " << x << "," << y;
                    }
        }
    }
}

TEST(Clip, RawIsTheFileWithoutHeaders) {
    const ClipSpec spec = *ClipSpec::parse("63x47 10 422 2 texture none 6");
    const std::string y4m = to_y4m(spec), raw = to_raw(spec), header = y4m_header(spec);
    const std::size_t frame_bytes = raw.size() / 2;
    ASSERT_EQ(y4m.size(), header.size() + 2 * (6 + frame_bytes));
    EXPECT_EQ(y4m.substr(header.size() + 6, frame_bytes), raw.substr(0, frame_bytes));
    EXPECT_EQ(y4m.substr(header.size() + 12 + frame_bytes), raw.substr(frame_bytes));
}

TEST(Clip, TheReferenceIsTheSameClipUndistorted) {
    const ClipSpec spec = *ClipSpec::parse("64x48 8 420 1 texture quant:24 3");
    EXPECT_EQ(spec.reference().describe(), "64x48 8 420 1 texture none 3");
    EXPECT_NE(to_y4m(spec), to_y4m(spec.reference()));
}

}  // namespace
}  // namespace isometric::test
