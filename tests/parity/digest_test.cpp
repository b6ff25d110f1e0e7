#include <fmt/format.h>
#include <gtest/gtest.h>

#include "metrics/registry.h"
#include "parity/compare.h"

namespace isometric {
namespace {

std::vector<MetricRequest> requests_of(std::string_view metric) {
    std::vector<MetricRequest> requests;
    for (MetricRequest& request : matrix_requests(Extent::quick))
        if (request.metric == metric) requests.push_back(std::move(request));
    return requests;
}

// A failure prints the line for src/parity/known_digests.cpp. Change a line only with the reason why the scores, and not only the matrix or
// an option table, are still the reference's.
TEST(KnownDigests, EveryMetricHasItsOwn) {
    const ExecutionPath path = available_paths().front();
    for (const MetricInfo* info : all_metrics()) {
        const auto found = digest(path, matrix_clips(Extent::quick), requests_of(info->name));
        ASSERT_TRUE(found) << found.error().message;
        const auto line = fmt::format("    {{\"{}\", {{0x{:016x}u, {}}}}},", info->name, found->value, found->scores);
        bool known = false;
        for (const KnownDigest& entry : known_digests())
            if (entry.metric == info->name) {
                known = true;
                EXPECT_EQ(entry.digest.value, found->value) << line;
                EXPECT_EQ(entry.digest.scores, found->scores) << line;
            }
        EXPECT_TRUE(known) << "no line for " << info->name << ":\n" << line;
    }
}

TEST(Digest, OneBitChangesIt) {
    const ExecutionPath path = available_paths().front();
    const auto clip = *ClipSpec::parse("64x64 8 420 2 noise noise:3 1");
    auto other = clip;
    other.seed = 2;
    const auto a = digest(path, {clip}, {{"psnr", {}}}), b = digest(path, {other}, {{"psnr", {}}});
    ASSERT_TRUE(a && b);
    EXPECT_NE(a->value, b->value);
    EXPECT_EQ(a->scores, b->scores);
    EXPECT_EQ(a->value, digest(path, {clip}, {{"psnr", {}}})->value);
}

}  // namespace
}  // namespace isometric
