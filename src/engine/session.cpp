// The public session: each call goes to its implementation.
#include "isometric/session.h"

#include <new>

#include "base/error.h"
#include "engine/session_impl.h"

namespace isometric {
namespace {

// Standard containers throw when memory runs out; callers of a session see an error.
template <class Call>
auto guarded(Call call) -> decltype(call()) {
    try {
        return call();
    } catch (const std::bad_alloc&) {
        return out_of_memory();
    }
}

}  // namespace

Result<Session> Session::create(SessionConfig config) {
    return guarded([&]() -> Result<Session> {
        if (config.threads < 0) return error(Code::invalid_argument, "{} threads: must be 0 (one per core) or more", config.threads);
        if (config.subsample < 1) return error(Code::invalid_argument, "subsample {}: must be 1 or more", config.subsample);
        Devices devices;
        if (config.backend != "auto" && config.backend != "cpu") {
            ISO_TRY(devices, select_devices(config.backend, config.device));
        }
        InstructionSet set = best_instruction_set(config.cpu_mask);
        if (!config.instruction_set.empty()) {
            ISO_TRY(set, instruction_set_from_name(config.instruction_set));
        }
        return Session(std::make_unique<Impl>(std::move(config), set, std::move(devices)));
    });
}

Session::Session(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Status Session::add_metric(std::string_view metric, std::span<const OptionText> options) {
    return guarded([&] { return impl_->add_metric(metric, options); });
}
Status Session::add_model(const Model& model) {
    return guarded([&] { return impl_->add_model(model); });
}
Status Session::start(const PictureFormat& format) {
    return guarded([&] { return impl_->start(format); });
}
bool Session::needs_chroma() const { return impl_->needs_chroma(); }
int Session::frames_held() const { return impl_->frames_held(); }
int Session::frames_kept() const { return impl_->max_history(); }
Status Session::push(Picture ref, Picture dis) { return push(std::move(ref), std::move(dis), impl_->next_index()); }
Status Session::push(Picture ref, Picture dis, std::int64_t index) {
    return guarded([&] { return impl_->push(std::move(ref), std::move(dis), index); });
}
Status Session::wait() {
    return guarded([&] { return impl_->wait(); });
}
Status Session::status() const {
    return guarded([&] { return impl_->failure(); });
}
Status Session::finish() {
    return guarded([&] { return impl_->finish(); });
}
Result<double> Session::score(std::string_view name, std::int64_t frame) const {
    return guarded([&] { return impl_->table_.score(name, frame); });
}
std::int64_t Session::frames_pushed() const { return impl_->table_.frames_opened(); }
std::int64_t Session::frames_scored() const { return impl_->table_.frames_scored(); }
Scores Session::scores() const { return impl_->scores(); }
Status Session::import_score(std::string_view name, double value, std::int64_t frame) {
    return guarded([&] { return impl_->table_.import_score(name, value, frame); });
}
Result<std::vector<double>> Session::predict(const Model& model, std::int64_t frame) const {
    return guarded([&] { return impl_->table_.predict(model, frame); });
}
void Session::on_score(ScoreObserver observer) { impl_->table_.set_observer(std::move(observer)); }
Result<double> Session::pooled(std::string_view name, Pooling method) const { return pooled(name, method, 0, impl_->next_index() - 1); }
Result<double> Session::pooled(std::string_view name, Pooling method, std::int64_t first, std::int64_t last) const {
    return guarded([&] { return impl_->table_.pooled(name, method, first, last); });
}

}  // namespace isometric
