#include "base/aligned_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

namespace isometric {
namespace {

TEST(AlignedMemory, IsZeroedAndAlignedForVectors) {
    for (const std::size_t count : {std::size_t(1), std::size_t(63), std::size_t(100001)}) {
        const auto memory = make_aligned<std::uint8_t>(count, "a test");
        ASSERT_TRUE(memory.has_value());
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory->get()) % vector_alignment, 0u);
        EXPECT_TRUE(std::all_of(memory->get(), memory->get() + count, [](std::uint8_t byte) { return byte == 0; }));
    }
}

// Only then can the system back them by huge pages, whatever it does about that.
TEST(AlignedMemory, LargeBlocksBeginWithAHugePage) {
    for (const std::size_t bytes : {huge_block_bytes, huge_page_bytes + 1}) {
        const auto memory = make_aligned<std::uint8_t>(bytes, "a test");
        ASSERT_TRUE(memory.has_value());
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory->get()) % huge_page_bytes, 0u);
        EXPECT_TRUE(std::all_of(memory->get(), memory->get() + bytes, [](std::uint8_t byte) { return byte == 0; }));
    }
}

TEST(AlignedMemory, SaysWhatThereIsNoMemoryFor) {
    const auto memory = make_aligned<std::uint8_t>(~std::size_t(0), "a test");
    ASSERT_FALSE(memory.has_value());
    EXPECT_EQ(memory.error().code, Code::out_of_memory);
    EXPECT_NE(memory.error().message.find("a test"), std::string::npos);
}

}  // namespace
}  // namespace isometric
