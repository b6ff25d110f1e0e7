// `vif` on several threads: however its bands are spread, the sums are those of one thread.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "metrics/vif/vif.h"
#include "metrics/vif/vif_frame.h"
#include "tests/metrics/formula_clip.h"
#include "tests/metrics/metric_run.h"
#include "tests/support/bits.h"
#include "tests/support/instruction_sets.h"

namespace isometric::test {
namespace {

// Offers the ways of a list in turn, and runs parts on threads of their own, the last part first.
class ThreadSplitter final : public Splitter {
public:
    explicit ThreadSplitter(std::vector<int> ways) : ways_(std::move(ways)) {}

    int ways() const override { return ways_[asked_++ % ways_.size()]; }
    void run(int parts, const std::function<void(int part)>& body) const override {
        most_ = std::max(most_, parts);
        std::vector<std::thread> threads;
        for (int part = parts - 1; part > 0; --part) threads.emplace_back(body, part);
        body(0);
        for (std::thread& thread : threads) thread.join();
    }
    int most_parts() const { return most_; }

private:
    const std::vector<int> ways_;
    mutable std::size_t asked_ = 0;
    mutable int most_ = 1;
};

struct Figures {
    std::vector<std::int64_t> values;
    explicit Figures(std::span<const vif::Sums, vif::scale_count> sums) {
        for (const vif::Sums& s : sums) {
            values.insert(values.end(), {s.den_log, s.num_flat, s.den_flat});
            values.insert(values.end(), s.num_log.begin(), s.num_log.end());
        }
    }
};

TEST(VifSplit, PartsOfAnySizeGiveTheSameSums) {
    const std::pair<int, int> sizes[] = {{4, 8}, {9, 8}, {8, 15}, {12, 17}, {31, 64}, {67, 301}};
    const std::vector<std::vector<int>> offers = {{1}, {2}, {3}, {8}, {1, 1, 4, 1, 2}, {100}};
    const vif::Parameters variants[] = {{}, {.gain_limit = 1.0}, {.gain_limit = 1.5}, {.skip_scale0 = true}};
    for (const auto& [width, height] : sizes)
        for (const int bits : {8, 10}) {
            const ClipPair clip = formula_clip(moving_samples, "move", {width, height, bits, ChromaFormat::yuv400}, 2);
            for_each_instruction_set([&](InstructionSet set) {
                for (const bool skip : {false, true}) {
                    const auto chosen =
                        skip ? std::span<const vif::Parameters>(variants).last(1) : std::span<const vif::Parameters>(variants);
                    const PictureFormat& format = clip[0].ref.format();
                    auto alone = vif::FrameScratch::create(format, vif::RecordLayout(chosen), set);
                    ASSERT_TRUE(alone);
                    for (const auto& offer : offers) {
                        SCOPED_TRACE(std::to_string(width) + "x" + std::to_string(height) + " bits " + std::to_string(bits) +
                                     " first offer " + std::to_string(offer[0]) + (skip ? " without scale 0" : ""));
                        auto together = vif::FrameScratch::create(format, vif::RecordLayout(chosen), set);
                        ASSERT_TRUE(together);
                        const ThreadSplitter splitter(offer);
                        for (const FramePair& pair : clip) {  // the second frame finds the memory of the first
                            const auto want = alone->measure(pair.ref, pair.dis),
                                       have = together->measure(pair.ref, pair.dis, &splitter, 1);
                            ASSERT_TRUE(want && have);
                            ASSERT_EQ(Figures(*want).values, Figures(*have).values);
                        }
                        const int bands = (height + 7) / 8, offered = *std::max_element(offer.begin(), offer.end());
                        if (offer.size() == 1) {
                            EXPECT_EQ(std::min({bands, offered, vif::FrameScratch::max_parts}), splitter.most_parts());
                        }
                    }
                }
            });
            if (HasFatalFailure()) return;
        }
}

TEST(VifSplit, MeasureTakesTheSplitterForLargePictures) {
    const OptionValues defaults(vif_info());
    for (const auto& [width, height, most] : {std::tuple{720, 400, 4}, {64, 64, 1}}) {
        const ClipPair clip = formula_clip(moving_samples, "noisy", {width, height, 8, ChromaFormat::yuv400}, 1);
        const auto metric = vif_info().create({&defaults, 1}, clip[0].ref.format(), best_instruction_set());
        ASSERT_TRUE(metric);
        auto workspace = (*metric)->create_workspace();
        ASSERT_TRUE(workspace);
        std::vector<double> want(std::size_t((*metric)->record_size())), have = want;
        const ThreadSplitter splitter({8});
        ASSERT_TRUE((*metric)->measure({.index = 0, .current = clip[0], .earlier = {}}, **workspace, want));
        ASSERT_TRUE((*metric)->measure({.index = 0, .current = clip[0], .earlier = {}, .splitter = &splitter}, **workspace, have));
        for (std::size_t i = 0; i < want.size(); ++i) EXPECT_SAME_BITS(want[i], have[i]) << i;
        EXPECT_EQ(most, splitter.most_parts());
    }
}

}  // namespace
}  // namespace isometric::test
