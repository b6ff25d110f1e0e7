// Memory runs out at every allocation of a session, one after the other: always an error or the right result, never a crash or a hang.
#include <gtest/gtest.h>

#include "isometric/session.h"
#include "tests/support/bits.h"
#include "tests/support/clip.h"
#include "tests/support/failing_allocations.h"

namespace isometric::test {
namespace {

struct Input {
    Model model;
    std::vector<Picture> ref, dis;
};

// The mean score, or the error that ended the run.
Result<double> score(const Input& input) {
    SessionConfig config;
    config.threads = 2;
    auto session = Session::create(std::move(config));
    if (!session) return std::move(session).error();
    if (Status status = session->add_model(input.model); !status) return std::move(status).error();
    for (std::size_t i = 0; i < input.ref.size(); ++i)
        if (Status status = session->push(input.ref[i], input.dis[i]); !status) return std::move(status).error();
    if (Status status = session->finish(); !status) return std::move(status).error();
    return session->pooled("vmaf", Pooling::mean);
}

TEST(Allocation, EveryFailureIsAnError) {
    ClipSpec clip;
    clip.format = {64, 64, 8, ChromaFormat::yuv420};
    clip.frames = 3;
    clip.distortion = {DistortionKind::quant, 24};
    const Input input{*Model::builtin("vmaf_v0.6.1"), make_clip(clip.reference()), make_clip(clip)};
    const long before = allocations();
    const auto expected = score(input);
    ASSERT_TRUE(expected) << expected.error().message;
    const long needed = allocations() - before;
    ASSERT_GT(needed, 20);
    int failed = 0;
    for (long n = 0; n < needed + 5; ++n) {
        fail_allocation(n);
        const auto result = score(input);
        const bool reached = end_failing();
        if (result) {
            // Nothing failed, or only what may (a thread's message).
            EXPECT_SAME_BITS(*expected, *result) << "allocation " << n;
        } else {
            EXPECT_TRUE(reached);
            EXPECT_EQ(result.error().code, Code::out_of_memory) << "allocation " << n << ": " << result.error().message;
            ++failed;
        }
    }
    EXPECT_GT(failed, needed / 2);
    RecordProperty("allocations", int(needed));
}

}  // namespace
}  // namespace isometric::test
