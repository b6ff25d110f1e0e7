#include "engine/score_table.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/assert.h"
#include "base/error.h"

namespace isometric {

// The records of one group, by position in the stream. Lives only while the table's lock is held.
class ScoreTable::Records final : public RecordTable {
public:
    Records(const ScoreTable& table, int group) : table_(table), group_(std::size_t(group)) {}

    std::span<const double> record(std::int64_t frame) const override {
        const auto found = table_.frames_.find(table_.first_index_ + frame);
        ISO_ASSERT(found != table_.frames_.end() && !found->second.records[group_].empty());
        return found->second.records[group_];
    }
    std::int64_t frames() const override { return table_.groups_[group_].contiguous; }
    bool ended() const override { return table_.ended_; }

private:
    const ScoreTable& table_;
    std::size_t group_;
};

Status ScoreTable::add_model(const Model& model, std::vector<std::string> feature_names) {
    const std::lock_guard lock(mutex_);
    models_.push_back({model, std::move(feature_names), {}, {}});
    return {};
}

bool ScoreTable::has_model(std::string_view name) const {
    const std::lock_guard lock(mutex_);
    for (const ModelEntry& entry : models_)
        for (const std::string& score : entry.model.score_names())
            if (score == name) return true;
    return false;
}

// Columns stand in the order in which libvmaf, run on one thread, writes each of them first (docs/metrics/names.md).
Status ScoreTable::set_up(const MetricSet& metrics, int subsample) {
    const std::lock_guard lock(mutex_);
    metrics_ = &metrics;
    subsample_ = subsample;
    groups_.resize(metrics.groups().size());
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        const MetricGroup& group = metrics.groups()[g];
        groups_[g].ordered = group.ordered();
        for (std::size_t v = 0; v < group.variants.size(); ++v) groups_[g].columns.emplace_back(group.metric->emitted(int(v)).size());
    }
    for (WritePhase phase : {WritePhase::first_frame, WritePhase::second_frame, WritePhase::flush}) add_columns(metrics, phase);
    add_model_columns();
    std::set<std::string_view> printed;  // a report cannot hold one name twice either
    for (std::size_t c = 0; c < columns_.size(); ++c)
        if (!columns_[c].imported && (!column_by_name_.emplace(columns_[c].name, int(c)).second || !printed.insert(columns_[c].report_name).second))
            return error(Code::invalid_argument, "two scores have the name '{}': give the model another name, or drop one of the metrics",
                         columns_[c].name);
    for (ModelEntry& entry : models_)
        for (const std::string& name : entry.feature_names) entry.features.push_back(find_column(name));
    return {};
}

void ScoreTable::add_columns(const MetricSet& metrics, WritePhase phase) {
    for (const MetricSet::Entry& entry : metrics.entries()) {
        const MetricGroup& group = metrics.groups()[std::size_t(entry.group)];
        const OptionValues& options = group.variants[std::size_t(entry.variant)];
        const auto emitted = group.metric->emitted(entry.variant);
        for (std::size_t k = 0; k < emitted.size(); ++k) {
            if (emitted[k].phase != phase) continue;
            const FeatureSpec& feature = group.info->features[std::size_t(emitted[k].feature)];
            groups_[std::size_t(entry.group)].columns[std::size_t(entry.variant)][k] = int(columns_.size());
            columns_.push_back({stored_name(options, feature), report_name(options, feature), false, false, group.metric->every_frame()});
        }
    }
}

// First every model's own score, then what collections add.
void ScoreTable::add_model_columns() {
    for (const bool base : {true, false}) {
        for (ModelEntry& entry : models_) {
            const std::vector<std::string> names = entry.model.score_names();
            entry.scores.resize(names.size());
            for (std::size_t k = base ? 0 : 1; k < (base ? 1 : names.size()); ++k) {
                entry.scores[k] = int(columns_.size());
                columns_.push_back({names[k], names[k], true, false, false});
            }
        }
    }
}

void ScoreTable::open(std::int64_t index) {
    const std::lock_guard lock(mutex_);
    if (opened_++ == 0) first_index_ = index;
    Frame& frame = frames_[index];
    frame.opened = true;
    frame.records.resize(groups_.size());
    frame.predicted.resize(models_.size());
    for (const Column& column : columns_)
        if (!column.imported && (column.every_frame || reported(index))) ++frame.missing;
}

bool ScoreTable::is_open(std::int64_t index) const {
    const std::lock_guard lock(mutex_);
    const auto frame = frames_.find(index);
    return frame != frames_.end() && frame->second.opened;
}

void ScoreTable::deliver(int group, std::int64_t index, std::span<const double> record) {
    std::unique_lock lock(mutex_);
    Changes changes;
    frames_.at(index).records[std::size_t(group)].assign(record.begin(), record.end());
    if (groups_[std::size_t(group)].ordered)
        conclude_ready(group, changes);
    else
        conclude(group, index - first_index_, changes);
    predict_ready(lock, changes);
    notify(lock, changes);
}

