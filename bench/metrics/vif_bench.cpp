// vif/<pass>/<scale>/<bits>/<set>: one pass over the rows of a 1920x1080 picture that it takes at a time; vif/whole/<bits>/<set>: a
// picture. Counters are for a sample of the pass's own scale: ns, cycles, bytes that it loads and stores, and of_floor, the fraction of
// the floor that operations and ports set (vif_costs.h); `cycles` from the time of a chain of multiplications of three cycles each, taken
// in turns with the pass.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/aligned_memory.h"
#include "bench/metrics/interleaved.h"
#include "bench/metrics/vif_costs.h"
#include "metrics/vif/vif_frame.h"
#include "metrics/vif/vif_passes.h"
#include "metrics/vif/vif_plane.h"

namespace isometric {
namespace {

using namespace vif;

constexpr int picture_width = 1920, picture_height = 1080;

// A pan over smooth structure with noise; the distorted picture is coarser.
std::uint32_t sample(bool distorted, int x, int y, int bits) {
    const std::uint32_t X = std::uint32_t(x), Y = std::uint32_t(y);
    std::uint32_t h = X * 0x9E3779B1u + Y * 0x85EBCA77u;
    h ^= h >> 15, h *= 0x2C1B3C6Du, h ^= h >> 12;
    const std::uint32_t level = ((64 + ((X * X / 97 + Y * X / 53) & 127)) << 8) + ((h >> 19) & 0xFFF);
    const std::uint32_t seen = distorted ? level & ~0x7FFu : level;
    return seen >> (16 - bits);
}

constexpr int chain_length = 2000;

void multiply_chain() {
    std::uint64_t x = 3;
    for (int i = 0; i < chain_length; ++i) {
        x *= x;
        benchmark::DoNotOptimize(x);
    }
}

// Buffers of one pass at one scale, filled like a picture's.
class Band {
public:
    Band(int of_scale, int depth, InstructionSet instruction_set)
        : scale(of_scale),
          bits(depth),
          set(instruction_set),
          passes(vif::passes(set)),
          shape(scale, picture_width, picture_height, passes.lanes) {
        const std::size_t lanes = std::size_t(passes.lanes);
        const std::size_t vectors = shape.vectors() + 64;
        for (auto& picture : rows) picture = *make_aligned<std::int32_t>(max_row_pairs * vectors * lanes, "rows");
        lines = *make_aligned<std::int16_t>(band_rows * vectors * half_count * 2 * lanes, "lines");
        moments = *make_aligned<std::int32_t>(vectors * moment_count * lanes, "moments");
        scratch = *make_aligned<std::int32_t>(std::max(vertical_scratch_vectors, statistic_scratch_vectors) * lanes, "scratch");
        for (int m = 0; m < max_row_pairs; ++m) {
            fill(0, m, vectors * lanes);
            fill(1, m, vectors * lanes);
        }
    }

    void vertical() {
        const auto pass = scale == 0 && bits == 8 ? passes.moments_byte : passes.moments[std::size_t(scale)];
        pass(input, {.lines = lines.get(), .stride = stride()}, scratch.get());
    }
    void decimate_rows() {
        const auto pass = scale == 0 && bits == 8 ? passes.decimate_rows_byte : passes.decimate_rows[std::size_t(scale)];
        pass(input, {.lines = lines.get(), .stride = std::ptrdiff_t(shape.position_pairs()) * 4 * passes.lanes}, scratch.get());
    }
    void decimate_columns() {
        const std::ptrdiff_t step = std::ptrdiff_t(shape.position_pairs()) * 4 * passes.lanes;
        for (int m = 0; m < 2; ++m)
            passes.decimate_columns[std::size_t(scale)](lines.get() + 2 * m * step, lines.get() + (2 * m + 1) * step, shape.segment / 2,
                                                        rows[0].get(), rows[1].get());
    }
    void horizontal(bool with_statistic) {
        for (int row = 0; row < band_rows; ++row)
            for (int first = 0; first < shape.output_pairs(); first += chunk_pairs) {
                const int pairs = std::min(chunk_pairs, shape.output_pairs() - first);
                passes.horizontal[std::size_t(scale)](lines.get() + row * stride() + std::ptrdiff_t(first) * half_count * 2 * passes.lanes,
                                                      pairs, moments.get());
                if (with_statistic) statistic(2 * first, std::min(2 * (first + pairs), shape.segment));
            }
    }
    void statistic(int begin, int end) {
        const double limit = 100.0;
        passes.statistic(moments.get(), begin, end, {.width = shape.width, .segment = shape.segment}, {&limit, 1}, scratch.get(), sums);
    }
    void statistic() {
        for (int row = 0; row < band_rows; ++row)
            for (int begin = 0; begin < shape.segment; begin += 2 * chunk_pairs)
                statistic(begin, std::min(begin + 2 * chunk_pairs, shape.segment));
    }
    double samples() const { return double(shape.width) * band_rows; }
    int positions() const { return 2 * shape.position_pairs(); }

    const int scale, bits;
    const InstructionSet set;
    const Passes& passes;
    const PlaneShape shape;
    RowSums sums;

private:
    static constexpr int chunk_pairs = 24;

    std::ptrdiff_t stride() const { return std::ptrdiff_t(shape.position_pairs()) * half_count * 2 * passes.lanes; }

