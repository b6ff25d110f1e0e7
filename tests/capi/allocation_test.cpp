// Memory runs out at every allocation of a run through the C interface, on the caller's thread and on workers: always an error code or the right
// score, never a crash, a hang or a lost picture.
#include <gtest/gtest.h>

#include <cerrno>
#include <cmath>
#include <cstdint>

#include "libvmaf/libvmaf.h"
#include "tests/support/bits.h"
#include "tests/support/failing_allocations.h"

namespace isometric::test {
namespace {

constexpr unsigned width = 64, height = 48, frames = 3;

int allocate_picture(VmafPicture& picture, unsigned frame, unsigned damage) {
    if (const int status = vmaf_picture_alloc(&picture, VMAF_PIX_FMT_YUV400P, 8, width, height)) return status;
    for (unsigned y = 0; y < height; ++y)
        for (unsigned x = 0; x < width; ++x)
            static_cast<std::uint8_t*>(picture.data[0])[std::size_t(y) * std::size_t(picture.stride[0]) + x] =
                std::uint8_t((x * 7 + y * 13 + frame * 5 + (x * y % 11) * damage) & 255);
    return 0;
}

struct Outcome {
    int status = 0;               // of the first call that failed
    bool on_worker = false;       // every picture was taken, a score is missing, and the flush told the error
    bool missing_is_told = true;  // a score that will never come is an error with NaN
    double score = 0;
};

// A whole run. What exists is released on every path.
Outcome run() {
    Outcome out;
    VmafContext* context = nullptr;
    VmafConfiguration configuration{};
    configuration.log_level = VMAF_LOG_LEVEL_NONE;
    configuration.n_threads = 2;
    VmafModel* model = nullptr;
    VmafModelConfig settings{};
    if (!out.status) out.status = vmaf_init(&context, configuration);
    if (!out.status) out.status = vmaf_model_load(&model, &settings, "vmaf_v0.6.1");
    if (!out.status) out.status = vmaf_use_features_from_model(context, model);
    for (unsigned i = 0; !out.status && i < frames; ++i) {
        VmafPicture ref{}, dis{};
        out.status = allocate_picture(ref, i, 0);
        if (!out.status) {
            out.status = allocate_picture(dis, i, 1);
            if (out.status) vmaf_picture_unref(&ref);
        }
        if (!out.status) out.status = vmaf_read_pictures(context, &ref, &dis, i);
    }
    if (!out.status) {
        out.status = vmaf_read_pictures(context, nullptr, nullptr, 0);
        for (unsigned i = 0; out.status && i < frames; ++i) {
            double score = 0;
            const int status = vmaf_score_at_index(context, model, &score, i);
            out.on_worker |= status < 0;
            out.missing_is_told &= (status < 0) == std::isnan(score);
        }
    }
    if (!out.status) out.status = vmaf_score_pooled(context, model, VMAF_POOL_METHOD_MEAN, &out.score, 0, frames - 1);
    if (model) vmaf_model_destroy(model);
    if (context) {
        EXPECT_EQ(vmaf_close(context), 0);
    }
    return out;
}

TEST(CapiAllocation, EveryFailureIsAnErrorCode) {
    const long before = allocations();
    const Outcome expected = run();
    ASSERT_EQ(expected.status, 0);
    const long needed = allocations() - before;
    ASSERT_GT(needed, 100);
    int failed = 0, on_worker = 0;
    for (long n = 0; n < needed + 5; ++n) {
        fail_allocation(n);
        const Outcome outcome = run();
        const bool reached = end_failing();
        if (outcome.status == 0) {
            EXPECT_SAME_BITS(expected.score, outcome.score) << "allocation " << n;
            continue;
        }
        EXPECT_TRUE(reached);
        EXPECT_EQ(outcome.status, -ENOMEM) << "allocation " << n;
        EXPECT_TRUE(outcome.missing_is_told) << "allocation " << n;
        ++failed, on_worker += outcome.on_worker;
    }
    EXPECT_GT(failed, needed / 2);
    EXPECT_GT(on_worker, 5) << "failures on workers, told by the flush";
}

}  // namespace
}  // namespace isometric::test
