#include "tests/device/shims/fibers.h"

#include <ucontext.h>

#include <memory>
#include <vector>

namespace isometric::test {
namespace {

constexpr std::size_t stack_bytes = 128 << 10;

struct Fiber {
    ucontext_t context;
    std::unique_ptr<char[]> stack;
    bool done = false;
};

struct Scheduler {
    std::vector<Fiber> fibers;
    ucontext_t caller;
    int running = 0;
    const std::function<void(int)>* body = nullptr;
};
thread_local Scheduler scheduler;

void start_fiber() {
    (*scheduler.body)(scheduler.running);
    scheduler.fibers[std::size_t(scheduler.running)].done = true;
    // uc_link leads back to the caller.
}

}  // namespace

bool run_lanes(int lanes, const std::function<void(int)>& body) {
    scheduler.body = &body;
    if (int(scheduler.fibers.size()) < lanes) scheduler.fibers.resize(std::size_t(lanes));
    for (int lane = 0; lane < lanes; ++lane) {
        Fiber& fiber = scheduler.fibers[std::size_t(lane)];
        if (!fiber.stack) fiber.stack.reset(new char[stack_bytes]);
        fiber.done = false;
        getcontext(&fiber.context);
        fiber.context.uc_stack.ss_sp = fiber.stack.get();
        fiber.context.uc_stack.ss_size = stack_bytes;
        fiber.context.uc_link = &scheduler.caller;
        makecontext(&fiber.context, start_fiber, 0);
    }
    // Each turn brings every lane to its next barrier or its end.
    for (;;) {
        int ended = 0;
        for (int lane = 0; lane < lanes; ++lane) {
            if (scheduler.fibers[std::size_t(lane)].done) return false;
            scheduler.running = lane;
            swapcontext(&scheduler.caller, &scheduler.fibers[std::size_t(lane)].context);
            ended += scheduler.fibers[std::size_t(lane)].done;
        }
        if (ended == lanes) return true;
        if (ended != 0) return false;
    }
}

void lane_barrier() { swapcontext(&scheduler.fibers[std::size_t(scheduler.running)].context, &scheduler.caller); }

}  // namespace isometric::test
