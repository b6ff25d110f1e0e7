// Ordered sums against the serial double loop. Sums start anywhere, so that binades that only large pictures reach are met by small ones.
#include "numeric/ordered_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/bits.h"
#include "tests/support/fill.h"

namespace isometric::test {
namespace {

namespace os = ordered_sum;

using Terms = std::vector<u32>;

double serial(double sum, const Terms& terms) {
    for (const u32 term : terms) sum += double(term);
    return sum;
}

os::Increments run_of(const u32* begin, const u32* end, u32 k) {
    os::TermRun run = os::empty_run(k);
    for (const u32* term = begin; term != end; ++term) run = os::append(run, *term, k);
    return os::increments(run, k);
}

// As `lanes` consecutive runs, composed by a tree of neighbours.
os::Increments lane_tree(const u32* begin, const u32* end, u32 k, std::size_t lanes) {
    std::vector<os::Increments> runs;
    const std::size_t count = std::size_t(end - begin);
    for (std::size_t lane = 0; lane < lanes; ++lane) runs.push_back(run_of(begin + count * lane / lanes, begin + count * (lane + 1) / lanes, k));
    while (runs.size() > 1) {
        std::vector<os::Increments> half;
        for (std::size_t i = 0; i < runs.size(); i += 2) half.push_back(i + 1 < runs.size() ? os::compose(runs[i], runs[i + 1]) : runs[i]);
        runs = half;
    }
    return runs[0];
}

os::Increments square_run(const u32* begin, const u32* end, u32 k) {
    os::SquareRun run{0, 0};
    for (const u32* term = begin; term != end; ++term) run.total += *term, run.odd_terms += *term & 1;
    return os::increments(run, k);
}

// A sum in runs of 20 terms, each halved until it can be taken; counts the runs that leave their binade.
struct Walk {
    u64 sum;
    int redone = 0;

