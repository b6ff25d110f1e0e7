// The program from outside: what a good run prints and writes, and that the scores do not depend on how it was run.
#include "tests/cli/program_test.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <regex>

namespace isometric::cli {

std::string without_rate(std::string report) {
    report = std::regex_replace(report, std::regex("<fyi fps=\"[^\"]*\""), "<fyi fps=\"\"");
    return std::regex_replace(report, std::regex("\"fps\": [^,]*,"), "\"fps\": 0,");
}

namespace {

using Program = ProgramTest;

TEST_F(Program, PrintsTheScoreOnStandardOutput) {
    const Finished run = score();
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(
        std::regex_match(run.out, std::regex(R"(vmaf: \d+\.\d{6} \(vmaf_v0\.6\.1, mean of 5 frames, lowest \d+\.\d{6} at frame \d\)\n)")))
        << run.out;
    EXPECT_EQ(run.err, "") << "nothing to say, and no terminal";
    const Finished quiet = score({"--quiet"});
    EXPECT_EQ(quiet.status, 0);
    EXPECT_EQ(quiet.out + quiet.err, "");
}

TEST_F(Program, NamesTheModelInTheResultLine) {
    const Finished run = score({"-m", "vmaf_4k_v0.6.1:name=big", "-m", "version=vmaf_v0.6.1neg:name=neg", "--worst", "2"});
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(
        std::regex_match(run.out, std::regex("big: .* \\(vmaf_4k_v0.6.1, [^\n]*\n(  frame \\d: [^\n]*\n){2}neg: .* \\(vmaf_v0.6.1neg, "
                                             "[^\n]*\n(  frame \\d: [^\n]*\n){2}")))
        << run.out;
}

TEST_F(Program, InformsOnStandardOutput) {
    const Finished help = run_program({"--help"});
    EXPECT_EQ(help.status, 0);
    EXPECT_SAYS(help.out, "--reference");
    EXPECT_SAYS(help.out, "isometric selftest");
    EXPECT_EQ(help.err, "");
    EXPECT_EQ(run_program({"--version"}).out.rfind("isometric ", 0), 0u);
    EXPECT_EQ(run_program({"-v"}).status, 0);
    const Finished models = run_program({"--list-models"});
    for (const char* model : {"vmaf_v0.6.1 ", "vmaf_v0.6.1neg ", "vmaf_4k_v0.6.1 ", "vmaf_b_v0.6.3 ", "vmaf_v1.0.16_3d0h "})
        EXPECT_SAYS(models.out, model);
    const Finished metrics = run_program({"--list-metrics"});
    EXPECT_SAYS(metrics.out, "motion_force_zero=false  bool true, false, in names as force_0");
    EXPECT_SAYS(metrics.out, "VMAF_integer_feature_motion2_score");
    EXPECT_EQ(run_program({"--list-features"}).out, metrics.out);
}

TEST_F(Program, WritesSeveralReports) {
    const Finished run =
        score({"-o", path("a.xml"), "-o", path("a.json"), "-o", path("a.csv"), "-o", path("a.sub"), "-o", path("a.log"), "-o", "-"});
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(read("a.xml").rfind("<VMAF version=", 0), 0u);
    EXPECT_EQ(read("a.json").rfind("{\n  \"version\": ", 0), 0u);
    EXPECT_EQ(read("a.csv").rfind("Frame,", 0), 0u);
    EXPECT_EQ(read("a.sub").rfind("{0}{1}frame: 0|", 0), 0u);
    EXPECT_EQ(read("a.log"), read("a.xml"));
    EXPECT_EQ(run.out, read("a.xml")) << "standard output has the report alone";
    EXPECT_EQ(run.err.rfind("vmaf: ", 0), 0u) << "and the result line goes to standard error";
}

TEST_F(Program, ReportsTheSameScoreAsTheResultLine) {
    const Finished run = score({"-o", path("a.xml")});
    const std::string value = run.out.substr(6, run.out.find(' ', 6) - 6);
    EXPECT_TRUE(std::regex_search(read("a.xml"), std::regex(fmt::format("<metric name=\"vmaf\" [^>]*mean=\"{}\"", value))))
        << read("a.xml") << run.out;
}

TEST_F(Program, WritesADeviceInPlace) {
    Launch launch;
    launch.arguments = {"-r", path("ref.y4m"), "-d", path("dis.y4m"), "--csv", "-o", "/dev/stdout"};
    launch.output_file = path("redirected");
    write("redirected", "kept\n");
    EXPECT_EQ(run_program(launch).status, 0);
    EXPECT_EQ(read("redirected").rfind("kept\nFrame,", 0), 0u) << "the shell's >> appends";
}

TEST_F(Program, HasThePrecisionAskedFor) {
    EXPECT_EQ(score({"--precision", "max", "-o", path("a.csv")}).status, 0);
    EXPECT_TRUE(std::regex_search(read("a.csv"), std::regex(R"(,\d+\.\d{13,},)"))) << read("a.csv");
    const Finished run = score({"--precision", "3"});
    EXPECT_TRUE(std::regex_search(run.out, std::regex(R"(^vmaf: \d\d\.\d )"))) << run.out;
}

// The one promise: how a run is made does not show in its scores.
class ProgramBits : public ProgramTest {
protected:
    void SetUp() override {
        ProgramTest::SetUp();
        const ClipSpec distorted = clip("97x83 10 420 9 cut quant:80 3");
        write("ref.y4m", to_y4m(distorted.reference()));
        write("dis.y4m", to_y4m(distorted));
    }

