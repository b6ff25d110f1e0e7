#include <algorithm>
#include <vector>

#include "base/error.h"
#include "metrics/float_moment/float_moment.h"
#include "metrics/float_moment/float_moment_kernels.h"
#include "metrics/twin.h"

namespace isometric::float_moment {
namespace {

// How a sum of squares may round: never; within the binades where squares need no order; or beyond.
enum class Rounding : std::uint8_t { never, squares, ordered };

Rounding rounding_of(const PictureFormat& format, int depth) {
    if (reads_bytes(format.bit_depth)) return Rounding::never;  // 2^31 bytes' squares stay below 2^47
    const u32 largest = ordered_sum::square_term(u16((1u << depth) - 1));
    const u32 binade = ordered_sum::highest_binade(u64(format.width) * u64(format.height), largest);
    return binade == 0 ? Rounding::never : binade <= ordered_sum::highest_square_binade() ? Rounding::squares : Rounding::ordered;
}

struct Slot final : TwinSlot {
    Buffer blocks;                  // pinned: the host adds them
    Buffer parts, ordered, walked, arrived;  // for a walk
    Buffer sums;                             // pinned: made by a walk
};

class FloatMomentTwin final : public Twin {
public:
    FloatMomentTwin(const PictureFormat& format, Device& device)
        : device_(device), format_(format), rounding_(rounding_of(format, format.bit_depth)),
          rows_(rows_per_block(format.height)), blocks_(rounded_up(format.height, rows_)), division_(divide(format.width, format.height)) {}

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
            store_walked(slot, record);
            return {};
        }
        const Sums ref = added(slot, 0), dis = added(slot, 1);
        if (std::max(ref.second, dis.second) > ordered_sum::exact_limit()) return conclude_again(queue, frame.current, record);
        store(ref, dis, record);
        return {};
    }

private:
    Result<std::unique_ptr<Slot>> make_slot(Rounding rounding) const {
        auto slot = std::make_unique<Slot>();
        if (rounding == Rounding::never) {
            ISO_TRY(slot->blocks, device_.allocate_pinned(2 * std::size_t(blocks_) * sizeof(ExactSums)));
            return slot;
        }
        const std::size_t parts = 2 * std::size_t(division_.parts);
        ISO_TRY(slot->parts, device_.allocate(parts * sizeof(ExactSums)));
        ISO_TRY(slot->ordered, device_.allocate(rounding == Rounding::ordered ? parts * sizeof(OrderedPart) : 0));
        ISO_TRY(slot->walked, device_.allocate(2 * sizeof(Walked)));
        ISO_TRY(slot->arrived, zeros(2));
        ISO_TRY(slot->sums, device_.allocate_pinned(4 * sizeof(u64)));
        return slot;
    }

    Result<Buffer> zeros(std::size_t count) const {
        const std::vector<u32> zero(count);
        ISO_TRY(Buffer buffer, device_.allocate(count * sizeof(u32)));
        ISO_TRY(const std::unique_ptr<Queue> queue, device_.create_queue());
        ISO_DO(queue->upload(buffer, 0, zero.data(), count * sizeof(u32)));
        ISO_DO(queue->finish());
        return buffer;
    }

    Status enqueue(Queue& queue, const DeviceFramePair& pair, const Slot& slot, Rounding rounding) const {
        if (reads_bytes(format_.bit_depth)) return sum_blocks(queue, kernel::float_moment_sum_bytes, pair, slot);
        if (rounding == Rounding::never) return sum_blocks(queue, kernel::float_moment_sum_words, pair, slot);
        const PartArgs args{.ref = plane<u16>(pair.ref),
                            .dis = plane<u16>(pair.dis),
                            .parts = slot.parts.pointer<ExactSums>(),
                            .ordered = slot.ordered.pointer<OrderedPart>(),
                            .walked = slot.walked.pointer<Walked>(),
                            .arrived = slot.arrived.pointer<u32>(),
                            .sums = slot.sums.pointer<u64>(),
                            .start = 0,
                            .division = division_};
        ISO_DO(walk_after(queue, kernel::float_moment_sum_and_walk, kernel::float_moment_sum_parts, kernel::float_moment_walk_squares, args));
        if (rounding == Rounding::squares) return {};
        // Pictures that end below 2^55 have nothing left; the host does not wait to know.
        return walk_after(queue, kernel::float_moment_order_and_walk, kernel::float_moment_order_parts, kernel::float_moment_walk_ordered, args);
    }

    // All groups of both pictures and a walk: in one launch where groups join, else in two.
    Status walk_after(Queue& queue, const Kernel<PartArgs>& joined, const Kernel<PartArgs>& parts, const Kernel<PartArgs>& walk,
                      const PartArgs& args) const {
        const std::uint32_t groups = 2 * std::uint32_t(division_.groups), pictures = 2;
        if (device_.info().groups_join) return queue.launch(joined, groups, args);
        ISO_DO(queue.launch(parts, groups, args));
        return queue.launch(walk, pictures, args);
    }

    template <class T>
    Status sum_blocks(Queue& queue, const Kernel<BlockArgs<T>>& kernel, const DeviceFramePair& pair, const Slot& slot) const {
        return queue.launch(kernel, 2 * std::uint32_t(blocks_),
                            {.ref = plane<T>(pair.ref),
                             .dis = plane<T>(pair.dis),
                             .blocks = slot.blocks.pointer<ExactSums>(),
                             .rows_per_block = rows_,
                             .blocks_per_picture = blocks_});
    }

    // Words above the bit depth took the sum where the depth's samples cannot take it. The frame is summed once more, in order.
    Status conclude_again(Queue& queue, const DeviceFramePair& pair, std::span<double> record) const {
        const Rounding rounding = rounding_of(format_, 16);
        ISO_TRY(std::unique_ptr<Slot> slot, make_slot(rounding));
        ISO_DO(enqueue(queue, pair, *slot, rounding));
        ISO_DO(queue.finish());
        store_walked(*slot, record);
        return {};
    }

    // Depths without a scale of their own read the first `width` bytes of each row.
    template <class T>
    Plane<const T> plane(const DevicePicture& picture) const {
        const DevicePicture::Memory& memory = picture.planes[0];
        return {reinterpret_cast<const T*>(memory.address), i32(memory.stride_bytes / i64(sizeof(T))), format_.width, format_.height};
    }

    static void store_walked(const Slot& slot, std::span<double> record) {
        const u64* const sums = slot.sums.host<u64>();
        store({sums[0], sums[1]}, {sums[2], sums[3]}, record);
    }

    Sums added(const Slot& slot, int picture) const {
        const ExactSums* blocks = slot.blocks.host<ExactSums>() + picture * blocks_;
        Sums sums;
        for (int i = 0; i < blocks_; ++i) {
            sums.first += blocks[i].first;
            sums.second += blocks[i].second.total;
        }
        return sums;
    }

    Device& device_;
    PictureFormat format_;
    Rounding rounding_;
    int rows_, blocks_;
    Division division_;
};

}  // namespace

Result<std::unique_ptr<Twin>> create_twin(std::span<const OptionValues>, const PictureFormat& format, Device& device) {
    ISO_DO(check_format(format));
    return std::unique_ptr<Twin>(std::make_unique<FloatMomentTwin>(format, device));
}

}  // namespace isometric::float_moment
