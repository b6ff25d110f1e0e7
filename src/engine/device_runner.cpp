#include "engine/device_runner.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

#include "base/error.h"
#include "device/kernel.h"
#include "engine/device_pictures.h"
#include "metrics/twin.h"

namespace isometric {

namespace {

// One frame in flight on one device.
struct Slot {
    std::vector<std::unique_ptr<TwinSlot>> twin_slots;  // by task
    std::int64_t index = 0;
    std::vector<bool> measured;                         // by task
    std::shared_ptr<HeldPair> current;
    std::vector<std::shared_ptr<HeldPair>> earlier;
    DeviceFramePair current_view;
    std::vector<DeviceFramePair> earlier_views;
    Event done;
    std::unique_ptr<Queue> queue;  // last: its end waits for work that uses the memory above
};

// One device with its twins, its slots and the thread that concludes.
class Station {
public:
    using OnDone = std::function<void(Slot& slot, Status status)>;

    Station(std::shared_ptr<Device> device, std::span<const DeviceTask> tasks) : device_(std::move(device)), tasks_(tasks.begin(), tasks.end()) {}
    ~Station() {
        {
            const std::lock_guard lock(mutex_);
            closing_ = true;
        }
        changed_.notify_all();
        if (thread_.joinable()) thread_.join();
    }

    Status start(const PictureFormat& format, int frames, DeviceRunner::OnRecord on_record, std::function<void(std::int64_t, Error)> on_error);
    Status push(const FrameInput& frame, bool left_out);
    void drain();
    const DeviceInfo& info() const { return device_->info(); }
    bool reads_chroma() const {
        return std::any_of(twins_.begin(), twins_.end(), [](const auto& twin) { return twin->reads_chroma(); });
    }

private:
    Slot* take_slot();
    void release_slot(Slot& slot);
    Status enqueue(const FrameInput& frame, bool left_out, Slot& slot);
    TwinFrame frame_of(const Slot& slot, std::size_t task) const;
    Status conclude(Slot& slot);
    void run();

    std::shared_ptr<Device> device_;
    std::vector<DeviceTask> tasks_;
    std::vector<std::unique_ptr<Twin>> twins_;
    std::unique_ptr<DevicePictures> pictures_;
    DeviceRunner::OnRecord on_record_;
    std::function<void(std::int64_t, Error)> on_error_;

    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::unique_ptr<Slot>> slots_;
    std::vector<Slot*> free_;
    std::deque<Slot*> in_flight_;
    bool closing_ = false;
    std::thread thread_;
};

Status Station::start(const PictureFormat& format, int frames, DeviceRunner::OnRecord on_record, std::function<void(std::int64_t, Error)> on_error) {
    on_record_ = std::move(on_record);
    on_error_ = std::move(on_error);
    int history = 0;
    for (DeviceTask& task : tasks_) {
        if (!task.info->create_twin) return error(Code::invalid_argument, "metric {} runs on the CPU only", task.info->name);
        ISO_TRY(std::unique_ptr<Twin> twin, task.info->create_twin(task.variants, format, *device_));
        twins_.push_back(std::move(twin));
        task.variants = {};
        history = std::max(history, task.metric->history());
    }
    // One picture pair for each slot, and those that only later frames look back at.
    ISO_TRY(pictures_, DevicePictures::create(device_, format, reads_chroma() ? format.planes() : 1, frames + history,
                                              history > 0 ? frames + history : 0));
    for (int i = 0; i < frames; ++i) {
        auto slot = std::make_unique<Slot>();
        ISO_TRY(slot->queue, device_->create_queue());
        for (const auto& twin : twins_) {
            ISO_TRY(std::unique_ptr<TwinSlot> twin_slot, twin->create_slot(*device_));
            slot->twin_slots.push_back(std::move(twin_slot));
        }
        slot->measured.resize(tasks_.size());
        free_.push_back(slot.get());
        slots_.push_back(std::move(slot));
    }
    thread_ = std::thread([this] { run(); });
    return {};
}

Slot* Station::take_slot() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !free_.empty(); });
    Slot* slot = free_.back();
    free_.pop_back();
    return slot;
}

