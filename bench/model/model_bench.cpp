// Prediction and loading of models. `members_alone` is the collection without sharing of kernel values: the baseline of `collection`.
#include <benchmark/benchmark.h>

#include <vector>

#include "isometric/model.h"
#include "model/builtin.h"
#include "model/predictor.h"
#include "model/table.h"

namespace isometric {
namespace {

const std::vector<double> frame = {0.93, 4.5, 0.41, 0.86, 0.92, 0.95};

void predict(benchmark::State& state, const char* version) {
    const Model model = *Model::builtin(version);
    std::vector<double> scores(model.score_names().size());
    for (auto _ : state) {
        model.predict(frame, scores);
        benchmark::DoNotOptimize(scores.data());
    }
}
BENCHMARK_CAPTURE(predict, single, "vmaf_v0.6.1");
BENCHMARK_CAPTURE(predict, collection, "vmaf_b_v0.6.3");

void members_alone(benchmark::State& state) {
    const ModelSet set = *read_model_table(builtin_model_table(), "vmaf_b_v0.6.3");
    std::vector<Predictor> members;
    for (const ModelDefinition& model : set.models) members.emplace_back(ModelSet{false, {model}});
    double score = 0;
    for (auto _ : state) {
        for (const Predictor& member : members) member.predict(frame, {&score, 1});
        benchmark::DoNotOptimize(score);
    }
}
BENCHMARK(members_alone)->Name("predict/members_alone");

void load(benchmark::State& state, const char* version) {
    for (auto _ : state) benchmark::DoNotOptimize(Model::builtin(version));
}
BENCHMARK_CAPTURE(load, single, "vmaf_v0.6.1");
BENCHMARK_CAPTURE(load, collection, "vmaf_b_v0.6.3");

}  // namespace
}  // namespace isometric
