// Scores and reports of a context.
#include <algorithm>

#include "base/error.h"
#include "capi/context.h"

namespace isometric::capi {
namespace {

Error name_is_taken(const std::string& name) {
    return error(Code::invalid_argument, "another model has the name '{}' in this context: give one of them another name", name);
}

}  // namespace

Error Context::explain(Error missing) const {
    if (missing.code != Code::not_ready && missing.code != Code::not_found) return missing;
    if (const Status failure = session_->status(); !failure) return within(missing.message, failure.error());
    if (!flushed_ && session_->frames_pushed() == 0) return error(Code::not_ready, "{}: no pictures were read yet", missing.message);
    return missing;
}

Result<double> Context::found(Result<double> score) const {
    if (!score) return explain(std::move(score).error());
    return score;
}

Result<double> Context::score(std::string_view name, unsigned index) const { return found(session_->score(name, index)); }

Result<double> Context::pooled(std::string_view name, Pooling method, Interval interval) const {
    auto value = session_->pooled(name, method, interval.first, interval.last);
    if (value || value.error().code != Code::not_found) return value;
    // Missing for good, or not there yet?
    for (std::int64_t frame = interval.first; frame <= interval.last; ++frame) {
        if (frame % subsample_ != 0) continue;
        if (auto score = session_->score(name, frame); !score) return explain(std::move(score).error());
    }
    return session_->pooled(name, method, interval.first, interval.last);  // they came meanwhile
}

Result<bool> Context::is_used(const std::shared_ptr<ModelState>& model) const {
    const std::lock_guard lock(state_mutex_);
    for (const auto* models : {&used_, &predicted_}) {
        const auto same = models->find(model->name());
        if (same == models->end()) continue;
        if (same->second == model) return models == &used_;
        return name_is_taken(model->name());
    }
    return false;
}

Result<std::vector<double>> Context::score(const std::shared_ptr<ModelState>& model, unsigned index) {
    ISO_TRY(const bool used, is_used(model));
    if (!used) return predict(model, index);
    std::vector<double> scores;
    for (const std::string& name : model->model().score_names()) {
        if (index % subsample_ != 0)
            return error(Code::not_found, "model '{}': frame {} is left out by subsampling {}", name, index, subsample_);
        ISO_TRY(const double value, score(name, index));
        scores.push_back(value);
    }
    return scores;
}

Result<std::vector<double>> Context::predict(const std::shared_ptr<ModelState>& model, unsigned index) {
    const Model current = model->model();
    const std::vector<std::string> names = current.score_names();
    std::vector<double> scores;
    for (const std::string& name : names)
        if (const auto value = session_->score(name, index)) scores.push_back(*value);
    if (scores.size() == names.size()) return scores;
    auto predicted = session_->predict(current, index);
    if (!predicted) return explain(std::move(predicted).error());
    {
        const std::lock_guard lock(state_mutex_);
        if (predicted_.emplace(model->name(), model).first->second != model) return name_is_taken(model->name());
    }
    // Without a lock, because callbacks may ask for scores: another thread may have kept the same score meanwhile.
    for (std::size_t k = 0; k < names.size(); ++k)
        if (Status kept = session_->import_score(names[k], (*predicted)[k], index); !kept && !session_->score(names[k], index))
            return std::move(kept).error();
    return predicted;
}

Result<std::vector<double>> Context::pooled(const std::shared_ptr<ModelState>& model, Pooling method, Interval interval) {
    ISO_TRY(const bool used, is_used(model));
    if (!used)
        for (std::int64_t frame = interval.first; frame <= interval.last; ++frame)
            if (frame % subsample_ == 0) ISO_DO(predict(model, unsigned(frame)));
    std::vector<double> scores;
    for (const std::string& name : model->model().score_names()) {
        ISO_TRY(const double value, pooled(name, method, interval));
        scores.push_back(value);
    }
    return scores;
}

double Context::frames_per_second() const {
    const std::lock_guard lock(state_mutex_);
    if (!first_read_) return 0;
    const auto end = flush_.value_or(std::chrono::steady_clock::now());
    return double(session_->frames_pushed()) / std::chrono::duration<double>(end - *first_read_).count();
}

Status Context::write(const std::string& path, ReportFormat format) const {
    ReportSettings settings;
    settings.format = format;
    settings.version = vmaf_version();
    settings.fps = frames_per_second();
    return write_report(session_->scores(), settings, path);
}

}  // namespace isometric::capi
