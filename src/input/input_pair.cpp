#include "input/input_pair.h"

#include <algorithm>
#include <string_view>

#include "base/error.h"
#include "base/named_descriptor.h"

namespace isometric {
namespace {

std::vector<std::string> list_problems(const PictureFormat& ref, const PictureFormat& dis, bool common_bit_depth) {
    std::vector<std::string> problems;
    if (ref.width != dis.width || ref.height != dis.height)
        problems.push_back(fmt::format("their sizes are {}x{} and {}x{}", ref.width, ref.height, dis.width, dis.height));
    if (ref.chroma != dis.chroma)
        problems.push_back(fmt::format("their chroma formats are {} and {}", to_string(ref.chroma), to_string(dis.chroma)));
    if (ref.bit_depth != dis.bit_depth && !common_bit_depth)
        problems.push_back(fmt::format("their bit depths are {} and {}", ref.bit_depth, dis.bit_depth));
    return problems;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : std::string(separator)) + part;
    return text;
}

// What a remark is about: "frame rate" of "frame rate 25:1", "XCOLORRANGE" of "XCOLORRANGE=FULL".
std::string_view subject(std::string_view remark) { return remark.substr(0, remark.find_last_of(" =")); }

std::vector<std::string> list_warnings(const FrameReader& ref, const FrameReader& dis) {
    std::vector<std::string> warnings;
    for (const std::string& of_ref : ref.remarks())
        for (const std::string& of_dis : dis.remarks())
            if (subject(of_ref) == subject(of_dis) && of_ref != of_dis)
                warnings.push_back(
                    fmt::format("{} says {}, {} says {}: frames are compared as they are", ref.name(), of_ref, dis.name(), of_dis));
    return warnings;
}

// Whether both read from one descriptor, so that each would get half of its bytes.
bool share_descriptor(const std::string& a, const std::string& b) {
    const auto named = named_descriptor(a, STDIN_FILENO);
    return named && named == named_descriptor(b, STDIN_FILENO);
}

Status skip_frames(FrameReader& reader, std::int64_t frames) {
    if (frames == 0) return {};
    if (frames < 0) return error(Code::invalid_argument, "{}: {} frames to skip: must not be negative", reader.name(), frames);
    ISO_TRY(const std::int64_t skipped, reader.skip(frames));
    if (skipped < frames) return error(Code::no_frames, "{}: has {} frames; skipping {} leaves none", reader.name(), skipped, frames);
    return {};
}

}  // namespace

Result<InputPair> InputPair::open(const InputPairOptions& options) {
    if (share_descriptor(options.reference.path, options.distorted.path))
        return error(Code::invalid_argument, "reference and distorted input are both read from {}",
                     options.reference.path == "-" ? "standard input" : options.reference.path);
    ISO_TRY(std::unique_ptr<FrameReader> ref, open_input(options.reference.path, options.reference.options));
    ISO_TRY(std::unique_ptr<FrameReader> dis, open_input(options.distorted.path, options.distorted.options));
    const std::vector<std::string> problems = list_problems(ref->format(), dis->format(), options.common_bit_depth);
    if (!problems.empty())
        return error(Code::bad_input, "{} and {} cannot be compared: {}", ref->name(), dis->name(), join(problems, "; "));
    const int bit_depth = std::max(ref->format().bit_depth, dis->format().bit_depth);
    ISO_DO(ref->set_output_bit_depth(bit_depth));
    ISO_DO(dis->set_output_bit_depth(bit_depth));
    ISO_DO(skip_frames(*ref, options.reference.skip));
    ISO_DO(skip_frames(*dis, options.distorted.skip));
    InputPair pair(std::move(ref), std::move(dis));
    pair.warnings_ = list_warnings(*pair.reference_, *pair.distorted_);
    return pair;
}

void InputPair::set_luma_only(bool luma_only) {
    reference_->set_luma_only(luma_only);
    distorted_->set_luma_only(luma_only);
}

Result<bool> InputPair::read(Picture& reference, Picture& distorted) {
    ISO_TRY(const bool more_reference, reference_->read(reference));
    ISO_TRY(const bool more_distorted, distorted_->read(distorted));
    if (more_reference && more_distorted) {
        ++frames_read_;
        return true;
    }
    unpaired_reference_ += more_reference;
    unpaired_distorted_ += more_distorted;
    return false;
}

std::optional<std::int64_t> InputPair::pairs_left() const {
    const auto reference = reference_->frames_left(), distorted = distorted_->frames_left();
    return reference && distorted ? std::min(*reference, *distorted) : reference ? reference : distorted;
}

InputPair::Lengths InputPair::lengths() {
    const auto count = [&](FrameReader& reader, std::int64_t unpaired) {
        std::int64_t frames = frames_read_ + unpaired;
        for (auto more = reader.skip(1); more && *more == 1; more = reader.skip(1)) ++frames;
        return frames;
    };
    return {count(*reference_, unpaired_reference_), count(*distorted_, unpaired_distorted_)};
}

std::string InputPair::Lengths::describe(const InputPair& pair) const {
    const std::int64_t compared = std::min(reference, distorted);
    if (equal()) return fmt::format("{} and {} have {} frames", pair.reference_->name(), pair.distorted_->name(), compared);
    return fmt::format("{} has {} frames and {} has {}: the first {} were compared", pair.reference_->name(), reference,
                       pair.distorted_->name(), distorted, compared);
}

}  // namespace isometric
