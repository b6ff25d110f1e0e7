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
    Buffer blocks;           // pinned when the host adds them
    Buffer walked, ordered;  // where a walk is, and blocks past binade 2
    Buffer sums;             // pinned, when a walk makes them
};

// So few that the pieces of a block are dealt to the lanes once, where a row is not shorter than that.
int words_per_piece(int width, int rows) {
    const int per_row = (width + samples_in<u16>(1) - 1) / samples_in<u16>(1);
    int words = 1;
    while (words < per_row && rows * ((per_row + words - 1) / words) > kLanes) ++words;
    return words;
}

class FloatMomentTwin final : public Twin {
public:
    FloatMomentTwin(const PictureFormat& format, Device& device)
        : device_(device), format_(format), rounding_(rounding_of(format, format.bit_depth)),
          rows_(std::max(1, (format.height + groups_per_picture - 1) / groups_per_picture)), groups_((format.height + rows_ - 1) / rows_),
          words_per_piece_(words_per_piece(format.width, rows_)) {}

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
    Result<std::unique_ptr<Slot>> make_slot(Rounding rounding) const {
        auto slot = std::make_unique<Slot>();
        const std::size_t blocks = 2 * std::size_t(groups_);
        ISO_TRY(slot->sums, device_.allocate_pinned(2 * sizeof(PictureSums)));
        ISO_TRY(slot->blocks, rounding == Rounding::never ? device_.allocate_pinned(blocks * sizeof(Block)) : device_.allocate(blocks * sizeof(Block)));
        ISO_TRY(slot->walked, device_.allocate(2 * sizeof(Walked)));
        ISO_TRY(slot->ordered, device_.allocate(rounding == Rounding::ordered ? blocks * sizeof(OrderedBlock) : 0));
        return slot;
    }

    template <class T>
    BlockArgs<T> arguments(const DeviceFramePair& pair, const Slot& slot) const {
        return {.ref = plane<T>(pair.ref),
                .dis = plane<T>(pair.dis),
                .blocks = slot.blocks.pointer<Block>(),
                .ordered = slot.ordered.pointer<OrderedBlock>(),
                .walked = slot.walked.pointer<Walked>(),
                .sums = slot.sums.pointer<PictureSums>(),
                .rows_per_block = rows_,
                .blocks_per_picture = groups_,
                .words_per_piece = words_per_piece_};
    }

    Status enqueue(Queue& queue, const DeviceFramePair& pair, Slot& slot, Rounding rounding) const {
        const std::uint32_t blocks = 2 * std::uint32_t(groups_), pictures = 2;
        if (reads_bytes(format_.bit_depth)) return queue.launch(kernel::float_moment_sum_bytes, blocks, arguments<u8>(pair, slot));
        const WordArgs args = arguments<u16>(pair, slot);
        ISO_DO(queue.launch(kernel::float_moment_sum_words, blocks, args));
        if (rounding == Rounding::never) return {};
        ISO_DO(queue.launch(kernel::float_moment_walk_squares, pictures, args));
        if (rounding == Rounding::squares) return {};
        // Pictures that end below 2^55 are done; the host does not wait to know.
        ISO_DO(queue.launch(kernel::float_moment_order_blocks, blocks, args));
        return queue.launch(kernel::float_moment_walk_ordered, pictures, args);
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
        const Block* blocks = slot.blocks.host<Block>() + picture * groups_;
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
    int rows_, groups_, words_per_piece_;
};

}  // namespace

Result<std::unique_ptr<Twin>> create_twin(std::span<const OptionValues>, const PictureFormat& format, Device& device) {
    ISO_DO(check_format(format));
    return std::unique_ptr<Twin>(std::make_unique<FloatMomentTwin>(format, device));
}

}  // namespace isometric::float_moment