    void fill(int picture, int m, std::size_t words) {
        std::int32_t* const to = rows[picture].get() + std::size_t(m) * words;
        const int lanes = passes.lanes;
        const auto at = [&](int lane, int position, int row) {
            return sample(picture == 1, lane * shape.segment + position, 2 * m + row, bits) << (bits == 8 ? 0 : 16 - bits);
        };
        for (std::size_t i = 0; i < words; ++i) {
            const int lane = int(i) % lanes, vector = int(i) / lanes;
            if (scale == 0 && bits == 8)
                to[i] = std::int32_t(at(lane, 2 * vector, 0) | at(lane, 2 * vector + 1, 0) << 8 | at(lane, 2 * vector, 1) << 16 |
                                     at(lane, 2 * vector + 1, 1) << 24);
            else to[i] = std::int32_t(at(lane, vector, 0) | at(lane, vector, 1) << 16);
        }
        (picture == 0 ? input.ref : input.dis)[std::size_t(m)] = to;
        input.position_pairs = shape.position_pairs();
    }

    BandInput input;
    AlignedArray<std::int32_t> rows[2];
    AlignedArray<std::int16_t> lines;
    AlignedArray<std::int32_t> moments, scratch;
};

// Runs `body`, which takes `samples` samples, often enough to be timed.
void measure(benchmark::State& state, double samples, const bench::VifCost& cost, InstructionSet set, const std::function<void()>& body) {
    const int repeats = std::max(1, int(1e5 / samples));
    std::vector<double> pass_ns, chain_ns;
    for (auto _ : state) {
        pass_ns.push_back(bench::timed([&] {
            for (int i = 0; i < repeats; ++i) body();
        }));
        chain_ns.push_back(bench::timed(multiply_chain));
        state.SetIterationTime(pass_ns.back() * 1e-9);
    }
    const double ns = bench::median(pass_ns) / repeats / samples, cycle_ns = bench::median(chain_ns) / (3.0 * chain_length);
    state.counters["ns"] = ns;
    state.counters["cycles"] = ns / cycle_ns;
    state.counters["cycles_16"] = 16 * ns / cycle_ns;  // of a vector of AVX-512
    state.counters["bytes"] = cost.bytes;
    if (bench::vif_floor_is_known(set)) state.counters["of_floor"] = bench::vif_floor_cycles(cost, set) * cycle_ns / ns;
    state.counters["ms_1080p"] = ns * 1e-6 * picture_width * picture_height;
}

void add(const std::string& name, const std::function<void(benchmark::State&)>& body) {
    benchmark::RegisterBenchmark(name.c_str(), body)->UseManualTime()->Unit(benchmark::kMicrosecond);
}

void add_pass(const std::string& pass, int scale, int bits, InstructionSet set, const bench::VifCost& cost,
              const std::function<void(Band&)>& run) {
    const std::string name = "vif/" + pass + "/" + std::to_string(scale) + "/" + std::to_string(bits) + "/" + std::string(to_string(set));
    add(name, [=](benchmark::State& state) {
        Band band(scale, bits, set);
        band.vertical();
        band.horizontal(false);
        measure(state, band.samples(), cost, set, [&] { run(band); });
        benchmark::DoNotOptimize(band.sums);
    });
}

void add_picture(int bits, InstructionSet set) {
    add("vif/whole/" + std::to_string(bits) + "/" + std::string(to_string(set)), [=](benchmark::State& state) {
        const PictureFormat format{picture_width, picture_height, bits, ChromaFormat::yuv400};
        Picture pictures[2] = {*Picture::allocate(format), *Picture::allocate(format)};
        for (int i = 0; i < 2; ++i)
            for (int y = 0; y < picture_height; ++y)
                for (int x = 0; x < picture_width; ++x)
                    if (bits == 8) pictures[i].writable_plane<std::uint8_t>(0).row(y)[x] = std::uint8_t(sample(i == 1, x, y, bits));
                    else pictures[i].writable_plane<std::uint16_t>(0).row(y)[x] = std::uint16_t(sample(i == 1, x, y, bits));
        const Parameters parameters;
        const RecordLayout layout({&parameters, 1});
        FrameScratch scratch = *FrameScratch::create(format, layout, set);
        measure(state, double(picture_width) * picture_height, bench::vif_picture_cost(bits), set,
                [&] { benchmark::DoNotOptimize(scratch.measure(pictures[0], pictures[1])->data()); });
    });
}

}  // namespace

void bench::register_cases() {
    for (const InstructionSet set : available_instruction_sets()) {
        for (const int bits : {8, 10, 16}) add_picture(bits, set);
        for (const auto& [scale, bits] : {std::pair{0, 8}, {0, 10}, {1, 16}, {2, 16}, {3, 16}}) {
            bench::VifCost both = bench::vif_horizontal_cost(scale);
            both += bench::vif_statistic_cost();
            add_pass("vertical", scale, bits, set, bench::vif_vertical_cost(scale, bits), [](Band& band) { band.vertical(); });
            add_pass("horizontal", scale, bits, set, bench::vif_horizontal_cost(scale), [](Band& band) { band.horizontal(false); });
            add_pass("statistic", scale, bits, set, bench::vif_statistic_cost(), [](Band& band) { band.statistic(); });
            add_pass("horizontal_statistic", scale, bits, set, both, [](Band& band) { band.horizontal(true); });
            if (scale == 3) continue;
            add_pass("decimate_rows", scale, bits, set, bench::vif_decimate_rows_cost(scale, bits),
                     [](Band& band) { band.decimate_rows(); });
            add_pass("decimate_columns", scale, bits, set, bench::vif_decimate_columns_cost(scale),
                     [](Band& band) { band.decimate_columns(); });
        }
    }
}

}  // namespace isometric
