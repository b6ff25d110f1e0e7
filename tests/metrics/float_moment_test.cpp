// `float_moment` on whole pictures: golden figures and tables, every depth, and pictures made to round.
#include "metrics/float_moment/float_moment.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "metrics/float_moment/float_moment_passes.h"
#include "numeric/ordered_sum.h"
#include "tests/metrics/float_moment_reference.h"
#include "tests/metrics/formula_clip.h"
#include "tests/metrics/metric_run.h"
#include "tests/support/bits.h"
#include "tests/support/fill.h"
#include "tests/support/golden.h"
#include "tests/support/guarded.h"
#include "tests/support/instruction_sets.h"

namespace isometric::test {
namespace {

struct Golden {
    const char* kind;
    PictureFormat format;
    double ref1st, dis1st, ref2nd, dis2nd;
};

constexpr Golden goldens[] = {
    {"noise", {64, 48, 8, ChromaFormat::yuv420}, 0x1.f83f555555555p+6, 0x1.f5a2aaaaaaaabp+6, 0x1.4c82a6aaaaaabp+14, 0x1.4b25acp+14},
    {"smooth",
     {577, 323, 10, ChromaFormat::yuv420},
     0x1.ff0a983856fap+6,
     0x1.fe8f2b5db61e9p+6,
     0x1.14565e68c0f99p+14,
     0x1.14301470b4fc7p+14},
    {"dots2", {65, 47, 12, ChromaFormat::yuv420}, 0x1.1de83e585274dp+5, 0x1.19357667bda2p+5, 0x1.068d9e7ddcf91p+11, 0x1.e2c7f42f42f43p+10},
    {"noise",
     {577, 323, 16, ChromaFormat::yuv400},
     0x1.ffc2f5d6e625cp+6,
     0x1.002363b7804c8p+7,
     0x1.54cd545f628ebp+14,
     0x1.5592ebc9b7583p+14},
    {"bright",
     {2560, 1440, 16, ChromaFormat::yuv400},
     0x1.dffb7acf8091ap+7,
     0x1.e001d811f49f5p+7,
     0x1.c2a23dacf1234p+15,
     0x1.c2ae085cf416cp+15},
    {"noise",
     {4096, 2560, 16, ChromaFormat::yuv400},
     0x1.ffd7de54b3333p+6,
     0x1.fff4255d5999ap+6,
     0x1.552f4567782cp+14,
     0x1.5547cb777181bp+14},
    {"bright", {4096, 2560, 16, ChromaFormat::yuv400}, 0x1.dfffa3968cccdp+7, 0x1.e00105664p+7, 0x1.c2a9f9bcdfp+15, 0x1.c2ac8dd2cb666p+15},
};

TEST(FloatMomentGolden, FormulaPicturesHaveLibvmafsBits) {
    for (const Golden& g : goldens) {
        SCOPED_TRACE(std::string(g.kind) + " " + g.format.describe());
        const ClipPair clip = formula_clip(still_samples, g.kind, g.format, 1);
        for_each_instruction_set([&](InstructionSet set) {
            const auto run = run_metric(float_moment_info(), {""}, clip, set);
            ASSERT_TRUE(run) << run.error().message;
            EXPECT_SAME_BITS(g.ref1st, run->at("float_moment_ref1st", 0));
            EXPECT_SAME_BITS(g.dis1st, run->at("float_moment_dis1st", 0));
            EXPECT_SAME_BITS(g.ref2nd, run->at("float_moment_ref2nd", 0));
            EXPECT_SAME_BITS(g.dis2nd, run->at("float_moment_dis2nd", 0));
        });
    }
}

TEST(FloatMomentGolden, TablesHaveLibvmafsBits) {
    const auto cases = golden_cases();
    ASSERT_TRUE(cases) << cases.error().message;
    int compared = 0;
    for (const GoldenCase& golden : *cases)
        for (const GoldenRequest& request : golden.requests) {
            if (request.is_model || request.name != "float_moment") continue;
            SCOPED_TRACE(golden.name);
            ClipPair clip;
            const auto ref = make_clip(golden.clip.reference()), dis = make_clip(golden.clip);
            for (std::size_t i = 0; i < ref.size(); ++i) clip.push_back({ref[i], dis[i]});
            const auto table = golden_table(golden.name);
            ASSERT_TRUE(table) << table.error().message;
            const auto run = run_metric(float_moment_info(), {""}, clip, best_instruction_set());
            ASSERT_TRUE(run) << run.error().message;
            for (const auto& [name, values] : run->features) {
                const auto expected = table->feature(name);
                ASSERT_EQ(expected.size(), values.size()) << name;
                for (const auto& [frame, value] : expected)
                    EXPECT_SAME_BITS(value, values.at(std::size_t(frame))) << name << " frame " << frame;
                compared += int(values.size());
            }
        }
    EXPECT_GE(compared, 60);
}

void expect_reference(const FramePair& pair) {
    const auto ref = float_moment_reference::moments(pair.ref), dis = float_moment_reference::moments(pair.dis);
    for_each_instruction_set([&](InstructionSet set) {
        const auto run = run_metric(float_moment_info(), {""}, {pair}, set);
        ASSERT_TRUE(run) << run.error().message;
        ASSERT_SAME_BITS(ref.first, run->at("float_moment_ref1st", 0));
        ASSERT_SAME_BITS(dis.first, run->at("float_moment_dis1st", 0));
        ASSERT_SAME_BITS(ref.second, run->at("float_moment_ref2nd", 0));
        ASSERT_SAME_BITS(dis.second, run->at("float_moment_dis2nd", 0));
    });
}

TEST(FloatMoment, EveryDepthAndSizeHasTheReferenceBits) {
    for (int bits = 8; bits <= 16; ++bits)
        for (const auto& [width, height] : {std::pair{1, 1}, {3, 5}, {16, 2}, {65, 47}, {131, 20}})
            for (const char* kind : {"noise", "smooth", "dots2", "flat", "check", "ext"}) {
                SCOPED_TRACE(std::to_string(bits) + " bits " + std::to_string(width) + "x" + std::to_string(height) + " " + kind);
                const FramePair pair = formula_clip(still_samples, kind, {width, height, bits, ChromaFormat::yuv420}, 1)[0];
                expect_reference({guarded_picture(pair.ref), guarded_picture(pair.dis)});
                if (HasFatalFailure()) return;
            }
}

// Nothing masks words to the bit depth.
TEST(FloatMoment, WordsAboveTheBitDepthHaveTheReferenceBits) {
    Random random(1);
    for (const int bits : {10, 12}) {
        FramePair pair{*Picture::allocate({333, 21, bits, ChromaFormat::yuv400}),
                       *Picture::allocate({333, 21, bits, ChromaFormat::yuv400})};
        for (int y = 0; y < 21; ++y)
            for (int x = 0; x < 333; ++x) {
                pair.ref.writable_plane<std::uint16_t>(0).row(y)[x] = std::uint16_t(random());
                pair.dis.writable_plane<std::uint16_t>(0).row(y)[x] = std::uint16_t(x + y == 200 ? 60000 : random.below(1 << bits));
            }
        expect_reference(pair);
    }
}

// ---- Pictures made to round -------------------------------------------------------------------------------------------------------------

// Samples in raster order, with the serial sum of their squares in steps.
class Script {
public:
    Script(int width, int height) : samples_(), size_(std::size_t(width) * std::size_t(height)), width_(std::size_t(width)) {
        samples_.reserve(size_);
    }

