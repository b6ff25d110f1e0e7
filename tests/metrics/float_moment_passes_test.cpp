// The CPU passes against serial double sums. Sums start anywhere, so that short rows meet every binade.
#include "metrics/float_moment/float_moment_passes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "numeric/ordered_sum.h"
#include "tests/support/bits.h"
#include "tests/support/fill.h"
#include "tests/support/guarded.h"
#include "tests/support/instruction_sets.h"

namespace isometric::test {
namespace {

namespace os = ordered_sum;

// bright: terms that are multiples of every unit; dark, odd_dark: ties under binade 1; mod4: ties of binade 3, both ways; middle: ties of
// binade 4 among others.
enum class Kind { noise, maximum, zeros, bright, dark, odd_dark, mod4, middle, few_dark };
constexpr Kind all_kinds[] = {Kind::noise,    Kind::maximum, Kind::zeros,  Kind::bright,  Kind::dark,
                              Kind::odd_dark, Kind::mod4,    Kind::middle, Kind::few_dark};

std::uint16_t make_sample(Kind kind, Random& random) {
    switch (kind) {
        case Kind::noise: return std::uint16_t(random());
        case Kind::maximum: return 65535;
        case Kind::zeros: return 0;
        case Kind::bright: return std::uint16_t(65535 - random.below(4096));
        case Kind::dark: return std::uint16_t(random.below(4200));
        case Kind::odd_dark: return std::uint16_t(random.below(2048) * 2 + 1);
        case Kind::mod4: return std::uint16_t(random.below(4) ? random.below(2048) * 4 + 2 : random.below(5793) * 2 + 1);
        case Kind::middle: return std::uint16_t(8192 + random.below(3400));
        case Kind::few_dark: return std::uint16_t(random.below(97) ? 40000 + random.below(20000) : random.below(12000));
    }
    return 0;
}

GuardedRow<std::uint16_t> make_row(Kind kind, std::size_t n, GuardSide side, Random& random) {
    GuardedRow<std::uint16_t> row(n, side);
    for (std::uint16_t& sample : row) sample = make_sample(kind, random);
    return row;
}

double serial(double sum, const GuardedRow<std::uint16_t>& row) {
    for (const std::uint16_t sample : row) sum += double(float(sample) * float(sample));
    return sum;
}

std::uint64_t representable(std::uint64_t sum) { return std::uint64_t(double(sum)); }

TEST(FloatMomentPasses, BytesAreSummedAtEveryWidth) {
    for (const std::size_t width : awkward_widths)
        for (const Fill how : all_fills)
            for (const GuardSide side : both_guard_sides) {
                const auto row = guarded_row<std::uint8_t>(width, how, side, width);
                std::uint64_t first = 0, second = 0;
                for (const std::uint8_t v : row) first += v, second += std::uint64_t(v) * v;
                for_each_instruction_set([&](InstructionSet set) {
                    const auto sums = float_moment::passes(set).sums_u8({row.data(), std::ptrdiff_t(width), int(width), 1});
                    ASSERT_SAME_BITS(first, sums.first) << width << how;
                    ASSERT_SAME_BITS(second, sums.second) << width << how;
                });
            }
}

TEST(FloatMomentPasses, LongSumsOfWhiteBytesDoNotOverflow) {
    const std::vector<std::uint8_t> white(65536, 255);
    for_each_instruction_set([&](InstructionSet set) {
        const auto sums = float_moment::passes(set).sums_u8({white.data(), 0, 65536, 60});  // one row, 60 times
        ASSERT_SAME_BITS(std::uint64_t(65536) * 60 * 255, sums.first);
        ASSERT_SAME_BITS(std::uint64_t(65536) * 60 * 65025, sums.second);
    });
}

TEST(FloatMomentPasses, SmallSamplesAreSummedAndLargeOnesNoticed) {
    Random random(1);
    for (const std::size_t width : {1u, 3u, 31u, 32u, 33u, 64u, 129u, 2048u, 2049u, 5000u})
        for (const std::uint16_t most : {1, 1023, 4095}) {
            GuardedRow<std::uint16_t> row(width);
            std::uint64_t first = 0, second = 0;
            for (std::uint16_t& v : row) {
                v = most == 4095 ? most : std::uint16_t(random.below(most + 1u));
                first += v, second += std::uint64_t(v) * v;
            }
            for_each_instruction_set([&](InstructionSet set) {
                float_moment::Sums sums;
                ASSERT_TRUE(float_moment::passes(set).sums_of_small(row.data(), width, sums));
                ASSERT_SAME_BITS(first, sums.first) << width << " " << most;
                ASSERT_SAME_BITS(second, sums.second) << width << " " << most;
                const std::uint16_t kept = std::exchange(row[width - 1], std::uint16_t(4096));
                ASSERT_FALSE(float_moment::passes(set).sums_of_small(row.data(), width, sums));
                row[width - 1] = kept;
            });
        }
}

TEST(FloatMomentPasses, EverySampleHasItsTerm) {
    GuardedRow<std::uint16_t> row(1);
    for_each_instruction_set([&](InstructionSet set) {
        const auto& passes = float_moment::passes(set);
        for (std::uint32_t v = 0; v < 65536; ++v) {
            row[0] = std::uint16_t(v);
            const std::uint32_t term = os::square_term(row[0]);
            ASSERT_EQ(term, passes.sums_of_cleared(row.data(), 1, 0).second) << v;
            ASSERT_EQ(term & ~3u, passes.sums_of_cleared(row.data(), 1, 2).second) << v;
            ASSERT_EQ((term & 1) != 0, passes.any_odd_term(row.data(), 1)) << v;
        }
    });
}

TEST(FloatMomentPasses, RowsHaveTheSerialBitsInEveryBinade) {
    Random random(2);
    for (const Kind kind : all_kinds)
        for (const std::size_t width : {1u, 2u, 15u, 16u, 17u, 33u, 100u, 255u, 256u, 257u, 1000u})
            for (int trial = 0; trial < 6; ++trial) {
                const GuardedRow<std::uint16_t> row = make_row(kind, width, both_guard_sides[trial % 2], random);
                std::uint64_t total = 0, first = 0;
                for (const std::uint16_t v : row) total += os::square_term(v), first += v;
                for (std::uint32_t k = 1; k <= 10; ++k) {
                    const std::uint64_t edge = std::uint64_t(1) << (52 + k);
                    // Inside the binade from both parities, across its start, and ending next to its start.
                    for (const std::uint64_t start :
                         {edge + (random.below(4096) << k), edge + ((random.below(4096) * 2 + 1) << k),
                          representable(edge - random.below(total + 1)), representable(edge - total), representable(edge - total - 1)}) {
                        const double expected = serial(double(start), row);
                        for (const InstructionSet set : available_instruction_sets()) {
                            float_moment::Sums sums{7, start};
                            float_moment::add_row(float_moment::passes(set), row.data(), width, sums);
                            ASSERT_SAME_BITS(expected, double(sums.second)) << to_string(set) << " kind " << int(kind) << " width " << width
                                                                            << " binade " << k << " from " << start << " trial " << trial;
                            ASSERT_EQ(7 + first, sums.first);
                        }
                    }
                }
            }
}

TEST(FloatMomentPasses, OrderedIncrementsAreThoseOfOneTermAtATime) {
    Random random(3);
    for (const Kind kind : all_kinds)
        for (const std::size_t width : {1u, 4u, 31u, 64u, 333u})
            for (std::uint32_t k = 1; k <= 10; ++k)
                for (const std::uint32_t m_is_odd : {0u, 1u}) {
                    const GuardedRow<std::uint16_t> row = make_row(kind, width, GuardSide::after, random);
                    os::TermRun run = os::empty_run(k);
                    for (const std::uint16_t v : row) run = os::append(run, os::square_term(v), k);
                    const std::uint64_t expected = os::increments(run, k).from(m_is_odd);
                    for (const InstructionSet set : available_instruction_sets())
                        ASSERT_EQ(expected, float_moment::passes(set).ordered_increment(row.data(), width, k, m_is_odd).increment)
                            << to_string(set) << " kind " << int(kind) << " width " << width << " binade " << k << " odd " << m_is_odd;
                }
}

}  // namespace
}  // namespace isometric::test
