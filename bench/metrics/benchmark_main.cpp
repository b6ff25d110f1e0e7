// The main() of the metrics' benchmarks.
#include <benchmark/benchmark.h>

#include "bench/metrics/interleaved.h"

int main(int argc, char** argv) {
    isometric::bench::register_cases();
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
}
