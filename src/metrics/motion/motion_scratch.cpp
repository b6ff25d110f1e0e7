#include <algorithm>
#include <new>

#include "base/error.h"
#include "metrics/motion/motion_passes.h"

namespace isometric::motion {
namespace {

constexpr std::align_val_t alignment{64};

}  // namespace

Result<Scratch> Scratch::create() {
    void* memory = ::operator new(rows* row_size * sizeof(std::int16_t), alignment, std::nothrow);
    if (!memory) return error(Code::out_of_memory, "no memory for the rows of metric motion");
    Scratch scratch;
    scratch.memory_.reset(static_cast<std::int16_t*>(memory));
    std::fill_n(scratch.memory_.get(), rows * row_size, std::int16_t{0});  // vectors may read, and never use, what no row has written
    return scratch;
}

void Scratch::Free::operator()(std::int16_t* memory) const { ::operator delete(memory, alignment); }

}  // namespace isometric::motion