    // The report on standard output; arguments come after the inputs.
    std::string report(Launch launch) const {
        launch.arguments.insert(launch.arguments.end(), options.begin(), options.end());
        const Finished run = run_program(launch);
        EXPECT_EQ(run.status, 0) << run.err;
        return without_rate(run.out);
    }
    std::string report(std::vector<std::string> more = {}) const {
        Launch launch;
        launch.arguments = {"-r", path("ref.y4m"), "-d", path("dis.y4m")};
        launch.arguments.insert(launch.arguments.end(), more.begin(), more.end());
        return report(launch);
    }

    std::vector<std::string> options{
        "-q", "-o", "-", "--json", "--precision", "max", "-m", "vmaf_v0.6.1", "-m", "vmaf_v0.6.1neg:name=neg", "--feature", "psnr"};
};

TEST_F(ProgramBits, AreTheSameForAnyNumberOfThreads) {
    const std::string one = report({"--threads", "1"});
    EXPECT_SAYS(one, "\"frameNum\": 8");
    EXPECT_SAYS(one, "\"neg\"");
    for (const char* threads : {"2", "3", "8", "0"}) EXPECT_EQ(report({"--threads", threads}), one) << threads << " threads";
    const std::string half = report({"--threads", "1", "--subsample", "2"});
    for (const char* threads : {"2", "8"}) EXPECT_EQ(report({"--threads", threads, "--subsample", "2"}), half) << threads << " threads";
}

TEST_F(ProgramBits, AreTheSameFromFilesAndPipes) {
    const std::string files = report();
    Launch launch;
    launch.arguments = {"-r", "-", "-d", path("dis.y4m")};
    launch.standard_input = read("ref.y4m");
    EXPECT_EQ(report(launch), files);
    launch.arguments = {"-r", path("ref.y4m"), "-d", "/dev/stdin"};
    launch.standard_input = read("dis.y4m");
    EXPECT_EQ(report(launch), files);
    launch.arguments = {"-r", "/dev/fd/5", "-d", "/dev/fd/6"};
    launch.piped = {{5, read("ref.y4m")}, {6, read("dis.y4m")}};
    EXPECT_EQ(report(launch), files);

    const ClipSpec distorted = clip("97x83 10 420 9 cut quant:80 3");
    write("ref.yuv", to_raw(distorted.reference()));
    write("dis.yuv", to_raw(distorted));
    launch.arguments = {"-r", path("ref.yuv"), "-d", path("dis.yuv"), "-w97", "-h83", "-p420", "-b10"};
    EXPECT_EQ(report(launch), files);
    launch.arguments = {"-r", "-", "-d", path("dis.yuv"), "-w97", "-h83", "-p420", "-b10"};
    launch.standard_input = read("ref.yuv");
    EXPECT_EQ(report(launch), files);
}

TEST_F(ProgramBits, AreTheSameForEveryInstructionSet) {
    const std::string best = report();
    EXPECT_EQ(report({"--instruction_set", "portable"}), best);
    for (const char* mask : {"-1", "16", "48", "56"}) EXPECT_EQ(report({"--cpumask", mask}), best) << mask;
    Launch launch;
    launch.arguments = {"-r", path("ref.y4m"), "-d", path("dis.y4m")};
    launch.environment = {"ISOMETRIC_CPU=portable"};
    EXPECT_EQ(report(launch), best);
}

using Rows = std::vector<std::vector<std::string>>;

Rows cells(const std::string& csv) {
    Rows rows;
    std::istringstream lines(csv);
    for (std::string line; std::getline(lines, line);) {
        rows.emplace_back();
        std::istringstream text(line);
        for (std::string cell; std::getline(text, cell, ',');) rows.back().push_back(cell);
    }
    return rows;
}

// The column's cells, "" on top of them for a column that is not there.
std::vector<std::string> column(const Rows& rows, const std::string& name) {
    const auto there = std::size_t(std::ranges::find(rows.at(0), name) - rows.at(0).begin());
    std::vector<std::string> result;
    for (const auto& row : rows) result.push_back(there < row.size() ? row[there] : "");
    return result;
}

TEST_F(ProgramBits, AreTheSameWithTheChromaLeftOut) {
    // Without psnr nothing looks at chroma, and it is not read; the features are those of a run that reads it.
    options = {"-q", "-o", "-", "--csv", "--precision", "max"};
    const Rows luma = cells(report()), all = cells(report({"--feature", "psnr"}));
    for (const std::string& name : luma.at(0)) EXPECT_EQ(column(luma, name), column(all, name)) << name;
}

TEST_F(ProgramBits, CoverTheChromaWhereAMetricReadsIt) {
    options = {"-q", "-o", "-", "--csv"};
    const ClipSpec spec = clip("97x83 10 420 9 cut quant:80 3");
    const std::vector<std::string> reported = column(cells(report({"-n", "--feature", "psnr"})), "psnr_cr");
    ASSERT_EQ(reported.size(), 10u);
    const std::vector<Picture> ref = make_clip(spec.reference()), dis = make_clip(spec);
    for (std::size_t frame = 0; frame < ref.size(); ++frame) {
        const auto a = ref[frame].plane<std::uint16_t>(2), b = dis[frame].plane<std::uint16_t>(2);
        double sum = 0;
        for (int y = 0; y < a.height; ++y)
            for (int x = 0; x < a.width; ++x) sum += (double(a.row(y)[x]) - b.row(y)[x]) * (double(a.row(y)[x]) - b.row(y)[x]);
        EXPECT_EQ(reported[frame + 1], fmt::format("{:.6f}", 10 * std::log10(1023. * 1023. * a.width * a.height / sum)));
    }
}

TEST_F(Program, CountsSkipsAndLimits) {
    const std::string all = (score({"-q", "-n", "-m", "vmaf_v0.6.1", "--csv", "-o", path("all.csv")}), read("all.csv"));
    EXPECT_EQ(std::ranges::count(all, '\n'), 6);
    EXPECT_EQ(all.find("vmaf"), std::string::npos) << "no predictions";

    const auto lines = [&](std::vector<std::string> more) {
        more.insert(more.end(), {"-q", "--csv", "-o", path("part.csv")});
        const Finished run = score(more);
        EXPECT_EQ(run.status, 0) << run.err;
        const std::string report = read("part.csv");
        return std::ranges::count(report, '\n') - 1;
    };
    EXPECT_EQ(lines({"--frame_cnt", "2"}), 2);
    EXPECT_EQ(lines({"--frame_cnt", "99"}), 5);
    EXPECT_EQ(lines({"--frame_skip_ref", "2", "--frame_skip_dist", "2"}), 3);
    EXPECT_EQ(lines({"--frame_skip_ref", "2", "--frame_cnt", "1"}), 1);
    EXPECT_EQ(lines({"--subsample", "2"}), 3);
}

TEST_F(Program, NumbersFramesAfterTheSkippedOnes) {
    write("tail_ref.y4m", to_y4m(clip().reference()));
    EXPECT_EQ(
        score({"-q", "--frame_skip_ref", "1", "--frame_skip_dist", "1", "--feature", "psnr", "-n", "--csv", "-o", path("skipped.csv")})
            .status,
        0);
    EXPECT_EQ(score({"-q", "--feature", "psnr", "-n", "--csv", "-o", path("all.csv")}).status, 0);
    const auto row = [&](const char* file, const std::string& frame) {
        const std::string text = read(file);
        const auto at = text.find(fmt::format("\n{},", frame));
        return at == std::string::npos ? std::string() : text.substr(at + 2, text.find('\n', at + 1) - at - 2);
    };
    EXPECT_EQ(row("skipped.csv", "0"), row("all.csv", "1"));
    EXPECT_EQ(row("skipped.csv", "3"), row("all.csv", "4"));
    EXPECT_NE(row("skipped.csv", "3"), "");
}

TEST_F(Program, ScoresAtACommonBitDepth) {
    const ClipSpec deep = clip("96x80 10 420 5 texture quant:80 1");
    write("deep.y4m", to_y4m(deep));
    const Finished refused = run_program({"-r", path("ref.y4m"), "-d", path("deep.y4m")});
    EXPECT_EQ(refused.status, 2);
    EXPECT_SAYS(refused.err, "bit depths are 8 and 10");
    EXPECT_EQ(run_program({"-r", path("ref.y4m"), "-d", path("deep.y4m"), "--common_bitdepth"}).status, 0);
    write("deep.yuv", to_raw(deep));
    write("ref.yuv", to_raw(clip().reference()));
    const Finished raw = run_program(
        {"-r", path("ref.yuv"), "-d", path("deep.yuv"), "--common_bitdepth", "-w96", "-h80", "-p420", "-b8", "--bitdepth_dist", "10"});
    EXPECT_EQ(raw.status, 0) << raw.err;
    EXPECT_EQ(raw.out, run_program({"-r", path("ref.y4m"), "-d", path("deep.y4m"), "--common_bitdepth"}).out);
}

TEST_F(Program, ShowsProgressOnATerminalOnly) {
    Launch launch;
    launch.arguments = {"-r", path("ref.y4m"), "-d", path("dis.y4m")};
    launch.error_is_terminal = true;
    const Finished run = run_program(launch);
    EXPECT_EQ(run.status, 0);
    EXPECT_SAYS(run.err, "frames/s");
    EXPECT_SAYS(run.err, "/5 frames [");
    EXPECT_TRUE(run.err.ends_with("\r\x1b[K")) << "the line is gone at the end";
    launch.arguments.push_back("-q");
    EXPECT_EQ(run_program(launch).err, "");

    write("ref.yuv", to_raw(clip().reference()));
    write("dis.yuv", to_raw(clip()));
    const auto says = [&](std::vector<std::string> arguments, const char* total) {
        launch.arguments = std::move(arguments);
        EXPECT_SAYS(run_program(launch).err, total);
    };
    says({"-r", path("ref.yuv"), "-d", path("dis.yuv"), "-w96", "-h80", "-p420", "-b8", "--frame_skip_ref", "2"}, "/3 frames [");
    says({"-r", path("ref.y4m"), "-d", path("dis.y4m"), "--frame_cnt", "4"}, "/4 frames [");
    launch.standard_input = to_y4m(clip());
    says({"-r", path("ref.y4m"), "-d", "-"}, "/5 frames [");
}

TEST_F(Program, TakesAModelFromAFile) {
    // One support vector on motion2, so that the score is 100 * exp(-(motion2 / 10)^2).
    const std::string model =
        R"({"model_dict": {"model_type": "LIBSVMNUSVR", "norm_type": "linear_rescale", "slopes": [1, 0.1], "intercepts": [0, 0],
        "feature_names": ["VMAF_integer_feature_motion2_score"], "model":
        "svm_type nu_svr\nkernel_type rbf\ngamma 1\nnr_class 2\ntotal_sv 1\nrho 0\nSV\n100 1:0\n"}})";
    write("odd:name=1.json", model);
    std::string escaped = path("odd:name=1.json");
    for (const char special : {':', '='})
        for (auto at = escaped.find(special); at != std::string::npos; at = escaped.find(special, at + 2)) escaped.insert(at, 1, '\\');
    const Finished run = score({"-m", fmt::format("path={}:name=mine", escaped)});
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.out.rfind("mine: ", 0), 0u) << run.out;
    EXPECT_SAYS(run.out, "odd:name=1.json, mean of 5 frames");
    EXPECT_EQ(score({"-m", escaped + ":name=mine"}).out, run.out) << "a bare path";
}

}  // namespace
}  // namespace isometric::cli
