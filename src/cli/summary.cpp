#include "cli/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace isometric::cli {
namespace {

struct FrameScore {
    std::int64_t frame = 0;
    double value = 0;
};

class Summary {
public:
    Summary(const Command& command, const Scores& scores) : command_(command), scores_(scores) {
        if (!command.numbers_given) numbers_.kind = NumberFormat::Kind::legacy;  // six decimals, as tools that read such lines expect
        else numbers_ = command.numbers;
    }

    std::string text() {
        if (command_.predict)
            for (const ModelRequest& model : command_.models) add_model(model);
        const bool shows_features = text_.empty() || (command_.reports.empty() && !command_.features.empty());
        if (shows_features) add_features();
        return std::move(text_);
    }

private:
    // The scored frames in order, up to the first one without a score.
    std::vector<FrameScore> frames_of(const ScoreColumn& column) const {
        std::vector<FrameScore> frames;
        for (std::int64_t i = 0; i < std::int64_t(column.values.size()); i += scores_.subsample) {
            const auto& value = column.values[std::size_t(i)];
            if (!value) break;
            frames.push_back({i, *value});
        }
        return frames;
    }

    std::string mean(const ScoreColumn& column, const std::vector<FrameScore>& frames) const {
        const auto value = pool(column, Pooling::mean, frames.front().frame, frames.back().frame, scores_.subsample);
        return value ? numbers_.print(*value) : "none";
    }

    // The mean of a series of a collection, "" when it is not there.
    std::string series_mean(const std::string& name) const {
        const ScoreColumn* column = scores_.find(name);
        if (!column) return {};
        const auto frames = frames_of(*column);
        return frames.empty() ? std::string() : mean(*column, frames);
    }

    std::string counted(std::size_t frames) const {
        std::string text = fmt::format("mean of {} {}", frames, frames == 1 ? "frame" : "frames");
        if (scores_.subsample > 1) text += fmt::format(", one in {}", scores_.subsample);
        return text;
    }

    void add_model(const ModelRequest& model) {
        const ScoreColumn* column = scores_.find(model.name);
        const auto frames = column ? frames_of(*column) : std::vector<FrameScore>();
        if (frames.empty()) return;
        const auto lowest = std::ranges::min_element(frames, {}, &FrameScore::value);
        text_ += fmt::format("{}: {} ({}, {}, lowest {} at frame {}", model.name, mean(*column, frames), model.label(),
                             counted(frames.size()), numbers_.print(lowest->value), lowest->frame);
        if (const std::string bagging = series_mean(model.name + "_bagging"); !bagging.empty())
            text_ += fmt::format(", bagging {}, 95% interval {} to {}, stddev {}", bagging, series_mean(model.name + "_ci_p95_lo"),
                                 series_mean(model.name + "_ci_p95_hi"), series_mean(model.name + "_stddev"));
        text_ += scores_.complete ? ")\n" : ", run incomplete)\n";
        add_worst(frames);
    }

    void add_worst(std::vector<FrameScore> frames) {
        const std::size_t count = std::min(std::size_t(command_.worst), frames.size());
        std::ranges::stable_sort(frames, {}, &FrameScore::value);
        for (std::size_t i = 0; i < count; ++i) text_ += fmt::format("  frame {}: {}\n", frames[i].frame, numbers_.print(frames[i].value));
    }

    void add_features() {
        for (const ScoreColumn& column : scores_.columns) {
            const auto frames = frames_of(column);
            if (column.is_model || frames.empty()) continue;
            text_ += fmt::format("{}: {} ({})\n", column.report_name, mean(column, frames), counted(frames.size()));
        }
        for (const NamedScore& aggregate : scores_.aggregates)
            text_ += fmt::format("{}: {}\n", aggregate.name, numbers_.print(aggregate.value));
    }

    const Command& command_;
    const Scores& scores_;
    NumberFormat numbers_;
    std::string text_;
};

}  // namespace

std::string summary_text(const Command& command, const Scores& scores) { return Summary(command, scores).text(); }

}  // namespace isometric::cli
