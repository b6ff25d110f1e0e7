#include "engine/session_impl.h"

#include <algorithm>
#include <new>
#include <system_error>
#include <thread>

#include "base/error.h"

namespace isometric {
namespace {

int worker_count(int requested) { return requested > 0 ? requested : std::max(1, int(std::thread::hardware_concurrency())); }

class IdleSplitter final : public Splitter {
public:
    explicit IdleSplitter(Workers& workers) : workers_(workers) {}
    int ways() const override { return 1 + workers_.idle(); }
    void run(int parts, const std::function<void(int)>& body) const override { workers_.run_parts(parts, body); }

private:
    Workers& workers_;
};

}  // namespace

Session::Impl::Impl(SessionConfig config, InstructionSet set, Devices devices)
    : config_(std::move(config)), instruction_set_(set), threads_(worker_count(config_.threads)), devices_(std::move(devices)) {}

Session::Impl::~Impl() {
    cancelled_ = true;
    if (workers_) workers_->close();  // tasks use it until they are done, so it is not reset here
    runner_.reset();
}

Status Session::Impl::add_metric(std::string_view metric, std::span<const OptionText> options) {
    if (started_) return error(Code::invalid_argument, "metric '{}': metrics are added before the first picture", metric);
    ISO_TRY(const MetricInfo* info, MetricSet::find(metric));
    ISO_TRY([[maybe_unused]] const MetricSet::Entry entry, metrics_.add(*info, options));
    return {};
}

Status Session::Impl::add_model(const Model& model) {
    if (started_) return error(Code::invalid_argument, "model '{}': models are added before the first picture", model.name());
    for (const std::string& name : model.score_names())
        if (table_.has_model(name))
            return error(Code::invalid_argument, "two models have the name '{}': give one of them another (name=...)", name);
    std::vector<std::string> names;
    for (const ModelFeature& feature : model.features()) {
        auto name = metrics_.add_feature(feature);
        if (!name) return within(fmt::format("model '{}'", model.version()), std::move(name).error());
        names.push_back(std::move(*name));
    }
    return table_.add_model(model, std::move(names));
}

int Session::Impl::max_history() const {
    int frames = 0;
    for (const MetricGroup& group : metrics_.groups())
        if (group.metric) frames = std::max(frames, group.metric->history());
    return frames;
}

Status Session::Impl::start(const PictureFormat& format) {
    if (started_) return error(Code::invalid_argument, "the session has started already");
    ISO_DO(format.check());
    ISO_DO(metrics_.create(format, instruction_set_));
    ISO_DO(table_.set_up(metrics_, config_.subsample));
    ISO_DO(start_devices(format));
    format_ = format;
    free_workspaces_.resize(metrics_.groups().size());
    try {
        workers_ = std::make_unique<Workers>(threads_);
    } catch (const std::system_error& problem) {
        return error(Code::internal, "cannot start {} threads: {}", threads_, problem.what());
    }
    started_ = true;
    return {};
}

// `auto` takes a GPU when every metric has a path on it: pictures are uploaded once, and nothing is computed twice.
void Session::Impl::choose_devices() {
    if (config_.backend != "auto") return;
    for (const MetricGroup& group : metrics_.groups())
        if (!group.info->create_twin) return;
    for (std::string_view backend : device_backends()) {
        if (backend == "emulated" || metrics_.groups().empty()) continue;
        if (std::ranges::count(config_.excluded_backends, backend) > 0) continue;
        auto devices = select_devices(backend, config_.device);
        if (devices) {
            devices_ = std::move(*devices);
            return;
        }
        log(LogLevel::info, fmt::format("backend {}: {}", backend, devices.error().message));
    }
}

Status Session::Impl::start_devices(const PictureFormat& format) {
    choose_devices();
    if (devices_.empty()) return {};
    std::vector<DeviceTask> tasks;
    for (const MetricGroup& group : metrics_.groups()) {
        if (group.info->create_twin) tasks.push_back({group.metric.get(), group.info, group.variants});
        else log(LogLevel::info, fmt::format("metric {} runs on the CPU: it has no kernels", group.info->name));
    }
    if (tasks.empty()) return {};
    const auto on_record = [this](const Metric& metric, std::int64_t position, std::span<const double> record) {
        const auto& groups = metrics_.groups();
        const auto group = std::find_if(groups.begin(), groups.end(), [&](const MetricGroup& g) { return g.metric.get() == &metric; });
        table_.deliver(int(group - groups.begin()), first_index_ + position, record);
    };
    ISO_TRY(runner_, DeviceRunner::create(devices_, format, tasks, {}, on_record));
    return {};
}

Status Session::Impl::check_pair(const Picture& ref, const Picture& dis, std::int64_t index) const {
    if (ref.empty() || dis.empty()) return error(Code::invalid_argument, "frame {}: a picture is missing", index);
    if (ref.format() != dis.format())
        return error(Code::invalid_argument, "frame {}: the reference is {} and the distorted picture {}", index, ref.format().describe(),
                     dis.format().describe());
    if (started_ && ref.format() != format_)
        return error(Code::invalid_argument, "frame {} is {}, the frames before it were {}", index, ref.format().describe(), format_.describe());
    for (const Picture& picture : {ref, dis})
        for (const MetricGroup& group : metrics_.groups())
            if (picture.on_device() && (devices_.empty() || !group.info->create_twin))
                return error(Code::invalid_argument, "frame {}: its pictures are on a device, and metric {} runs on the CPU", index, group.info->name);
    if (index < 0 || index > max_frame_index) return error(Code::invalid_argument, "frame index {}: must be 0..{}", index, max_frame_index);
    return {};
}

Status Session::Impl::push(Picture ref, Picture dis, std::int64_t index) {
    if (finished_) return error(Code::invalid_argument, "frame {}: the session has finished", index);
    ISO_DO(check_pair(ref, dis, index));
    if (!started_) ISO_DO(start(ref.format()));
    const bool first = table_.frames_opened() == 0;
    if (first) first_index_ = index;
    const bool ordered = std::any_of(metrics_.groups().begin(), metrics_.groups().end(), [](const MetricGroup& g) { return g.ordered(); });
    if (!first && ordered && index != next_index_)
        return error(Code::invalid_argument, "frame {}: expected frame {}, because a metric reads the frame before", index, next_index_);
    if (table_.is_open(index)) return error(Code::invalid_argument, "frame {} was given already", index);
    {
        std::unique_lock lock(mutex_);
        frame_done_.wait(lock, [&] { return in_flight_.empty() || arrivals_ - *in_flight_.begin() < in_flight_limit(); });
        if (failure_) return *failure_;
    }
    return submit(std::move(ref), std::move(dis), index);
}

Status Session::Impl::submit(Picture ref, Picture dis, std::int64_t index) {
    const auto job = std::make_shared<Job>(*this);
    {
        const std::lock_guard lock(mutex_);
        in_flight_.insert(arrivals_);
        job->arrival = arrivals_++;
    }
    // From here on the job gives its place back, also when memory runs out with some of its tasks submitted: then the frame has failed.
    try {
        job->index = index;
        job->position = index - first_index_;
        job->current = {std::move(ref), std::move(dis)};
        job->earlier.assign(history_.begin(), history_.end());
        if (max_history() > 0) {
            history_.push_front(job->current);
            if (int(history_.size()) > max_history()) history_.pop_back();
        }
        table_.open(index);
        next_index_ = std::max(next_index_, index + 1);
        for (std::size_t g = 0; g < metrics_.groups().size(); ++g)
            if (!on_device(g) && (index % config_.subsample == 0 || metrics_.groups()[g].metric->every_frame()))
                workers_->submit([this, g, job] { measure(int(g), *job); });
        if (Status status = submit_to_devices(*job); !status) {
            fail(index, status.error());
            return status;
        }
    } catch (const std::bad_alloc&) {
        fail(index, out_of_memory());
        throw;
    }
    return {};
}

Status Session::Impl::submit_to_devices(const Job& job) {
    if (!runner_) return {};
    return runner_->push({job.position, job.current, job.earlier}, job.index % config_.subsample != 0);
}

void Session::Impl::frame_left(std::int64_t arrival) {
    {
        const std::lock_guard lock(mutex_);
        in_flight_.erase(arrival);
    }
    frame_done_.notify_all();
}

void Session::Impl::measure(int group, const Job& job) {
    bool skip = cancelled_;
    {
        const std::lock_guard lock(mutex_);
        skip |= failure_ && job.index > failed_index_;
    }
    if (skip) return;
    try {
        if (Status status = measure_group(group, job); !status) fail(job.index, std::move(status).error());
    } catch (const std::bad_alloc&) {
        fail(job.index, out_of_memory());
    }
}

Status Session::Impl::measure_group(int group, const Job& job) {
    const MetricGroup& metric = metrics_.groups()[std::size_t(group)];
    std::unique_ptr<Workspace> workspace;
    {
        const std::lock_guard lock(mutex_);
        auto& free = free_workspaces_[std::size_t(group)];
        if (!free.empty()) {
            workspace = std::move(free.back());
            free.pop_back();
        }
    }
    const auto named = [&](Error inner) { return within(fmt::format("frame {}: metric {}", job.index, metric.info->name), std::move(inner)); };
    if (!workspace) {
        auto created = metric.metric->create_workspace();
        if (!created) return named(std::move(created).error());
        workspace = std::move(*created);
    }
    std::vector<double> record(std::size_t(metric.metric->record_size()));
    const std::size_t history = std::min(job.earlier.size(), std::size_t(metric.metric->history()));
    const IdleSplitter splitter(*workers_);
    const FrameInput input{job.position, job.current, std::span(job.earlier).first(history), &splitter};
    if (Status status = metric.metric->measure(input, *workspace, record); !status) return named(std::move(status).error());
    table_.deliver(group, job.index, record);
    const std::lock_guard lock(mutex_);
    free_workspaces_[std::size_t(group)].push_back(std::move(workspace));
    return {};
}

// The earliest frame's error is the run's, whichever thread met one first.
void Session::Impl::fail(std::int64_t index, Error error) {
    const std::lock_guard lock(mutex_);
    if (failure_ && failed_index_ <= index) return;
    failed_index_ = index;
    failure_ = std::move(error);
}

Status Session::Impl::failure() const {
    const std::lock_guard lock(mutex_);
    if (failure_) return *failure_;
    return {};
}

Status Session::Impl::wait() {
    {
        std::unique_lock lock(mutex_);
        frame_done_.wait(lock, [&] { return in_flight_.empty(); });
    }
    if (runner_)
        if (Status status = runner_->finish(); !status) fail(next_index_, std::move(status).error());
    return failure();
}

Status Session::Impl::finish() {
    if (finished_) return error(Code::invalid_argument, "the session has finished already");
    static_cast<void>(wait());
    finished_ = true;
    history_.clear();
    if (started_) table_.end();
    ISO_DO(failure());
    if (table_.frames_opened() == 0) return error(Code::no_frames, "there are no frames to score");
    return {};
}

Scores Session::Impl::scores() const {
    const Status status = failure();
    Scores scores = table_.snapshot(!status);
    scores.format = format_;
    scores.complete = bool(status);
    if (!status) scores.error = status.error().message;
    scores.backend = runner_ ? devices_.front()->info().backend : "cpu";
    if (!runner_) scores.device = to_string(instruction_set_);
    else
        for (const auto& device : devices_) scores.device += (scores.device.empty() ? "" : ", ") + device->info().name;
    return scores;
}

}  // namespace isometric
