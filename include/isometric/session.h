// A session scores one pair of streams: metrics and models in, frame pairs in, scores out.
//
//     auto session = Session::create({});        // all cores
//     session->add_model(*Model::builtin("vmaf_v0.6.1"));
//     while (have frames) session->push(ref, dis);    // waits while too many frames are in flight
//     session->finish();
//     double score = *session->pooled("vmaf", Pooling::mean);
//
// The same calls give the same bits whatever the number of threads, the instruction set and the backend.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isometric/model.h"
#include "isometric/option.h"
#include "isometric/picture.h"
#include "isometric/scores.h"
#include "isometric/status.h"

namespace [[gnu::visibility("default")]] isometric {

enum class LogLevel : std::uint8_t { error, warning, info, debug };
using LogFunction = std::function<void(LogLevel, std::string_view message)>;

struct SessionConfig {
    int threads = 0;              // workers; 0: one per core
    int subsample = 1;            // score frames whose index is a multiple
    std::uint64_t cpu_mask = 0;   // instruction sets to leave out (base/instruction_set.h); 0: none
    std::string instruction_set;  // name of the one to use; empty: the best that the mask leaves
    std::string backend = "auto";  // auto, cpu, emulated, cuda, hip, sycl, metal
    std::vector<std::string> excluded_backends;  // what auto leaves out
    std::string device;           // index or part of the name; empty: the first
    LogFunction log;              // may be called from any thread, one call at a time
};

class Session {
public:
    static Result<Session> create(SessionConfig config);
    Session(Session&&) noexcept;
    Session& operator=(Session&&) noexcept;
    ~Session();  // waits for the workers; pictures are released

    // Before the first picture. Adding a configuration again is no error: it is measured once, and options that are not part of names are
    // merged. An error for an unknown metric or option, a value out of range, or a contradiction.
    Status add_metric(std::string_view metric, std::span<const OptionText> options = {});
    // Adds the model and the metrics it reads. An error for a second model of one name, a model named like a feature, and for features
    // that no metric provides.
    Status add_model(const Model& model);

    // Sets the metrics up for a format; push() does it for the first picture. An error names the metric that refuses the format.
    Status start(const PictureFormat& format);
    // Whether any metric reads chroma; false: chroma planes of pushed pictures are never looked at.
    bool needs_chroma() const;
    // Pictures that can be in flight inside the session, for sizing pools: frame pairs queued or measured, and earlier frames kept.
    int frames_held() const;

    // The next frame pair, or the pair of an index. Waits while too many are in flight. Indices may come in any order, each once, unless a
    // metric reads earlier frames: then they follow each other, from any first index. Returns the error of an earlier frame's metric, too.
    Status push(Picture ref, Picture dis);
    Status push(Picture ref, Picture dis, std::int64_t index);

    // Waits until every frame pushed is measured. Returns the error of a frame's metric, if there was one.
    Status wait();
    // That error, without waiting.
    Status status() const;
    // Earlier frames whose pictures the session keeps while none is in flight; known after start().
    int frames_kept() const;

    // Ends the stream: waits for all frames and concludes what needed later ones. Nothing can be pushed afterwards.
    Status finish();

    // A score by stored or report name. not_ready: later frames or finish() will give it; not_found: nothing will.
    Result<double> score(std::string_view name, std::int64_t frame) const;
    // Over all frames pushed, or first..last.
    Result<double> pooled(std::string_view name, Pooling method) const;
    Result<double> pooled(std::string_view name, Pooling method, std::int64_t first, std::int64_t last) const;
    // Frame pairs pushed, and those whose scores are all there.
    std::int64_t frames_pushed() const;
    std::int64_t frames_scored() const;
    // A copy of everything that is there, in report order.
    Scores scores() const;

    // A score computed elsewhere, under any name; an error when there is one. Models read it like a metric's.
    Status import_score(std::string_view name, double value, std::int64_t frame);
    // The scores of a model on a frame from the scores that are there, computed now if no worker has: in the order of score_names().
    Result<std::vector<double>> predict(const Model& model, std::int64_t frame) const;

    // Called once for every score when it is there: from any thread, but for one score at a time, in the order they came in. No locks are
    // held.
    using ScoreObserver = std::function<void(std::string_view name, std::int64_t frame, double value)>;
    void on_score(ScoreObserver observer);

private:
    class Impl;
    explicit Session(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

// What this build can do, for listings.
struct OptionDescription {
    std::string name, alias, type, default_value, range, help;
    bool in_feature_names = false;
};
struct MetricDescription {
    std::string name, summary;
    std::vector<OptionDescription> options;
    std::vector<std::string> features;  // raw names
};
std::vector<MetricDescription> list_metrics();

// "0.1.0"
std::string_view version();

}  // namespace isometric
