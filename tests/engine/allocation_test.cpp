// Memory runs out at every allocation of a session, one after the other: always an error or the right result, never a crash or a hang.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "isometric/session.h"
#include "tests/support/bits.h"
#include "tests/support/clip.h"

namespace {

// Allocations left until one fails; negative: none does. Only while armed, so that the test's own are safe.
std::atomic<long> countdown = -1;
std::atomic<long> counted = 0;

bool fails() {
    ++counted;
    return countdown >= 0 && countdown-- == 0;
}

void* take(std::size_t size, std::size_t alignment) {
    if (fails()) return nullptr;
    if (alignment <= alignof(std::max_align_t)) return std::malloc(size ? size : 1);
    return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void* take_or_throw(std::size_t size, std::size_t alignment) {
    if (void* memory = take(size, alignment)) return memory;
    throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return take_or_throw(size, 1); }
void* operator new[](std::size_t size) { return take_or_throw(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) { return take_or_throw(size, std::size_t(alignment)); }
void* operator new[](std::size_t size, std::align_val_t alignment) { return take_or_throw(size, std::size_t(alignment)); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return take(size, 1); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return take(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept { return take(size, std::size_t(alignment)); }
void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept { return take(size, std::size_t(alignment)); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

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
    counted = 0;
    const auto expected = score(input);
    ASSERT_TRUE(expected) << expected.error().message;
    const long allocations = counted;
    ASSERT_GT(allocations, 20);
    int failed = 0;
    for (long n = 0; n < allocations + 5; ++n) {
        countdown = n;
        const auto result = score(input);
        const bool reached = countdown < 0;
        countdown = -1;
        if (result) {
            // Nothing failed, or only what may (a thread's message).
            EXPECT_SAME_BITS(*expected, *result) << "allocation " << n;
        } else {
            EXPECT_TRUE(reached);
            EXPECT_EQ(result.error().code, Code::out_of_memory) << "allocation " << n << ": " << result.error().message;
            ++failed;
        }
    }
    EXPECT_GT(failed, allocations / 2);
    RecordProperty("allocations", int(allocations));
}

}  // namespace
}  // namespace isometric::test
