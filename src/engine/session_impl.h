// How a session runs: pictures in, tasks to workers or devices, records to the score table.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "base/workers.h"
#include "device/backend.h"
#include "engine/device_runner.h"
#include "engine/metric_set.h"
#include "engine/score_table.h"
#include "isometric/session.h"

namespace isometric {

// Short enough for std::string to hold without memory of its own.
inline Error out_of_memory() { return {Code::out_of_memory, "out of memory"}; }

// One thread pushes; workers measure one metric of one frame at a time, in the order of the frames, so that several workers share a frame
// when few are in flight. Every record goes to the score table, which joins frames in any order of arrival.
class Session::Impl {
public:
    Impl(SessionConfig config, InstructionSet set, Devices devices);
    ~Impl();

    Status add_metric(std::string_view metric, std::span<const OptionText> options);
    Status add_model(const Model& model);
    Status start(const PictureFormat& format);
    bool needs_chroma() const { return metrics_.reads_chroma(); }
    int frames_held() const { return in_flight_limit() + max_history() + (runner_ ? runner_->frames_held() : 0); }
    Status push(Picture ref, Picture dis, std::int64_t index);
    Status wait();
    Status finish();
    Scores scores() const;
    Status failure() const;
    int max_history() const;
    std::int64_t next_index() const { return next_index_; }

    ScoreTable table_;

private:
    // A frame in flight, until the last of its tasks is gone.
    struct Job {
        explicit Job(Impl& s) : session(s) {}
        ~Job() {
            current = {};
            earlier.clear();
            session.frame_left(arrival);
        }
        Impl& session;
        std::int64_t arrival = -1;
        std::int64_t index = 0;
        std::int64_t position = 0;
        FramePair current;
        std::vector<FramePair> earlier;
    };

    // Frames from the earliest that is not done to the latest: one slow frame cannot be left far behind.
    int in_flight_limit() const { return threads_ + 1; }
    Status check_pair(const Picture& ref, const Picture& dis, std::int64_t index) const;
    Status start_devices(const PictureFormat& format);
    void choose_devices();
    bool on_device(std::size_t group) const { return runner_ && metrics_.groups()[group].info->create_twin; }
    void log(LogLevel level, std::string_view message) const {
        if (config_.log) config_.log(level, message);
    }
    Status submit(Picture ref, Picture dis, std::int64_t index);
    Status submit_to_devices(const Job& job);
    void frame_left(std::int64_t arrival);
    void measure(int group, const Job& job);
    Status measure_group(int group, const Job& job);
    void fail(std::int64_t index, Error error);

    SessionConfig config_;
    InstructionSet instruction_set_;
    int threads_;
    Devices devices_;  // chosen by name; empty: the CPU
    MetricSet metrics_;
    PictureFormat format_;
    bool started_ = false;
    bool finished_ = false;
    std::int64_t first_index_ = 0;
    std::int64_t next_index_ = 0;
    std::deque<FramePair> history_;  // latest first

    mutable std::mutex mutex_;
    std::condition_variable frame_done_;
    std::set<std::int64_t> in_flight_;  // by order of arrival
    std::int64_t arrivals_ = 0;
    std::int64_t failed_index_ = 0;
    std::optional<Error> failure_;
    std::vector<std::vector<std::unique_ptr<Workspace>>> free_workspaces_;  // by group
    std::atomic<bool> cancelled_ = false;
    std::unique_ptr<DeviceRunner> runner_;
    std::unique_ptr<Workers> workers_;  // last: joins before the rest is gone
};

}  // namespace isometric
