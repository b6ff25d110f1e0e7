// What the passes of `vif` cost at least: vector operations and bytes for a sample of the pass's scale, counted from the sums of
// docs/metrics/vif.md.
#pragma once

#include <cstdint>

#include "metrics/vif/vif_passes.h"

namespace isometric::bench {

// Operations on a vector of 32-bit lanes, for each vector of samples; bytes that a pass loads and stores for each sample, window rows
// included.
struct VifCost {
    double dot_products = 0, others = 0, bytes = 0;
};

constexpr double vif_window_pairs(int filter) { return vif::band_rows / 2 + vif::reach_of(filter); }
constexpr double vif_tap_pairs(int filter) { return filter == 3 ? 2 : vif::reach_of(filter) + 1; }  // without pairs of zeros

constexpr VifCost vif_vertical_cost(int scale, int bits) {
    const double window = vif_window_pairs(scale), taps = vif_tap_pairs(scale);
    // Bytes are taken apart (2 operations for two positions); a product and its bias for three maps, twice where products have high halves.
    const double words = bits == 8 ? (2 * window + 6 * window) / vif::band_rows : (2 * window + 12 * window) / vif::band_rows;
    const double packing = bits == 8 ? 10.5 : 9.5 + 3;
    return {(bits == 8 ? 5 : 8) * taps, words + packing, window * (bits == 8 ? 1 : 2) / 2 + 2.0 * int(vif::half_count)};
}

constexpr VifCost vif_horizontal_cost(int scale) {
    return {int(vif::half_count) * vif_tap_pairs(scale), 3, 2.0 * int(vif::half_count) + 4.0 * int(vif::moment_count)};
}

// A gather of 16 values takes the place of 6.6 operations, a division of 8 doubles of 2.5, a conversion of 8 integers of 1.3 (measured).
constexpr VifCost vif_statistic_cost() {
    const double logarithm = 5 + 6.6, variances = 19, denominator = 2 + logarithm + 9, division = 6 * 1.3 + 2 * 2.5 + 21;
    return {0, variances + denominator + division + 2 * logarithm + 2, 4.0 * int(vif::moment_count) + 2 * 20};
}

constexpr VifCost vif_decimate_rows_cost(int scale, int bits) {
    const double window = vif_window_pairs(scale + 1), taps = vif_tap_pairs(scale + 1);
    return {taps, 2 * window / vif::band_rows + (bits == 8 ? 1.5 : 1), window * (bits == 8 ? 1 : 2) / 2 + 2};
}

constexpr VifCost vif_decimate_columns_cost(int scale) { return {vif_tap_pairs(scale + 1) / 2, 0.5, 2 + 1}; }

constexpr VifCost& operator+=(VifCost& sum, const VifCost& cost) {
    sum.dot_products += cost.dot_products, sum.others += cost.others, sum.bytes += cost.bytes;
    return sum;
}

// A picture, for each of its samples; reading it and putting it into lanes left out.
constexpr VifCost vif_picture_cost(int bits) {
    VifCost all;
    double share = 1;  // of the picture's samples that the scale has
    for (int scale = 0; scale < vif::scale_count; ++scale, share /= 4) {
        VifCost one = vif_vertical_cost(scale, scale == 0 ? bits : 16);
        one += vif_horizontal_cost(scale);
        one += vif_statistic_cost();
        if (scale + 1 < vif::scale_count) {
            one += vif_decimate_rows_cost(scale, scale == 0 ? bits : 16);
            one += vif_decimate_columns_cost(scale);
        }
        all += {one.dot_products * share, one.others * share, one.bytes * share};
    }
    return all;
}

// Cycles for a sample: 512-bit operations start two in a cycle, 256-bit ones three; without VNNI a dot product is two operations.
inline bool vif_floor_is_known(InstructionSet set) {
    return set == InstructionSet::avx2 || set == InstructionSet::avx512 || set == InstructionSet::avx512_dl;
}
constexpr double vif_floor_cycles(const VifCost& cost, InstructionSet set) {
    const bool wide = set != InstructionSet::avx2;
    const double dot_product = set == InstructionSet::avx512_dl ? 1 : 2;
    return (cost.dot_products * dot_product + cost.others) / (wide ? 2 * 16 : 3 * 8);
}

}  // namespace isometric::bench
