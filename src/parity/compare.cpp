#include "parity/compare.h"

#include <bit>
#include <map>

#include "base/error.h"

namespace isometric {
namespace {

constexpr std::size_t differences_kept = 10;

struct Pair {
    Picture ref, dis;
};

std::vector<Pair> make_pairs(const ClipSpec& clip) {
    std::vector<Pair> pairs;
    for (int i = 0; i < clip.frames; ++i) pairs.push_back({make_picture(clip.reference(), i), make_picture(clip, i)});
    return pairs;
}

// Why a path refuses a request for a format; empty when it does not.
std::string refusal(const ExecutionPath& path, const MetricRequest& request, const PictureFormat& format) {
    auto session = Session::create(path.config());
    if (!session) return session.error().message;
    if (Status status = session->add_metric(request.metric, request.options); !status) return status.error().message;
    if (Status status = session->start(format); !status) return status.error().message;
    return {};
}

Result<Scores> score(const ExecutionPath& path, const std::vector<Pair>& pairs, const std::vector<MetricRequest>& requests) {
    ISO_TRY(Session session, Session::create(path.config()));
    for (const MetricRequest& request : requests) ISO_DO(session.add_metric(request.metric, request.options));
    for (const Pair& pair : pairs) ISO_DO(session.push(pair.ref, pair.dis));
    ISO_DO(session.finish());
    return session.scores();
}

// The requests that a format takes, by what the reference says; other paths must agree.
Result<std::vector<MetricRequest>> accepted(const std::vector<ExecutionPath>& paths, const ClipSpec& clip, const std::vector<MetricRequest>& requests,
                                            std::vector<Comparison>& comparisons) {
    std::vector<MetricRequest> taken;
    for (const MetricRequest& request : requests) {
        const std::string why = refusal(paths[0], request, clip.format);
        if (why.empty()) taken.push_back(request);
        for (std::size_t p = 1; p < paths.size(); ++p) {
            const std::string other = refusal(paths[p], request, clip.format);
            if (other != why)
                return error(Code::internal, "{} on {}: {} says '{}', {} says '{}'", request.describe(), clip.format.describe(), paths[0].describe(), why,
                             paths[p].describe(), other);
            if (!why.empty()) ++comparisons[p - 1].refused;
        }
    }
    return taken;
}

// The request whose metric emits a feature, for a message: the first whose scores alone have the column.
std::string request_of(const ExecutionPath& path, const std::vector<Pair>& pairs, const std::vector<MetricRequest>& requests, const std::string& feature) {
    for (const MetricRequest& request : requests) {
        const auto scores = score(path, {pairs.front()}, {request});
        if (scores && scores->find(feature)) return request.describe();
    }
    return "?";
}

void compare_scores(const Scores& a, const Scores& b, const ClipSpec& clip, const std::vector<Pair>& pairs, const std::vector<MetricRequest>& requests,
                    Comparison& comparison) {
    for (std::size_t c = 0; c < a.columns.size(); ++c) {
        const ScoreColumn& ours = a.columns[c];
        const ScoreColumn* theirs = c < b.columns.size() ? &b.columns[c] : nullptr;
        for (std::size_t i = 0; i < ours.values.size(); ++i) {
            ++comparison.values;
            const bool there = theirs && theirs->name == ours.name && i < theirs->values.size() && theirs->values[i] && ours.values[i];
            if (there && std::bit_cast<std::uint64_t>(*ours.values[i]) == std::bit_cast<std::uint64_t>(*theirs->values[i])) continue;
            if (comparison.differing++ > std::int64_t(differences_kept)) continue;
            Difference difference{clip, request_of(comparison.reference, pairs, requests, ours.name), ours.name, std::int64_t(i), ours.values[i].value_or(0), there ? *theirs->values[i] : 0, {}};
            difference.command = fmt::format("isometric parity --reference {} --path {} --clip '{}' --feature '{}'", comparison.reference.describe(),
                                             comparison.other.describe(), clip.describe(), difference.metric);
            comparison.differences.push_back(std::move(difference));
        }
    }
    for (std::size_t c = a.columns.size(); c < b.columns.size(); ++c) comparison.differing += std::int64_t(b.columns[c].values.size());
}

void mix(std::uint64_t& hash, std::uint64_t word) {
    // FNV-1a over the eight bytes, low byte first.
    for (int i = 0; i < 8; ++i) hash = (hash ^ (word >> (8 * i) & 0xFF)) * 1099511628211u;
}

}  // namespace

Result<std::vector<Comparison>> compare(const std::vector<ExecutionPath>& paths, const std::vector<ClipSpec>& clips,
                                        const std::vector<MetricRequest>& requests, const std::function<void(std::size_t, std::size_t)>& progress) {
    if (paths.size() < 2) return error(Code::invalid_argument, "a comparison needs a reference and at least one other path");
    std::vector<Comparison> comparisons;
    for (std::size_t p = 1; p < paths.size(); ++p) comparisons.push_back({paths[0], paths[p], 0, 0, 0, {}});
    for (std::size_t k = 0; k < clips.size(); ++k) {
        const std::vector<Pair> pairs = make_pairs(clips[k]);
        ISO_TRY(const std::vector<MetricRequest> taken, accepted(paths, clips[k], requests, comparisons));
        if (!taken.empty()) {
            auto reference = score(paths[0], pairs, taken);
            if (!reference) return within(fmt::format("{} on '{}'", paths[0].describe(), clips[k].describe()), std::move(reference).error());
            for (std::size_t p = 1; p < paths.size(); ++p) {
                auto other = score(paths[p], pairs, taken);
                if (!other) return within(fmt::format("{} on '{}'", paths[p].describe(), clips[k].describe()), std::move(other).error());
                compare_scores(*reference, *other, clips[k], pairs, taken, comparisons[p - 1]);
            }
        }
        if (progress) progress(k + 1, clips.size());
    }
    return comparisons;
}

Result<Digest> digest(const ExecutionPath& path, const std::vector<ClipSpec>& clips, const std::vector<MetricRequest>& requests) {
    Digest result{14695981039346656037u, 0};
    for (const ClipSpec& clip : clips) {
        std::vector<MetricRequest> taken;
        for (const MetricRequest& request : requests)
            if (refusal(path, request, clip.format).empty()) taken.push_back(request);
        if (taken.empty()) continue;
        ISO_TRY(const Scores scores, score(path, make_pairs(clip), taken));
        for (const ScoreColumn& column : scores.columns) {
            for (const auto& value : column.values) {
                mix(result.value, std::bit_cast<std::uint64_t>(value.value_or(0)));
                ++result.scores;
            }
        }
    }
    return result;
}

}  // namespace isometric
