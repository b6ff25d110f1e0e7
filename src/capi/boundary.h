// Between C and C++: errors become negative errnos, are remembered and logged; no exception gets out.
#pragma once

#include <memory>

#include "capi/interface.h"
#include "capi/logger.h"
#include "isometric/status.h"

namespace isometric::capi {

class Context;

// A call that would wait for itself. The engine has no such code.
constexpr Code busy = Code(100);

int to_errno(Code code);

// The error of the exception that is being handled.
Error current_exception_error();

// Remembers an error for this thread and its context, logs it, and returns its errno. Never throws.
int report_failure(const char* function, const Error& error, Context* context) noexcept;

Status not_null(const void* pointer, const char* name);

// A context that cannot be closed meanwhile; false for a handle that is none.
class ContextUse {
public:
    explicit ContextUse(VmafContext* handle);
    ~ContextUse();
    ContextUse(const ContextUse&) = delete;
    ContextUse& operator=(const ContextUse&) = delete;

    explicit operator bool() const { return bool(context_); }
    Context& operator*() const { return *context_; }
    Context* get() const { return context_.get(); }

private:
    std::shared_ptr<Context> context_;
};

// Why ContextUse found nothing.
Error no_context(const VmafContext* handle);

// Runs the body of a function without a context: Status body().
template <class Body>
int guarded(const char* function, Body&& body) noexcept {
    try {
        const Status status = body();
        return status ? 0 : report_failure(function, status.error(), nullptr);
    } catch (...) {
        return report_failure(function, current_exception_error(), nullptr);
    }
}

// Runs the body of a function with a context: Status body(Context&).
template <class Body>
int with_context(const char* function, VmafContext* handle, Body&& body) noexcept {
    const ContextUse use(handle);
    if (!use) return guarded(function, [&]() -> Status { return no_context(handle); });
    try {
        const Status status = body(*use);
        return status ? 0 : report_failure(function, status.error(), use.get());
    } catch (...) {
        return report_failure(function, current_exception_error(), use.get());
    }
}

}  // namespace isometric::capi
