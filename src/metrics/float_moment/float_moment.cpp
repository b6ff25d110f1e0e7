#include "metrics/float_moment/float_moment.h"

#include <array>

#include "base/error.h"
#include "metrics/float_moment/float_moment_passes.h"

namespace isometric {
namespace float_moment {
namespace {

constexpr std::array<FeatureSpec, 4> features = {{
    {"float_moment_ref1st", "float_moment_ref1st", false},
    {"float_moment_dis1st", "float_moment_dis1st", false},
    {"float_moment_ref2nd", "float_moment_ref2nd", false},
    {"float_moment_dis2nd", "float_moment_dis2nd", false},
}};

constexpr std::array<EmittedFeature, 4> emitted_features = {{{0}, {1}, {2}, {3}}};

class FloatMoment final : public Metric {
public:
    FloatMoment(const PictureFormat& format, InstructionSet set) : format_(format), passes_(passes(set)) {}

    Result<std::unique_ptr<Workspace>> create_workspace() const override { return std::make_unique<Workspace>(); }
    int record_size() const override { return float_moment::record_size; }

    Status measure(const FrameInput& frame, Workspace&, std::span<double> record) const override {
        store(sums(frame.current.ref), sums(frame.current.dis), record);
        return {};
    }

    std::span<const EmittedFeature> emitted(int) const override { return emitted_features; }
    void conclude(const RecordTable& records, std::int64_t frame, int, std::span<double> scores) const override {
        float_moment::conclude(records.record(frame), format_, scores);
    }

private:
    Sums sums(const Picture& picture) const {
        if (!reads_bytes(format_.bit_depth)) return sums_u16(passes_, picture.plane<std::uint16_t>(0), format_.bit_depth);
        const PlaneMemory memory = picture.memory(0);
        return passes_.sums_u8({reinterpret_cast<const std::uint8_t*>(memory.data), memory.stride_bytes, format_.width, format_.height});
    }

    PictureFormat format_;
    const Passes& passes_;
};

Result<std::unique_ptr<Metric>> create(std::span<const OptionValues>, const PictureFormat& format, InstructionSet set) {
    ISO_DO(check_format(format));
    return std::unique_ptr<Metric>(std::make_unique<FloatMoment>(format, set));
}

}  // namespace
}  // namespace float_moment

const MetricInfo& float_moment_info() {
    static constexpr MetricInfo info = {.name = "float_moment",
                                        .summary = "first and second moments of the luma of both pictures",
                                        .options = {},
                                        .features = float_moment::features,
                                        .reads_chroma = false,
                                        .create = float_moment::create,
                                        .create_twin = float_moment::create_twin};
    return info;
}

}  // namespace isometric
