// `motion` as a metric: options, joining of frames, refusals.
#include "metrics/motion/motion.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/metrics/formula_clip.h"
#include "tests/metrics/metric_run.h"
#include "tests/metrics/motion_reference.h"
#include "tests/metrics/part_splitter.h"
#include "tests/support/bits.h"
#include "tests/support/fill.h"
#include "tests/support/instruction_sets.h"

namespace isometric::test {
namespace {

std::vector<Picture> references(const ClipPair& clip) {
    std::vector<Picture> frames;
    for (const FramePair& pair : clip) frames.push_back(pair.ref);
    return frames;
}

// Options as text, and the same for the reference. Values are multiples of 1/64, so that their text is exact.
struct Configuration {
    std::string text;
    motion_reference::Options options;
};

Configuration random_configuration(Random& random) {
    Configuration c;
    const auto add = [&](const std::string& name, const std::string& value) { c.text += (c.text.empty() ? "" : ":") + name + "=" + value; };
    const auto real = [&](const char* name, double& option, double scale) {
        if (random.below(2)) return;
        option = double(random.below(65)) / 64 * scale;
        add(name, std::to_string(option));
        option = std::stod(std::to_string(option));
    };
    const auto flag = [&](const char* name, bool& option) {
        if (random.below(3)) return;
        option = true;
        add(name, "true");
    };
    real("motion_blend_factor", c.options.blend_factor, 1);
    real("motion_blend_offset", c.options.blend_offset, 64);
    real("motion_fps_weight", c.options.fps_weight, 4);
    real("motion_max_val", c.options.max_val, 128);
    flag("motion_five_frame_window", c.options.five_frame_window);
    flag("motion_moving_average", c.options.moving_average);
    if (random.below(6) == 0) flag("motion_force_zero", c.options.force_zero);
    return c;
}

const std::vector<double>& feature(const RunScores& run, const std::string& part) {
    for (const auto& [name, values] : run.features)
        if (name.find(part) != std::string::npos) return values;
    static const std::vector<double> none;
    return none;
}

// Every clip length and option, concluded with no more records than the metric asks for.
TEST(Motion, EveryClipLengthAndOptionHasTheReferenceBits) {
    Random random(5);
    for (int frames = 1; frames <= 9; ++frames)
        for (int trial = 0; trial < 24; ++trial) {
            const Configuration c = random_configuration(random);
            SCOPED_TRACE(std::to_string(frames) + " frames, " + c.text);
            const char* kind = std::vector<const char*>{"smooth", "move", "dots", "noise"}[random.below(4)];
            const ClipPair clip = formula_clip(moving_samples, kind, {9, 7, random.below(2) ? 8 : 10, ChromaFormat::yuv400}, frames);
            const auto run = run_metric(motion_info(), {c.text}, clip, best_instruction_set());
            ASSERT_TRUE(run) << run.error().message;
            const motion_reference::Scores expected = motion_reference::score(references(clip), c.options);
            ASSERT_SAME_BITS(expected.sad, feature(*run, "motion_sad"));
            ASSERT_SAME_BITS(expected.motion2, feature(*run, "motion2"));
            ASSERT_SAME_BITS(expected.motion3, feature(*run, "motion3"));
        }
}

TEST(Motion, DebugAddsTheFrameDistanceUnderItsOtherName) {
    const ClipPair clip = formula_clip(moving_samples, "move", {32, 20, 8, ChromaFormat::yuv420}, 4);
    const auto run = run_metric(motion_info(), {"debug=true"}, clip, best_instruction_set());
    ASSERT_TRUE(run) << run.error().message;
    EXPECT_EQ(4u, run->features.size());
    EXPECT_SAME_BITS(run->features.at("VMAF_integer_feature_motion_sad_score"), run->features.at("VMAF_integer_feature_motion_score"));
    EXPECT_GT(run->at("VMAF_integer_feature_motion_score", 2), 0.0);
}

TEST(Motion, SmallPicturesAreRefused) {
    const OptionValues defaults(motion_info());
    for (const auto& [width, height] : {std::pair{2, 64}, {64, 2}, {1, 1}}) {
        const auto metric = motion_info().create({&defaults, 1}, {width, height, 8, ChromaFormat::yuv420}, best_instruction_set());
        ASSERT_FALSE(metric);
        EXPECT_EQ(Code::invalid_argument, metric.error().code);
        EXPECT_NE(std::string::npos, metric.error().message.find("3x3")) << metric.error().message;
    }
    EXPECT_TRUE(motion_info().create({&defaults, 1}, {3, 3, 8, ChromaFormat::yuv420}, best_instruction_set()));
}

TEST(Motion, HistoryIsWhatTheVariantsNeed) {
    const auto history = [](std::vector<std::string> texts) {
        std::vector<OptionValues> values;
        for (const std::string& text : texts) values.push_back(*OptionValues::parse(motion_info(), option_texts(text)));
        const auto metric = motion_info().create(values, {16, 16, 8, ChromaFormat::yuv420}, best_instruction_set());
        EXPECT_TRUE((*metric)->every_frame());
        return std::pair((*metric)->history(), (*metric)->record_size());
    };
    EXPECT_EQ(std::pair(1, 1), history({""}));
    EXPECT_EQ(std::pair(2, 1), history({"motion_five_frame_window=true"}));
    EXPECT_EQ(std::pair(2, 2), history({"motion_max_val=18", "motion_five_frame_window=true", ""}));
    EXPECT_EQ(std::pair(0, 0), history({"motion_force_zero=true"}));
}

TEST(Motion, IdleWorkersTakeParts) {
    std::vector<OptionValues> values = {OptionValues(motion_info()),
                                        *OptionValues::parse(motion_info(), option_texts("motion_five_frame_window=true"))};
    const PictureFormat format{50, 700, 8, ChromaFormat::yuv420};
    const ClipPair clip = formula_clip(moving_samples, "move", format, 3);
    const auto metric = motion_info().create(values, format, best_instruction_set());
    const auto workspace = (*metric)->create_workspace();
    const std::vector<FramePair> earlier = {clip[1], clip[0]};
    const auto record = [&](const Splitter* splitter) {
        std::vector<double> sums(2, -1.0);
        EXPECT_TRUE((*metric)->measure({.index = 2, .current = clip[2], .earlier = earlier, .splitter = splitter}, **workspace, sums));
        return sums;
    };
    const std::vector<double> expected = record(nullptr);
    EXPECT_GT(expected[0], 0.0);
    for (const int ways : {1, 2, 3, 8, 100}) {
        const ThreadSplitter splitter(ways);
        ASSERT_SAME_BITS(expected, record(&splitter)) << ways << " ways";
        EXPECT_EQ(ways == 1 ? 0 : 2 * std::min(ways, 10), splitter.parts_run);
    }
}

TEST(Motion, AMissingEarlierFrameIsAnError) {
    const OptionValues defaults(motion_info());
    const auto metric = motion_info().create({&defaults, 1}, {16, 16, 8, ChromaFormat::yuv420}, best_instruction_set());
    const auto workspace = (*metric)->create_workspace();
    const ClipPair clip = formula_clip(moving_samples, "move", {16, 16, 8, ChromaFormat::yuv420}, 1);
    double record = -1;
    EXPECT_FALSE((*metric)->measure({.index = 1, .current = clip[0], .earlier = {}}, **workspace, {&record, 1}));
    EXPECT_TRUE((*metric)->measure({.index = 0, .current = clip[0], .earlier = {}}, **workspace, {&record, 1}));
    EXPECT_SAME_BITS(0.0, record);
}

}  // namespace
}  // namespace isometric::test
