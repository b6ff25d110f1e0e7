// Frames that sums of squares get wrong (docs/metrics/float_moment.md, section 6), at any bit depth and size.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "isometric/picture.h"
#include "numeric/ordered_sum.h"
#include "tests/support/fill.h"

namespace isometric::test {

// Luma samples in raster order, with the serial sum of their squares in steps. Samples past the last are dropped.
class Script {
public:
    Script(std::size_t width, std::size_t height) : width_(width), size_(width * height) { samples_.reserve(size_); }

    bool full() const { return samples_.size() == size_; }
    void push(u32 sample) {
        if (full()) return;
        samples_.push_back(u16(sample));
        sum_ = ordered_sum::add_rounded(sum_, ordered_sum::square_term(u16(sample)));
    }
    // Largest samples first, until the sum is `target` or as near below it as squares come.
    void push_up_to(u64 target) {
        while (sum_ < target && !full()) {
            u32 low = 0, high = 65535;
            while (low < high) {
                const u32 middle = (low + high + 1) / 2;
                if (ordered_sum::add_rounded(sum_, ordered_sum::square_term(u16(middle))) <= target) low = middle;
                else high = middle - 1;
            }
            if (low == 0) return;
            push(low);
        }
    }
    void push_zeros_to_row_end() {
        while (samples_.size() % width_ != 0) push(0);
    }
    template <class F>
    void push_rest(F sample) {
        while (!full()) push(u32(sample()));
    }
    const std::vector<u16>& samples() const { return samples_; }
    u64 sum() const { return sum_; }

private:
    std::size_t width_, size_;
    std::vector<u16> samples_;
    u64 sum_ = 0;
};

struct TwinFrameKind {
    std::string name;
    std::function<void(Script&, Random&, u32 maximum)> write;  // rest of the frame: zeros
};

inline std::vector<TwinFrameKind> twin_frame_kinds() {
    return {
        {"noise", [](Script& s, Random& r, u32 m) { s.push_rest([&] { return r() & m; }); }},
        {"maximum", [](Script& s, Random&, u32 m) { s.push_rest([&] { return m; }); }},
        {"zero", [](Script&, Random&, u32) {}},
        {"near-white", [](Script& s, Random& r, u32 m) { s.push_rest([&] { return m - (r() & 3); }); }},
    };
}

// For 16 bits: exact sums on and beside the ends of binades, dense ties, odd m.
inline std::vector<TwinFrameKind> adversarial_frame_kinds() {
    const auto odd_dark = [](Random& r) { return r.below(2048) * 2 + 1; };
    return {
        {"2^53-1", [](Script& s, Random&, u32) { s.push_up_to((u64(1) << 53) - 1); }},
        {"2^53", [](Script& s, Random&, u32) { s.push_up_to(u64(1) << 53); }},
        {"2^53+ones", [](Script& s, Random&, u32) { s.push_up_to(u64(1) << 53), s.push_rest([] { return 1; }); }},
        {"2^54+ones", [](Script& s, Random&, u32) { s.push_up_to(u64(1) << 54), s.push_rest([] { return 1; }); }},
        {"bright,odd", [=](Script& s, Random& r, u32) { s.push_up_to((u64(1) << 53) + (u64(1) << 33)), s.push_rest([&] { return odd_dark(r); }); }},
        {"odd-m,odd", [=](Script& s, Random& r, u32) {
             s.push_up_to((u64(1) << 53) - 2);
             s.push(2);
             s.push_zeros_to_row_end();
             s.push_rest([&] { return odd_dark(r); });
         }},
        {"2^55-4,twos", [](Script& s, Random&, u32) {
             s.push_up_to((u64(1) << 55) - 4);
             s.push_zeros_to_row_end();
             for (int i = 0; i < 10; ++i) s.push(2);
         }},
        {"ties-of-8", [](Script& s, Random& r, u32) {
             s.push_up_to((u64(1) << 55) + 8);
             s.push_rest([&] { return r.below(3) ? r.below(2048) * 4 + 2 : r.below(5793) * 2 + 1; });
         }},
        {"ties-of-16", [](Script& s, Random& r, u32) { s.push_up_to((u64(1) << 56) + 16), s.push_rest([&] { return 8192 + r.below(3394); }); }},
        {"alternating", [](Script& s, Random&, u32) {
             u32 i = 0;
             s.push_rest([&] { return ++i % 2 ? 65535u : 1u; });
         }},
    };
}

// A picture with that luma; chroma is noise. Rows start at multiples of 64 bytes.
inline Picture twin_picture(const PictureFormat& format, const TwinFrameKind& kind, std::uint64_t seed) {
    Picture picture = *Picture::allocate(format);
    Random random(seed);
    const u32 maximum = (1u << format.bit_depth) - 1;
    Script script(std::size_t(format.width), std::size_t(format.height));
    kind.write(script, random, maximum);
    script.push_rest([] { return 0; });
    const auto fill = [&](auto sample_type) {
        using T = decltype(sample_type);
        const auto luma = picture.writable_plane<T>(0);
        for (int y = 0; y < format.height; ++y)
            for (int x = 0; x < format.width; ++x) luma.row(y)[x] = T(script.samples()[std::size_t(y) * std::size_t(format.width) + std::size_t(x)]);
        for (int p = 1; p < format.planes(); ++p) {
            const auto plane = picture.writable_plane<T>(p);
            for (int y = 0; y < plane.height; ++y)
                for (int x = 0; x < plane.width; ++x) plane.row(y)[x] = T(random() & maximum);
        }
    };
    if (format.bit_depth == 8) fill(std::uint8_t());
    else fill(std::uint16_t());
    return picture;
}

}  // namespace isometric::test