void ScoreTable::end() {
    std::unique_lock lock(mutex_);
    ended_ = true;
    Changes changes;
    // Frames that came in any order: aggregates are over those from the lowest index on.
    const bool any_ordered = std::any_of(groups_.begin(), groups_.end(), [](const GroupState& group) { return group.ordered; });
    for (auto frame = frames_.begin(); !any_ordered && frame != frames_.end(); ++frame) {
        first_index_ = frame->first;
        if (frame->second.opened) break;
    }
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        count_contiguous(int(g));
        if (groups_[g].ordered) conclude_ready(int(g), changes);
        if (groups_[g].contiguous == 0) continue;
        std::vector<Aggregate> made;
        for (std::size_t v = 0; v < groups_[g].columns.size(); ++v)
            metrics_->groups()[g].metric->aggregate(Records(*this, int(g)), int(v), made);
        for (Aggregate& a : made) aggregates_.push_back({std::move(a.name), a.value});
    }
    predict_ready(lock, changes);
    concluded_ = true;  // not before: a score that is being computed is not missing
    notify(lock, changes);
}

void ScoreTable::store(std::int64_t index, int column, double score, Changes& changes) {
    Frame& frame = frames_[index];
    if (frame.values.size() < columns_.size()) frame.values.resize(columns_.size());
    frame.values[std::size_t(column)] = score;
    if (!columns_[std::size_t(column)].imported && --frame.missing == 0) ++scored_;
    if (changes.frames.empty() || changes.frames.back() != index) changes.frames.push_back(index);
    if (observer_) changes.events.push_back({column, index, score});
}

void ScoreTable::conclude(int group, std::int64_t position, Changes& changes) {
    const GroupState& state = groups_[std::size_t(group)];
    const Metric& metric = *metrics_->groups()[std::size_t(group)].metric;
    const Records records(*this, group);
    std::vector<double> scores;
    for (std::size_t v = 0; v < state.columns.size(); ++v) {
        scores.assign(state.columns[v].size(), 0);
        metric.conclude(records, position, int(v), scores);
        for (std::size_t k = 0; k < scores.size(); ++k) store(first_index_ + position, state.columns[v][k], scores[k], changes);
    }
}

void ScoreTable::count_contiguous(int group) {
    GroupState& state = groups_[std::size_t(group)];
    const auto measured = [&](const Frame& frame) { return !frame.records.empty() && !frame.records[std::size_t(group)].empty(); };
    for (auto frame = frames_.find(first_index_ + state.contiguous);
         frame != frames_.end() && frame->first == first_index_ + state.contiguous && measured(frame->second); ++frame)
        ++state.contiguous;
}

void ScoreTable::conclude_ready(int group, Changes& changes) {
    GroupState& state = groups_[std::size_t(group)];
    const Metric& metric = *metrics_->groups()[std::size_t(group)].metric;
    count_contiguous(group);
    while (state.next < state.contiguous && (ended_ || metric.last_needed(state.next) < state.contiguous)) conclude(group, state.next++, changes);
}

void ScoreTable::predict_ready(std::unique_lock<std::mutex>& lock, Changes& changes) {
    struct Job {
        std::size_t model;
        std::int64_t index;
        std::vector<double> features, scores;
    };
    std::vector<Job> jobs;
    for (std::int64_t index : changes.frames) {
        Frame& frame = frames_.at(index);
        if (!reported(index) || frame.predicted.size() < models_.size()) continue;
        for (std::size_t m = 0; m < models_.size(); ++m) {
            std::vector<double> features;
            for (int column : models_[m].features)
                if (const auto found = value(frame, column)) features.push_back(*found);
            if (frame.predicted[m] || features.size() != models_[m].features.size()) continue;
            frame.predicted[m] = true;
            jobs.push_back({m, index, std::move(features), std::vector<double>(models_[m].scores.size())});
        }
    }
    if (jobs.empty()) return;
    lock.unlock();
    for (Job& job : jobs) models_[job.model].model.predict(job.features, job.scores);
    lock.lock();
    for (const Job& job : jobs)
        for (std::size_t k = 0; k < job.scores.size(); ++k) store(job.index, models_[job.model].scores[k], job.scores[k], changes);
}

void ScoreTable::notify(std::unique_lock<std::mutex>& lock, const Changes& changes) {
    untold_.insert(untold_.end(), changes.events.begin(), changes.events.end());
    if (telling_) return;  // by the thread that tells already, which goes on until nothing is left
    telling_ = true;
    try {
        while (!untold_.empty()) {
            std::vector<Event> events = std::exchange(untold_, {});
            std::vector<std::string> names;
            for (const Event& event : events) names.push_back(columns_[std::size_t(event.column)].name);
            lock.unlock();
            for (std::size_t e = 0; e < names.size(); ++e) observer_(names[e], events[e].index, events[e].value);
            lock.lock();
        }
    } catch (...) {
        if (!lock) lock.lock();
        telling_ = false;
        throw;
    }
    telling_ = false;
}

