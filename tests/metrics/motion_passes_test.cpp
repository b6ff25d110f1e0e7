// The CPU passes against the naive reference, for every instruction set.
#include <gtest/gtest.h>

#include <ostream>
#include <vector>

#include "metrics/motion/motion_passes.h"
#include "tests/metrics/motion_reference.h"
#include "tests/support/bits.h"
#include "tests/support/fill.h"
#include "tests/support/guarded.h"
#include "tests/support/instruction_sets.h"

namespace isometric::test {
namespace {

enum class Content { noise, opposite, faint, still, sparse, gradual };
constexpr Content all_contents[] = {Content::noise, Content::opposite, Content::faint, Content::still, Content::sparse, Content::gradual};

// noise: any samples; opposite: checks of the extremes; faint: differences of one level; sparse: few differing samples, so that most rows
// are equal; gradual: a large difference that grows along the rows, so that some vertical blurs need 17 bits and some do not.
template <class T>
void fill_pair(Picture& earlier, Picture& current, Content content, std::uint64_t seed) {
    const auto e = earlier.writable_plane<T>(0), c = current.writable_plane<T>(0);
    const std::uint64_t max = (std::uint64_t(1) << current.format().bit_depth) - 1;
    Random random(seed);
    for (int y = 0; y < c.height; ++y)
        for (int x = 0; x < c.width; ++x) {
            T &a = e.row(y)[x], &b = c.row(y)[x];
            a = T(random() & max);
            b = T(random() & max);
            switch (content) {
                case Content::noise: break;
                case Content::opposite: b = T((x / 7 + y / 5) % 2 ? max : 0), a = T(max - b); break;
                case Content::faint: b = T(max / 2), a = T(max / 2 + random.below(2)); break;
                case Content::still: b = a; break;
                case Content::sparse: b = random.below(193) == 0 ? b : a; break;
                case Content::gradual: b = T(0), a = T(max * std::uint64_t(x + 1) / std::uint64_t(c.width)); break;
            }
        }
}

struct Pair {
    Picture earlier, current;
};

Pair make_pair(int width, int height, int bits, Content content, std::uint64_t seed) {
    const PictureFormat format{width, height, bits, ChromaFormat::yuv400};
    Pair pair{*Picture::allocate(format), *Picture::allocate(format)};
    if (bits == 8) fill_pair<std::uint8_t>(pair.earlier, pair.current, content, seed);
    else fill_pair<std::uint16_t>(pair.earlier, pair.current, content, seed);
    return {guarded_picture(pair.earlier), guarded_picture(pair.current)};
}

std::uint64_t sad(const motion::Passes& passes, const Pair& pair, motion::Rows rows, const motion::Scratch& scratch) {
    const int bits = pair.current.format().bit_depth;
    if (bits == 8) return passes.sad_u8(pair.earlier.plane<std::uint8_t>(0), pair.current.plane<std::uint8_t>(0), rows, scratch);
    return passes.sad_u16(pair.earlier.plane<std::uint16_t>(0), pair.current.plane<std::uint16_t>(0), bits, rows, scratch);
}

std::uint64_t sad(const motion::Passes& passes, const Pair& pair, const motion::Scratch& scratch) {
    return sad(passes, pair, {0, pair.current.format().height}, scratch);
}

TEST(MotionPasses, SadEqualsTheReferenceAtEveryWidthDepthAndContent) {
    const motion::Scratch scratch = *motion::Scratch::create();
    for (int bits = 8; bits <= 16; ++bits)
        for (const Content content : all_contents)
            for (const std::size_t width : awkward_widths) {
                if (width < 3) continue;
                const int height = 3 + int(width * 5 + std::size_t(bits)) % 11;
                const Pair pair = make_pair(int(width), height, bits, content, width * 100 + std::size_t(bits));
                const std::uint64_t expected = motion_reference::blurred_sad(pair.earlier, pair.current);
                for (const InstructionSet set : available_instruction_sets())
                    ASSERT_SAME_BITS(expected, sad(motion::passes(set), pair, scratch))
                        << to_string(set) << " " << width << "x" << height << " bits " << bits << " content " << int(content);
            }
}

TEST(MotionPasses, StripsOfWidePicturesJoin) {
    const motion::Scratch scratch = *motion::Scratch::create();
    for (const int width : {motion::Scratch::max_strip, motion::Scratch::max_strip + 1, 2 * motion::Scratch::max_strip,
                            2 * motion::Scratch::max_strip + 3, 7 * motion::Scratch::max_strip / 2})
        for (const int bits : {8, 10, 16})
            for (const Content content : {Content::noise, Content::opposite, Content::sparse}) {
                const Pair pair = make_pair(width, 6, bits, content, std::uint64_t(width));
                const std::uint64_t expected = motion_reference::blurred_sad(pair.earlier, pair.current);
                for (const InstructionSet set : available_instruction_sets())
                    ASSERT_SAME_BITS(expected, sad(motion::passes(set), pair, scratch))
                        << to_string(set) << " " << width << " bits " << bits;
            }
}

// Parts in any order, of one row and more, with the scratch that another part has left.
TEST(MotionPasses, PartsOfAPictureAddUp) {
    const motion::Scratch scratch = *motion::Scratch::create();
    for (const int height : {3, 4, 5, 9, 24})
        for (const int bits : {8, 10, 16})
            for (const Content content : all_contents) {
                const Pair pair = make_pair(67, height, bits, content, std::uint64_t(height * 20 + bits));
                const std::uint64_t expected = motion_reference::blurred_sad(pair.earlier, pair.current);
                for (const InstructionSet set : available_instruction_sets())
                    for (const int parts : {1, 2, 3, 8, height}) {
                        std::uint64_t sum = 0;
                        for (int part = parts; part-- > 0;)
                            sum += sad(motion::passes(set), pair, {height * part / parts, height * (part + 1) / parts}, scratch);
                        ASSERT_SAME_BITS(expected, sum) << to_string(set) << " height " << height << " bits " << bits << " parts " << parts;
                    }
            }
}

// The extremes of every sum: the whole picture differs by the largest sample, in both signs.
TEST(MotionPasses, LargestDifferencesDoNotOverflow) {
    const motion::Scratch scratch = *motion::Scratch::create();
    for (int bits = 8; bits <= 16; ++bits)
        for (const bool negative : {false, true}) {
            const PictureFormat format{131, 17, bits, ChromaFormat::yuv400};
            Pair pair{*Picture::allocate(format), *Picture::allocate(format)};
            Picture& bright = negative ? pair.current : pair.earlier;
            for (int y = 0; y < format.height; ++y)
                for (int x = 0; x < format.width; ++x) {
                    if (bits == 8) bright.writable_plane<std::uint8_t>(0).row(y)[x] = 255;
                    else bright.writable_plane<std::uint16_t>(0).row(y)[x] = std::uint16_t((1 << bits) - 1);
                }
            const std::uint64_t expected = motion_reference::blurred_sad(pair.earlier, pair.current);
            for (const InstructionSet set : available_instruction_sets())
                ASSERT_SAME_BITS(expected, sad(motion::passes(set), pair, scratch))
                    << to_string(set) << " bits " << bits << " negative " << negative;
        }
}

// Vertical blurs of exactly +-2^15 and its neighbours, where one form of the sum hands over to the other.
TEST(MotionPasses, FormsMeetExactly) {
    const motion::Scratch scratch = *motion::Scratch::create();
    for (const int bits : {8, 10, 12, 14, 15, 16})
        for (int around = -3; around <= 3; ++around)
            for (const bool negative : {false, true}) {
                const PictureFormat format{37, 5, bits, ChromaFormat::yuv400};
                Pair pair{*Picture::allocate(format), *Picture::allocate(format)};
                const int half = 1 << (bits - 1);
                for (int y = 0; y < format.height; ++y)
                    for (int x = 0; x < format.width; ++x) {
                        const int difference = half + (x == 18 ? around : -4 * (x % 3 == 0));
                        if (difference >= 1 << bits) continue;
                        Picture& bright = negative ? pair.current : pair.earlier;
                        if (bits == 8) bright.writable_plane<std::uint8_t>(0).row(y)[x] = std::uint8_t(difference);
                        else bright.writable_plane<std::uint16_t>(0).row(y)[x] = std::uint16_t(difference);
                    }
                const std::uint64_t expected = motion_reference::blurred_sad(pair.earlier, pair.current);
                for (const InstructionSet set : available_instruction_sets())
                    ASSERT_SAME_BITS(expected, sad(motion::passes(set), pair, scratch))
                        << to_string(set) << " bits " << bits << " around " << around;
            }
}

}  // namespace
}  // namespace isometric::test
