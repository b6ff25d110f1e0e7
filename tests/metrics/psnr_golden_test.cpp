// Golden figures of the scores that libvmaf 3.2.0 stores, on pictures defined by formulas (docs/metrics/test_inputs.md), and the tables of
// tests/golden/.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "metrics/psnr/psnr.h"
#include "tests/metrics/formula_clip.h"
#include "tests/metrics/metric_run.h"
#include "tests/support/bits.h"
#include "tests/support/golden.h"
#include "tests/support/instruction_sets.h"

namespace isometric::test {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

struct Figure {
    const char* feature;
    int frame;  // -1: of the stream
    double value;
};

struct Golden {
    const char* kind;
    PictureFormat format;
    int frames;
    const char* options;
    std::vector<Figure> figures;
};

const Golden goldens[] = {
    {"noise",
     {64, 48, 8, ChromaFormat::yuv420},
     2,
     "enable_mse=true:enable_apsnr=true",
     {{"psnr_y", 0, 0x1.f9b623c5a0903p+2},
      {"psnr_y", 1, 0x1.ec10ecbd9f026p+2},
      {"mse_y", 0, 0x1.496cbaaaaaaabp+13},
      {"mse_y", 1, 0x1.5a00335555555p+13},
      {"psnr_cb", 0, 0x1.e091724214e8dp+2},
      {"psnr_cb", 1, 0x1.f4d728dc9d40fp+2},
      {"mse_cb", 0, 0x1.689d32aaaaaabp+13},
      {"mse_cb", 1, 0x1.4f3fad5555555p+13},
      {"psnr_cr", 0, 0x1.fe02969c3f27cp+2},
      {"psnr_cr", 1, 0x1.e1e0a4580ab34p+2},
      {"mse_cr", 0, 0x1.445e82aaaaaabp+13},
      {"mse_cr", 1, 0x1.66eb555555555p+13},
      {"apsnr_y", -1, 0x1.f2ce19081a962p+2},
      {"apsnr_cb", -1, 0x1.ea84ffc7e43e4p+2},
      {"apsnr_cr", -1, 0x1.ef968925992d8p+2}}},
    {"smooth",
     {65, 47, 10, ChromaFormat::yuv422},
     1,
     "",
     {{"psnr_y", 0, 0x1.16f0ecc5f0a09p+5}, {"psnr_cb", 0, 0x1.18a49c63b3bbap+5}, {"psnr_cr", 0, 0x1.16bc75b383eb9p+5}}},
    {"bright",
     {33, 31, 12, ChromaFormat::yuv444},
     1,
     "",
     {{"psnr_y", 0, 0x1.9f54d71625977p+4}, {"psnr_cb", 0, 0x1.97dbd14562c12p+4}, {"psnr_cr", 0, 0x1.9bf98d90d00b5p+4}}},
    {"noise", {577, 323, 16, ChromaFormat::yuv420}, 1, "enable_chroma=false", {{"psnr_y", 0, 0x1.f2c66ae7ef98bp+2}}},
    {"ident",
     {16, 16, 8, ChromaFormat::yuv400},
     1,
     "enable_apsnr=true",
     {{"psnr_y", 0, 0x1.ep+5}, {"apsnr_y", -1, 0x1.3p+6}, {"apsnr_cb", -1, -inf}, {"apsnr_cr", -1, -inf}}},
    {"dots",
     {64, 48, 10, ChromaFormat::yuv420},
     1,
     "reduced_hbd_peak=true:min_sse=0.5:enable_apsnr=true",
     {{"psnr_y", 0, 0x1.3deec98050143p+6},
      {"psnr_cb", 0, 0x1.3deec98050143p+6},
      {"psnr_cr", 0, 0x1.424c6d2ddce05p+6},
      {"apsnr_y", -1, 0x1.3deec98050142p+6},
      {"apsnr_cb", -1, 0x1.3deec98050142p+6},
      {"apsnr_cr", -1, 0x1.424c6d2ddce05p+6}}},
    {"check", {32, 32, 16, ChromaFormat::yuv444}, 1, "", {{"psnr_y", 0, 0x0p+0}, {"psnr_cb", 0, 0x0p+0}, {"psnr_cr", 0, 0x0p+0}}},
};

TEST(PsnrGolden, FormulaPicturesHaveLibvmafsBits) {
    for_each_instruction_set([](InstructionSet set) {
        for (const Golden& g : goldens) {
            SCOPED_TRACE(std::string(g.kind) + " " + g.format.describe() + " " + g.options);
            const auto run = run_metric(psnr_info(), {g.options}, formula_clip(still_samples, g.kind, g.format, g.frames), set);
            ASSERT_TRUE(run) << run.error().message;
            for (const Figure& figure : g.figures) {
                if (figure.frame < 0) EXPECT_SAME_BITS(figure.value, run->aggregates.at(figure.feature)) << figure.feature;
                else
                    EXPECT_SAME_BITS(figure.value, run->at(figure.feature, std::size_t(figure.frame)))
                        << figure.feature << " " << figure.frame;
            }
        }
    });
}

TEST(PsnrGolden, TablesHaveLibvmafsBits) {
    const auto cases = golden_cases();
    ASSERT_TRUE(cases) << cases.error().message;
    int compared = 0;
    for (const GoldenCase& golden : *cases)
        for (const GoldenRequest& request : golden.requests) {
            if (request.is_model || request.name != "psnr") continue;
            SCOPED_TRACE(golden.name);
            ClipPair clip;
            const auto ref = make_clip(golden.clip.reference()), dis = make_clip(golden.clip);
            for (std::size_t i = 0; i < ref.size(); ++i) clip.push_back({ref[i], dis[i]});
            const auto table = golden_table(golden.name);
            ASSERT_TRUE(table) << table.error().message;
            std::string options;
            for (const OptionText& option : request.options) options += (options.empty() ? "" : ":") + option.name + "=" + option.value;
            const auto run = run_metric(psnr_info(), {options}, clip, best_instruction_set());
            ASSERT_TRUE(run) << run.error().message;
            for (const auto& [name, values] : run->features) {
                const auto expected = table->feature(name);
                ASSERT_EQ(expected.size(), values.size()) << name;
                for (const auto& [frame, value] : expected)
                    EXPECT_SAME_BITS(value, values.at(std::size_t(frame))) << name << " frame " << frame;
                compared += int(values.size());
            }
        }
    EXPECT_GE(compared, 45);
}

}  // namespace
}  // namespace isometric::test