void Station::release_slot(Slot& slot) {
    slot.current.reset();
    slot.earlier.clear();
    slot.earlier_views.clear();
    const std::lock_guard lock(mutex_);
    free_.push_back(&slot);
    changed_.notify_all();
}

Status Station::push(const FrameInput& frame, bool left_out) {
    Slot* slot = take_slot();
    if (Status status = enqueue(frame, left_out, *slot); !status) {
        (void)slot->queue->finish();  // what was launched may still read the pictures; its error is no news
        release_slot(*slot);
        return status;
    }
    const std::lock_guard lock(mutex_);
    in_flight_.push_back(slot);
    changed_.notify_all();
    return {};
}

Status Station::enqueue(const FrameInput& frame, bool left_out, Slot& slot) {
    slot.index = frame.index;
    std::size_t history = 0;
    for (std::size_t t = 0; t < tasks_.size(); ++t) {
        slot.measured[t] = !left_out || tasks_[t].metric->every_frame();
        if (slot.measured[t]) history = std::max(history, std::size_t(tasks_[t].metric->history()));
    }
    for (std::size_t k = std::min(history, frame.earlier.size()); k-- > 0;) {
        ISO_TRY(std::shared_ptr<HeldPair> pair, pictures_->hold(frame.index - 1 - std::int64_t(k), frame.earlier[k], *slot.queue));
        slot.earlier.push_back(std::move(pair));
    }
    std::reverse(slot.earlier.begin(), slot.earlier.end());
    ISO_TRY(slot.current, pictures_->hold(frame.index, frame.current, *slot.queue));
    for (const auto& pair : slot.earlier) {
        ISO_DO(slot.queue->wait(pair->ready));
        slot.earlier_views.push_back(pair->view());
    }
    if (slot.current->ready) ISO_DO(slot.queue->wait(slot.current->ready));
    slot.current_view = slot.current->view();
    for (std::size_t t = 0; t < tasks_.size(); ++t)
        if (slot.measured[t]) ISO_DO(twins_[t]->enqueue(*slot.queue, frame_of(slot, t), *slot.twin_slots[t]));
    ISO_TRY(slot.done, slot.queue->record());
    return {};
}

TwinFrame Station::frame_of(const Slot& slot, std::size_t task) const {
    const std::size_t known = std::min(slot.earlier_views.size(), std::size_t(tasks_[task].metric->history()));
    return {slot.index, slot.current_view, std::span(slot.earlier_views).first(known)};
}

Status Station::conclude(Slot& slot) {
    ISO_DO(slot.done.wait());
    for (std::size_t t = 0; t < tasks_.size(); ++t) {
        if (!slot.measured[t]) continue;
        std::vector<double> record(std::size_t(tasks_[t].metric->record_size()));
        ISO_DO(twins_[t]->conclude(*slot.queue, frame_of(slot, t), *slot.twin_slots[t], record));
        on_record_(*tasks_[t].metric, slot.index, record);
    }
    return {};
}

void Station::run() {
    for (;;) {
        Slot* slot = nullptr;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return closing_ || !in_flight_.empty(); });
            if (in_flight_.empty()) return;
            slot = in_flight_.front();
        }
        if (Status status = conclude(*slot); !status) {
            (void)slot->queue->finish();  // a wait that failed leaves work that may still read the pictures
            on_error_(slot->index, status.error());
        }
        {
            const std::lock_guard lock(mutex_);
            in_flight_.pop_front();
        }
        release_slot(*slot);
    }
}

void Station::drain() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return free_.size() == slots_.size(); });
}

}  // namespace

