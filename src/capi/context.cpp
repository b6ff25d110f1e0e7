#include "capi/context.h"

#include <algorithm>
#include <climits>
#include <cstdlib>

#include "base/error.h"
#include "capi/callback_scope.h"

namespace isometric::capi {
namespace {

static_assert(sizeof(VmafConfiguration) == 32 && offsetof(VmafConfiguration, cpumask) == 16 && offsetof(VmafConfiguration, gpumask) == 24);
static_assert(sizeof(VmafPictureConfiguration) == 20 && sizeof(VmafMetadataConfiguration) == 3 * sizeof(void*));

constexpr unsigned most_threads = 1024;

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

SessionConfig session_config(const IsometricConfiguration& cfg) {
    SessionConfig config;
    config.threads = cfg.vmaf.n_threads == 0 ? 1 : int(cfg.vmaf.n_threads);
    config.subsample = cfg.vmaf.n_subsample == 0 ? 1 : int(std::min(cfg.vmaf.n_subsample, unsigned(INT_MAX)));
    config.cpu_mask = cfg.vmaf.cpumask;
    config.backend = cfg.backend ? cfg.backend : environment("ISOMETRIC_BACKEND");
    config.device = cfg.device ? cfg.device : environment("ISOMETRIC_DEVICE");
    if (config.backend.empty() || cfg.vmaf.gpumask != 0) config.backend = "cpu";
    return config;
}

VmafLogLevel to_vmaf(LogLevel level) {
    switch (level) {
        case LogLevel::error: return VMAF_LOG_LEVEL_ERROR;
        case LogLevel::warning: return VMAF_LOG_LEVEL_WARNING;
        case LogLevel::info: return VMAF_LOG_LEVEL_INFO;
        case LogLevel::debug: break;
    }
    return VMAF_LOG_LEVEL_DEBUG;
}

}  // namespace

HandleTable<VmafContext, Context>& contexts() {
    static auto& table = *new HandleTable<VmafContext, Context>;  // outlives static destructors of the program
    return table;
}

Result<std::shared_ptr<Context>> Context::create(const IsometricConfiguration& cfg) {
    if (cfg.vmaf.n_threads > most_threads)
        return error(Code::invalid_argument, "{} threads: must be 0..{}", cfg.vmaf.n_threads, most_threads);
    SessionConfig config = session_config(cfg);
    // The session's messages reach the logger of the context, which is made after it.
    const auto logger = std::make_shared<std::atomic<Logger*>>(nullptr);
    config.log = [logger](LogLevel level, std::string_view message) {
        if (Logger* const to = *logger) to->log(to_vmaf(level), std::string(message));
    };
    ISO_TRY(Session session, Session::create(std::move(config)));
    std::shared_ptr<Context> context(new Context(cfg, std::move(session)));
    *logger = &context->logger_;
    return context;
}

Context::Context(const IsometricConfiguration& cfg, Session session)
    : logger_(cfg.vmaf.log_level, cfg.log, cfg.log_data),
      synchronous_(cfg.vmaf.n_threads == 0),
      subsample_(std::max(cfg.vmaf.n_subsample, 1u)),
      session_(std::move(session)) {
    session_->on_score([this](std::string_view name, std::int64_t frame, double value) { metadata_.call(name, unsigned(frame), value); });
}

void Context::enter() {
    const std::lock_guard lock(calls_mutex_);
    ++calls_;
    if (std::this_thread::get_id() != first_thread_ && !CallbackScope::inside_any()) several_threads_ = true;
}

void Context::leave() {
    const std::lock_guard lock(calls_mutex_);
    if (--calls_ == 0) calls_done_.notify_all();
}

void Context::remember_error(const std::string& message) {
    const std::lock_guard lock(state_mutex_);
    last_error_ = message;
}

std::string Context::last_error() const {
    const std::lock_guard lock(state_mutex_);
    return last_error_;
}

bool Context::inside_callback() const { return CallbackScope::inside(&metadata_) || CallbackScope::inside(&logger_); }

Status Context::may_wait() const {
    if (inside_callback()) return Error{busy, "inside a callback of the context this call would wait for itself"};
    return {};
}

Status Context::use_metric(std::string_view metric, const std::vector<OptionText>& options) {
    ISO_DO(may_wait());
    const std::lock_guard lock(feed_mutex_);
    ISO_DO(session_->add_metric(metric, options));
    registered_ = true;
    return {};
}

Status Context::use_model(std::shared_ptr<ModelState> model) {
    ISO_DO(may_wait());
    const std::lock_guard lock(feed_mutex_);
    {
        const std::lock_guard state_lock(state_mutex_);
        const auto same = used_.find(model->name());
        if (same != used_.end() && same->second == model) return {};
        if (same != used_.end())
            return error(
                Code::invalid_argument,
                "two models have the name '{}', {} and {}: give one of them another name (VmafModelConfig.name; in FFmpeg's filter "
                "model='version={}\\:name=NAME')",
                model->name(), same->second->model().version(), model->model().version(), model->model().version());
    }
    ISO_DO(session_->add_model(model->model()));
    registered_ = true;
    const std::lock_guard state_lock(state_mutex_);
    used_.emplace(model->name(), std::move(model));
    return {};
}

Status Context::preallocate(const PictureFormat& format, unsigned count) {
    ISO_DO(may_wait());
    ISO_TRY(std::shared_ptr<PicturePool> pool, PicturePool::create(format, count));
    const std::lock_guard lock(feed_mutex_);
    pool->require(2 + 2 * session_->frames_kept());
    const std::lock_guard state_lock(state_mutex_);
    if (pool_) pool_->close();
    pool_ = std::move(pool);
    return {};
}

Result<VmafPicture> Context::fetch(std::optional<std::chrono::milliseconds> timeout) {
    if (!timeout || timeout->count() > 0) ISO_DO(may_wait());
    std::shared_ptr<PicturePool> pool;
    {
        const std::lock_guard lock(state_mutex_);
        pool = pool_;
    }
    if (!pool) return error(Code::invalid_argument, "there is no pool: call vmaf_preallocate_pictures first");
    return pool->fetch(timeout, [this] { return used_by_one_thread(); });
}

Status Context::read(PicturePair pair, unsigned index) {
    ISO_DO(may_wait());
    const std::lock_guard lock(feed_mutex_);
    if (flushed_) return error(Code::invalid_argument, "frame {}: the context was flushed", index);
    {
        const std::lock_guard state_lock(state_mutex_);
        if (!first_read_) first_read_ = std::chrono::steady_clock::now();
    }
    ISO_DO(session_->push(std::move(pair.ref), std::move(pair.dis), index));
    {
        const std::lock_guard state_lock(state_mutex_);
        if (pool_) pool_->require(2 + 2 * session_->frames_kept());
    }
    if (synchronous_) ISO_DO(session_->wait());
    return {};
}

Status Context::flush() {
    ISO_DO(may_wait());
    const std::lock_guard lock(feed_mutex_);
    if (flushed_) return error(Code::invalid_argument, "the context was flushed before");
    if (session_->frames_pushed() == 0) {
        if (registered_) return error(Code::no_frames, "no pictures were read");
        flushed_ = true;
        return {};
    }
    const Status status = session_->finish();
    flushed_ = true;
    const std::lock_guard state_lock(state_mutex_);
    flush_ = std::chrono::steady_clock::now();
    return status;
}

void Context::close() {
    std::shared_ptr<PicturePool> pool;
    {
        const std::lock_guard lock(state_mutex_);
        pool = pool_;
    }
    if (pool) {
        if (const int pictures = pool->with_caller(); pictures > 0)
            logger_.log(VMAF_LOG_LEVEL_WARNING,
                        fmt::format("vmaf_close: {} pictures of the pool were not given back; they stay valid until they are", pictures));
        pool->close();
    }
    std::unique_lock lock(calls_mutex_);
    calls_done_.wait(lock, [&] { return calls_ == 0; });
    lock.unlock();
    session_.reset();
}

ISO_C_INTERFACE_BEGIN

const char* vmaf_version(void) {
    static const std::string& text = *new std::string(
        fmt::format("{}.{}.{}-isometric-{}", VMAF_API_VERSION_MAJOR, VMAF_API_VERSION_MINOR, VMAF_API_VERSION_PATCH, version()));
    return text.c_str();
}

int isometric_init(VmafContext** vmaf, const IsometricConfiguration* cfg) {
    return guarded("isometric_init", [&]() -> Status {
        ISO_DO(not_null(vmaf, "vmaf"));
        *vmaf = nullptr;
        ISO_DO(not_null(cfg, "cfg"));
        if (cfg->size != sizeof(IsometricConfiguration))
            return error(Code::invalid_argument, "cfg->size is {}: must be {}", cfg->size, sizeof(IsometricConfiguration));
        ISO_TRY(std::shared_ptr<Context> context, Context::create(*cfg));
        *vmaf = contexts().add(std::move(context));
        return {};
    });
}

int vmaf_init(VmafContext** vmaf, VmafConfiguration cfg) {
    return guarded("vmaf_init", [&]() -> Status {
        ISO_DO(not_null(vmaf, "vmaf"));
        *vmaf = nullptr;
        IsometricConfiguration full{};
        full.vmaf = cfg;
        ISO_TRY(std::shared_ptr<Context> context, Context::create(full));
        *vmaf = contexts().add(std::move(context));
        return {};
    });
}

int vmaf_close(VmafContext* vmaf) {
    const int refused = with_context("vmaf_close", vmaf, [](Context& context) { return context.may_wait(); });
    if (refused) return refused;
    return guarded("vmaf_close", [&]() -> Status {
        const std::shared_ptr<Context> context = contexts().remove(vmaf);
        if (!context) return no_context(vmaf);  // another thread was quicker
        context->close();
        return {};
    });
}

ISO_C_INTERFACE_END

}  // namespace isometric::capi
