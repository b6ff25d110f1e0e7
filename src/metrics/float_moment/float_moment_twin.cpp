#include <algorithm>

#include "base/error.h"
#include "metrics/float_moment/float_moment.h"
#include "metrics/float_moment/float_moment_kernels.h"
#include "metrics/twin.h"

namespace isometric::float_moment {
namespace {

// Enough groups to fill a device, few enough blocks for the host to add.
constexpr int groups_per_picture = 512;

// How a sum of squares may round: never; within the binades where squares need no order; or beyond.
enum class Rounding : std::uint8_t { never, squares, ordered };

Rounding rounding_of(const PictureFormat& format, int depth) {
    if (reads_bytes(format.bit_depth)) return Rounding::never;  // 2^31 bytes' squares stay below 2^47
    const u32 largest = ordered_sum::square_term(u16((1u << depth) - 1));
    const u32 binade = ordered_sum::highest_binade(u64(format.width) * u64(format.height), largest);
    return binade == 0 ? Rounding::never : binade <= ordered_sum::highest_square_binade() ? Rounding::squares : Rounding::ordered;
}

struct Slot final : TwinSlot {
    Buffer blocks;  // pinned when the host adds them
    Buffer sums;    // pinned, when a walk makes them
};

class FloatMomentTwin final : public Twin {
public:
    FloatMomentTwin(const PictureFormat& format, Device& device)
        : device_(device), format_(format), rounding_(rounding_of(format, format.bit_depth)),
          rows_(std::max(1, (format.height + groups_per_picture - 1) / groups_per_picture)), groups_((format.height + rows_ - 1) / rows_) {}

    Result<std::unique_ptr<TwinSlot>> create_slot(Device&) const override {
        ISO_TRY(std::unique_ptr<Slot> slot, make_slot(rounding_));
        return std::unique_ptr<TwinSlot>(std::move(slot));
    }

    Status enqueue(Queue& queue, const TwinFrame& frame, TwinSlot& slot) const override {
        return enqueue(queue, frame.current, static_cast<Slot&>(slot), rounding_);
    }

    Status conclude(Queue& queue, const TwinFrame& frame, TwinSlot& twin_slot, std::span<double> record) const override {
        auto& slot = static_cast<Slot&>(twin_slot);
        if (rounding_ != Rounding::never) {
            const PictureSums* sums = slot.sums.host<PictureSums>();
            store({sums[0].first, sums[0].second}, {sums[1].first, sums[1].second}, record);
            return {};
        }
        const PictureSums ref = added(slot, 0), dis = added(slot, 1);
        if (std::max(ref.second, dis.second) > ordered_sum::exact_limit()) return conclude_again(queue, frame.current, record);
        store({ref.first, ref.second}, {dis.first, dis.second}, record);
        return {};
    }

private:
    std::size_t block_bytes(Rounding rounding) const {
        return 2 * std::size_t(groups_) * (rounding == Rounding::ordered ? sizeof(OrderedBlock) : sizeof(SquareBlock));
    }

    Result<std::unique_ptr<Slot>> make_slot(Rounding rounding) const {
        auto slot = std::make_unique<Slot>();
        ISO_TRY(slot->blocks, rounding == Rounding::never ? device_.allocate_pinned(block_bytes(rounding)) : device_.allocate(block_bytes(rounding)));
        ISO_TRY(slot->sums, device_.allocate_pinned(2 * sizeof(PictureSums)));
        return slot;
    }

    Status enqueue(Queue& queue, const DeviceFramePair& pair, Slot& slot, Rounding rounding) const {
        const auto frame_kernel = [&]<class T, class Block>(const Kernel<BlockArgs<T, Block>>& kernel) {
            const Plane<const T> ref = plane<T>(pair.ref), dis = plane<T>(pair.dis);
            return queue.launch(kernel, 2 * std::uint32_t(groups_),
                                {.ref = ref, .dis = dis, .blocks = slot.blocks.pointer<Block>(), .rows_per_group = rows_, .groups_per_picture = groups_});
        };
        const auto walk_kernel = [&]<class Block>(const Kernel<WalkArgs<Block>>& kernel) {
            return queue.launch(kernel, 2,
                                {.ref = plane<u16>(pair.ref),
                                 .dis = plane<u16>(pair.dis),
                                 .blocks = slot.blocks.pointer<const Block>(),
                                 .sums = slot.sums.pointer<PictureSums>(),
                                 .rows_per_block = rows_,
                                 .blocks_per_picture = groups_});
        };
        if (reads_bytes(format_.bit_depth)) return frame_kernel(kernel::float_moment_sum_bytes);
        if (rounding == Rounding::ordered) {
            ISO_DO(frame_kernel(kernel::float_moment_run_words));
            return walk_kernel(kernel::float_moment_walk_ordered);
        }
        ISO_DO(frame_kernel(kernel::float_moment_sum_words));
        return rounding == Rounding::never ? Status() : walk_kernel(kernel::float_moment_walk_squares);
    }

    // Words above the bit depth took the sum where the depth's samples cannot take it. The frame is summed once more, in order.
    Status conclude_again(Queue& queue, const DeviceFramePair& pair, std::span<double> record) const {
        const Rounding rounding = rounding_of(format_, 16);
        ISO_TRY(std::unique_ptr<Slot> slot, make_slot(rounding));
        ISO_DO(enqueue(queue, pair, *slot, rounding));
        ISO_DO(queue.finish());
        const PictureSums* sums = slot->sums.host<PictureSums>();
        store({sums[0].first, sums[0].second}, {sums[1].first, sums[1].second}, record);
        return {};
    }

    // Depths without a scale of their own read the first `width` bytes of each row.
    template <class T>
    Plane<const T> plane(const DevicePicture& picture) const {
        const DevicePicture::Memory& memory = picture.planes[0];
        return {reinterpret_cast<const T*>(memory.address), i32(memory.stride_bytes / i64(sizeof(T))), format_.width, format_.height};
    }

    PictureSums added(const Slot& slot, int picture) const {
        const SquareBlock* blocks = slot.blocks.host<SquareBlock>() + picture * groups_;
        PictureSums sums{0, 0};
        for (int i = 0; i < groups_; ++i) {
            sums.first += blocks[i].first;
            sums.second += blocks[i].second.total;
        }
        return sums;
    }

    Device& device_;
    PictureFormat format_;
    Rounding rounding_;
    int rows_, groups_;
};

}  // namespace

Result<std::unique_ptr<Twin>> create_twin(std::span<const OptionValues>, const PictureFormat& format, Device& device) {
    ISO_DO(check_format(format));
    return std::unique_ptr<Twin>(std::make_unique<FloatMomentTwin>(format, device));
}

}  // namespace isometric::float_moment
