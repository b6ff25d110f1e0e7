// What a VmafContext is: a session, the models that are used in it, its picture pool and its callbacks.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "capi/boundary.h"
#include "capi/handle_table.h"
#include "capi/logger.h"
#include "capi/metadata.h"
#include "capi/model.h"
#include "capi/picture_pool.h"
#include "isometric/report.h"
#include "isometric/scores.h"
#include "isometric/session.h"

namespace isometric::capi {

struct Interval {
    unsigned first = 0, last = 0;  // inclusive
};

// Every member may be called by several threads at once.
class Context {
public:
    static Result<std::shared_ptr<Context>> create(const IsometricConfiguration& cfg);

    // Calls in progress. Closing waits for them: a worker that is in a callback must not be the one that ends the workers.
    void enter();
    void leave();

    Logger& logger() { return logger_; }
    MetadataHandlers& metadata() { return metadata_; }
    void remember_error(const std::string& message);
    std::string last_error() const;

    // An error inside a callback of this context, where waiting for the workers would be waiting for oneself.
    Status may_wait() const;

    Status use_metric(std::string_view metric, const std::vector<OptionText>& options);
    Status use_model(std::shared_ptr<ModelState> model);
    Status import_score(std::string_view name, double value, unsigned index) { return session_->import_score(name, value, index); }

    Status preallocate(const PictureFormat& format, unsigned count);
    Result<VmafPicture> fetch(std::optional<std::chrono::milliseconds> timeout);

    // The pair has left the caller's hands.
    Status read(PicturePair pair, unsigned index);
    Status flush();

    // Scores by name.
    Result<double> score(std::string_view name, unsigned index) const;
    Result<double> pooled(std::string_view name, Pooling method, Interval interval) const;
    // Scores of a model, used here or not, in the order of Model::score_names().
    Result<std::vector<double>> score(const std::shared_ptr<ModelState>& model, unsigned index);
    Result<std::vector<double>> pooled(const std::shared_ptr<ModelState>& model, Pooling method, Interval interval);

    Status write(const std::string& path, ReportFormat format) const;
    Scores scores() const { return session_->scores(); }
    std::int64_t frames_read() const { return session_->frames_pushed(); }
    std::int64_t frames_scored() const { return session_->frames_scored(); }

    // Ends the session on the calling thread, after the calls that are in progress; those who wait for pictures get an error.
    void close();

private:
    Context(const IsometricConfiguration& cfg, Session session);
    bool inside_callback() const;
    bool used_by_one_thread() const { return !several_threads_; }
    // What a missing score means in the state that the run is in.
    Error explain(Error missing) const;
    Result<double> found(Result<double> score) const;
    // Whether the model is used here; an error when another one has its name.
    Result<bool> is_used(const std::shared_ptr<ModelState>& model) const;
    // Scores of a model that is not used here: computed when they are asked for, and kept.
    Result<std::vector<double>> predict(const std::shared_ptr<ModelState>& model, unsigned index);
    double frames_per_second() const;

    Logger logger_;
    MetadataHandlers metadata_;
    const bool synchronous_;  // reading returns when the frame is measured
    const unsigned subsample_;

    std::mutex feed_mutex_;  // one registers, reads or flushes at a time
    bool registered_ = false;
    std::atomic<bool> flushed_ = false;

    mutable std::mutex state_mutex_;
    std::string last_error_;
    std::map<std::string, std::shared_ptr<ModelState>, std::less<>> used_;       // by the name of the model
    std::map<std::string, std::shared_ptr<ModelState>, std::less<>> predicted_;  // models that are scored without being used
    std::shared_ptr<PicturePool> pool_;
    std::optional<std::chrono::steady_clock::time_point> first_read_, flush_;

    const std::thread::id first_thread_ = std::this_thread::get_id();
    std::atomic<bool> several_threads_ = false;

    std::mutex calls_mutex_;
    std::condition_variable calls_done_;
    int calls_ = 0;

    std::optional<Session> session_;  // until close(); its workers call into the rest
};

HandleTable<VmafContext, Context>& contexts();

}  // namespace isometric::capi
