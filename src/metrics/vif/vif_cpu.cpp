// The passes of `vif`, compiled once for each instruction set (vif_passes.h says how rows are laid out). A band of eight rows is filtered
// vertically into lines; each line is filtered horizontally, a few positions at a time, and their statistic is summed while they are in the
// first-level cache. The next scale's rows come from the same row pairs.
#include "metrics/vif/vif_passes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "metrics/vif/vif_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "base/simd_dispatch.h"
#include "metrics/vif/vif_horizontal-inl.h"
#include "metrics/vif/vif_statistic-inl.h"
#include "metrics/vif/vif_vertical-inl.h"

HWY_BEFORE_NAMESPACE();
namespace isometric::vif::HWY_NAMESPACE {

const Passes& make_passes() {
    static const Passes table{
        .lanes = int(hn::Lanes(D32())),
        .transpose = transpose,
        .moments = {moments<Samples::full, 0>, moments<Samples::full, 1>, moments<Samples::full, 2>, moments<Samples::full, 3>},
        .moments_byte = moments<Samples::byte, 0>,
        .decimate_rows = {decimate_rows<Samples::full, 1>, decimate_rows<Samples::full, 2>, decimate_rows<Samples::full, 3>},
        .decimate_rows_byte = decimate_rows<Samples::byte, 1>,
        .decimate_columns = {decimate_columns<1>, decimate_columns<2>, decimate_columns<3>},
        .horizontal = {horizontal<0>, horizontal<1>, horizontal<2>, horizontal<3>},
        .statistic = statistic,
    };
    return table;
}

}  // namespace isometric::vif::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isometric::vif {

const Passes& passes(InstructionSet set) { ISO_SELECT_PASSES(set, make_passes); }

}  // namespace isometric::vif
#endif
