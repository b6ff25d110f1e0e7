// What a metric is to the engine.
//
// A metric has a per-frame part, `measure`, that turns pictures into a record (a few doubles), and a joining part, `conclude`, that turns
// records into the scores of a frame. Only `conclude` may look at other frames' records, so frames can be measured in any order on any
// number of threads. Several configurations of one metric (a model and its NEG variant) are measured together, as `variants`, so that
// they share what they can.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/instruction_set.h"
#include "isometric/picture.h"
#include "isometric/status.h"
#include "metrics/options.h"

namespace isometric {

class Device;
class Twin;

// A named output. A model asks for features by raw name; reports print the alias.
struct FeatureSpec {
    std::string_view name;   // "VMAF_integer_feature_adm2_score"
    std::string_view alias;  // "integer_adm2"; the name itself where there is no other
    bool provided = true;    // models can ask for it, and its stored name carries the option suffix
};

// When libvmaf first writes a feature of a stream; reports order their columns by it (docs/metrics/names.md).
enum class WritePhase : std::uint8_t { first_frame, second_frame, flush };

struct EmittedFeature {
    int feature;  // index into MetricInfo::features
    WritePhase phase = WritePhase::first_frame;
};

struct FramePair {
    Picture ref;
    Picture dis;
};

// Spreads one frame's work over workers that have nothing else to do, for the latency of a single large frame.
class Splitter {
public:
    virtual ~Splitter() = default;
    // Parts worth making now; 1 when nobody is idle.
    virtual int ways() const = 0;
    // Runs body(0) .. body(parts - 1), each once, some of them on other threads; returns when all are done.
    virtual void run(int parts, const std::function<void(int part)>& body) const = 0;
};

struct FrameInput {
    std::int64_t index = 0;  // from the first frame of the stream
    const FramePair& current;
    std::span<const FramePair> earlier;  // earlier[k] is frame index-1-k; shorter than history() at the start of a stream
    const Splitter* splitter = nullptr;  // nullptr: the frame is one thread's work
};

// Scratch memory of one measuring thread. Metrics derive from it.
class Workspace {
public:
    virtual ~Workspace() = default;
};

// The records of the frames measured so far.
class RecordTable {
public:
    virtual ~RecordTable() = default;
    // The record of a frame that has been measured.
    virtual std::span<const double> record(std::int64_t frame) const = 0;
    // Frames of the stream as far as known: every record up to Metric::last_needed() of the frame in question is there unless the stream
    // ended before, and then this is their number.
    virtual std::int64_t frames() const = 0;
    // Whether the stream has ended at frames().
    virtual bool ended() const = 0;
};

struct Aggregate {
    std::string name;
    double value = 0;
};

// A metric set up for one picture format and one or more configurations. Immutable after creation: every member may be called by several
// threads at once, each with its own workspace.
class Metric {
public:
    virtual ~Metric() = default;

    // Earlier frames that measure() reads.
    virtual int history() const { return 0; }
    // Measured also on frames that subsampling leaves out.
    virtual bool every_frame() const { return history() > 0; }

    virtual Result<std::unique_ptr<Workspace>> create_workspace() const = 0;

    // Doubles in a record, all variants together.
    virtual int record_size() const = 0;
    virtual Status measure(const FrameInput& frame, Workspace& workspace, std::span<double> record) const = 0;

    // The features that a variant emits, in the order in which conclude() returns their scores.
    virtual std::span<const EmittedFeature> emitted(int variant) const = 0;
    // The last frame whose record conclude() of this frame needs (if the stream is that long).
    virtual std::int64_t last_needed(std::int64_t frame) const { return frame; }
    virtual void conclude(const RecordTable& records, std::int64_t frame, int variant, std::span<double> scores) const = 0;

    // Values for the whole stream, at its end (APSNR). frames() of the table counts every measured frame.
    virtual void aggregate(const RecordTable& records, int variant, std::vector<Aggregate>& out) const {
        (void)records, (void)variant, (void)out;
    }
};

struct MetricInfo {
    std::string_view name;     // "adm"
    std::string_view summary;  // one line for --list-metrics
    std::span<const OptionSpec> options;
    std::span<const FeatureSpec> features;
    bool reads_chroma = false;

    // `variants` are parsed values of this metric's table, at least one. An error names the format or option that the metric refuses.
    Result<std::unique_ptr<Metric>> (*create)(std::span<const OptionValues> variants, const PictureFormat& format, InstructionSet set);

    // The metric's path on a device, for the same variants and format (metrics/twin.h); nullptr: it runs on the CPU only.
    Result<std::unique_ptr<Twin>> (*create_twin)(std::span<const OptionValues> variants, const PictureFormat& format, Device& device) = nullptr;
};

// The name under which a configuration's feature is stored, and the name that reports print.
std::string stored_name(const OptionValues& options, const FeatureSpec& feature);
std::string report_name(const OptionValues& options, const FeatureSpec& feature);

}  // namespace isometric
