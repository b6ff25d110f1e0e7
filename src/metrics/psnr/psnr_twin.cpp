#include <algorithm>
#include "base/error.h"
#include "metrics/psnr/psnr.h"
#include "metrics/psnr/psnr_kernels.h"
#include "metrics/twin.h"

namespace isometric::psnr {
namespace {

// Enough groups to fill a device, few enough sums for the host to add.
constexpr int groups_per_plane = 1024;

struct Slot final : TwinSlot {
    Buffer sums;  // of all planes' groups
};

class PsnrTwin final : public Twin {
public:
    PsnrTwin(int planes, const PictureFormat& format) : format_(format), planes_(planes) {
        for (int p = 0; p < planes_; ++p) {
            const int height = format.plane_width(p) > 0 ? format.plane_height(p) : 0;
            rows_[p] = std::max(1, (height + groups_per_plane - 1) / groups_per_plane);
            groups_[p] = std::uint32_t((height + rows_[p] - 1) / rows_[p]);
            first_[p + 1] = first_[p] + groups_[p];
        }
    }

    bool reads_chroma() const override { return planes_ > 1; }

    Result<std::unique_ptr<TwinSlot>> create_slot(Device& device) const override {
        auto slot = std::make_unique<Slot>();
        ISO_TRY(slot->sums, device.allocate_pinned(first_[planes_] * sizeof(u64)));
        return std::unique_ptr<TwinSlot>(std::move(slot));
    }

    Status enqueue(Queue& queue, const TwinFrame& frame, TwinSlot& slot) const override {
        return format_.bit_depth == 8 ? launch<u8>(kernel::psnr_squared_error_u8, queue, frame, slot)
                                      : launch<u16>(kernel::psnr_squared_error_u16, queue, frame, slot);
    }

    Status conclude(Queue&, const TwinFrame&, TwinSlot& slot, std::span<double> record) const override {
        const u64* sums = static_cast<Slot&>(slot).sums.host<u64>();
        for (int p = 0; p < planes_; ++p) {
            u64 total = 0;
            for (std::uint32_t group = first_[p]; group < first_[p + 1]; ++group) total += sums[group];
            store_squared_error(total, p, record);
        }
        return {};
    }

private:
    template <class T>
    Status launch(const Kernel<ErrorArgs<T>>& kernel, Queue& queue, const TwinFrame& frame, TwinSlot& slot) const {
        const DeviceFramePair& pair = frame.current;
        for (int p = 0; p < planes_; ++p) {
            u64* sums = static_cast<Slot&>(slot).sums.pointer<u64>(first_[p] * sizeof(u64));
            ISO_DO(queue.launch(kernel, groups_[p],
                                {.ref = pair.ref.plane<T>(p), .dis = pair.dis.plane<T>(p), .sums = sums, .rows_per_group = rows_[p]}));
        }
        return {};
    }

    PictureFormat format_;
    int planes_;
    int rows_[3] = {};
    std::uint32_t groups_[3] = {}, first_[4] = {};
};

}  // namespace

Result<std::unique_ptr<Twin>> create_twin(std::span<const OptionValues> variants, const PictureFormat& format, Device&) {
    ISO_DO(check_format(format));
    int planes = 1;
    for (const OptionValues& values : variants) planes = std::max(planes, Parameters::from(values, format).planes);
    return std::unique_ptr<Twin>(std::make_unique<PsnrTwin>(planes, format));
}

}  // namespace isometric::psnr
