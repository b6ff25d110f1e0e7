// Sessions over the built metrics: threads, instruction sets, orders of frames, and what is refused.
#include "isometric/session.h"

#include <gtest/gtest.h>

#include <map>
#include <mutex>

#include "base/instruction_set.h"
#include "metrics/registry.h"
#include "tests/support/bits.h"
#include "tests/support/clip.h"

namespace isometric::test {
namespace {

ClipSpec clip_of(int width, int height, int depth, int frames, ChromaFormat chroma = ChromaFormat::yuv420) {
    ClipSpec clip;
    clip.format = {width, height, depth, chroma};
    clip.frames = frames;
    clip.distortion = {DistortionKind::quant, 24 << (depth - 8)};
    clip.seed = 5;
    return clip;
}

Status push_all(Session& session, const ClipSpec& clip) {
    for (int i = 0; i < clip.frames; ++i)
        if (Status status = session.push(make_picture(clip.reference(), i), make_picture(clip, i)); !status) return status;
    return session.finish();
}

Session create(SessionConfig config, bool models = true) {
    Session session = *Session::create(std::move(config));
    if (models) {
        ModelSettings neg;
        neg.name = "neg";
        EXPECT_TRUE(session.add_model(*Model::builtin("vmaf_v0.6.1")));
        EXPECT_TRUE(session.add_model(*Model::builtin("vmaf_v0.6.1neg", neg)));
    }
    return session;
}

void expect_equal(const Scores& a, const Scores& b, std::string_view what) {
    ASSERT_EQ(a.columns.size(), b.columns.size()) << what;
    EXPECT_EQ(a.frames, b.frames) << what;
    for (std::size_t c = 0; c < a.columns.size(); ++c) {
        EXPECT_EQ(a.columns[c].name, b.columns[c].name) << what;
        ASSERT_EQ(a.columns[c].values.size(), b.columns[c].values.size());
        for (std::size_t i = 0; i < a.columns[c].values.size(); ++i) {
            ASSERT_EQ(a.columns[c].values[i].has_value(), b.columns[c].values[i].has_value());
            if (a.columns[c].values[i]) {
                EXPECT_SAME_BITS(*a.columns[c].values[i], *b.columns[c].values[i]) << what << " " << a.columns[c].name << " frame " << i;
            }
        }
    }
}

TEST(Session, TheSameBitsOnAnyNumberOfThreadsAndEveryInstructionSet) {
    const ClipSpec clip = clip_of(353, 143, 8, 9);
    Session reference = create({.threads = 1, .instruction_set = "portable"});
    ASSERT_TRUE(push_all(reference, clip));
    for (const int threads : {1, 2, 8}) {
        for (InstructionSet set : available_instruction_sets()) {
            Session session = create({.threads = threads, .instruction_set = std::string(to_string(set))});
            ASSERT_TRUE(push_all(session, clip));
            expect_equal(reference.scores(), session.scores(), to_string(set));
        }
    }
}

TEST(Session, SubsamplingKeepsTheBitsOfTheFramesItScores) {
    const ClipSpec clip = clip_of(160, 120, 10, 8);
    Session all = create({.threads = 2});
    Session some = create({.threads = 2, .subsample = 3});
    ASSERT_TRUE(push_all(all, clip));
    ASSERT_TRUE(push_all(some, clip));
    for (std::int64_t i = 0; i < 8; i += 3) EXPECT_SAME_BITS(*all.score("vmaf", i), *some.score("vmaf", i));
    EXPECT_FALSE(some.score("vmaf", 1));
    const double mean = (*some.score("vmaf", 0) + *some.score("vmaf", 3) + *some.score("vmaf", 6)) / 3;
    EXPECT_SAME_BITS(mean, *some.pooled("vmaf", Pooling::mean));
}

TEST(Session, ScoresComeOneFrameLate) {
    const ClipSpec clip = clip_of(160, 120, 8, 4);
    Session session = create({.threads = 1});
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(session.push(make_picture(clip.reference(), i), make_picture(clip, i)));
    // Frame 1 needs frames 0 to 2; at most two frames are in flight on one worker, and a push waits for the one before them.
    EXPECT_TRUE(session.score("vmaf", 0) || session.score("vmaf", 0).error().code == Code::not_ready);
    EXPECT_EQ(session.score("vmaf", 3).error().code, Code::not_ready);
    ASSERT_TRUE(session.finish());
    EXPECT_TRUE(session.score("vmaf", 3));
}

TEST(Session, TheObserverHearsEveryScoreOnce) {
    const ClipSpec clip = clip_of(96, 64, 8, 5);
    Session session = create({.threads = 3});
    std::mutex mutex;
    std::map<std::pair<std::string, std::int64_t>, double> heard;
    session.on_score([&](std::string_view name, std::int64_t frame, double value) {
        const std::lock_guard lock(mutex);
        EXPECT_TRUE(heard.emplace(std::pair(std::string(name), frame), value).second) << name << frame;
    });
    ASSERT_TRUE(push_all(session, clip));
    const Scores scores = session.scores();
    EXPECT_EQ(heard.size(), scores.columns.size() * 5);
    for (const ScoreColumn& column : scores.columns)
        for (std::size_t i = 0; i < column.values.size(); ++i) EXPECT_SAME_BITS(*column.values[i], heard.at({column.name, std::int64_t(i)}));
}

TEST(Session, TheFirstIndexMayBeAny) {
    const ClipSpec clip = clip_of(96, 64, 8, 4);
    Session zero = create({});
    Session later = create({});
    for (int i = 0; i < 4; ++i) {
        ASSERT_TRUE(zero.push(make_picture(clip.reference(), i), make_picture(clip, i)));
        ASSERT_TRUE(later.push(make_picture(clip.reference(), i), make_picture(clip, i), i + 100));
    }
    ASSERT_TRUE(zero.finish());
    ASSERT_TRUE(later.finish());
    for (int i = 0; i < 4; ++i) EXPECT_SAME_BITS(*zero.score("vmaf", i), *later.score("vmaf", i + 100));
}

TEST(Session, FramesComeInAnyOrderWhenNoMetricReadsEarlierOnes) {
    const ClipSpec clip = clip_of(96, 64, 8, 4);
    Session session = *Session::create({});
    ASSERT_TRUE(session.add_metric("vif"));
    for (int i : {2, 0, 3, 1}) ASSERT_TRUE(session.push(make_picture(clip.reference(), i), make_picture(clip, i), i));
    EXPECT_FALSE(session.push(make_picture(clip.reference(), 1), make_picture(clip, 1), 1)) << "each index once";
    ASSERT_TRUE(session.finish());
    Session ordered = *Session::create({});
    ASSERT_TRUE(ordered.add_metric("vif"));
    ASSERT_TRUE(push_all(ordered, clip));
    expect_equal(ordered.scores(), session.scores(), "order");
}

TEST(Session, RefusesGapsWhereAMetricReadsEarlierFrames) {
    const ClipSpec clip = clip_of(96, 64, 8, 4);
    Session session = create({});
    ASSERT_TRUE(session.push(make_picture(clip.reference(), 0), make_picture(clip, 0), 0));
    const Status gap = session.push(make_picture(clip.reference(), 2), make_picture(clip, 2), 2);
    ASSERT_FALSE(gap);
    EXPECT_NE(gap.error().message.find("expected frame 1"), std::string::npos) << gap.error().message;
    EXPECT_TRUE(session.push(make_picture(clip.reference(), 1), make_picture(clip, 1), 1)) << "a refused call changes nothing";
}

TEST(Session, RefusesPicturesThatDoNotMatch) {
    Session session = create({});
    const Picture a = *Picture::allocate({64, 64, 8});
    const Picture wide = *Picture::allocate({66, 64, 8});
    const Picture deep = *Picture::allocate({64, 64, 10});
    EXPECT_FALSE(session.push(a, wide));
    EXPECT_FALSE(session.push(a, deep));
    EXPECT_FALSE(session.push(a, {}));
    EXPECT_FALSE(session.push(a, a, -1));
    EXPECT_FALSE(session.push(a, a, std::int64_t(1) << 40));
    ASSERT_TRUE(session.push(a, a));
    EXPECT_FALSE(session.push(deep, deep)) << "another format than the first frame's";
    ASSERT_TRUE(session.finish());
    EXPECT_FALSE(session.push(a, a)) << "after the end";
    EXPECT_FALSE(session.finish()) << "twice";
}

// Readers check samples; a caller's own pictures are scored as they are. Words above the bit depth may give any score, and do no harm: sanitizers and
// the guard pages around rows look on.
TEST(Session, SamplesAboveTheDepthDoNoHarm) {
    for (const int depth : {10, 12})
        for (const InstructionSet set : available_instruction_sets()) {
            Session session = create({.threads = 2, .instruction_set = std::string(to_string(set))});
            for (const MetricInfo* metric : all_metrics()) ASSERT_TRUE(session.add_metric(metric->name));
            ClipSpec clip = clip_of(97, 61, depth, 3, ChromaFormat::yuv444);
            for (int i = 0; i < clip.frames; ++i) {
                Picture pair[2] = {make_picture(clip.reference(), i), make_picture(clip, i)};
                std::uint32_t state = std::uint32_t(depth * 8 + i);
                for (Picture& picture : pair)
                    for (int plane = 0; plane < 3; ++plane) {
                        const auto view = picture.writable_plane<std::uint16_t>(plane);
                        for (int y = 0; y < view.height; ++y)
                            for (int x = 0; x < view.width; ++x)
                                if (const std::uint32_t random = state = state * 1664525 + 1013904223; i == 2 || random >> 24 < 32)
                                    view.row(y)[x] = i == 1 ? 0xFFFF : std::uint16_t(random >> 8);
                    }
                const Status pushed = session.push(pair[0], pair[1]);
                ASSERT_TRUE(pushed) << depth << " " << to_string(set) << ": " << pushed.error().message;
            }
            ASSERT_TRUE(session.finish()) << depth << " " << to_string(set);
            EXPECT_TRUE(session.score("vmaf", 2));
        }
}

TEST(Session, RefusesNamesThatClash) {
    Session session = create({});
    const Status twice = session.add_model(*Model::builtin("vmaf_4k_v0.6.1"));
    ASSERT_FALSE(twice);
    EXPECT_NE(twice.error().message.find("name="), std::string::npos) << twice.error().message;
    ModelSettings feature;
    feature.name = "VMAF_integer_feature_adm2_score";
    Session other = *Session::create({});
    EXPECT_FALSE(other.add_model(*Model::builtin("vmaf_v0.6.1", feature)) && other.start({64, 64, 8})) << "a model named like a feature";
}

TEST(Session, NamesWhatIsMissing) {
    Session session = *Session::create({});
    const Status model = session.add_model(*Model::builtin("vmaf_v1.0.16_3d0h"));
    ASSERT_FALSE(model);
    EXPECT_NE(model.error().message.find("cambi"), std::string::npos) << model.error().message;
    const Status metric = session.add_metric("viff");
    ASSERT_FALSE(metric);
    EXPECT_NE(metric.error().message.find("'vif'"), std::string::npos) << metric.error().message;
    EXPECT_FALSE(Session::create({.backend = "abacus"}));
    EXPECT_FALSE(Session::create({.instruction_set = "mmx"}));
    EXPECT_FALSE(Session::create({.threads = -1}));
    EXPECT_FALSE(Session::create({.subsample = 0}));
}

TEST(Session, NoFramesIsAnErrorOfItsOwn) {
    Session session = create({});
    const Status status = session.finish();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, Code::no_frames);
}

TEST(Session, PicturesAreReleasedAndMemoryIsBounded) {
    const ClipSpec clip = clip_of(96, 64, 8, 2);
    Session session = create({.threads = 2});
    ASSERT_TRUE(session.start(clip.format));
    PicturePool pool = *PicturePool::create(clip.format, 2 * session.frames_held() + 2);
    for (int i = 0; i < 200; ++i) ASSERT_TRUE(session.push(pool.acquire(), pool.acquire())) << i;
    ASSERT_TRUE(session.finish());
    EXPECT_EQ(pool.outstanding(), 0);
}

TEST(Session, ModelsReadImportedScores) {
    Session session = *Session::create({});
    const Model model = *Model::builtin("vmaf_v0.6.1");
    double value = 0.9;
    for (const ModelFeature& feature : model.features()) ASSERT_TRUE(session.import_score(feature.name, value -= 0.05, 3));
    const auto scores = session.predict(model, 3);
    ASSERT_TRUE(scores) << scores.error().message;
    std::vector<double> features, expected(1);
    for (std::size_t i = 0, n = model.features().size(); i < n; ++i) features.push_back(*session.score(model.features()[i].name, 3));
    model.predict(features, expected);
    EXPECT_SAME_BITS(expected[0], (*scores)[0]);
    EXPECT_FALSE(session.predict(model, 4));
}

TEST(Session, ClosesWithFramesInFlight) {
    const ClipSpec clip = clip_of(640, 360, 8, 1);
    for (int i = 0; i < 3; ++i) {
        Session session = create({.threads = 2});
        ASSERT_TRUE(session.push(make_picture(clip.reference()), make_picture(clip)));
    }
}

}  // namespace
}  // namespace isometric::test
