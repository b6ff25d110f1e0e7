// The program given something bad: each kind of failure has its exit status, a message that names the cause, and keeps what was finished.
#include <chrono>

#include "tests/cli/program_test.h"

namespace isometric::cli {
namespace {

using Failure = ProgramTest;

void expect_failure(const Finished& run, int status, const char* says) {
    EXPECT_EQ(run.signal, 0);
    EXPECT_EQ(run.status, status) << run.err;
    EXPECT_SAYS(run.err, "isometric: error: ");
    EXPECT_SAYS(run.err, says);
    EXPECT_EQ(run.out, "");
}

TEST_F(Failure, UsageIs1) {
    expect_failure(run_program(std::vector<std::string>{}), 1, "--reference");
    expect_failure(score({"--bogus"}), 1, "unknown option --bogus");
    expect_failure(score({"--refrence", "x"}), 1, "did you mean --reference?");
    expect_failure(score({"operand"}), 1, "stray argument 'operand'");
    expect_failure(score({"--threads", "two"}), 1, "'two'");
    expect_failure(score({"-m", "name=x"}), 1, "names no model");
    expect_failure(score({"-m", "vmaf_v0.6.1", "-m", "vmaf_4k_v0.6.1"}), 1, "same name 'vmaf'");
    expect_failure(score({"--no-reference"}), 1, "not supported");
    EXPECT_SAYS(score({"--bogus"}).err, "Try 'isometric --help'.");
    const Finished ignored = score({"--ignore_unknown", "--bogus", "operand"});
    EXPECT_EQ(ignored.status, 0) << ignored.err;
    EXPECT_SAYS(ignored.err, "note: ignored: unknown option --bogus");
    EXPECT_SAYS(ignored.err, "note: ignored: stray argument 'operand'");
    EXPECT_EQ(score({"-q", "--ignore_unknown", "--bogus"}).err, "");
}

TEST_F(Failure, InputIs2) {
    expect_failure(run_program({"-r", path("ref.y4m"), "-d", path("none.y4m")}), 2, "none.y4m");
    expect_failure(run_program({"-r", path("ref.y4m"), "-d", folder_.string()}), 2, folder_.c_str());
    write("empty.y4m", "");
    expect_failure(run_program({"-r", path("ref.y4m"), "-d", path("empty.y4m")}), 2, "empty");
    write("noise.y4m", std::string(100000, 'x'));
    expect_failure(run_program({"-r", path("ref.y4m"), "-d", path("noise.y4m")}), 2, "noise.y4m");
    write("small.y4m", to_y4m(clip("96x78 8 420 5 texture none 1")));
    expect_failure(run_program({"-r", path("ref.y4m"), "-d", path("small.y4m")}), 2, "96x80 and 96x78");
    write("full.y4m", to_y4m(clip("96x80 8 444 5 texture none 1")));
    expect_failure(run_program({"-r", path("ref.y4m"), "-d", path("full.y4m")}), 2, "4:2:0 and 4:4:4");
    write("interlaced.y4m", "YUV4MPEG2 W96 H80 F25:1 It C420\n");
    expect_failure(run_program({"-r", path("interlaced.y4m"), "-d", path("dis.y4m")}), 2, "interlac");
}

TEST_F(Failure, SaysWhenRawAndY4mAreMixedUp) {
    expect_failure(score({"-w96", "-h80", "-p420", "-b8"}), 2, "is a y4m stream");
    write("ref.yuv", to_raw(clip().reference()));
    expect_failure(run_program({"-r", path("ref.yuv"), "-d", path("dis.y4m")}), 2, "ref.yuv");
}

TEST_F(Failure, AbsurdSizesAreRefusedAtOnce) {
    write("absurd.y4m", "YUV4MPEG2 W100000 H100000 F25:1 Ip C420\nFRAME\n");
    write("large.y4m", "YUV4MPEG2 W60000 H60000 F25:1 Ip C420\nFRAME\n");
    const auto start = std::chrono::steady_clock::now();
    expect_failure(run_program({"-r", path("absurd.y4m"), "-d", path("absurd.y4m")}), 2, "absurd.y4m");
    expect_failure(run_program({"-r", path("large.y4m"), "-d", path("large.y4m")}), 2, "large.y4m");
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST_F(Failure, SamplesAboveTheBitDepthAreNamed) {
    const ClipSpec ten = clip("96x80 10 420 2 texture none 1");
    std::string bytes = to_raw(ten);
    write("ref.yuv", bytes);
    bytes[2 * (96 * 3 + 5) + 1] = '\x7f';  // row 3, column 5
    write("dis.yuv", bytes);
    const std::vector<std::string> raw{"-r", path("ref.yuv"), "-d", path("dis.yuv"), "-w96", "-h80", "-p420", "-b10"};
    const Finished refused = run_program(raw);
    expect_failure(refused, 2, "dis.yuv");
    EXPECT_SAYS(refused.err, "row 3");
    EXPECT_SAYS(refused.err, "column 5");
    auto unchecked = raw;
    unchecked.push_back("--no_check_sample_range");
    unchecked.insert(unchecked.end(), {"-n", "--feature", "psnr"});
    const Finished run = run_program(unchecked);
    EXPECT_EQ(run.signal, 0);
    EXPECT_EQ(run.status, 0) << run.err;
}

TEST_F(Failure, ModelsAndFeaturesAre3) {
    expect_failure(score({"-m", "version=vmaf_v0.6.2"}), 3, "vmaf_v0.6.1");
    expect_failure(score({"-m", "path=" + path("none.json")}), 3, "none.json");
    write("broken.json", "{\"model_dict\": ");
    expect_failure(score({"-m", path("broken.json")}), 3, "broken.json");
    write("old.pkl", "pickle");
    expect_failure(score({"-m", path("old.pkl")}), 3, "old.pkl");
    expect_failure(score({"-m", "vmaf_v0.6.1:adm.no_option=1"}), 3, "no_option");
    expect_failure(score({"-m", "vmaf_v0.6.1:cambi.topk=1"}), 3, "cambi");
    expect_failure(score({"-m", "vmaf_v0.6.1:adm.adm_enhn_gain_limit=1000"}), 3, "adm_enhn_gain_limit");
    expect_failure(score({"-m", "vmaf_v0.6.1:name=VMAF_integer_feature_motion2_score"}), 3, "VMAF_integer_feature_motion2_score");
    expect_failure(score({"-m", "vmaf_v0.6.1:name=integer_motion2"}), 3, "integer_motion2");
    expect_failure(score({"--feature", "motoin"}), 3, "motion");
    expect_failure(score({"--feature", "motion=motion_forse_zero=true"}), 3, "motion_force_zero");
    expect_failure(score({"--feature", "motion=motion_fps_weight=6"}), 3, "motion_fps_weight");
    expect_failure(score({"--feature", "motion=motion_fps_weight=many"}), 3, "many");
    expect_failure(score({"--feature", "motion=motion_fps_weight=nan"}), 3, "nan");
}

TEST_F(Failure, AFormatThatAMetricRefusesIsNamed) {
    write("tiny_ref.y4m", to_y4m(clip("8x8 8 420 2 texture none 1")));
    const Finished run = run_program({"-r", path("tiny_ref.y4m"), "-d", path("tiny_ref.y4m")});
    expect_failure(run, 3, "8x8");
}

TEST_F(Failure, ReportsAre5) {
    Launch full;
    full.arguments = {"-r", path("ref.y4m"), "-d", path("dis.y4m")};
    full.output_file = "/dev/full";
    EXPECT_EQ(run_program(full).status, 5) << "the result line";
    full.arguments.push_back("--help");
    EXPECT_EQ(run_program(full).status, 5);

    const Finished device = score({"-o", "/dev/full", "-q"});
    expect_failure(device, 5, "/dev/full");
    expect_failure(score({"-o", path("no/folder/a.xml")}), 5, "no folder");
    expect_failure(score({"-o", folder_.string()}), 5, "folder");

    Launch broken;
    broken.arguments = {"-r", path("ref.y4m"), "-d", path("dis.y4m"), "-q", "-o", "-"};
    broken.output_is_broken_pipe = true;
    const Finished pipe = run_program(broken);
    EXPECT_EQ(pipe.signal, 0);
    EXPECT_EQ(pipe.status, 5) << pipe.err;

    // The other report of the run is there all the same.
    EXPECT_EQ(score({"-o", "/dev/full", "-o", path("b.csv"), "-q"}).status, 5);
    EXPECT_EQ(read("b.csv").rfind("Frame,", 0), 0u);
}

TEST_F(Failure, AFolderThatTakesNoFilesIsNamed) {
    const Finished run = score({"-o", "/proc/isometric.xml", "-q"});
    expect_failure(run, 5, "/proc/isometric.xml");
}

TEST_F(Failure, AnOldReportOutlivesAFailedRun) {
    write("a.xml", "old");
    EXPECT_EQ(run_program({"-r", path("ref.y4m"), "-d", path("none.y4m"), "-o", path("a.xml")}).status, 2);
    EXPECT_EQ(read("a.xml"), "old");
    EXPECT_EQ(score({"-o", path("a.xml"), "-q"}).status, 0);
    EXPECT_EQ(read("a.xml").rfind("<VMAF", 0), 0u);
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) EXPECT_NOT_SAYS(entry.path().filename().string(), ".tmp");
}

TEST_F(Failure, BackendsThatAreNotThereAre100) {
    expect_failure(score({"--backend", "metal"}), 100, "metal");
    expect_failure(score({"--feature", "motion_metal"}), 100, "metal");
    EXPECT_EQ(score({"--backend", "cpu"}).status, 0);
    EXPECT_EQ(score({"--backend", "auto", "--no_cuda", "--no_hip", "--no_sycl", "--no_metal"}).status, 0);
}

TEST_F(Failure, NoFramesIs101) {
    write("header.y4m", "YUV4MPEG2 W96 H80 F25:1 Ip C420jpeg\n");
    expect_failure(run_program({"-r", path("header.y4m"), "-d", path("header.y4m"), "-o", path("a.xml")}), 101, "header.y4m");
    EXPECT_FALSE(std::filesystem::exists(path("a.xml")));
    expect_failure(run_program({"-r", path("ref.y4m"), "-d", path("header.y4m")}), 101, "header.y4m");
    expect_failure(score({"--frame_skip_ref", "9"}), 101, "ref.y4m");
    expect_failure(score({"--frame_skip_dist", "6"}), 101, "dis.y4m");
    expect_failure(score({"--frame_skip_ref", "5"}), 101, "ref.y4m");
}

TEST_F(Failure, DifferentLengthsAreSaid) {
    write("long.y4m", to_y4m(clip("96x80 8 420 7 texture quant:24 1")));
    const std::vector<std::string> pair{"-r", path("ref.y4m"), "-d", path("long.y4m")};
    const Finished warned = run_program(pair);
    EXPECT_EQ(warned.status, 0);
    EXPECT_SAYS(warned.err, "isometric: warning: ");
    EXPECT_SAYS(warned.err, "5 frames");
    EXPECT_SAYS(warned.err, "7");
    EXPECT_SAYS(warned.out, "mean of 5 frames");
    auto strict = pair;
    strict.insert(strict.end(), {"--strict", "-o", path("a.json")});
    const Finished refused = run_program(strict);
    EXPECT_EQ(refused.status, 2);
    EXPECT_SAYS(refused.err, "isometric: error: ");
    EXPECT_SAYS(refused.out, "run incomplete");
    EXPECT_SAYS(read("a.json"), "\"complete\": false");
    auto limited = pair;
    limited.insert(limited.end(), {"--frame_cnt", "5", "--strict"});
    EXPECT_EQ(run_program(limited).status, 0) << "the pair is complete as far as it was asked for";
    EXPECT_EQ(score({"--strict"}).status, 0);
}

TEST_F(Failure, AnEndlessPartnerDoesNotHoldTheProgramUp) {
    Launch launch;  // the end of a pipe is not waited for
    launch.arguments = {"-r", path("ref.y4m"), "-d", "-"};
    launch.standard_input = to_y4m(clip("96x80 8 420 60 texture quant:24 1"));
    const Finished run = run_program(launch);
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_SAYS(run.err, "ended before");
}

// Cut in frame 3: the three frames before it are scored, reported and summed up.
TEST_F(Failure, ATruncatedFileKeepsTheFinishedFrames) {
    const std::string whole = to_y4m(clip());
    const std::size_t frame = 6 + 96 * 80 * 3 / 2;
    const std::string cut = whole.substr(0, whole.size() - 5 * frame + 3 * frame + 6 + 1000);
    write("dis.y4m", cut);
    for (const char* threads : {"1", "2", "8"}) {
        const Finished run = score({"-o", path("a.json"), "-o", path("a.csv"), "--threads", threads});
        EXPECT_EQ(run.status, 2) << run.err;
        EXPECT_SAYS(run.err, "dis.y4m");
        EXPECT_SAYS(run.err, "frame 3");
        EXPECT_SAYS(run.out, "mean of 3 frames");
        EXPECT_SAYS(run.out, "run incomplete");
        EXPECT_SAYS(read("a.json"), "\"complete\": false");
        EXPECT_SAYS(read("a.json"), "\"frameNum\": 2");
        EXPECT_NOT_SAYS(read("a.json"), "\"frameNum\": 3");
        EXPECT_SAYS(read("a.json"), "\"mean\": ");
        EXPECT_SAYS(read("a.csv"), "\n2,");
    }
    std::filesystem::rename(path("ref.y4m"), path("whole.y4m"));
    write("ref.y4m", cut);
    EXPECT_EQ(run_program({"-r", path("ref.y4m"), "-d", path("whole.y4m")}).status, 2) << "the reference, too";
}

TEST_F(Failure, LostFramingKeepsTheFinishedFrames) {
    std::string bytes = to_y4m(clip());
    bytes[bytes.size() - 96 * 80 * 3 / 2 - 6] = 'X';  // the last frame's header
    write("dis.y4m", bytes);
    const Finished run = score({"-o", path("a.xml")});
    EXPECT_EQ(run.status, 2);
    EXPECT_SAYS(run.err, "frame 4");
    EXPECT_SAYS(run.out, "mean of 4 frames");
    EXPECT_SAYS(read("a.xml"), "complete=\"false\"");
}

TEST_F(Failure, NothingOnTheCommandLineCrashes) {
    const std::vector<std::string> values{
        "",         "-", "--", ":", "=", "::==", "a=b=c", "\\", "\\:", "%s%n", std::string(100000, ':'), std::string(3000, 'x'),
        "\xff\xfe", "[", "{}"};
    const std::vector<std::string> options{"-r",          "-d",
                                           "-w",          "-h",
                                           "-p",          "-b",
                                           "-m",          "-o",
                                           "-c",          "--feature",
                                           "--threads",   "--subsample",
                                           "--cpumask",   "--gpumask",
                                           "--frame_cnt", "--frame_skip_ref",
                                           "--aom_ctc",   "--nflx_ctc",
                                           "--precision", "--backend",
                                           "--device",    "--instruction_set",
                                           "--worst",     "--"};
    for (const std::string& option : options)
        for (const std::string& value : values) {
            const Finished run = run_program({option, value, "-d", path("none.y4m"), "-r", path("none.y4m")});
            ASSERT_EQ(run.signal, 0) << option << ' ' << value.substr(0, 20) << run.err;
            ASSERT_NE(run.status, 0);
            ASSERT_NE(run.status, 6) << option << ' ' << value.substr(0, 20) << run.err;
        }
}

}  // namespace
}  // namespace isometric::cli
