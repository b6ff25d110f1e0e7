#include "capi/logger.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>

#include "capi/callback_scope.h"

namespace isometric::capi {
namespace {

// Contexts alive, by level.
std::array<std::atomic<int>, VMAF_LOG_LEVEL_DEBUG + 1> contexts_at_level{};

VmafLogLevel clamped(VmafLogLevel level) {
    return VmafLogLevel(std::clamp(int(level), int(VMAF_LOG_LEVEL_NONE), int(VMAF_LOG_LEVEL_DEBUG)));
}

void print(VmafLogLevel level, std::string_view message) {
    constexpr std::array<std::string_view, VMAF_LOG_LEVEL_DEBUG + 1> names = {"", "ERROR", "WARNING", "INFO", "DEBUG"};
    const std::string line = fmt::format("libvmaf {} {}\n", names[std::size_t(level)], message);
    std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace

Logger::Logger(VmafLogLevel level, IsometricLogFunction function, void* data) : level_(clamped(level)), function_(function), data_(data) {
    ++contexts_at_level[std::size_t(level_)];
}

Logger::~Logger() { --contexts_at_level[std::size_t(level_)]; }

void Logger::set_function(IsometricLogFunction function, void* data) {
    const std::lock_guard lock(mutex_);
    function_ = function;
    data_ = data;
}

void Logger::log(VmafLogLevel level, const std::string& message) {
    if (level > level_ || CallbackScope::inside(this)) return;
    const std::lock_guard lock(mutex_);
    if (!function_) return print(level, message);
    const CallbackScope scope(this);
    function_(data_, level, message.c_str());
}

void log_without_context(VmafLogLevel level, const std::string& message) {
    int highest = -1;
    for (std::size_t l = 0; l < contexts_at_level.size(); ++l)
        if (contexts_at_level[l] > 0) highest = int(l);
    if (int(level) <= (highest < 0 ? int(VMAF_LOG_LEVEL_ERROR) : highest)) print(level, message);
}

}  // namespace isometric::capi
