// The functions that ask a context for scores.
#include <limits>

#include "base/error.h"
#include "capi/context.h"

namespace isometric::capi {
namespace {

constexpr double not_a_score = std::numeric_limits<double>::quiet_NaN();

Result<Pooling> pooling_of(VmafPoolingMethod method) {
    switch (method) {
        case VMAF_POOL_METHOD_MIN: return Pooling::min;
        case VMAF_POOL_METHOD_MAX: return Pooling::max;
        case VMAF_POOL_METHOD_MEAN: return Pooling::mean;
        case VMAF_POOL_METHOD_HARMONIC_MEAN: return Pooling::harmonic_mean;
        default: break;
    }
    return error(Code::invalid_argument, "pooling method {}: must be 1 (min), 2 (max), 3 (mean) or 4 (harmonic mean)", int(method));
}

Result<Interval> interval_of(unsigned low, unsigned high) {
    if (low > high) return error(Code::invalid_argument, "frames {}..{} are no interval", low, high);
    return Interval{low, high};
}

Result<ReportFormat> report_format_of(VmafOutputFormat format) {
    switch (format) {
        case VMAF_OUTPUT_FORMAT_XML: return ReportFormat::xml;
        case VMAF_OUTPUT_FORMAT_JSON: return ReportFormat::json;
        case VMAF_OUTPUT_FORMAT_CSV: return ReportFormat::csv;
        case VMAF_OUTPUT_FORMAT_SUB: return ReportFormat::sub;
        default: break;
    }
    return error(Code::invalid_argument, "output format {}: must be 1 (XML), 2 (JSON), 3 (CSV) or 4 (SUB)", int(format));
}

VmafModelCollectionScore unknown_score() {
    VmafModelCollectionScore score{};
    score.bootstrap.bagging_score = score.bootstrap.stddev = score.bootstrap.ci.p95.lo = score.bootstrap.ci.p95.hi = not_a_score;
    return score;
}

// The last four scores of a collection: bagging, stddev and the ends of the interval.
VmafModelCollectionScore bootstrap_score(const std::vector<double>& scores) {
    const std::size_t first = scores.size() - 4;
    VmafModelCollectionScore score{};
    score.type = VMAF_MODEL_COLLECTION_SCORE_BOOTSTRAP;
    score.bootstrap.bagging_score = scores[first];
    score.bootstrap.stddev = scores[first + 1];
    score.bootstrap.ci.p95.lo = scores[first + 2];
    score.bootstrap.ci.p95.hi = scores[first + 3];
    return score;
}

}  // namespace

ISO_C_INTERFACE_BEGIN

int vmaf_feature_score_at_index(VmafContext* vmaf, const char* feature_name, double* score, unsigned index) {
    if (score) *score = not_a_score;
    return with_context("vmaf_feature_score_at_index", vmaf, [&](Context& context) -> Status {
        ISO_DO(not_null(feature_name, "feature_name"));
        ISO_DO(not_null(score, "score"));
        ISO_TRY(*score, context.score(feature_name, index));
        return {};
    });
}

int vmaf_feature_score_pooled(VmafContext* vmaf, const char* feature_name, enum VmafPoolingMethod pool_method, double* score,
                              unsigned index_low, unsigned index_high) {
    if (score) *score = not_a_score;
    return with_context("vmaf_feature_score_pooled", vmaf, [&](Context& context) -> Status {
        ISO_DO(not_null(feature_name, "feature_name"));
        ISO_DO(not_null(score, "score"));
        ISO_TRY(const Pooling method, pooling_of(pool_method));
        ISO_TRY(const Interval interval, interval_of(index_low, index_high));
        ISO_TRY(*score, context.pooled(feature_name, method, interval));
        return {};
    });
}

int vmaf_score_at_index(VmafContext* vmaf, VmafModel* model, double* score, unsigned index) {
    if (score) *score = not_a_score;
    return with_context("vmaf_score_at_index", vmaf, [&](Context& context) -> Status {
        ISO_DO(not_null(score, "score"));
        ISO_TRY(const std::shared_ptr<ModelState> state, find_model(model));
        ISO_TRY(const std::vector<double> scores, context.score(state, index));
        *score = scores.front();
        return {};
    });
}

int vmaf_score_pooled(VmafContext* vmaf, VmafModel* model, enum VmafPoolingMethod pool_method, double* score, unsigned index_low,
                      unsigned index_high) {
    if (score) *score = not_a_score;
    return with_context("vmaf_score_pooled", vmaf, [&](Context& context) -> Status {
        ISO_DO(not_null(score, "score"));
        ISO_TRY(const std::shared_ptr<ModelState> state, find_model(model));
        ISO_TRY(const Pooling method, pooling_of(pool_method));
        ISO_TRY(const Interval interval, interval_of(index_low, index_high));
        ISO_TRY(const std::vector<double> scores, context.pooled(state, method, interval));
        *score = scores.front();
        return {};
    });
}

int vmaf_score_at_index_model_collection(VmafContext* vmaf, VmafModelCollection* model_collection, VmafModelCollectionScore* score,
                                         unsigned index) {
    if (score) *score = unknown_score();
    return with_context("vmaf_score_at_index_model_collection", vmaf, [&](Context& context) -> Status {
        ISO_DO(not_null(score, "score"));
        ISO_TRY(const std::shared_ptr<ModelState> state, find_collection(model_collection));
        ISO_TRY(const std::vector<double> scores, context.score(state, index));
        *score = bootstrap_score(scores);
        return {};
    });
}

int vmaf_score_pooled_model_collection(VmafContext* vmaf, VmafModelCollection* model_collection, enum VmafPoolingMethod pool_method,
                                       VmafModelCollectionScore* score, unsigned index_low, unsigned index_high) {
    if (score) *score = unknown_score();
    return with_context("vmaf_score_pooled_model_collection", vmaf, [&](Context& context) -> Status {
        ISO_DO(not_null(score, "score"));
        ISO_TRY(const std::shared_ptr<ModelState> state, find_collection(model_collection));
        ISO_TRY(const Pooling method, pooling_of(pool_method));
        ISO_TRY(const Interval interval, interval_of(index_low, index_high));
        ISO_TRY(const std::vector<double> scores, context.pooled(state, method, interval));
        *score = bootstrap_score(scores);
        return {};
    });
}

int vmaf_write_output(VmafContext* vmaf, const char* output_path, enum VmafOutputFormat fmt) {
    return with_context("vmaf_write_output", vmaf, [&](Context& context) -> Status {
        ISO_DO(not_null(output_path, "output_path"));
        ISO_TRY(const ReportFormat format, report_format_of(fmt));
        return context.write(output_path, format);
    });
}

ISO_C_INTERFACE_END

}  // namespace isometric::capi
