// Records by a DeviceRunner and by the CPU, to compare.
#pragma once

#include <map>
#include <mutex>

#include "engine/device_runner.h"
#include "tests/device/device_fixture.h"

namespace isometric::test {

// Records by metric and frame.
class Records {
public:
    DeviceRunner::OnRecord receiver() {
        return [this](const Metric& metric, std::int64_t frame, std::span<const double> record) {
            const std::lock_guard lock(mutex_);
            EXPECT_TRUE(records_[&metric].emplace(frame, std::vector<double>(record.begin(), record.end())).second) << "frame " << frame << " twice";
        };
    }
    const std::map<std::int64_t, std::vector<double>>& of(const Metric& metric) { return records_[&metric]; }

private:
    std::mutex mutex_;
    std::map<const Metric*, std::map<std::int64_t, std::vector<double>>> records_;
};

// A metric with its variants, as a session has it.
struct Configured {
    Configured(const MetricInfo& metric_info, const PictureFormat& format, const std::vector<std::vector<OptionText>>& texts = {{}}) : info(&metric_info) {
        for (const auto& text : texts) variants.push_back(*OptionValues::parse(metric_info, text));
        metric = std::move(*metric_info.create(variants, format, best_instruction_set()));
    }
    DeviceTask task() const { return {metric.get(), info, variants}; }
    std::vector<double> cpu_record(const FrameInput& frame) const {
        std::vector<double> record(static_cast<std::size_t>(metric->record_size()));
        const auto workspace = *metric->create_workspace();
        EXPECT_TRUE(ok(metric->measure(frame, *workspace, record)));
        return record;
    }

    const MetricInfo* info;
    std::vector<OptionValues> variants;
    std::unique_ptr<Metric> metric;
};

}  // namespace isometric::test
