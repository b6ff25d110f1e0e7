#include <gtest/gtest.h>

#include <set>

#include "metrics/registry.h"
#include "parity/compare.h"
#include "tests/support/bits.h"

namespace isometric {
namespace {

TEST(ExecutionPath, TextRoundTrips) {
    for (const std::string text : {"cpu", "cpu:portable", "cpu:portable:threads=8", "emulated", "cuda:device=1", "cuda:device=H200:threads=2"}) {
        const auto path = ExecutionPath::parse(text);
        if (text.starts_with("cpu:portable") && !path) continue;  // Arm builds have no emulated target
        ASSERT_TRUE(path) << text << ": " << path.error().message;
        EXPECT_EQ(path->describe(), text);
    }
    for (const std::string text : {"", ":", "cpu:mmx", "cpu:threads=0", "cpu:threads=x", "cuda:fast"}) EXPECT_FALSE(ExecutionPath::parse(text)) << text;
}

TEST(ExecutionPath, TheReferenceIsFirstAndAllCanStart) {
    const auto paths = available_paths();
    ASSERT_GE(paths.size(), 3u);
    for (const ExecutionPath& path : paths) EXPECT_TRUE(Session::create(path.config())) << path.describe();
}

TEST(Matrix, RequestsCoverEveryMetricAndNamedOption) {
    const auto requests = matrix_requests(Extent::quick);
    for (const MetricInfo* info : all_metrics()) {
        std::set<std::string> seen;
        bool any = false;
        for (const MetricRequest& request : requests) {
            if (request.metric != info->name) continue;
            any = true;
            for (const OptionText& option : request.options) seen.insert(option.name);
            EXPECT_TRUE(OptionValues::parse(*info, request.options)) << request.describe();
        }
        EXPECT_TRUE(any) << info->name;
        for (const OptionSpec& option : info->options)
            if (option.in_name && option.type != OptionType::text) {
                EXPECT_TRUE(seen.contains(std::string(option.name))) << info->name << " " << option.name;
            }
    }
}

TEST(Matrix, RequestTextRoundTrips) {
    for (const MetricRequest& request : matrix_requests(Extent::full)) {
        const auto parsed = MetricRequest::parse(request.describe());
        ASSERT_TRUE(parsed);
        EXPECT_EQ(parsed->describe(), request.describe());
    }
    EXPECT_FALSE(MetricRequest::parse("adm:debug"));
}

TEST(Matrix, ClipsHaveEveryDepthClassAndChromaFormat) {
    std::set<int> depths;
    std::set<ChromaFormat> chroma;
    for (const ClipSpec& clip : matrix_clips(Extent::quick)) {
        depths.insert(clip.format.bit_depth);
        chroma.insert(clip.format.chroma);
        EXPECT_TRUE(ClipSpec::parse(clip.describe())) << clip.describe();
    }
    EXPECT_EQ(chroma.size(), 4u);
    for (int depth : {8, 9, 10, 12, 16}) EXPECT_TRUE(depths.contains(depth)) << depth;
    EXPECT_GT(matrix_clips(Extent::full).size(), 200u);
}

TEST(Compare, EqualPathsDoNotDifferAndAreCounted) {
    const auto paths = std::vector<ExecutionPath>{*ExecutionPath::parse("cpu"), *ExecutionPath::parse("cpu:threads=3")};
    const auto clip = *ClipSpec::parse("96x64 8 420 2 texture quant:24 1");
    const auto result = compare(paths, {clip}, {{"vif", {}}, {"motion", {}}});
    ASSERT_TRUE(result) << result.error().message;
    ASSERT_EQ(result->size(), 1u);
    EXPECT_TRUE(result->front().equal());
    EXPECT_EQ(result->front().values, 2 * (4 + 3));
}

TEST(Compare, RefusalsAreCountedNotCompared) {
    const auto paths = std::vector<ExecutionPath>{*ExecutionPath::parse("cpu"), *ExecutionPath::parse("cpu:threads=2")};
    const auto result = compare(paths, {*ClipSpec::parse("2x2 8 420 1 noise none 1")}, {{"motion", {}}});
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->front().values, 0);
    EXPECT_EQ(result->front().refused, 1);
}

TEST(Compare, NeedsTwoPathsAndMetricsThatExist) {
    EXPECT_FALSE(compare({ExecutionPath{}}, {}, {}));
}

}  // namespace
}  // namespace isometric
