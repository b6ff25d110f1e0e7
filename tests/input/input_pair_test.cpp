#include "input/input_pair.h"

#include "tests/input/input_files.h"
#include "tests/support/pictures.h"

namespace isometric::test {
namespace {

class InputPairTest : public InputFiles {
protected:
    Result<InputPair> open(const std::string& ref, const std::string& dis, bool common = false) const {
        return InputPair::open({{path(ref), {}, 0}, {path(dis), {}, 0}, common});
    }
    std::string problem(const std::string& ref, const std::string& dis, bool common = false) const {
        const auto pair = open(ref, dis, common);
        return pair ? "none" : pair.error().message;
    }
    // Reads to the end; the number of pairs, or the error.
    std::string read_to_end(InputPair& pair) const {
        Picture ref = *Picture::allocate(pair.format()), dis = *Picture::allocate(pair.format());
        for (;;) {
            const auto more = pair.read(ref, dis);
            if (!more) return more.error().message;
            if (!*more) return std::to_string(pair.frames_read());
        }
    }
};

TEST_F(InputPairTest, ReadsInStep) {
    const ClipSpec spec = clip("33x35 8 420 3 texture quant:20 1");
    put("ref", to_y4m(spec.reference()));
    put("dis", to_y4m(spec));
    auto pair = open("ref", "dis");
    ASSERT_TRUE(pair) << pair.error().message;
    EXPECT_TRUE(pair->warnings().empty());
    Picture ref = *Picture::allocate(pair->format()), dis = *Picture::allocate(pair->format());
    for (int n = 0; n < 3; ++n) {
        ASSERT_TRUE(*pair->read(ref, dis));
        EXPECT_SAME_PICTURES(make_picture(spec.reference(), n), ref);
        EXPECT_SAME_PICTURES(make_picture(spec, n), dis);
    }
    EXPECT_FALSE(*pair->read(ref, dis));
    EXPECT_TRUE(pair->lengths().equal());
}

// Sizes are compared as they are, not rounded up to blocks, and all problems come at once.
TEST_F(InputPairTest, ListsEveryProblem) {
    put("a", to_y4m(clip("352x288 8 420 1 noise none 1")));
    put("b", to_y4m(clip("350x286 8 420 1 noise none 1")));
    put("c", to_y4m(clip("350x286 10 444 1 noise none 1")));
    EXPECT_EQ(problem("a", "b"), path("a") + " and " + path("b") + " cannot be compared: their sizes are 352x288 and 350x286");
    EXPECT_EQ(problem("a", "c"), path("a") + " and " + path("c") +
                                     " cannot be compared: their sizes are 352x288 and 350x286; their chroma formats are 4:2:0 and 4:4:4; "
                                     "their bit depths are 8 and 10");
    EXPECT_EQ(open("a", "c").error().code, Code::bad_input);
    EXPECT_EQ(problem("a", "a"), "none");
    EXPECT_NE(problem("a", "missing").find("missing: cannot be opened"), std::string::npos);
}

TEST_F(InputPairTest, ComparesAtTheLargerDepthWhenAsked) {
    const ClipSpec shallow = clip("33x35 8 420 2 noise none 1"), deep = clip("33x35 10 420 2 noise none 2");
    put("shallow", to_y4m(shallow));
    put("deep", to_y4m(deep));
    EXPECT_NE(problem("shallow", "deep").find("their bit depths are 8 and 10"), std::string::npos);
    for (const bool swapped : {false, true}) {
        auto pair = swapped ? open("deep", "shallow", true) : open("shallow", "deep", true);
        ASSERT_TRUE(pair) << pair.error().message;
        EXPECT_EQ(pair->format().bit_depth, 10);
        Picture ref = *Picture::allocate(pair->format()), dis = *Picture::allocate(pair->format());
        ASSERT_TRUE(*pair->read(ref, dis));
        const Picture &raised = swapped ? dis : ref, &same = swapped ? ref : dis;
        EXPECT_SAME_PICTURES(make_picture(deep), same);
        for (int y = 0; y < 35; ++y)
            for (int x = 0; x < 33; ++x) ASSERT_EQ(sample_at(raised, 0, x, y), sample_at(make_picture(shallow), 0, x, y) << 2);
    }
}

// Raw inputs may have depths of their own.
TEST_F(InputPairTest, RawInputsMayDifferInDepth) {
    const ClipSpec shallow = clip("33x35 8 422 2 noise none 1"), deep = clip("33x35 12 422 2 noise none 2");
    put("shallow", to_raw(shallow));
    put("deep", to_raw(deep));
    auto pair = InputPair::open({{path("shallow"), raw_options(shallow), 0}, {path("deep"), raw_options(deep), 0}, true});
    ASSERT_TRUE(pair) << pair.error().message;
    EXPECT_EQ(pair->format(), deep.format);
    EXPECT_EQ(read_to_end(*pair), "2");
}

TEST_F(InputPairTest, WarnsOfWhatIsNotScored) {
    const std::string frames = to_y4m(clip("16x16 8 420 1 noise none 1")).substr(y4m_header(clip("16x16 8 420 1 noise none 1")).size());
    put("a", "YUV4MPEG2 W16 H16 F25:1 A1:1 XCOLORRANGE=FULL\n" + frames);
    put("b", "YUV4MPEG2 W16 H16 F30:1 A1:1 XCOLORRANGE=LIMITED\n" + frames);
    put("c", "YUV4MPEG2 W16 H16 F50:2 A0:0\n" + frames);
    const auto pair = open("a", "b");
    ASSERT_TRUE(pair);
    EXPECT_EQ(pair->warnings(),
              (std::vector<std::string>{
                  path("a") + " says frame rate 25:1, " + path("b") + " says frame rate 30:1: frames are compared as they are",
                  path("a") + " says XCOLORRANGE=FULL, " + path("b") + " says XCOLORRANGE=LIMITED: frames are compared as they are"}));
    EXPECT_TRUE(open("a", "c")->warnings().empty());
}

TEST_F(InputPairTest, CountsBothLengths) {
    put("five", to_y4m(clip("16x16 8 420 5 noise none 1")));
    put("three", to_y4m(clip("16x16 8 420 3 noise none 1")));
    for (const bool swapped : {false, true}) {
        auto pair = swapped ? open("three", "five") : open("five", "three");
        EXPECT_EQ(read_to_end(*pair), "3");
        const auto lengths = pair->lengths();
        EXPECT_FALSE(lengths.equal());
        EXPECT_EQ(lengths.reference, swapped ? 3 : 5);
        EXPECT_EQ(lengths.distorted, swapped ? 5 : 3);
        EXPECT_EQ(lengths.describe(*pair), swapped
                                               ? path("three") + " has 3 frames and " + path("five") + " has 5: the first 3 were compared"
                                               : path("five") + " has 5 frames and " + path("three") + " has 3: the first 3 were compared");
    }
}

TEST_F(InputPairTest, SkipsEachInput) {
    const ClipSpec spec = clip("16x16 8 420 5 noise none 1");
    put("a", to_y4m(spec));
    auto pair = InputPair::open({{path("a"), {}, 1}, {path("a"), {}, 3}, false});
    Picture ref = *Picture::allocate(pair->format()), dis = *Picture::allocate(pair->format());
    ASSERT_TRUE(*pair->read(ref, dis));
    EXPECT_SAME_PICTURES(make_picture(spec, 1), ref);
    EXPECT_SAME_PICTURES(make_picture(spec, 3), dis);
    EXPECT_EQ(read_to_end(*pair), "2");
    const auto past = InputPair::open({{path("a"), {}, 0}, {path("a"), {}, 6}, false});
    ASSERT_FALSE(past);
    EXPECT_EQ(past.error().code, Code::no_frames);
    EXPECT_EQ(past.error().message, path("a") + ": has 5 frames; skipping 6 leaves none");
    EXPECT_EQ(InputPair::open({{path("a"), {}, -1}, {path("a"), {}, 0}, false}).error().code, Code::invalid_argument);
}

// Pairs before the damage are whole, whichever input has it.
TEST_F(InputPairTest, DamageEndsTheRun) {
    const std::string whole = to_y4m(clip("16x16 8 420 4 noise none 1"));
    put("whole", whole);
    put("cut", whole.substr(0, whole.size() - 400));
    for (const bool swapped : {false, true}) {
        auto pair = swapped ? open("cut", "whole") : open("whole", "cut");
        const std::string text = read_to_end(*pair);
        EXPECT_EQ(text.find(path("cut") + ": frame 2, byte "), 0u) << text;
        EXPECT_EQ(pair->frames_read(), 2);
        EXPECT_EQ(swapped ? pair->lengths().reference : pair->lengths().distorted, 2);
    }
}

TEST_F(InputPairTest, BothCannotBeStandardInput) {
    EXPECT_EQ(InputPair::open({{"-", {}, 0}, {"/dev/stdin", {}, 0}, false}).error().message,
              "reference and distorted input are both read from standard input");
    EXPECT_EQ(InputPair::open({{"/dev/fd/7", {}, 0}, {"/proc/self/fd/7", {}, 0}, false}).error().code, Code::invalid_argument);
    EXPECT_EQ(InputPair::open({{"/dev/fd/987", {}, 0}, {"/dev/fd/988", {}, 0}, false}).error().code, Code::bad_input);
}

TEST_F(InputPairTest, LumaOnly) {
    const ClipSpec spec = clip("16x16 8 420 1 noise none 1");
    put("a", to_y4m(spec));
    auto pair = open("a", "a");
    pair->set_luma_only(true);
    Picture ref = *Picture::allocate(spec.format), dis = *Picture::allocate(spec.format);
    ASSERT_TRUE(*pair->read(ref, dis));
    EXPECT_EQ(sample_at(ref, 1, 2, 2), 0);
    EXPECT_EQ(sample_at(dis, 0, 2, 2), sample_at(make_picture(spec), 0, 2, 2));
}

}  // namespace
}  // namespace isometric::test
