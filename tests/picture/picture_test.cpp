#include "isometric/picture.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace isometric {
namespace {

TEST(PictureFormat, ChromaSidesRoundDown) {
    const PictureFormat odd{577, 323, 8, ChromaFormat::yuv420};
    EXPECT_EQ(odd.plane_width(1), 288);
    EXPECT_EQ(odd.plane_height(2), 161);
    const PictureFormat wide{577, 323, 10, ChromaFormat::yuv422};
    EXPECT_EQ(wide.plane_width(1), 288);
    EXPECT_EQ(wide.plane_height(1), 323);
    const PictureFormat full{577, 323, 10, ChromaFormat::yuv444};
    EXPECT_EQ(full.plane_width(2), 577);
    const PictureFormat mono{577, 323, 16, ChromaFormat::yuv400};
    EXPECT_EQ(mono.planes(), 1);
    EXPECT_EQ(mono.plane_width(1), 0);
}

TEST(PictureFormat, RefusesWhatIsOutOfRange) {
    EXPECT_TRUE((PictureFormat{1, 1, 8, ChromaFormat::yuv420}.check()));
    for (const PictureFormat& bad : {PictureFormat{0, 1, 8}, PictureFormat{1, -1, 8}, PictureFormat{100000, 1, 8}, PictureFormat{1, 1, 7},
                                     PictureFormat{1, 1, 17}, PictureFormat{1, 1, 8, ChromaFormat(9)}}) {
        const Status status = bad.check();
        ASSERT_FALSE(status);
        EXPECT_EQ(status.error().code, Code::invalid_argument);
        EXPECT_FALSE(Picture::allocate(bad));
    }
}

TEST(Picture, AllocatesZeroedAlignedRows) {
    for (const ChromaFormat chroma : {ChromaFormat::yuv400, ChromaFormat::yuv420, ChromaFormat::yuv422, ChromaFormat::yuv444}) {
        for (const int depth : {8, 10, 16}) {
            for (const int width : {1, 2, 33, 577}) {
                Picture picture = *Picture::allocate({width, 7, depth, chroma});
                for (int p = 0; p < picture.format().planes(); ++p) {
                    const PlaneMemory memory = picture.memory(p);
                    EXPECT_EQ(memory.stride_bytes % 64, 0);
                    if (picture.format().plane_width(p) == 0) continue;
                    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.data) % 64, 0u);
                    for (int y = 0; y < picture.format().plane_height(p); ++y)
                        for (int x = 0; x < picture.format().plane_width(p) * picture.format().bytes_per_sample(); ++x)
                            ASSERT_EQ(memory.data[y * memory.stride_bytes + x], std::byte(0));
                }
            }
        }
    }
}

TEST(Picture, WrapsTheCallersMemoryAndReleasesItOnce) {
    int released = 0;
    std::vector<std::uint16_t> samples(5 * 7);
    samples[2 * 7 + 3] = 1023;
    {
        auto owner = std::shared_ptr<void>(nullptr, [&](void*) { ++released; });
        Picture picture = *Picture::wrap({4, 5, 10, ChromaFormat::yuv400}, {PlaneMemory{reinterpret_cast<std::byte*>(samples.data()), 14}, {}, {}}, owner);
        owner.reset();
        const Picture second = picture;
        EXPECT_EQ(second.plane<std::uint16_t>(0).row(2)[3], 1023);
        EXPECT_EQ(second.plane<std::uint16_t>(0).stride, 7);
        picture = {};
        EXPECT_EQ(released, 0);
    }
    EXPECT_EQ(released, 1);
}

TEST(Picture, RefusesMemoryThatHoldsNoRows) {
    alignas(16) std::array<std::byte, 64> bytes{};
    const PictureFormat format{4, 4, 10, ChromaFormat::yuv400};
    EXPECT_FALSE(Picture::wrap(format, {PlaneMemory{nullptr, 8}, {}, {}}, nullptr));
    EXPECT_FALSE(Picture::wrap(format, {PlaneMemory{bytes.data(), 6}, {}, {}}, nullptr));
    EXPECT_FALSE(Picture::wrap(format, {PlaneMemory{bytes.data(), 9}, {}, {}}, nullptr));
    EXPECT_FALSE(Picture::wrap(format, {PlaneMemory{bytes.data() + 1, 8}, {}, {}}, nullptr));
    EXPECT_TRUE(Picture::wrap(format, {PlaneMemory{bytes.data(), 8}, {}, {}}, nullptr));
}

}  // namespace
}  // namespace isometric
