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

using Rows = std::vector<std::vector<u32>>;

struct RowTerms {
    const Rows* rows;
    u32 at(i32 row, i32 x) const { return (*rows)[std::size_t(row)][std::size_t(x)]; }
};

double serial(double sum, const std::vector<u32>& terms) {
    for (const u32 term : terms) sum += double(term);
    return sum;
}

// A row as `lanes` consecutive runs, composed by a tree of neighbours.
template <int K>
os::Run<K> lane_tree(const std::vector<u32>& row, std::size_t lanes) {
    std::vector<os::Run<K>> runs;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        auto run = os::empty_lane<K>();
        for (std::size_t x = row.size() * lane / lanes; x < row.size() * (lane + 1) / lanes; ++x) run = os::append(run, row[x]);
        runs.push_back(os::finish(run));
    }
    while (runs.size() > 1) {
        std::vector<os::Run<K>> half;
        for (std::size_t i = 0; i < runs.size(); i += 2) half.push_back(i + 1 < runs.size() ? os::compose(runs[i], runs[i + 1]) : runs[i]);
        runs = half;
    }
    return runs[0];
}

template <int K>
struct TreeRows {
    const Rows* rows;
    std::size_t lanes;
    os::Taken take(u64 sum, i32 row) const { return os::take(sum, lane_tree<K>((*rows)[std::size_t(row)], lanes)); }
};

struct SquareRows {
    const Rows* rows;
    os::Taken take(u64 sum, i32 row) const {
        os::SquareRun run{0, 0};
        for (const u32 term : (*rows)[std::size_t(row)]) run.total += term, run.odd_terms += term & 1;
        return os::take(sum, run);
    }
};

// walk_rows() from any sum; counts the rows that had to be redone in pieces.
template <class Runs>
u64 walk_from(u64 sum, Runs runs, const Rows& rows, i32 piece_terms, int& redone) {
    for (i32 y = 0; y < i32(rows.size()); ++y) {
        const os::Taken taken = runs.take(sum, y);
        redone += !taken.whole;
        sum = taken.whole ? taken.sum : os::walk_row(sum, RowTerms{&rows}, y, i32(rows[std::size_t(y)].size()), piece_terms);
    }
    return sum;
}

// The representable sum nearest below 2^(52+k) + offset.
u64 start_in(u32 k, std::int64_t offset) {
    const u64 at = (u64(1) << (52 + k)) + u64(offset);
    return u64(double(at));
}

