#include "bench/device/loops.h"

#include <fmt/format.h>

#include <type_traits>

#include "base/error.h"
#include "bench/device/checked_results.h"

namespace isometric::bench {

namespace fm = float_moment;

Loops::Loops(Device& device, const PictureFormat& format, const Pool& pool) : device_(device), format_(format) {
    if (format.bit_depth == 8) {
        add_loop("read once", kernel::bench_read_bytes);
        return;
    }
    add_loop("read once", kernel::bench_read_words);
    add_loop("plain sums", kernel::bench_plain_moments);
    if (format.bit_depth != 16) return;
    add_loop("sum_words", kernel::float_moment_sum_words);
    add_loop("loop: packed odd", kernel::bench_packed_odd);
    add_loop("loop: errors", kernel::bench_errors);
    add_loop("loop: halves", kernel::bench_halves);
    compare(pool);
    add_parts("plain sums of parts", {&kernel::bench_plain_parts});
    add_parts("plain sums, added", {&kernel::bench_plain_parts_added});
    add_parts("sum parts", {&kernel::float_moment_sum_parts});
    add_parts("sum and walk", {&kernel::float_moment_sum_and_walk});
    // From this size on the sums of noise need the step.
    if (format.width > 3840)
        add_parts("sum, walk, order, walk", {&kernel::float_moment_sum_and_walk, &kernel::float_moment_order_and_walk});
}

// The frame kernel of float_moment with another loop, into memory of the device.
template <class Args>
void Loops::add_loop(std::string name, const Kernel<Args>& kernel) {
    using T = std::conditional_t<std::is_same_v<Args, fm::ByteArgs>, u8, u16>;
    const int rows = fm::rows_per_block(format_.height), groups = (format_.height + rows - 1) / rows;
    const std::size_t first = buffers_.size();
    for (int i = 0; i < slots; ++i) buffers_.push_back(take(device_.allocate(2 * std::size_t(groups) * sizeof(fm::ExactSums))));
    const auto enqueue = [this, &kernel, first, rows, groups](Queue& queue, const DeviceFramePair& pair, int slot) {
        return queue.launch(kernel, 2 * u32(groups),
                            {.ref = pair.ref.plane<T>(0),
                             .dis = pair.dis.plane<T>(0),
                             .blocks = buffers_[first + std::size_t(slot)].template pointer<fm::ExactSums>(),
                             .rows_per_block = rows,
                             .blocks_per_picture = groups});
    };
    works_.push_back({std::move(name), enqueue, {}});
}

// Launches over parts of rows, sums in the host's memory as the twin has them.
void Loops::add_parts(std::string name, std::vector<const Kernel<fm::PartArgs>*> launches) {
    const fm::Division division = fm::divide(format_.width, format_.height);
    const std::size_t first = buffers_.size(), parts = 2 * std::size_t(division.parts);
    const auto set_up = take(device_.create_queue());
    const u32 none[2] = {};
    for (int i = 0; i < slots; ++i) {
        for (const std::size_t bytes :
             {parts * sizeof(fm::ExactSums), parts * sizeof(fm::OrderedPart), 2 * sizeof(fm::Walked), sizeof none})
            buffers_.push_back(take(device_.allocate(bytes)));
        need(set_up->upload(buffers_.back(), 0, none, sizeof none));
        buffers_.push_back(take(device_.allocate_pinned(4 * sizeof(u64))));
    }
    need(set_up->finish());
    const auto enqueue = [this, first, division, launches = std::move(launches)](Queue& queue, const DeviceFramePair& pair,
                                                                                 int slot) -> Status {
        const Buffer* const own = &buffers_[first + 5 * std::size_t(slot)];
        const fm::PartArgs args{.ref = pair.ref.plane<u16>(0),
                                .dis = pair.dis.plane<u16>(0),
                                .parts = own[0].pointer<fm::ExactSums>(),
                                .ordered = own[1].pointer<fm::OrderedPart>(),
                                .walked = own[2].pointer<fm::Walked>(),
                                .arrived = own[3].pointer<u32>(),
                                .sums = own[4].pointer<u64>(),
                                .start = 0,
                                .division = division};
        for (const Kernel<fm::PartArgs>* kernel : launches) ISO_DO(queue.launch(*kernel, 2 * u32(division.groups), args));
        return {};
    };
    works_.push_back({std::move(name), enqueue, {}});
}

// The candidates' sums must be the product's.
void Loops::compare(const Pool& pool) const {
    const auto same = [](const fm::ExactSums& a, const fm::ExactSums& b) {
        return a.first == b.first && a.second.total == b.second.total && a.second.odd_terms == b.second.odd_terms;
    };
    const auto queue = take(device_.create_queue());
    std::vector<fm::ExactSums> product;
    for (std::size_t w = 0; w < works_.size(); ++w) {
        const std::string& name = works_[w].name;
        need(works_[w].enqueue(*queue, pool.views[0], 0));
        const Buffer& buffer = buffers_[w * std::size_t(slots)];
        std::vector<fm::ExactSums> blocks(buffer.size() / sizeof(fm::ExactSums));
        need(queue->read_back(blocks.data(), buffer, 0, buffer.size()));
        need(queue->finish());
        if (name == "sum_words") product = blocks;
        else if (name != "read once" && name != "plain sums")
            for (std::size_t i = 0; i < blocks.size(); ++i)
                if (!same(blocks[i], product[i])) {
                    fmt::print("loop {} differs from the product's at {} block {}\n", name, format_.describe(), i);
                    break;
                }
    }
}

}  // namespace isometric::bench
