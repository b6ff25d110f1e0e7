// Records and scores of the frames of a session: where per-frame measurements are joined, named and turned into model scores.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/metric_set.h"
#include "isometric/scores.h"
#include "isometric/session.h"

namespace isometric {

// 12 days at 60 frames a second; a larger index is a mistake that would exhaust memory.
constexpr std::int64_t max_frame_index = std::int64_t(1) << 26;

// Thread-safe. Observers are called without its lock.
class ScoreTable {
public:
    ScoreTable() = default;

    // A model whose scores are wanted, with the stored names of its features.
    Status add_model(const Model& model, std::vector<std::string> feature_names);
    bool has_model(std::string_view name) const;
    void set_observer(Session::ScoreObserver observer) { observer_ = std::move(observer); }

    // Makes the columns; the metrics must have been created.
    Status set_up(const MetricSet& metrics, int subsample);

    // A frame that will be measured.
    void open(std::int64_t index);
    bool is_open(std::int64_t index) const;
    // A group's record of a frame.
    void deliver(int group, std::int64_t index, std::span<const double> record);
    // The stream is over: what waited for later frames is concluded, aggregates are made.
    void end();

    Status import_score(std::string_view name, double value, std::int64_t index);
    Result<double> score(std::string_view name, std::int64_t index) const;
    Result<double> pooled(std::string_view name, Pooling method, std::int64_t first, std::int64_t last) const;
    Result<std::vector<double>> predict(const Model& model, std::int64_t index) const;

    std::int64_t frames_opened() const;
    std::int64_t frames_scored() const;
    // Columns, values and aggregates. For a failed run the frames are those before the first one that lacks a score.
    Scores snapshot(bool failed) const;

private:
    struct Column {
        std::string name, report_name;
        bool is_model = false;
        bool imported = false;
        bool every_frame = true;  // has values on frames that subsampling leaves out
    };
    struct ModelEntry {
        Model model;
        std::vector<std::string> feature_names;
        std::vector<int> features;  // columns
        std::vector<int> scores;    // columns
    };
    struct Frame {
        std::vector<std::vector<double>> records;  // by group; empty: not measured
        std::vector<std::optional<double>> values;  // by column; may be shorter
        std::vector<bool> predicted;                // by model
        int missing = 0;                            // columns without a value
        bool opened = false;                        // pushed, not only named by an imported score
    };
    struct GroupState {
        bool ordered = false;
        std::vector<std::vector<int>> columns;  // [variant][emitted feature]
        std::int64_t contiguous = 0;            // frames measured without a gap from the first
        std::int64_t next = 0;                  // the first that is not concluded
    };
    struct Event {
        int column;
        std::int64_t index;
        double value;
    };
    // What a call has stored: frames whose models may be ready now, and what to tell the observer.
    struct Changes {
        std::vector<std::int64_t> frames;
        std::vector<Event> events;
    };
    class Records;

    void add_columns(const MetricSet& metrics, WritePhase phase);
    void add_model_columns();
    void store(std::int64_t index, int column, double value, Changes& changes);
    void conclude(int group, std::int64_t position, Changes& changes);
    // Counts the frames measured without a gap from the first.
    void count_contiguous(int group);
    void conclude_ready(int group, Changes& changes);
    // Scores of the models whose features are there now. Releases the lock while it computes.
    void predict_ready(std::unique_lock<std::mutex>& lock, Changes& changes);
    // Tells the observer, one score at a time. Releases the lock while it does.
    void notify(std::unique_lock<std::mutex>& lock, const Changes& changes);
    bool reported(std::int64_t index) const { return index % subsample_ == 0; }
    int find_column(std::string_view name) const;
    // For readers: by stored name, else by the name that reports print.
    int find_readable(std::string_view name) const;
    std::optional<double> value(const Frame& frame, int column) const;

    mutable std::mutex mutex_;
    const MetricSet* metrics_ = nullptr;
    int subsample_ = 1;
    std::vector<Column> columns_;
    std::map<std::string, int, std::less<>> column_by_name_;
    std::vector<GroupState> groups_;
    std::vector<ModelEntry> models_;
    std::map<std::int64_t, Frame> frames_;
    std::int64_t first_index_ = 0;
    std::int64_t scored_ = 0;
    std::int64_t opened_ = 0;
    bool ended_ = false;      // no more frames come
    bool concluded_ = false;  // nor scores of frames
    std::vector<NamedScore> aggregates_;
    Session::ScoreObserver observer_;
    std::vector<Event> untold_;
    bool telling_ = false;  // a thread is telling the observer
};

}  // namespace isometric