Status ScoreTable::import_score(std::string_view name, double score, std::int64_t index) {
    if (index < 0 || index > max_frame_index) return error(Code::invalid_argument, "frame index {}: must be 0..{}", index, max_frame_index);
    std::unique_lock lock(mutex_);
    int column = find_column(name);
    if (column >= 0 && !columns_[std::size_t(column)].imported)
        return error(Code::invalid_argument, "score '{}' is computed here and cannot be imported", name);
    if (column < 0) {
        column = int(columns_.size());
        columns_.push_back({std::string(name), std::string(name), false, true, false});
        column_by_name_.emplace(name, column);
    }
    if (value(frames_[index], column)) return error(Code::invalid_argument, "score '{}' of frame {} is there already", name, index);
    Changes changes;
    store(index, column, score, changes);
    predict_ready(lock, changes);
    notify(lock, changes);
    return {};
}

Result<double> ScoreTable::score(std::string_view name, std::int64_t index) const {
    const std::lock_guard lock(mutex_);
    const int column = find_readable(name);
    if (column < 0) return error(Code::not_found, "there is no score named '{}'", name);
    const auto frame = frames_.find(index);
    if (frame != frames_.end())
        if (const auto found = value(frame->second, column)) return *found;
    if (concluded_) return error(Code::not_found, "score '{}' has no value for frame {}", name, index);
    return error(Code::not_ready, "score '{}' of frame {} is not there yet", name, index);
}

Result<double> ScoreTable::pooled(std::string_view name, Pooling method, std::int64_t first, std::int64_t last) const {
    ScoreColumn copy;
    {
        const std::lock_guard lock(mutex_);
        const int column = find_readable(name);
        if (column < 0) return error(Code::not_found, "there is no score named '{}'", name);
        copy.name = columns_[std::size_t(column)].name;
        for (auto frame = frames_.lower_bound(first); frame != frames_.end() && frame->first <= last; ++frame) {
            copy.values.resize(std::size_t(frame->first) + 1);
            copy.values.back() = value(frame->second, column);
        }
    }
    return pool(copy, method, first, last, subsample_);
}

Result<std::vector<double>> ScoreTable::predict(const Model& model, std::int64_t index) const {
    std::vector<double> scores;
    for (const std::string& name : model.score_names()) {
        auto found = score(name, index);
        if (!found) break;
        scores.push_back(*found);
    }
    if (!scores.empty() && scores.size() == model.score_names().size()) return scores;
    std::vector<double> features;
    for (const ModelFeature& feature : model.features()) {
        ISO_TRY(const std::string name, MetricSet::name_of(feature));
        auto found = score(name, index);
        if (!found) return within(fmt::format("model '{}'", model.name()), std::move(found).error());
        features.push_back(*found);
    }
    scores.assign(model.score_names().size(), 0);
    model.predict(features, scores);
    return scores;
}

std::int64_t ScoreTable::frames_opened() const {
    const std::lock_guard lock(mutex_);
    return opened_;
}

std::int64_t ScoreTable::frames_scored() const {
    const std::lock_guard lock(mutex_);
    return scored_;
}

int ScoreTable::find_column(std::string_view name) const {
    const auto found = column_by_name_.find(name);
    return found == column_by_name_.end() ? -1 : found->second;
}

int ScoreTable::find_readable(std::string_view name) const {
    if (const int column = find_column(name); column >= 0) return column;
    for (std::size_t c = 0; c < columns_.size(); ++c)
        if (columns_[c].report_name == name) return int(c);
    return -1;
}

std::optional<double> ScoreTable::value(const Frame& frame, int column) const {
    return std::size_t(column) < frame.values.size() ? frame.values[std::size_t(column)] : std::nullopt;
}

Scores ScoreTable::snapshot(bool failed) const {
    const std::lock_guard lock(mutex_);
    Scores scores;
    scores.subsample = subsample_;
    scores.aggregates = aggregates_;
    std::int64_t next = 0;
    for (const auto& [index, frame] : frames_) {
        if (failed && (index != next || frame.missing > 0)) break;
        next = index + 1;
    }
    scores.frames = next;
    // Metrics first, then imported scores, then models.
    for (const int part : {0, 1, 2}) {
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            const Column& column = columns_[c];
            if ((column.is_model ? 2 : column.imported ? 1 : 0) != part) continue;
            ScoreColumn& out = scores.columns.emplace_back(ScoreColumn{column.name, column.report_name, column.is_model, {}});
            out.values.resize(std::size_t(next));
            for (auto frame = frames_.begin(); frame != frames_.end() && frame->first < next; ++frame)
                out.values[std::size_t(frame->first)] = value(frame->second, int(c));
        }
    }
    return scores;
}

}  // namespace isometric
