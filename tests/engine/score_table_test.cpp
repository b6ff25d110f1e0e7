// The score table with metrics made for the test: what is joined, when, and in which order, whatever the order of arrival.
#include "engine/score_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <new>
#include <numeric>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/bits.h"

namespace isometric {
namespace {

// level: emits the record itself. join: emits twice the neighbour's record after the next frame is there, and at the stream's end its own.
constexpr std::array<OptionSpec, 1> options = {{integer("mode", "md", 0, 0, 9, Naming::named, "an option that shows in names")}};
constexpr std::array<FeatureSpec, 1> level_features = {{{"level_score", "level", true}}};
constexpr std::array<FeatureSpec, 2> join_features = {{{"join_now", "join_now", true}, {"join_later", "join_later", true}}};

class Level final : public Metric {
public:
    explicit Level(int variants) : variants_(variants) {}
    Result<std::unique_ptr<Workspace>> create_workspace() const override { return std::make_unique<Workspace>(); }
    int record_size() const override { return variants_; }
    Status measure(const FrameInput&, Workspace&, std::span<double>) const override { return {}; }
    std::span<const EmittedFeature> emitted(int) const override { return emitted_; }
    void conclude(const RecordTable& records, std::int64_t frame, int variant, std::span<double> scores) const override {
        scores[0] = records.record(frame)[std::size_t(variant)];
    }
    void aggregate(const RecordTable& records, int variant, std::vector<Aggregate>& out) const override {
        double sum = 0;
        for (std::int64_t i = 0; i < records.frames(); ++i) sum += records.record(i)[std::size_t(variant)];
        out.push_back({"level_sum", sum});
    }

private:
    int variants_;
    std::array<EmittedFeature, 1> emitted_ = {{{0, WritePhase::first_frame}}};
};

class Join final : public Metric {
public:
    Result<std::unique_ptr<Workspace>> create_workspace() const override { return std::make_unique<Workspace>(); }
    int history() const override { return 1; }
    int record_size() const override { return 1; }
    Status measure(const FrameInput&, Workspace&, std::span<double>) const override { return {}; }
    std::span<const EmittedFeature> emitted(int) const override { return emitted_; }
    std::int64_t last_needed(std::int64_t frame) const override { return frame + 1; }
    void conclude(const RecordTable& records, std::int64_t frame, int, std::span<double> scores) const override {
        scores[0] = records.record(frame)[0];
        const bool last = records.ended() && frame + 1 == records.frames();
        scores[1] = last ? records.record(frame)[0] : 2 * records.record(frame + 1)[0];
    }

private:
    std::array<EmittedFeature, 2> emitted_ = {{{0, WritePhase::first_frame}, {1, WritePhase::flush}}};
};

Result<std::unique_ptr<Metric>> create_level(std::span<const OptionValues> variants, const PictureFormat&, InstructionSet) {
    return std::unique_ptr<Metric>(std::make_unique<Level>(int(variants.size())));
}
Result<std::unique_ptr<Metric>> create_join(std::span<const OptionValues>, const PictureFormat&, InstructionSet) {
    return std::unique_ptr<Metric>(std::make_unique<Join>());
}
const MetricInfo level = {"level", "", options, level_features, false, create_level};
const MetricInfo join = {"join", "", {}, join_features, false, create_join};
const PictureFormat format{16, 16, 8};

struct Fixture {
    MetricSet metrics;
    ScoreTable table;
    std::vector<std::pair<std::string, std::int64_t>> seen;