class DeviceRunner::Impl {
public:
    Status start(const Devices& devices, const PictureFormat& format, std::span<const DeviceTask> tasks, const Settings& settings, OnRecord on_record) {
        ISO_DO(format.check());
        if (devices.empty()) return error(Code::invalid_argument, "no device to run on");
        format_ = format;
        frames_ = std::max(1, settings.frames_in_flight);
        for (const DeviceTask& task : tasks) looks_back_ = looks_back_ || task.metric->history() > 0;
        for (const auto& device : devices) {
            stations_.push_back(std::make_unique<Station>(device, tasks));
            ISO_DO(stations_.back()->start(format, frames_, on_record, [this](std::int64_t frame, Error failure) { (void)fail(frame, std::move(failure)); }));
        }
        return {};
    }

    Status push(const FrameInput& frame, bool left_out) {
        {
            const std::lock_guard lock(mutex_);
            if (failure_) return *failure_;
        }
        Result<Station*> station = station_of(frame);
        Status status;
        if (station) status = (*station)->push(frame, left_out);
        else status = station.error();
        if (!status) return fail(frame.index, status.error());
        return {};
    }

    Status finish() {
        for (const auto& station : stations_) station->drain();
        const std::lock_guard lock(mutex_);
        if (failure_) return *failure_;
        return {};
    }

    bool reads_chroma() const { return stations_.front()->reads_chroma(); }
    int frames_held() const { return frames_ * int(stations_.size()); }

private:
    // Frames that look back go to one device in runs, so that it has the pictures already.
    Result<Station*> station_of(const FrameInput& frame) {
        for (const Picture* picture : {&frame.current.ref, &frame.current.dis})
            if (picture->format() != format_)
                return error(Code::invalid_argument, "a picture is {}; the run is set up for {}", picture->format().describe(), format_.describe());
        if (!frame.current.ref.on_device() && !frame.current.dis.on_device()) {
            const std::int64_t turn = looks_back_ ? frame.index / frames_ : frame.index;
            return stations_[std::size_t(turn) % stations_.size()].get();
        }
        const Picture& placed = frame.current.ref.on_device() ? frame.current.ref : frame.current.dis;
        const auto there = [&](const Picture& picture, const Station& station) {
            return !picture.on_device() || (picture.backend() == station.info().backend && picture.device_index() == station.info().index);
        };
        for (const auto& station : stations_)
            if (there(frame.current.ref, *station) && there(frame.current.dis, *station) &&
                std::all_of(frame.earlier.begin(), frame.earlier.end(),
                            [&](const FramePair& pair) { return there(pair.ref, *station) && there(pair.dis, *station); }))
                return station.get();
        return error(Code::invalid_argument, "a picture is on device {} of {}, where this run does not take place or the frame's other pictures are not",
                     placed.device_index(), placed.backend());
    }

    // The first error by frame is the one that counts.
    Status fail(std::int64_t frame, Error failure) {
        const std::lock_guard lock(mutex_);
        if (!failure_ || frame < failed_frame_) {
            failed_frame_ = frame;
            failure_ = Status(within(fmt::format("frame {}", frame), std::move(failure)));
        }
        return *failure_;
    }

    PictureFormat format_;
    int frames_ = 1;
    bool looks_back_ = false;
    std::mutex mutex_;
    std::optional<Status> failure_;
    std::int64_t failed_frame_ = 0;
    std::vector<std::unique_ptr<Station>> stations_;  // last: their threads call fail()
};

DeviceRunner::DeviceRunner(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
DeviceRunner::~DeviceRunner() = default;

Result<std::unique_ptr<DeviceRunner>> DeviceRunner::create(const Devices& devices, const PictureFormat& format, std::span<const DeviceTask> tasks,
                                                           const Settings& settings, OnRecord on_record) {
    auto impl = std::make_unique<Impl>();
    ISO_DO(impl->start(devices, format, tasks, settings, std::move(on_record)));
    return std::unique_ptr<DeviceRunner>(new DeviceRunner(std::move(impl)));
}

bool DeviceRunner::reads_chroma() const { return impl_->reads_chroma(); }
int DeviceRunner::frames_held() const { return impl_->frames_held(); }
Status DeviceRunner::push(const FrameInput& frame, bool left_out) { return impl_->push(frame, left_out); }
Status DeviceRunner::finish() { return impl_->finish(); }

}  // namespace isometric