template <class Runs>
void expect_serial(const char* what, u64 start, Runs runs, const Rows& rows, int largest_redone = 1 << 30) {
    double expected = double(start);
    for (const auto& row : rows) expected = serial(expected, row);
    int redone = 0;
    const u64 actual = walk_from(start, runs, rows, 5, redone);
    ASSERT_SAME_BITS(expected, double(actual)) << what << " from " << start;
    ASSERT_EQ(actual, u64(double(actual))) << "more than 53 bits";
    ASSERT_LE(redone, largest_redone) << what << ": taken whole too seldom";
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

Rows make_rows(Kind kind, u32 k, std::size_t width, std::size_t height, Random& random) {
    Rows rows(height, std::vector<u32>(width));
    for (auto& row : rows)
        for (u32& term : row) term = make_term(kind, k, random);
    return rows;
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
        ASSERT_EQ(0u, os::base_of(term, 1) & 1) << v;
        ASSERT_EQ(0u, os::is_tie(term, 2)) << v;
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

TEST(OrderedSum, RowsHaveTheSerialBitsInEveryBinadeWithAnyNumberOfLanes) {
    Random random(2);
    for (u32 k = 1; k <= 4; ++k)
        for (const Kind kind : all_kinds)
            for (const std::size_t lanes : {1, 2, 7, 32, 64, 256}) {
                SCOPED_TRACE("binade " + std::to_string(k) + " kind " + std::to_string(int(kind)) + " lanes " + std::to_string(lanes));
                for (int trial = 0; trial < 4; ++trial) {
                    const std::size_t width = 1 + random.below(300);
                    const Rows rows = make_rows(kind, k, width, 6, random);
                    const u64 inside = start_in(k, std::int64_t(random.below(u64(1) << 40)));
                    expect_serial("inside", inside, TreeRows<4>{&rows, lanes}, rows, 0);
                    u64 total = 0;
                    for (const auto& row : rows)
                        for (const u32 term : row) total += term;
                    const std::int64_t before = -std::int64_t(random.below(total + 2)) - 1;
                    expect_serial("across the start", start_in(k, before), TreeRows<4>{&rows, lanes}, rows, 1);
                    expect_serial("across the end", start_in(k + 1, before), TreeRows<4>{&rows, lanes}, rows, k == 4 ? 6 : 1);
                    if (is_square(kind)) {
                        expect_serial("squares inside", inside, SquareRows{&rows}, rows, k <= 2 ? 0 : 6);
                        expect_serial("squares across", start_in(k, before), SquareRows{&rows}, rows, k <= 2 ? 1 : 6);
                    }
                }
            }
}

// Past the binades that runs track, rows go to pieces and keep the bits.
TEST(OrderedSum, UntrackedBinadesFallBack) {
    Random random(3);
    for (u32 k = 2; k <= 10; ++k)
        for (const Kind kind : all_kinds) {
            const Rows rows = make_rows(kind, k, 100, 3, random);
            expect_serial("untracked", start_in(k, std::int64_t(random.below(1 << 20))), TreeRows<1>{&rows, 8}, rows);
        }
}

TEST(OrderedSum, CompositionIsAssociativeAndOrdered) {
    Random random(4);
    bool order_matters = false;
    for (int trial = 0; trial < 2000; ++trial) {
        const u32 k = 1 + u32(random.below(4));
        std::vector<u32> terms[3];
        os::BinadeRun runs[3], whole = os::empty_run();
        for (int part = 0; part < 3; ++part) {
            runs[part] = os::empty_run();
            for (int i = 0; i < 4; ++i) {
                const u32 term = make_term(Kind::ties, k, random) + u32(random.below(2));
                runs[part] = os::append(runs[part], term, k);
                whole = os::append(whole, term, k);
            }
        }
        const auto equal = [](const os::BinadeRun& a, const os::BinadeRun& b) {
            return a.residue == b.residue && a.ties_even == b.ties_even && a.ties_odd == b.ties_odd && a.end_even == b.end_even &&
                   a.end_odd == b.end_odd;
        };
        ASSERT_TRUE(equal(whole, os::compose(os::compose(runs[0], runs[1]), runs[2])));
        ASSERT_TRUE(equal(whole, os::compose(runs[0], os::compose(runs[1], runs[2]))));
        order_matters |= !equal(os::compose(runs[0], runs[1]), os::compose(runs[1], runs[0]));
    }
    EXPECT_TRUE(order_matters);
}

template <class Word>
void expect_ties_as_one_at_a_time(Random& random) {
    constexpr u32 bits = sizeof(Word) * 8;
    for (int trial = 0; trial < 20000; ++trial) {
        const u32 k = 1 + u32(random.below(4)), count = u32(random.below(bits + 1)), odd_start = u32(random.below(2));
        Word odd_bases = 0, ties = 0;
        os::BinadeRun run = os::empty_run();
        for (u32 i = 0; i < count; ++i) {
            const u32 term = make_term(random.below(2) ? Kind::ties : Kind::small, k, random);
            odd_bases |= Word(os::base_of(term, k) & 1) << i;
            ties |= Word(os::is_tie(term, k)) << i;
            run = os::append(run, term, k);
        }
        const os::ResolvedTies resolved = os::resolve_ties(odd_bases, ties, odd_start);
        ASSERT_EQ(odd_start ? run.ties_odd : run.ties_even, resolved.rounded_up) << bits << " bits, " << count << " terms";
        ASSERT_EQ(odd_start ? run.end_odd : run.end_even, resolved.m_is_odd) << bits << " bits, " << count << " terms";
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