    explicit Fixture(int subsample = 1, bool with_join = true) {
        EXPECT_TRUE(metrics.add(join, {}) || !with_join);
        EXPECT_TRUE(metrics.add(level, {}));
        EXPECT_TRUE(metrics.add(level, std::vector<OptionText>{{"mode", "3"}}));
        EXPECT_TRUE(metrics.create(format, InstructionSet::portable));
        EXPECT_TRUE(table.set_up(metrics, subsample));
        table.set_observer([this](std::string_view name, std::int64_t frame, double) { seen.emplace_back(name, frame); });
    }
    void deliver_join(std::int64_t i) { table.deliver(0, i, std::array{double(i) + 0.5}); }
    void deliver_level(std::int64_t i) { table.deliver(1, i, std::array{double(i), double(-i)}); }
};

TEST(ScoreTable, ColumnsStandInOrderOfFirstWrite) {
    Fixture f;
    f.table.open(0);
    f.deliver_join(0);
    f.deliver_level(0);
    f.table.end();
    const Scores scores = f.table.snapshot(false);
    ASSERT_EQ(scores.columns.size(), 4u);
    EXPECT_EQ(scores.columns[0].name, "join_now");
    EXPECT_EQ(scores.columns[1].name, "level_score");
    EXPECT_EQ(scores.columns[1].report_name, "level");
    EXPECT_EQ(scores.columns[2].name, "level_md_3");
    EXPECT_EQ(scores.columns[3].name, "join_later");
}

TEST(ScoreTable, AnyOrderOfArrivalGivesTheSameScores) {
    constexpr int frames = 5;
    std::array<int, 2 * frames> order{};
    std::iota(order.begin(), order.end(), 0);
    std::vector<Scores> all;
    for (int seed = 0; seed < 60; ++seed) {
        Fixture f;
        for (int i = 0; i < frames; ++i) f.table.open(i);
        for (int k : order) k % 2 ? f.deliver_join(k / 2) : f.deliver_level(k / 2);
        EXPECT_FALSE(f.table.score("join_later", frames - 1)) << "needs the end of the stream";
        EXPECT_EQ(f.table.score("join_later", frames - 1).error().code, Code::not_ready);
        f.table.end();
        all.push_back(f.table.snapshot(false));
        EXPECT_EQ(f.table.frames_scored(), frames);
        EXPECT_EQ(f.seen.size(), std::size_t(4 * frames)) << "every score is told once";
        // The next order: a fixed walk through many permutations.
        std::rotate(order.begin(), order.begin() + 1 + seed % 3, order.end());
        std::swap(order[std::size_t(seed) % order.size()], order[std::size_t(seed * 7 + 3) % order.size()]);
    }
    for (const Scores& scores : all) {
        EXPECT_EQ(scores.frames, frames);
        for (std::size_t c = 0; c < scores.columns.size(); ++c) EXPECT_EQ(scores.columns[c].values, all[0].columns[c].values) << c;
        ASSERT_EQ(scores.aggregates.size(), 2u);
        EXPECT_EQ(scores.aggregates[0].value, 10);
    }
    EXPECT_EQ(*all[0].columns[3].values[0], 3);
    EXPECT_EQ(*all[0].columns[3].values[4], 4.5);
}

// Users' observers count and append without a lock of their own, as libvmaf lets them.
TEST(ScoreTable, TheObserverHearsOneScoreAtATimeInOrder) {
    Fixture f;
    for (int i = 0; i < 2; ++i) f.table.open(i);
    bool inside = false;
    f.table.set_observer([&](std::string_view name, std::int64_t frame, double) {
        EXPECT_FALSE(std::exchange(inside, true)) << name << " of frame " << frame;
        f.seen.emplace_back(name, frame);
        // Another worker delivers meanwhile; what it brought is heard after this.
        if (f.seen.size() == 1) std::thread([&] { f.deliver_level(1); }).join();
        inside = false;
    });
    f.deliver_level(0);
    const std::vector<std::pair<std::string, std::int64_t>> expected = {
        {"level_score", 0}, {"level_md_3", 0}, {"level_score", 1}, {"level_md_3", 1}};
    EXPECT_EQ(f.seen, expected);
}

TEST(ScoreTable, AThrowingObserverDoesNotSilenceTheNextScores) {
    Fixture f;
    for (int i = 0; i < 2; ++i) f.table.open(i);
    f.table.set_observer([&](std::string_view name, std::int64_t frame, double) {
        f.seen.emplace_back(name, frame);
        if (f.seen.size() == 1) throw std::bad_alloc();
    });
    EXPECT_THROW(f.deliver_level(0), std::bad_alloc);
    f.deliver_level(1);
    EXPECT_EQ(f.seen.back(), std::pair(std::string("level_md_3"), std::int64_t(1)));
}

TEST(ScoreTable, ALaterScoreIsThereAsSoonAsItsFramesAre) {
    Fixture f;
    for (int i = 0; i < 3; ++i) f.table.open(i);
    f.deliver_join(1);
    EXPECT_FALSE(f.table.score("join_now", 1)) << "frame 0 is missing";
    f.deliver_join(0);
    EXPECT_EQ(*f.table.score("join_later", 0), 3.0);
    EXPECT_FALSE(f.table.score("join_later", 1));
    EXPECT_EQ(f.table.score("nonsense", 1).error().code, Code::not_found);
}

TEST(ScoreTable, SubsamplingLeavesOutWhatIsNotNeeded) {
    Fixture f(2);
    for (int i = 0; i < 4; ++i) {
        f.table.open(i);
        f.deliver_join(i);
        if (i % 2 == 0) f.deliver_level(i);
    }
    f.table.end();
    const Scores scores = f.table.snapshot(false);
    EXPECT_EQ(scores.subsample, 2);
    EXPECT_FALSE(scores.columns[1].values[1]);
    EXPECT_TRUE(scores.columns[1].values[2]);
    EXPECT_EQ(f.table.frames_scored(), 4);
}

TEST(ScoreTable, AFailedRunKeepsTheFramesBeforeTheFirstGap) {
    Fixture f;
    for (int i = 0; i < 4; ++i) f.table.open(i);
    for (int i : {0, 1, 3}) f.deliver_level(i);
    for (int i : {0, 1, 2}) f.deliver_join(i);
    f.table.end();
    const Scores scores = f.table.snapshot(true);
    EXPECT_EQ(scores.frames, 2);
    EXPECT_TRUE(scores.columns[3].values[1]);
}

TEST(ScoreTable, FramesBehindAGapInTheIndicesDoNotCountAsMeasured) {
    Fixture f;
    for (int i : {0, 1, 3}) f.table.open(i);
    for (int i : {3, 1, 0}) f.deliver_level(i), f.deliver_join(i);
    EXPECT_FALSE(f.table.score("join_later", 1)) << "frame 2 may still come";
    f.table.end();
    EXPECT_EQ(*f.table.score("join_later", 1), 1.5) << "the last of the frames without a gap";
    EXPECT_FALSE(f.table.score("join_later", 3));
    EXPECT_EQ(*f.table.score("level_score", 3), 3.0) << "looks at no other frame";
    const Scores scores = f.table.snapshot(true);
    ASSERT_EQ(scores.aggregates.size(), 2u);
    EXPECT_EQ(scores.aggregates[0].value, 1) << "over frames 0 and 1";
}

TEST(ScoreTable, ImportedScoresAreStoredOnceAndStandBeforeModels) {
    Fixture f;
    EXPECT_TRUE(f.table.import_score("mine", 2.5, 7));
    EXPECT_FALSE(f.table.import_score("mine", 2.5, 7));
    EXPECT_EQ(*f.table.score("mine", 7), 2.5);
    f.table.open(0);
    EXPECT_FALSE(f.table.is_open(7));
    EXPECT_TRUE(f.table.is_open(0));
    EXPECT_EQ(f.table.snapshot(false).columns.back().name, "mine");
}

TEST(MetricSet, EqualNamesAreOneConfiguration) {
    MetricSet set;
    const auto a = set.add(level, {});
    const auto b = set.add(level, std::vector<OptionText>{{"mode", "0"}});
    const auto c = set.add(level, std::vector<OptionText>{{"mode", "2"}});
    EXPECT_EQ(a->variant, b->variant);
    EXPECT_NE(a->variant, c->variant);
    EXPECT_EQ(set.entries().size(), 2u);
    EXPECT_TRUE(set.provides("level_md_2"));
    EXPECT_FALSE(set.provides("level_md_4"));
}

}  // namespace
}  // namespace isometric
