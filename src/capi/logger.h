// Where messages go: to standard error or to the caller's function, by the level of their context.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "capi/interface.h"

namespace isometric::capi {

class Logger {
public:
    // Levels outside the enum are moved to its nearest end.
    explicit Logger(VmafLogLevel level, IsometricLogFunction function = nullptr, void* data = nullptr);
    ~Logger();
    Logger(const Logger&) = delete;
    Logger& operator=(const Logger&) = delete;

    void set_function(IsometricLogFunction function, void* data);
    // From any thread; the function is called by one at a time. Messages that arise inside the function are dropped.
    void log(VmafLogLevel level, const std::string& message);

private:
    const VmafLogLevel level_;
    std::mutex mutex_;
    IsometricLogFunction function_;
    void* data_;
};

// For functions that have no context: to standard error, at the highest level of the contexts that exist, errors alone when there is none.
void log_without_context(VmafLogLevel level, const std::string& message);

}  // namespace isometric::capi
