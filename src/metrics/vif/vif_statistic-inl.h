// The statistic of `vif`: from filtered moments to sums of logarithms. Part of vif_cpu.cpp, compiled once for each instruction set.
#if defined(ISO_METRICS_VIF_STATISTIC_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ISO_METRICS_VIF_STATISTIC_INL_H
#undef ISO_METRICS_VIF_STATISTIC_INL_H
#else
#define ISO_METRICS_VIF_STATISTIC_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "metrics/vif/vif_vertical-inl.h"

HWY_BEFORE_NAMESPACE();
namespace isometric::vif::HWY_NAMESPACE {

using D64 = hn::Repartition<double, D32>;
using DU64 = hn::RepartitionToWide<DU32>;
using V64 = hn::Vec<D64>;
using M32 = hn::Mask<D32>;

// 2048 * (log2(v) - 17), from the 16 leading bits of v >= 2^17, to nearest: log2_steps() in vif_tables.h.
HWY_INLINE V32 log2_q11(V32 v, const int32_t* steps) {
    const D32 d32;
    const V32 bits = hs::FloatBitsTowardsZero(d32, v);
    const V32 step = hn::GatherIndex(d32, steps, hn::And(hn::ShiftRight<11>(bits), hn::Set(d32, log2_blocks - 1)));
    return hn::ShiftRight<12>(hn::Add(bits, step));
}

// moment - ((a * b + 2^31) >> 32), where the moment is 2^31 short.
HWY_INLINE V32 less_means(V32 moment, V32 a, V32 a_odd, V32 b, V32 b_odd) {
    const D32 d32;
    const DU32 du32;
    const auto rounding = hn::Set(DU64(), (uint64_t(1) << 31) + (uint64_t(1) << 63));
    const auto product = [&](V32 x, V32 y)
                             ISO_VIF_LAMBDA { return hn::Add(hn::MulEven(hn::BitCast(du32, x), hn::BitCast(du32, y)), rounding); };
    return hn::Sub(moment, hs::UpperHalves(d32, product(a, b), product(a_odd, b_odd)));
}

// The variances and the covariance of a vector of positions, Q16. That of the distorted picture is cut off at 0.
HWY_INLINE void variances(const int32_t* moments, V32& ref, V32& dis, V32& covariance) {
    const D32 d32;
    const size_t n = hn::Lanes(d32);
    const auto moment = [&](Moment m) ISO_VIF_LAMBDA { return hn::Load(d32, moments + size_t(m) * n); };
    // A product of 32-bit lanes takes even ones: odd lanes are loaded to where those are.
    const auto odd_lanes = [&](Moment m) ISO_VIF_LAMBDA { return hn::LoadU(d32, moments + size_t(m) * n + 1); };
    const V32 mean1 = moment(ref_mean), mean2 = moment(dis_mean), odd1 = odd_lanes(ref_mean), odd2 = odd_lanes(dis_mean);
    ref = less_means(moment(ref_sq), mean1, odd1, mean1, odd1);
    dis = hn::Max(less_means(moment(dis_sq), mean2, odd2, mean2, odd2), hn::Zero(d32));
    covariance = less_means(moment(ref_dis), mean1, odd1, mean2, odd2);
}

struct GainLimits {
    double first, second;
};

// The statistic goes in stages over a run of vectors, since one vector's way to its logarithms is longer than what a processor looks ahead.
// Stage 1 keeps here the variances of the vectors that have a covariance, stage 2 adds what stage 3 takes the logarithms of.
struct Stages {
    explicit Stages(int32_t* scratch)
        : ref(scratch),
          dis(scratch + size),
          covariance(scratch + 2 * size),
          noise(scratch + 3 * size),
          signal{scratch + 4 * size, scratch + 5 * size} {}

