// Which callbacks of the caller the current thread is inside.
#pragma once

namespace isometric::capi {

// While it lives, the thread is inside a callback of `owner`.
class CallbackScope {
public:
    explicit CallbackScope(const void* owner) : owner_(owner), outer_(innermost_) { innermost_ = this; }
    ~CallbackScope() { innermost_ = outer_; }
    CallbackScope(const CallbackScope&) = delete;
    CallbackScope& operator=(const CallbackScope&) = delete;

    static bool inside(const void* owner) {
        for (const CallbackScope* scope = innermost_; scope; scope = scope->outer_)
            if (scope->owner_ == owner) return true;
        return false;
    }
    static bool inside_any() { return innermost_ != nullptr; }

private:
    const void* const owner_;
    const CallbackScope* const outer_;
    static inline thread_local const CallbackScope* innermost_ = nullptr;
};

}  // namespace isometric::capi
