#include "input/y4m_header.h"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

namespace isometric {
namespace {

Result<Y4mHeader> parse(std::string_view tags, bool convert = true) { return parse_y4m_header("YUV4MPEG2 " + std::string(tags), convert); }

std::string problem(std::string_view tags) {
    const auto header = parse(tags);
    return header ? "none" : header.error().message;
}

struct TagRow {
    std::string tag;
    int bit_depth;
    ChromaFormat picture;
    int file_chroma_width, file_chroma_height;  // of a 37 x 21 stream
    ChromaConversion conversion;
};

std::vector<TagRow> all_tags() {
    using enum ChromaFormat;
    using enum ChromaConversion;
    std::vector<TagRow> rows{
        {"420", 8, yuv420, 19, 11, none},        {"420jpeg", 8, yuv420, 19, 11, none},  {"420mpeg2", 8, yuv420, 19, 11, none},
        {"420paldv", 8, yuv420, 19, 11, pal_dv}, {"422", 8, yuv422, 19, 21, move_422},  {"411", 8, yuv422, 10, 21, widen_411},
        {"444", 8, yuv444, 37, 21, none},        {"444alpha", 8, yuv444, 37, 21, none}, {"mono", 8, yuv400, 0, 0, none}};
    for (int bits = 9; bits <= 16; ++bits) {
        rows.push_back({"420p" + std::to_string(bits), bits, yuv420, 19, 11, none});
        rows.push_back({"422p" + std::to_string(bits), bits, yuv422, 19, 21, none});
        rows.push_back({"444p" + std::to_string(bits), bits, yuv444, 37, 21, none});
        rows.push_back({"mono" + std::to_string(bits), bits, yuv400, 0, 0, none});
    }
    return rows;
}

TEST(Y4mHeader, EveryChromaTag) {
    for (const TagRow& row : all_tags()) {
        const auto header = parse("W37 H21 F25:1 Ip C" + row.tag);
        ASSERT_TRUE(header) << row.tag << ": " << header.error().message;
        const StreamLayout& layout = header->layout;
        EXPECT_EQ(layout.format, (PictureFormat{37, 21, row.bit_depth, row.picture})) << row.tag;
        EXPECT_EQ(layout.conversion, row.conversion) << row.tag;
        const std::size_t planes = row.tag == "444alpha" ? 4 : row.picture == ChromaFormat::yuv400 ? 1 : 3;
        ASSERT_EQ(layout.planes.size(), planes) << row.tag;
        EXPECT_EQ(layout.planes[0].width, 37);
        EXPECT_EQ(layout.planes[0].height, 21);
        std::uint64_t samples = 37 * 21;
        for (std::size_t p = 1; p < planes; ++p) {
            EXPECT_EQ(layout.planes[p].width, row.file_chroma_width) << row.tag;
            EXPECT_EQ(layout.planes[p].height, row.file_chroma_height) << row.tag;
            EXPECT_EQ(layout.planes[p].picture_plane, p < 3 ? int(p) : FilePlane::dropped) << row.tag;
            samples += std::uint64_t(row.file_chroma_width) * std::uint64_t(row.file_chroma_height);
        }
        EXPECT_EQ(layout.frame_bytes(), samples * (row.bit_depth > 8 ? 2 : 1)) << row.tag;
    }
}

TEST(Y4mHeader, SitingMayBeLeftAlone) {
    for (const auto& [tag, conversion] : std::map<std::string, ChromaConversion>{
             {"422", ChromaConversion::none}, {"411", ChromaConversion::repeat_411}, {"420paldv", ChromaConversion::none}})
        EXPECT_EQ(parse("W37 H21 F25:1 C" + tag, false)->layout.conversion, conversion) << tag;
}

TEST(Y4mHeader, UnknownChromaIsNamedWithWhatIsKnown) {
    for (const char* tag : {"422jpeg", "420p8", "420p17", "420p", "monop10", "420JPEG", "", "420p010", "mono8", "444alpha10", "4200",
                            "averyveryverylongname"}) {
        const std::string text = problem("W16 H16 F25:1 C" + std::string(tag));
        EXPECT_NE(text.find("unknown chroma 'C" + std::string(tag) + "': 420, "), std::string::npos) << text;
    }
}

TEST(Y4mHeader, TagsAreFree) {
    const PictureFormat expected{64, 48, 8, ChromaFormat::yuv420};
    for (const char* tags :
         {"W64 H48 F25:1", "F25:1 H48 W64", "  W64   H48  F25:1  ", "W1 H48 W64 F25:1", "W64abc H+48 F30000:1001x", "W64 H48 F25:1 I?",
          "W64 H48 F25:1 Ipxx", "W64 H48 F25:1 A0:0 XYSCSS=420JPEG Zzz q", "W64 H48 F-1:0", "W064 H48 F25:1 A-1:7"}) {
        const auto header = parse(tags);
        ASSERT_TRUE(header) << tags << ": " << header.error().message;
        EXPECT_EQ(header->layout.format, expected) << tags;
    }
    EXPECT_TRUE(parse_y4m_header("YUV4MPEG W64 H48 F25:1", true));  // the ninth character is not looked at
    EXPECT_TRUE(parse_y4m_header("YUV4MPEG3 W64 H48 F25:1", true));
}

TEST(Y4mHeader, RemarksAreWhatScoringDoesNotUse) {
    EXPECT_EQ(parse("W64 H48 F50:2 Ip A32:27 XCOLORRANGE=LIMITED XYSCSS=420JPEG")->remarks,
              (std::vector<std::string>{"frame rate 25:1", "sample aspect 32:27", "XCOLORRANGE=LIMITED", "XYSCSS=420JPEG"}));
    EXPECT_EQ(parse("W64 H48 F0:0 A0:0")->remarks, (std::vector<std::string>{"frame rate 0:0"}));
}

TEST(Y4mHeader, ErrorsNameTheTag) {
    const std::map<std::string, std::string> problems{
        {"H48 F25:1", "no width (W)"},
        {"W64 F25:1", "no height (H)"},
        {"W64 H48", "no frame rate (F)"},
        {"W64 H48 F25", "'F25'"},
        {"W64 H48 F25:", "'F25:'"},
        {"W64 H48 F:1", "'F:1'"},
        {"W64 H48 F25:1 A1", "'A1'"},
        {"W H48 F25:1", "'W'"},
        {"Wx64 H48 F25:1", "'Wx64'"},
        {"W+-64 H48 F25:1", "'W+-64'"},
        {"W99999999999999999999 H48 F25:1", "'W99999999999999999999'"},
        {"W0 H48 F25:1", "0x48"},
        {"W64 H-48 F25:1", "64x-48"},
        {"W100000 H100000 F25:1", "100000x100000: sides must be 1..65536"},
        {"W64 H48 F25:1 It", "interlaced ('It')"},
        {"W64 H48 F25:1 Ib", "interlaced ('Ib')"},
        {"W64 H48 F25:1 Im", "interlaced ('Im')"},
        {"W64 H48 F25:1 I", "interlaced ('I')"},
    };
    for (const auto& [tags, expected] : problems) {
        const auto header = parse(tags);
        ASSERT_FALSE(header) << tags;
        EXPECT_EQ(header.error().code, Code::bad_input) << tags;
        EXPECT_NE(header.error().message.find(expected), std::string::npos) << tags << ": " << header.error().message;
    }
    EXPECT_FALSE(parse_y4m_header("", true));
    EXPECT_FALSE(parse_y4m_header("YUV4MPE", true));
    EXPECT_FALSE(parse_y4m_header("YUV4MPEG", true));
}

}  // namespace
}  // namespace isometric