    static constexpr size_t vectors = max_statistic_vectors + 1;
    const size_t size = vectors * hn::Lanes(D32());
    int32_t *ref, *dis, *covariance;
    int32_t *noise, *signal[2];
};

// The distorted picture as gain * reference + noise, in doubles as the reference does it, for the vector at i of the stages. The covariance
// is 0 in every lane that has no part in it; its gain is then 0 and signal and noise are equal.
template <int limits>
HWY_INLINE void separate_noise(const Stages& stages, size_t i, const GainLimits& limit) {
    const D32 d32;
    const D64 d64;
    const hn::Half<D32> half;
    const size_t n = hn::Lanes(d32);
    const V64 epsilon = hn::Set(d64, epsilon_q16);
    const auto lower = [&](const int32_t* from) ISO_VIF_LAMBDA { return hn::PromoteTo(d64, hn::Load(half, from)); };
    const auto upper = [&](const int32_t* from) ISO_VIF_LAMBDA { return hn::PromoteTo(d64, hn::Load(half, from + n / 2)); };
    const V64 ref0 = lower(stages.ref + i), ref1 = upper(stages.ref + i);
    const V64 covariance0 = lower(stages.covariance + i), covariance1 = upper(stages.covariance + i);
    const V64 gain0 = hn::Div(covariance0, hn::Add(ref0, epsilon)), gain1 = hn::Div(covariance1, hn::Add(ref1, epsilon));
    const V64 residual0 = hn::Sub(lower(stages.dis + i), hn::Mul(gain0, covariance0));
    const V64 residual1 = hn::Sub(upper(stages.dis + i), hn::Mul(gain1, covariance1));
    const V32 noise = hn::Add(hn::Max(hs::TruncateTwo(d32, residual0, residual1), hn::Zero(d32)), hn::Set(d32, noise_variance_q16));
    hn::Store(noise, d32, stages.noise + i);
    const auto signal = [&](double gain_limit) ISO_VIF_LAMBDA {
        const V64 g0 = hn::Min(gain0, hn::Set(d64, gain_limit)), g1 = hn::Min(gain1, hn::Set(d64, gain_limit));
        return hn::Add(hs::TruncateTwo(d32, hn::Mul(hn::Mul(g0, g0), ref0), hn::Mul(hn::Mul(g1, g1), ref1)), noise);
    };
    hn::Store(signal(limit.first), d32, stages.signal[0] + i);
    if constexpr (limits == 2) hn::Store(signal(limit.second), d32, stages.signal[1] + i);
}

template <int limits>
HWY_INLINE void add_num_logs(const Stages& stages, size_t i, const int32_t* log_steps, V32& first, V32& second) {
    const D32 d32;
    const V32 noise_log = log2_q11(hn::Load(d32, stages.noise + i), log_steps);
    first = hn::Add(first, hn::Sub(log2_q11(hn::Load(d32, stages.signal[0] + i), log_steps), noise_log));
    if constexpr (limits == 2) second = hn::Add(second, hn::Sub(log2_q11(hn::Load(d32, stages.signal[1] + i), log_steps), noise_log));
}

// A vector's divisions take as long as all other operations on it and on the logarithms of another: they overlap.
template <int limits>
HWY_INLINE void sum_num_logs(const Stages& stages, size_t vectors, const GainLimits& limit, const int32_t* log_steps, V32& first,
                             V32& second) {
    constexpr size_t lag = 2;
    const size_t n = hn::Lanes(D32()), end = vectors * n, delay = std::min(lag * n, end);
    for (size_t i = 0; i < delay; i += n) separate_noise<limits>(stages, i, limit);
    for (size_t i = delay; i < end; i += n) {
        separate_noise<limits>(stages, i, limit);
        add_num_logs<limits>(stages, i - delay, log_steps, first, second);
    }
    for (size_t i = end - delay; i < end; i += n) add_num_logs<limits>(stages, i, log_steps, first, second);
}

// The lanes of a sum, as unsigned numbers.
HWY_INLINE int64_t total_of(V32 v) {
    const DU64 du64;
    const auto wide = hn::BitCast(du64, v);
    return int64_t(hn::GetLane(hn::SumOfLanes(du64, hn::Add(hn::And(wide, hn::Set(du64, 0xFFFFFFFFu)), hn::ShiftRight<32>(wide)))));
}

// The same of lanes that may be negative.
HWY_INLINE int64_t signed_total_of(V32 v) { return total_of(hn::Xor(v, set_u32(1u << 31))) - (int64_t(hn::Lanes(D32())) << 31); }

// The sum of variances, from their sum modulo 2^32 and the sum of their high halves: the low halves of 2^16 variances stay below 2^32.
HWY_INLINE int64_t total_of_variances(V32 sum, V32 high) {
    return int64_t(uint64_t(total_of(high)) << 16) + total_of(hn::Sub(sum, hn::ShiftLeft<16>(high)));
}

// Vectors begin..end - 1 of the moments, in which the first `valid` lanes count. A lane adds up at most 2^16 values below 2^15: the
// differences of logarithms, and the high halves of variances.
template <int limits, bool all_valid>
HWY_INLINE void add_vectors(const int32_t* moments, int begin, int end, size_t valid, const GainLimits& limit, int32_t* scratch,
                            RowSums& sums) {
    const D32 d32;
    const size_t n = hn::Lanes(d32);
    const M32 counts = hn::FirstN(d32, valid);
    const V32 noise_variance = hn::Set(d32, noise_variance_q16), zero = hn::Zero(d32);
    const int32_t* const log_steps = log2_steps().data();
    V32 den_log = zero, flat_sum = zero, flat_high = zero, flat_count = zero;
    const Stages stages(scratch);
    size_t kept = 0;
    for (int p = begin; p < end; ++p) {
        V32 ref, dis, covariance;
        variances(moments + size_t(p) * moment_count * n, ref, dis, covariance);
        M32 flat = hn::Lt(ref, noise_variance), textured = hn::Not(flat);
        if constexpr (!all_valid) textured = hn::And(textured, counts), flat = hn::And(flat, counts);
        flat_sum = hs::AddWhere(flat, flat_sum, dis);
        flat_high = hs::AddWhere(flat, flat_high, hn::ShiftRight<16>(dis));
        flat_count = hs::AddWhere(flat, flat_count, hn::Set(d32, 1));
        den_log = hs::AddWhere(textured, den_log, log2_q11(hn::Add(ref, noise_variance), log_steps));
        const M32 informative = hn::And(textured, hn::Gt(hn::Min(covariance, dis), zero));
        hn::Store(ref, d32, stages.ref + kept * n);
        hn::Store(dis, d32, stages.dis + kept * n);
        hn::Store(hn::IfThenElseZero(informative, covariance), d32, stages.covariance + kept * n);
        kept += hn::AllFalse(d32, informative) ? 0 : 1;
    }
    V32 num_log = zero, second_num_log = zero;
    sum_num_logs<limits>(stages, kept, limit, log_steps, num_log, second_num_log);
    sums.den_log += total_of(den_log);
    sums.num_flat += total_of_variances(flat_sum, flat_high);
    sums.den_flat += total_of(flat_count);
    sums.num_log[0] += signed_total_of(num_log);
    if constexpr (limits == 2) sums.num_log[1] += signed_total_of(second_num_log);
}

template <int limits>
HWY_INLINE void statistic_of(const int32_t* moments, int begin, int end, const RowShape& shape, const GainLimits& limit, int32_t* scratch,
                             RowSums& sums) {
    const int lanes = int(hn::Lanes(D32()));
    // Lane l has samples at positions below width - l * segment: `last + 1` lanes up to position `rest`, one less beyond it.
    const int last = (shape.width - 1) / shape.segment, rest = shape.width - last * shape.segment;
    const auto add = [&](int from, int to, int valid) ISO_VIF_LAMBDA {
        if (valid == lanes) add_vectors<limits, true>(moments, from - begin, to - begin, size_t(valid), limit, scratch, sums);
        else add_vectors<limits, false>(moments, from - begin, to - begin, size_t(valid), limit, scratch, sums);
    };
    if (begin < rest) add(begin, std::min(end, rest), last + 1);
    if (end > rest && last > 0) add(std::max(begin, rest), end, last);
}

void statistic(const int32_t* moments, int begin, int end, const RowShape& shape, std::span<const double> gain_limits, int32_t* scratch,
               RowSums& sums) {
    if (gain_limits.size() == 2) statistic_of<2>(moments, begin, end, shape, {gain_limits[0], gain_limits[1]}, scratch, sums);
    else statistic_of<1>(moments, begin, end, shape, {gain_limits[0], gain_limits[0]}, scratch, sums);
}

}  // namespace isometric::vif::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
