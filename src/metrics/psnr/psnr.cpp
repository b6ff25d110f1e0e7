#include "metrics/psnr/psnr.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/error.h"
#include "metrics/psnr/psnr_passes.h"

namespace isometric {
namespace psnr {
namespace {

constexpr std::array<OptionSpec, 5> options = {{
    flag("enable_chroma", {}, true, Naming::unnamed, "measure the chroma planes too"),
    flag("enable_mse", {}, false, Naming::unnamed, "also emit the mean squared error of each plane"),
    flag("enable_apsnr", {}, false, Naming::unnamed, "also give the ratio over all frames"),
    flag("reduced_hbd_peak", {}, false, Naming::unnamed, "above 8 bits, take 255 * 2^(bits-8) as the peak"),
    real("min_sse", {}, 0.0, 0, std::numeric_limits<double>::max(), Naming::unnamed,
         "squared error of a plane that the cap stands for; 0: cap of 6 * bits + 12"),
}};

constexpr std::array<FeatureSpec, 6> features = {{
    {"psnr_y", "psnr_y"},
    {"mse_y", "mse_y", false},
    {"psnr_cb", "psnr_cb"},
    {"mse_cb", "mse_cb", false},
    {"psnr_cr", "psnr_cr"},
    {"mse_cr", "mse_cr", false},
}};

class Psnr final : public Metric {
public:
    Psnr(std::vector<Parameters> variants, const PictureFormat& format, InstructionSet set)
        : variants_(std::move(variants)), format_(format), passes_(passes(set)) {
        for (const Parameters& p : variants_) {
            planes_ = std::max(planes_, p.planes);
            emitted_.push_back(psnr::emitted(p));
        }
    }

    bool every_frame() const override {
        return std::any_of(variants_.begin(), variants_.end(), [](const Parameters& p) { return p.apsnr; });
    }

    Result<std::unique_ptr<Workspace>> create_workspace() const override { return std::make_unique<Workspace>(); }
    int record_size() const override { return planes_ * record_doubles_per_plane; }

    Status measure(const FrameInput& frame, Workspace&, std::span<double> record) const override {
        for (int plane = 0; plane < planes_; ++plane) store_squared_error(measure_plane(frame.current, plane), plane, record);
        return {};
    }

    std::span<const EmittedFeature> emitted(int variant) const override { return emitted_[std::size_t(variant)]; }
    void conclude(const RecordTable& records, std::int64_t frame, int variant, std::span<double> scores) const override {
        psnr::conclude(records.record(frame), variants_[std::size_t(variant)], format_, scores);
    }
    void aggregate(const RecordTable& records, int variant, std::vector<Aggregate>& out) const override {
        psnr::aggregate(records, variants_[std::size_t(variant)], format_, out);
    }

private:
    std::uint64_t measure_plane(const FramePair& pair, int plane) const {
        if (format_.bit_depth == 8)
            return passes_.squared_error_u8(pair.ref.plane<std::uint8_t>(plane), pair.dis.plane<std::uint8_t>(plane));
        return passes_.squared_error_u16(pair.ref.plane<std::uint16_t>(plane), pair.dis.plane<std::uint16_t>(plane));
    }

    std::vector<Parameters> variants_;
    std::vector<std::vector<EmittedFeature>> emitted_;
    int planes_ = 1;
    PictureFormat format_;
    const Passes& passes_;
};

Result<std::unique_ptr<Metric>> create(std::span<const OptionValues> values, const PictureFormat& format, InstructionSet set) {
    ISO_DO(check_format(format));
    std::vector<Parameters> variants;
    for (const OptionValues& value : values) variants.push_back(Parameters::from(value, format));
    return std::unique_ptr<Metric>(std::make_unique<Psnr>(std::move(variants), format, set));
}

}  // namespace
}  // namespace psnr

const MetricInfo& psnr_info() {
    static constexpr MetricInfo info = {.name = "psnr",
                                        .summary = "peak signal-to-noise ratio of each plane",
                                        .options = psnr::options,
                                        .features = psnr::features,
                                        .reads_chroma = true,
                                        .create = psnr::create,
                                        .create_twin = psnr::create_twin};
    return info;
}

}  // namespace isometric