    template <class RunOf>
    void take(const u32* begin, const u32* end, RunOf run) {
        if (begin == end) return;
        const u32 k = os::binade_of(sum);
        const os::Taken taken = os::take(sum, run(begin, end, k), k);
        sum = taken.sum;
        if (taken.whole) return;
        if (end - begin == 1) {
            sum = os::add_rounded(sum, *begin);
            return;
        }
        const u32* middle = begin + (end - begin) / 2;
        take(begin, middle, run);
        take(middle, end, run);
    }
    template <class RunOf>
    void take_all(const Terms& terms, RunOf run) {
        for (std::size_t i = 0; i < terms.size(); i += 20) {
            const u32 *begin = terms.data() + i, *end = terms.data() + std::min(i + 20, terms.size());
            const u32 k = os::binade_of(sum);
            redone += !os::take(sum, run(begin, end, k), k).whole;
            take(begin, end, run);
        }
    }
};

// The representable sum nearest below 2^(52+k) + offset.
u64 start_in(u32 k, std::int64_t offset) {
    const u64 at = (u64(1) << (52 + k)) + u64(offset);
    return u64(double(at));
}

template <class RunOf>
void expect_serial(const char* what, u64 start, const Terms& terms, int largest_redone, RunOf run) {
    Walk walk{start};
    walk.take_all(terms, run);
    ASSERT_SAME_BITS(serial(double(start), terms), double(walk.sum)) << what << " from " << start;
    ASSERT_EQ(walk.sum, u64(double(walk.sum))) << "more than 53 bits";
    ASSERT_LE(walk.redone, largest_redone) << what << ": taken whole too seldom";
}

enum class Kind { noise, small, ties, zeros_and_ties, largest, squares, dark_squares, mod4_squares };
constexpr Kind all_kinds[] = {Kind::noise,   Kind::small,   Kind::ties,         Kind::zeros_and_ties,
                              Kind::largest, Kind::squares, Kind::dark_squares, Kind::mod4_squares};
constexpr bool is_square(Kind kind) { return kind >= Kind::largest; }

u32 make_term(Kind kind, u32 k, Random& random) {
    switch (kind) {
        case Kind::noise: return u32(random.below(u64(os::largest_term()) + 1));
        case Kind::small: return u32(random.below(u64(1) << (k + 1)));
        case Kind::ties: return (u32(random.below(8)) << k) + (u32(1) << (k - 1));
        case Kind::zeros_and_ties: return random.below(5) ? 0 : u32(1) << (k - 1);
        case Kind::largest: return os::largest_term();
        case Kind::squares: return os::square_term(u16(random()));
        case Kind::dark_squares: return os::square_term(u16(random.below(12000)));
        case Kind::mod4_squares: return os::square_term(u16(random.below(5) ? random.below(2048) * 4 + 2 : random.below(5793) * 2 + 1));
    }
    return 0;
}

Terms make_terms(Kind kind, u32 k, std::size_t count, Random& random) {
    Terms terms(count);
    for (u32& term : terms) term = make_term(kind, k, random);
    return terms;
}

TEST(OrderedSum, SquareTermIsTheFloatProductOfEverySample) {
    int not_the_integer_square = 0;
    for (u32 v = 0; v < 65536; ++v) {
        const float sample = float(v), product = sample * sample;
        ASSERT_EQ(u64(product), os::square_term(u16(v)));
        not_the_integer_square += u64(v) * v != os::square_term(u16(v));
    }
    EXPECT_GT(not_the_integer_square, 30000);
    EXPECT_EQ(os::largest_term(), os::square_term(65535));
}

// The facts on which the squares' shortcut rests, over all samples.
TEST(OrderedSum, SquaresHaveFewResidues) {
    for (u32 v = 0; v < 65536; ++v) {
        const u32 term = os::square_term(u16(v));
        ASSERT_LE(term & 3, 1u);
        ASSERT_EQ(term & 1, u32(v % 2 == 1 && v < 4096)) << v;
    }
}

TEST(OrderedSum, OneTermIsADoubleAddition) {
    Random random(1);
    for (u32 k = 0; k <= 10; ++k)
        for (int trial = 0; trial < 20000; ++trial) {
            const u64 start = start_in(std::max(k, 1u), std::int64_t(random.below(1 << 14)) - (1 << 13));
            const u32 term = trial % 2 ? u32(random.below(1 << 14)) : u32(random.below(u64(os::largest_term()) + 1));
            ASSERT_SAME_BITS(double(start) + double(term), double(os::add_rounded(start, term))) << start << " + " << term;
        }
}

TEST(OrderedSum, RunsHaveTheSerialBitsInEveryBinadeWithAnyNumberOfLanes) {
    Random random(2);
    for (u32 k = 0; k <= 10; ++k)
        for (const Kind kind : all_kinds)
            for (const std::size_t lanes : {1, 2, 7, 32}) {
                SCOPED_TRACE("binade " + std::to_string(k) + " kind " + std::to_string(int(kind)) + " lanes " + std::to_string(lanes));
                const auto ordered = [&](const u32* begin, const u32* end, u32 binade) { return lane_tree(begin, end, binade, lanes); };
                for (int trial = 0; trial < 4; ++trial) {
                    const Terms terms = make_terms(kind, std::max(k, 1u), 1 + random.below(300), random);
                    u64 total = 0;
                    for (const u32 term : terms) total += term;
                    const std::int64_t before = -std::int64_t(random.below(total + 2)) - 1, inside = std::int64_t(random.below(u64(1) << 40));
                    const u64 starts[] = {k == 0 ? u64(inside) : start_in(k, inside), start_in(std::max(k, 1u), before), start_in(k + 1, before)};
                    for (const u64 start : starts) {
                        expect_serial("runs", start, terms, start == starts[0] ? 0 : 1, ordered);
                        if (is_square(kind)) expect_serial("squares", start, terms, k > 2 ? 15 : start == starts[0] ? 0 : k < 2 ? 1 : 15, square_run);
                    }
                }
            }
}

TEST(OrderedSum, CompositionIsAssociativeAndOrdered) {
    Random random(4);
    bool order_matters = false;
    const auto equal = [](os::Increments a, os::Increments b) { return a.even == b.even && a.odd == b.odd; };
    for (int trial = 0; trial < 2000; ++trial) {
        const u32 k = 1 + u32(random.below(4));
        Terms terms = make_terms(Kind::ties, k, 12, random);
        for (u32& term : terms) term += u32(random.below(2));
        const u32* at = terms.data();
        const os::Increments whole = run_of(at, at + 12, k), runs[3] = {run_of(at, at + 4, k), run_of(at + 4, at + 8, k), run_of(at + 8, at + 12, k)};
        ASSERT_TRUE(equal(whole, os::compose(os::compose(runs[0], runs[1]), runs[2])));
        ASSERT_TRUE(equal(whole, os::compose(runs[0], os::compose(runs[1], runs[2]))));
        ASSERT_TRUE(equal(whole, os::compose(os::no_terms(), whole)) && equal(whole, os::compose(whole, os::no_terms())));
        order_matters |= !equal(os::compose(runs[0], runs[1]), os::compose(runs[1], runs[0]));
    }
    EXPECT_TRUE(order_matters);
}

// A lane's most terms, all of which rounding moves by half a unit, either way.
TEST(OrderedSum, LongRunsKnowTheirIncrements) {
    for (const u32 k : {1u, 4u, 10u})
        for (const u32 offset : {0u, 1u}) {
            const u32 half = 1u << (k - 1), term = (half << 1) * 7 + half + offset;  // up; at a tie, up from odd sums only
            os::TermRun run = os::empty_run(k);
            const u64 count = u64(1) << 16;
            for (u64 i = 0; i < count; ++i) run = os::append(run, term, k);
            const os::Increments increments = os::increments(run, k);
            ASSERT_EQ(8 * count, increments.even) << k;
            ASSERT_EQ(offset ? 8 * count : 7 + 8 * (count - 1), increments.odd) << k;
        }
}

TEST(OrderedSum, RunsOfAnotherBinadeAreNotTaken) {
    for (u32 k = 0; k <= 10; ++k)
        for (u32 other = 0; other <= 10; ++other) {
            const u64 start = k == 0 ? 1 << 20 : start_in(k, std::int64_t(1) << 40);
            const os::Taken taken = os::take(start, os::Increments{8, 8}, other);
            ASSERT_EQ(k == other, taken.whole) << k << " under " << other;
            ASSERT_EQ(k == other ? start + (u64(8) << k) : start, taken.sum);
        }
}

TEST(OrderedSum, UnfitRunsAreNeverTaken) {
    os::Increments runs = os::no_terms();
    for (int i = 0; i < 256; ++i) runs = os::compose(runs, os::unfit_run());
    for (u32 k = 0; k <= 10; ++k) {
        const u64 start = k == 0 ? 0 : start_in(k, 0);
        ASSERT_FALSE(os::take(start, os::unfit_run(), k).whole);
        ASSERT_FALSE(os::take(start, runs, k).whole);
    }
}

template <class Word>
void expect_ties_as_one_at_a_time(Random& random) {
    constexpr u32 bits = sizeof(Word) * 8;
    for (int trial = 0; trial < 20000; ++trial) {
        const u32 k = 1 + u32(random.below(4)), count = u32(random.below(bits + 1)), odd_start = u32(random.below(2));
        Word odd_bases = 0, ties = 0;
        Terms terms;
        for (u32 i = 0; i < count; ++i) {
            const u32 term = make_term(random.below(2) ? Kind::ties : Kind::small, k, random);
            const u32 half = 1u << (k - 1);
            odd_bases |= Word((term + half - 1) >> k & 1) << i;
            ties |= Word((term & (2 * half - 1)) == half) << i;
            terms.push_back(term);
        }
        u64 bases = 0;
        for (const u32 term : terms) bases += (term + (1u << (k - 1)) - 1) >> k;
        const u64 added = run_of(terms.data(), terms.data() + count, k).from(odd_start);
        const os::ResolvedTies resolved = os::resolve_ties(odd_bases, ties, odd_start);
        ASSERT_EQ(added - bases, resolved.rounded_up) << bits << " bits, " << count << " terms";
        ASSERT_EQ((odd_start + added) & 1, resolved.m_is_odd) << bits << " bits, " << count << " terms";
    }
}

TEST(OrderedSum, TiesOfAWordResolveAsOneTermAtATime) {
    Random random(5);
    expect_ties_as_one_at_a_time<u32>(random);
    expect_ties_as_one_at_a_time<u64>(random);
}

TEST(OrderedSum, HighestBinadeBoundsEverySum) {
    EXPECT_EQ(0u, os::highest_binade(1920 * 1080, os::largest_term()));
    EXPECT_EQ(1u, os::highest_binade(2560 * 1440, os::largest_term()));
    EXPECT_EQ(2u, os::highest_binade(3840 * 2160, os::largest_term()));
    EXPECT_EQ(4u, os::highest_binade(7680 * 4320, os::largest_term()));
    EXPECT_EQ(10u, os::highest_binade((u64(1) << 31) - 1, os::largest_term()));
    EXPECT_EQ(0u, os::highest_binade((u64(1) << 31) - 1, 4095 * 255));
    EXPECT_EQ(2u, os::highest_binade(8388864, os::largest_term()));
    EXPECT_EQ(3u, os::highest_binade(8388865, os::largest_term()));
}

}  // namespace
}  // namespace isometric::test
