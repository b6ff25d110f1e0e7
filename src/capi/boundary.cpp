#include "capi/boundary.h"

#include <fmt/format.h>

#include <cerrno>
#include <new>
#include <system_error>

#include "base/error.h"
#include "capi/context.h"

namespace isometric::capi {
namespace {

std::string& last_error() {
    thread_local std::string message;
    return message;
}

}  // namespace

int to_errno(Code code) {
    if (code == busy) return -EBUSY;
    switch (code) {
        case Code::not_ready: return -EAGAIN;
        case Code::out_of_memory: return -ENOMEM;
        case Code::output_failed: return -EIO;
        case Code::backend_unavailable: return -ENODEV;
        case Code::internal: return -EFAULT;
        case Code::invalid_argument:
        case Code::bad_input:
        case Code::bad_model:
        case Code::metric_failed:
        case Code::no_frames:
        case Code::not_found: break;
    }
    return -EINVAL;
}

Error current_exception_error() {
    try {
        throw;
    } catch (const std::bad_alloc&) {
        return {Code::out_of_memory, "out of memory"};
    } catch (const std::system_error& e) {  // a thread that cannot be started
        return {Code::out_of_memory, e.what()};
    } catch (const std::exception& e) {
        return {Code::internal, e.what()};
    } catch (...) {
        return {Code::internal, "unknown exception"};
    }
}

int report_failure(const char* function, const Error& error, Context* context) noexcept {
    try {
        const std::string message = fmt::format("{}: {}", function, error.message);
        // Asking again and again for a score that is not there yet is no mistake.
        const VmafLogLevel level = error.code == Code::not_ready ? VMAF_LOG_LEVEL_DEBUG : VMAF_LOG_LEVEL_ERROR;
        if (context) {
            context->remember_error(message);
            context->logger().log(level, message);
        } else {
            log_without_context(level, message);
        }
        last_error() = message;
    } catch (...) {  // no memory for the text: the number has to do
    }
    return to_errno(error.code);
}

Status not_null(const void* pointer, const char* name) {
    if (!pointer) return error(Code::invalid_argument, "{} is NULL", name);
    return {};
}

ContextUse::ContextUse(VmafContext* handle) : context_(contexts().find(handle, [](Context& context) { context.enter(); })) {}

ContextUse::~ContextUse() {
    if (context_) context_->leave();
}

Error no_context(const VmafContext* handle) {
    if (!handle) return error(Code::invalid_argument, "the context is NULL");
    return error(Code::invalid_argument, "the context is closed, or never was one");
}

ISO_C_INTERFACE_BEGIN

const char* isometric_last_error(void) { return last_error().c_str(); }

ISO_C_INTERFACE_END

}  // namespace isometric::capi
