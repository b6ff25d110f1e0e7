// Every word of the kernel vocabulary, on every device, against the host.
#include "tests/device/device_fixture.h"
#include "tests/device/exercise_kernels.h"

namespace isometric::test {
namespace {

struct Rows {
    int width, height, stride;
    std::vector<u16> samples;
};

Rows make_rows(int width, int height, std::uint64_t seed) {
    Rows rows{width, height, (width + 7) / 8 * 8, {}};
    Random random(seed);
    rows.samples.resize(std::size_t(rows.stride) * std::size_t(height));
    for (u16& sample : rows.samples) sample = u16(random());
    return rows;
}

u64 affine(u64 left, u64 right) {
    const u32 a = u32(left >> 32) * u32(right >> 32);
    return u64(a) << 32 | u32(u32(left) * u32(right >> 32) + u32(right));
}

TEST(Kernels, FoldsJoinLanesInOrder) {
    for_each_device([](Device& device) {
        auto queue = *device.create_queue();
        for (const int width : {1, 2, 255, 256, 257, 1000}) {
            const Rows rows = make_rows(width, 3, std::uint64_t(width));
            const Buffer plane = uploaded(device, *queue, rows.samples);
            const Buffer sums = *device.allocate(3 * sizeof(u64)), orders = *device.allocate(3 * sizeof(u64));
            const Buffer maxima = *device.allocate(3 * sizeof(u32));
            ASSERT_TRUE(ok(queue->launch(kernel::exercise_row_statistics, 3,
                                         {.plane = {plane.pointer<const u16>(), rows.stride, width, 3},
                                          .sums = sums.pointer<u64>(),
                                          .maxima = maxima.pointer<u32>(),
                                          .orders = orders.pointer<u64>()})));
            std::vector<u64> want_sums(3), want_orders(3);
            std::vector<u32> want_maxima(3);
            for (std::size_t y = 0; y < 3; ++y) {
                std::vector<u64> lanes(256);
                for (int x = 0; x < width; ++x) {
                    const u32 sample = rows.samples[y * std::size_t(rows.stride) + std::size_t(x)];
                    lanes[std::size_t(x) % 256] += sample;
                    want_sums[y] += sample;
                    want_maxima[y] = std::max(want_maxima[y], sample);
                }
                u64 map = u64(1) << 32;
                for (std::size_t lane = 0; lane < 256; ++lane) map = affine(map, u64(2 * lane + 1) << 32 | u32(lanes[lane] + lane));
                want_orders[y] = map;
            }
            EXPECT_SAME_BITS(want_sums, read_all<u64>(*queue, sums)) << width;
            EXPECT_SAME_BITS(want_maxima, read_all<u32>(*queue, maxima)) << width;
            EXPECT_SAME_BITS(want_orders, read_all<u64>(*queue, orders)) << width;
        }
    });
}

TEST(Kernels, ScansAndRunsJoinLanesInOrder) {
    std::vector<u64> maps(512), want_prefixes(512), want_runs(16);
    Random random(12);
    for (std::size_t i = 0; i < maps.size(); ++i) {
        maps[i] = random() | u64(1) << 32;
        want_prefixes[i] = i % 256 == 0 ? maps[i] : affine(want_prefixes[i - 1], maps[i]);
        want_runs[i / 32] = i % 32 == 0 ? maps[i] : affine(want_runs[i / 32], maps[i]);
    }
    for_each_device([&](Device& device) {
        auto queue = *device.create_queue();
        const Buffer from = uploaded(device, *queue, maps), prefixes = *device.allocate(512 * sizeof(u64)), runs = *device.allocate(16 * sizeof(u64));
        ASSERT_TRUE(ok(queue->launch(kernel::exercise_join_in_order, 1,
                                     {.maps = from.pointer<const u64>(), .prefixes = prefixes.pointer<u64>(), .runs = runs.pointer<u64>()})));
        EXPECT_SAME_BITS(want_prefixes, read_all<u64>(*queue, prefixes));
        EXPECT_SAME_BITS(want_runs, read_all<u64>(*queue, runs));
    });
}

TEST(Kernels, SharedMemoryIsSeenAfterABarrier) {
    for_each_device([](Device& device) {
        auto queue = *device.create_queue();
        for (const int samples : {1, 256, 300, 1025}) {
            const Rows rows = make_rows(samples, 1, 7);
            const Buffer from = uploaded(device, *queue, rows.samples), to = *device.allocate(std::size_t(samples) * sizeof(u16));
            ASSERT_TRUE(ok(queue->launch(kernel::exercise_blur, u32(samples + 255) / 256,
                                         {.from = from.pointer<const u16>(), .to = to.pointer<u16>(), .samples = samples})));
            // A group knows its own samples and one more on each side.
            std::vector<u16> want(static_cast<std::size_t>(samples));
            const auto at = [&](int x) { return x >= 0 && x < samples ? u32(rows.samples[std::size_t(x)]) : 0u; };
            for (int x = 0; x < samples; ++x) want[std::size_t(x)] = u16((at(x - 1) + 2 * at(x) + at(x + 1) + 2) >> 2);
            EXPECT_SAME_BITS(want, read_all<u16>(*queue, to)) << samples;
        }
    });
}

// Twice with one count, which the last group leaves at 0.
TEST(Kernels, TheLastGroupSeesWhatTheOthersWrote) {
    for_each_device([](Device& device) {
        if (!device.info().groups_join) return;
        auto queue = *device.create_queue();
        for (const u32 groups : {1u, 2u, 37u, 600u}) {
            if (groups > 100 && (device.info().name == "threads" || device.info().name == "checked")) continue;
            const Buffer arrived = uploaded(device, *queue, std::vector<u32>(1));
            const Buffer of_groups = *device.allocate(groups * sizeof(u32)), total = *device.allocate(sizeof(u32));
            for (const std::uint64_t seed : {3u, 4u}) {
                Random random(seed);
                std::vector<u32> numbers(std::size_t(groups) * std::size_t(kLanes));
                u32 want = 0;
                for (u32& number : numbers) want += number = u32(random());
                const Buffer from = uploaded(device, *queue, numbers);
                ASSERT_TRUE(ok(queue->launch(kernel::exercise_total_of_groups, groups,
                                             {.numbers = from.pointer<const u32>(),
                                              .of_groups = of_groups.pointer<u32>(),
                                              .total = total.pointer<u32>(),
                                              .arrived = arrived.pointer<u32>(),
                                              .groups = i32(groups)})));
                EXPECT_SAME_BITS(std::vector<u32>{want}, read_all<u32>(*queue, total)) << groups;
                EXPECT_SAME_BITS(std::vector<u32>{0}, read_all<u32>(*queue, arrived)) << groups;
            }
        }
    });
}

TEST(Kernels, WordsAndBytesGiveTheSameSums) {
    for_each_device([](Device& device) {
        auto queue = *device.create_queue();
        for (const int width : {1, 15, 16, 17, 500}) {
            const int stride = (width + 15) / 16 * 16;
            std::vector<u8> samples(std::size_t(stride) * 2);
            Random random(3);
            for (u8& sample : samples) sample = u8(random());
            const Buffer plane = uploaded(device, *queue, samples), sums = *device.allocate(2 * sizeof(u64));
            ASSERT_TRUE(ok(queue->launch(kernel::exercise_row_squares, 2,
                                         {.plane = {plane.pointer<const u8>(), stride, width, 2}, .sums = sums.pointer<u64>()})));
            std::vector<u64> want(2);
            for (std::size_t y = 0; y < 2; ++y)
                for (int x = 0; x < width; ++x) {
                    const u64 sample = samples[y * std::size_t(stride) + std::size_t(x)];
                    want[y] += sample * sample;
                }
            EXPECT_SAME_BITS(want, read_all<u64>(*queue, sums)) << width;
        }
    });
}

TEST(Kernels, FloatsRoundAsOnTheHost) {
    for_each_device([](Device& device) {
        auto queue = *device.create_queue();
        constexpr std::size_t count = 4096;
        std::vector<float> a(count), b(count), sums(count), products(count), quotients(count), fused(count);
        Random random(11);
        for (std::size_t i = 0; i < count; ++i) {
            // Whole exponent range, subnormals included; no infinities or NaN.
            a[i] = std::bit_cast<float>(u32(random() % 0x7F000000u) | u32(random() & 1) << 31);
            b[i] = std::bit_cast<float>(u32(random() % 0x7F000000u) | u32(random() & 1) << 31);
            if (i % 2) a[i] = float(i) / 3, b[i] = 1.0f + float(random() % 1000) / 7;
            sums[i] = a[i] + b[i];
            products[i] = a[i] * b[i] + 1.0f;
            quotients[i] = a[i] / b[i];
            fused[i] = __builtin_fmaf(a[i], b[i], 1.0f);
        }
        const Buffer from_a = uploaded(device, *queue, a), from_b = uploaded(device, *queue, b);
        Buffer results[4];
        for (Buffer& result : results) result = *device.allocate(count * sizeof(float));
        ASSERT_TRUE(ok(queue->launch(kernel::exercise_float_operations, count / 256,
                                     {.a = from_a.pointer<const float>(),
                                      .b = from_b.pointer<const float>(),
                                      .sums = results[0].pointer<float>(),
                                      .products = results[1].pointer<float>(),
                                      .quotients = results[2].pointer<float>(),
                                      .fused = results[3].pointer<float>(),
                                      .count = int(count)})));
        EXPECT_SAME_BITS(sums, read_all<float>(*queue, results[0]));
        EXPECT_SAME_BITS(products, read_all<float>(*queue, results[1]));
        EXPECT_SAME_BITS(quotients, read_all<float>(*queue, results[2]));
        EXPECT_SAME_BITS(fused, read_all<float>(*queue, results[3]));
    });
}

}  // namespace
}  // namespace isometric::test
