#include "bench/device/work.h"

#include "bench/device/checked_results.h"

namespace isometric::bench {

OptionValues luma_only(const MetricInfo& info) {
    if (info.options.empty()) return OptionValues(info);
    return take(OptionValues::parse(info, std::vector<OptionText>{{"enable_chroma", "false"}}));
}

TwinWork::TwinWork(Device& device, const MetricInfo& info, const PictureFormat& format, int slots) {
    const OptionValues values = luma_only(info);
    metric_ = take(info.create({&values, 1}, format, best_instruction_set()));
    twin_ = take(info.create_twin({&values, 1}, format, device));
    for (int i = 0; i < slots; ++i) slots_.push_back(take(twin_->create_slot(device)));
    record_.resize(std::size_t(metric_->record_size()));
}

Work TwinWork::work(std::string name) {
    return {std::move(name),
            [this](Queue& queue, const DeviceFramePair& pair, int slot) {
                return twin_->enqueue(queue, {0, pair, {}}, *slots_[std::size_t(slot)]);
            },
            [this](Queue& queue, const DeviceFramePair& pair, int slot) {
                return twin_->conclude(queue, {0, pair, {}}, *slots_[std::size_t(slot)], record_);
            }};
}

}  // namespace isometric::bench