    double sum() const { return sum_; }
    void push(std::uint16_t sample) {
        if (samples_.size() == size_) return;
        samples_.push_back(sample);
        sum_ += double(float(sample) * float(sample));
    }
    // Largest samples first, until the serial sum is `target`. Near a binade's end not every sum can be met by squares.
    void push_up_to(double target) {
        while (sum_ < target) {
            std::uint32_t low = 0, high = 65535;  // the largest sample that does not pass the target
            while (low < high) {
                const std::uint32_t middle = (low + high + 1) / 2;
                if (sum_ + double(ordered_sum::square_term(std::uint16_t(middle))) <= target) low = middle;
                else high = middle - 1;
            }
            push(std::uint16_t(low));
            ASSERT_LT(samples_.size(), size_);
        }
        ASSERT_EQ(target, sum_);
    }
    void push_zeros_to_row_end() {
        while (samples_.size() % width_) push(0);
    }
    template <class F>
    void push_rest(F sample) {
        while (samples_.size() < size_) push(std::uint16_t(sample()));
    }
    const std::vector<std::uint16_t>& samples() const { return samples_; }

private:
    std::vector<std::uint16_t> samples_;
    std::size_t size_, width_;
    double sum_ = 0.0;
};

void expect_serial(const Script& script, int width, int height) {
    ASSERT_EQ(std::size_t(width) * std::size_t(height), script.samples().size());
    for_each_instruction_set([&](InstructionSet set) {
        const auto sums = float_moment::sums_u16(float_moment::passes(set), {script.samples().data(), width, width, height}, 16);
        ASSERT_SAME_BITS(script.sum(), double(sums.second));
    });
}

TEST(FloatMomentRounding, AboutTheFirstBinade) {
    constexpr int width = 2000, height = 1100;
    const auto check = [&](const char* what, const std::function<void(Script&)>& write) {
        SCOPED_TRACE(what);
        Script script(width, height);
        write(script);
        script.push_rest([] { return 0; });
        expect_serial(script, width, height);
    };
    check("2^53 - 1", [](Script& s) { s.push_up_to(0x1p53 - 1); });
    check("2^53", [](Script& s) { s.push_up_to(0x1p53); });
    check("2^53 and ones, all of them dropped", [](Script& s) {
        s.push_up_to(0x1p53);
        s.push_rest([] { return 1; });
        EXPECT_EQ(0x1p53, s.sum());
    });
    check("2^53 + 2 and ones: one goes up", [](Script& s) {
        s.push_up_to(0x1p53 - 2);
        s.push(2);
        s.push_rest([] { return 1; });
        EXPECT_EQ(0x1p53 + 4, s.sum());
    });
    check("one odd tie, then rows of odd samples", [](Script& s) {
        s.push_up_to(0x1p53 - 2);
        s.push(2);
        s.push_zeros_to_row_end();
        Random random(1);
        s.push_rest([&] { return random.below(2048) * 2 + 1; });
    });
    check("bright, then odd dark", [](Script& s) {
        s.push_up_to(0x1p53 + 0x1p33);
        Random random(2);
        s.push_rest([&] { return random.below(2048) * 2 + 1; });
    });
}

TEST(FloatMomentRounding, AboutTheSecondBinade) {
    constexpr int width = 2560, height = 1700;
    Script dropped(width, height);
    dropped.push_up_to(0x1p54);
    dropped.push_rest([] { return 1; });
    EXPECT_EQ(0x1p54, dropped.sum());
    expect_serial(dropped, width, height);
    Script mixed(width, height);
    mixed.push_up_to(0x1p54 - 8);
    Random random(3);
    mixed.push_rest([&] { return random.below(9000); });
    expect_serial(mixed, width, height);
}

TEST(FloatMomentRounding, AboutTheThirdBinade) {
    constexpr int width = 4096, height = 2560;
    const auto check = [&](const char* what, const std::function<void(Script&)>& write) {
        SCOPED_TRACE(what);
        Script script(width, height);
        write(script);
        script.push_rest([] { return 0; });
        expect_serial(script, width, height);
    };
    check("the end passed by few units", [](Script& s) {
        s.push_up_to(0x1p55 - 4);
        s.push_zeros_to_row_end();
        for (int i = 0; i < 10; ++i) s.push(2);
    });
    check("ties of 8 units, both ways", [](Script& s) {
        s.push_up_to(0x1p55 + 8);
        Random random(4);
        s.push_rest([&] { return random.below(3) ? random.below(2048) * 4 + 2 : random.below(5793) * 2 + 1; });
    });
}

TEST(FloatMomentRounding, AboutTheFourthBinade) {
    constexpr int width = 7680, height = 4320;
    Script script(width, height);
    script.push_up_to(0x1p56 + 16);
    Random random(5);
    script.push_rest([&] { return 8192 + random.below(3394); });
    expect_serial(script, width, height);
}

TEST(FloatMomentRounding, LargePicturesOfEveryBrightness) {
    constexpr int width = 7680, height = 4320;
    Random random(6);
    Script noise(width, height), white(width, height);
    noise.push_rest([&] { return random(); });
    expect_serial(noise, width, height);
    white.push_rest([&] { return 65535 - random.below(4); });
    expect_serial(white, width, height);
}

TEST(FloatMoment, PicturesOfTooManySamplesAreRefused) {
    const OptionValues defaults(float_moment_info());
    EXPECT_FALSE(float_moment_info().create({&defaults, 1}, {65536, 32768, 8, ChromaFormat::yuv400}, best_instruction_set()));
    EXPECT_TRUE(float_moment_info().create({&defaults, 1}, {65536, 32767, 8, ChromaFormat::yuv400}, best_instruction_set()));
}

}  // namespace
}  // namespace isometric::test
