// Equality of every bit: no tolerances, -0 is not 0, and equal NaN payloads are equal.
//
//     EXPECT_SAME_BITS(expected, actual) << "seed " << seed;
//
// takes two numbers of one type, or two ranges of them (vectors, spans, arrays); the failure names the first differing index and
// prints both values, as hex floats and as bits.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <iterator>
#include <ranges>
#include <string>
#include <type_traits>

namespace isometric::test {

// "0x1.8p+1 (3; bits 0x4008000000000000)"
std::string show_bits(double value);
std::string show_bits(float value);
std::string show_bits(std::int64_t value);
std::string show_bits(std::uint64_t value);
template <std::integral T>
std::string show_bits(T value) {
    if constexpr (std::is_signed_v<T>) return show_bits(std::int64_t(value));
    else return show_bits(std::uint64_t(value));
}

template <class T>
concept Number = std::is_arithmetic_v<T>;

template <Number T>
bool equal_bits(T a, T b) {
    if constexpr (std::is_same_v<T, double>) return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
    else if constexpr (std::is_same_v<T, float>) return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
    else return a == b;
}

template <Number T>
testing::AssertionResult same_bits(const char* a_text, const char* b_text, T a, T b) {
    if (equal_bits(a, b)) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "bits differ\n  " << a_text << ": " << show_bits(a) << "\n  " << b_text << ": " << show_bits(b);
}

template <std::ranges::random_access_range A, std::ranges::random_access_range B>
testing::AssertionResult same_bits(const char* a_text, const char* b_text, const A& a, const B& b) {
    static_assert(std::is_same_v<std::ranges::range_value_t<A>, std::ranges::range_value_t<B>>, "compare equal types");
    if (std::ranges::size(a) != std::ranges::size(b))
        return testing::AssertionFailure() << a_text << " has " << std::ranges::size(a) << " values, " << b_text << " "
                                           << std::ranges::size(b);
    std::size_t differing = 0, first = 0;
    for (std::size_t i = 0; i < std::size_t(std::ranges::size(a)); ++i)
        if (!equal_bits(std::ranges::begin(a)[std::ptrdiff_t(i)], std::ranges::begin(b)[std::ptrdiff_t(i)]) && differing++ == 0) first = i;
    if (differing == 0) return testing::AssertionSuccess();
    return testing::AssertionFailure() << differing << " of " << std::ranges::size(a) << " values differ, the first at [" << first
                                       << "]\n  " << a_text << ": " << show_bits(std::ranges::begin(a)[std::ptrdiff_t(first)]) << "\n  "
                                       << b_text << ": " << show_bits(std::ranges::begin(b)[std::ptrdiff_t(first)]);
}

}  // namespace isometric::test

#define EXPECT_SAME_BITS(a, b) EXPECT_PRED_FORMAT2(::isometric::test::same_bits, a, b)
#define ASSERT_SAME_BITS(a, b) ASSERT_PRED_FORMAT2(::isometric::test::same_bits, a, b)
