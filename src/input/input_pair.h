// The two inputs of a comparison: opened, checked against each other, and read in step (docs/input.md).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "isometric/input.h"

namespace isometric {

struct PairInput {
    std::string path;
    InputOptions options;   // output_bit_depth and luma_only are set by the pair
    std::int64_t skip = 0;  // frames to drop first
};

struct InputPairOptions {
    PairInput reference;
    PairInput distorted;
    // Inputs of different bit depths are compared at the larger; else they are an error.
    bool common_bit_depth = false;
};

class InputPair {
public:
    // Opens both and drops the frames to skip. An error lists everything that keeps the two from being compared; code no_frames when
    // skipping leaves nothing.
    static Result<InputPair> open(const InputPairOptions& options);

    const PictureFormat& format() const { return reference_->format(); }  // of both inputs' pictures
    // Differences that do not keep the two from being compared: frame rate, aspect, colour range.
    const std::vector<std::string>& warnings() const { return warnings_; }
    // Before the first read(): chroma planes are not filled.
    void set_luma_only(bool luma_only);

    // Fills the next pair of pictures of format(). False when either input has ended. After an error frames_read() pairs were whole.
    Result<bool> read(Picture& reference, Picture& distorted);
    std::int64_t frames_read() const { return frames_read_; }
    // Pairs between here and the end, where the sizes of the files tell (FrameReader::frames_left).
    std::optional<std::int64_t> pairs_left() const;
    // After read() returned false: whether one ended while the other had another frame.
    bool reference_ended_first() const { return unpaired_distorted_ > 0; }
    bool distorted_ended_first() const { return unpaired_reference_ > 0; }

    // After read() returned false: how many frames each input has behind those skipped. Reads the longer one to its end; damage there ends
    // the count.
    struct Lengths {
        std::int64_t reference = 0;
        std::int64_t distorted = 0;
        bool equal() const { return reference == distorted; }
        // "ref.y4m has 10 frames and dis.y4m 12: the first 10 were compared"
        std::string describe(const InputPair& pair) const;
    };
    Lengths lengths();

private:
    InputPair(std::unique_ptr<FrameReader> reference, std::unique_ptr<FrameReader> distorted)
        : reference_(std::move(reference)), distorted_(std::move(distorted)) {}

    std::unique_ptr<FrameReader> reference_;
    std::unique_ptr<FrameReader> distorted_;
    std::vector<std::string> warnings_;
    std::int64_t frames_read_ = 0;
    std::int64_t unpaired_reference_ = 0;  // frames taken from an input when the other had already ended
    std::int64_t unpaired_distorted_ = 0;
};

}  // namespace isometric
