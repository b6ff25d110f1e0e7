// Runs one metric over pictures in memory, without the engine: the naive schedule that tests compare with.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "isometric/option.h"
#include "metrics/metric.h"

namespace isometric::test {

using ClipPair = std::vector<FramePair>;

// "a=1:b=true" as options; "" is none.
inline std::vector<OptionText> option_texts(const std::string& text) {
    std::vector<OptionText> options;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(':', begin), text.size());
        const std::string one = text.substr(begin, end - begin);
        const std::size_t equals = one.find('=');
        options.push_back({one.substr(0, equals), one.substr(equals + 1)});
        begin = end + 1;
    }
    return options;
}

class FullTable final : public RecordTable {
public:
    FullTable(std::size_t frames, std::size_t record_size) : records_(frames, std::vector<double>(record_size)) {}
    std::span<double> writable(std::size_t frame) { return records_[frame]; }
    std::span<const double> record(std::int64_t frame) const override { return records_[std::size_t(frame)]; }
    std::int64_t frames() const override { return std::int64_t(records_.size()); }
    bool ended() const override { return true; }

private:
    std::vector<std::vector<double>> records_;
};

// What the first frames of a stream look like while later ones are not there.
class PartialTable final : public RecordTable {
public:
    PartialTable(const RecordTable& whole, std::int64_t frames) : whole_(whole), frames_(std::min(frames, whole.frames())) {}
    std::span<const double> record(std::int64_t frame) const override {
        EXPECT_LT(frame, frames_) << "a record that is not there yet";
        return whole_.record(frame);
    }
    std::int64_t frames() const override { return frames_; }
    bool ended() const override { return frames_ == whole_.frames(); }

private:
    const RecordTable& whole_;
    std::int64_t frames_;
};

// Scores by stored name and frame, and the values for the stream.
struct RunScores {
    std::map<std::string, std::vector<double>> features;
    std::map<std::string, double> aggregates;

    double at(const std::string& name, std::size_t frame) const {
        const auto found = features.find(name);
        EXPECT_NE(found, features.end()) << "no feature " << name;
        return found == features.end() ? 0.0 : found->second.at(frame);
    }
};

// Measures the frames in reverse order, and concludes each with no record after the last one that it asks for.
inline Result<RunScores> run_metric(const MetricInfo& info, const std::vector<std::string>& variants, const ClipPair& clip,
                                    InstructionSet set) {
    std::vector<OptionValues> values;
    for (const std::string& variant : variants) {
        auto parsed = OptionValues::parse(info, option_texts(variant));
        if (!parsed) return parsed.error();
        values.push_back(*parsed);
    }
    auto metric = info.create(values, clip.at(0).ref.format(), set);
    if (!metric) return metric.error();
    const Metric& m = **metric;
    auto workspace = m.create_workspace();
    if (!workspace) return workspace.error();

    FullTable table(clip.size(), std::size_t(m.record_size()));
    for (std::size_t i = clip.size(); i-- > 0;) {
        std::vector<FramePair> earlier;
        for (std::size_t k = 1; k <= std::size_t(m.history()) && k <= i; ++k) earlier.push_back(clip[i - k]);
        const FrameInput frame{.index = std::int64_t(i), .current = clip[i], .earlier = earlier};
        if (Status status = m.measure(frame, **workspace, table.writable(i)); !status) return status.error();
    }
    RunScores scores;
    for (int variant = 0; variant < int(values.size()); ++variant) {
        const auto emitted = m.emitted(variant);
        for (std::int64_t i = 0; i < std::int64_t(clip.size()); ++i) {
            std::vector<double> row(emitted.size());
            m.conclude(PartialTable(table, m.last_needed(i) + 1), i, variant, row);
            for (std::size_t f = 0; f < emitted.size(); ++f)
                scores.features[stored_name(values[std::size_t(variant)], info.features[std::size_t(emitted[f].feature)])].push_back(
                    row[f]);
        }
        std::vector<Aggregate> aggregates;
        m.aggregate(table, variant, aggregates);
        for (const Aggregate& aggregate : aggregates) scores.aggregates[aggregate.name] = aggregate.value;
    }
    return scores;
}

}  // namespace isometric::test
