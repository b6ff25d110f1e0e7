// One frame divided over several walks has the bits of one walk.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "metrics/adm/adm.h"
#include "metrics/adm/adm_measure.h"
#include "tests/metrics/adm_clip.h"
#include "tests/metrics/part_splitter.h"
#include "tests/support/bits.h"
#include "tests/support/guarded.h"
#include "tests/support/instruction_sets.h"

namespace isometric::test {
namespace {

std::vector<double> measured(const adm::Measurement& measurement, const FramePair& pair, Workspace& workspace, int parts,
                             const Splitter& splitter) {
    std::vector<double> record(2 * adm::record_doubles, -1.0);
    const Status status = measurement.measure(pair.ref, pair.dis, workspace, record, parts, &splitter);
    EXPECT_TRUE(status);
    return record;
}

// Down to pictures whose scale 3 has two rows, in as many parts as rows.
TEST(AdmSplit, AnyNumberOfPartsHasTheBitsOfOne) {
    const std::vector<adm::Parameters> variants = {{.gain_limit = 1.2}, {.csf_mode = 1}};
    for_each_instruction_set([&](InstructionSet set) {
        std::uint32_t seed = 3;
        for (const auto& [width, height] : {std::array{17, 17}, {40, 18}, {33, 34}, {67, 66}, {97, 131}, {130, 257}, {70, 1000}})
            for (int bits : {8, 10}) {
                const int kind = std::array{1, 0, 2, 10}[seed % 4];
                SCOPED_TRACE(std::to_string(width) + "x" + std::to_string(height) + " bits " + std::to_string(bits) + " kind " +
                             std::to_string(kind));
                const FramePair pair = adm_pair(kind, width, height, bits, ++seed),
                                guarded{guarded_picture(pair.ref), guarded_picture(pair.dis)};
                const adm::Measurement measurement(variants, pair.ref.format(), adm::passes(set));
                auto one = measurement.create_workspace(), several = measurement.create_workspace();
                ASSERT_TRUE(one && several);
                const std::vector<double> expected = measured(measurement, guarded, **one, 1, ReverseSplitter(1));
                for (int parts : {2, 3, 8, 2, measurement.most_parts()}) {
                    parts = std::min(parts, measurement.most_parts());
                    ASSERT_SAME_BITS(expected, measured(measurement, guarded, **several, parts, ReverseSplitter(parts)))
                        << parts << " parts";
                }
            }
    });
}

// As the engine asks, with every part on a thread.
TEST(AdmSplit, IdleWorkersTakeParts) {
    const FramePair pair = adm_pair(2, 80, 2160, 8, 21);
    const OptionValues values(adm_info());
    auto metric = adm_info().create({&values, 1}, pair.ref.format(), best_instruction_set());
    ASSERT_TRUE(metric);
    auto workspace = (*metric)->create_workspace();
    ASSERT_TRUE(workspace);
    const auto record = [&](const Splitter* splitter) {
        std::vector<double> result(std::size_t((*metric)->record_size()));
        EXPECT_TRUE((*metric)->measure({.index = 0, .current = pair, .earlier = {}, .splitter = splitter}, **workspace, result));
        return result;
    };
    const std::vector<double> expected = record(nullptr);
    for (int ways : {1, 2, 3, 8, 1000}) {
        const ThreadSplitter splitter(ways);
        ASSERT_SAME_BITS(expected, record(&splitter)) << ways << " ways";
        EXPECT_EQ(ways == 1 ? 0 : std::min(ways, 13), splitter.parts_run);  // 109 scored rows at scale 3, eight or more for each
    }
}

// Every scored row belongs to one part.
TEST(AdmSplit, SharesTileTheScoredRows) {
    const adm::Geometry whole = adm::geometry(1920, 1080);
    for (int parts : {1, 2, 3, 7, whole[adm::scales - 1].rows.size()})
        for (std::size_t s = 0; s < adm::scales; ++s) {
            int next = whole[s].rows.begin;
            for (int part = 0; part < parts; ++part) {
                const adm::ScaleGeometry share = adm::share_of_rows(whole, part, parts)[s];
                EXPECT_EQ(next, share.rows.begin);
                EXPECT_LT(share.rows.begin, share.rows.end);
                EXPECT_EQ(whole[s].columns.begin, share.columns.begin);
                next = share.rows.end;
            }
            EXPECT_EQ(whole[s].rows.end, next);
        }
}

}  // namespace
}  // namespace isometric::test
