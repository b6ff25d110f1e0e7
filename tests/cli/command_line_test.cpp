#include "cli/command_line.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace isometric::cli {
namespace {

using Words = std::vector<std::string>;

Result<Command> parse(std::initializer_list<const char*> more, bool with_inputs = true) {
    Words words;
    if (with_inputs) words = {"-r", "ref.y4m", "-d", "dis.y4m"};
    words.insert(words.end(), more.begin(), more.end());
    return parse_command_line(words);
}

Command parsed(std::initializer_list<const char*> more, bool with_inputs = true) {
    auto command = parse(more, with_inputs);
    EXPECT_TRUE(command) << command.error().message;
    return command ? *command : Command();
}

std::string refusal(std::initializer_list<const char*> more, bool with_inputs = true) {
    const auto command = parse(more, with_inputs);
    EXPECT_FALSE(command);
    if (command) return {};
    EXPECT_EQ(command.error().code, Code::invalid_argument);
    return command.error().message;
}

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST(CommandLine, HasTheDefaultsOfLibvmafsTool) {
    const Command command = parsed({});
    EXPECT_EQ(command.reference.path, "ref.y4m");
    EXPECT_EQ(command.distorted.path, "dis.y4m");
    ASSERT_EQ(command.models.size(), 1u);
    EXPECT_EQ(command.models.at(0).version, "vmaf_v0.6.1");
    EXPECT_EQ(command.models.at(0).name, "vmaf");
    EXPECT_TRUE(command.predict);
    EXPECT_FALSE(command.raw);
    EXPECT_FALSE(command.check_sample_range);
    EXPECT_EQ(command.threads, 0);
    EXPECT_EQ(command.subsample, 1);
    EXPECT_EQ(command.backend, "auto");
    EXPECT_TRUE(command.reports.empty());
    EXPECT_TRUE(command.notes.empty());
}

TEST(CommandLine, TakesEverySpellingOfAnOption) {
    for (const Words& words :
         {Words{"--reference", "a", "--distorted", "b"}, Words{"--reference=a", "--distorted=b"}, Words{"-r", "a", "-d", "b"},
          Words{"-ra", "-db"}, Words{"--ref", "a", "--dis=b"}, Words{"-nra", "-d", "b"}}) {
        const auto command = parse_command_line(words);
        ASSERT_TRUE(command) << command.error().message;
        EXPECT_EQ(command->reference.path, "a");
        EXPECT_EQ(command->distorted.path, "b");
    }
    EXPECT_EQ(parsed({"--frame-cnt", "3"}).frame_limit, 3);
    EXPECT_EQ(parsed({"--thr", "2"}).threads, 2);
    EXPECT_EQ(parsed({"--thr", "2", "--threads", "3", "--threads=4"}).threads, 4) << "the last one counts";
    EXPECT_TRUE(parsed({"-q", "-q", "--quiet"}).quiet);
}

TEST(CommandLine, ReadsAPrefixAsLibvmafsToolDoes) {
    // Alone in libvmaf's list, although isometric has more options that begin so.
    EXPECT_EQ(parsed({"--b", "10", "-w", "4", "-h", "4", "-p", "420"}).reference.raw_bit_depth, 10);
    EXPECT_FALSE(parsed({"--no"}).predict);
    EXPECT_EQ(parsed({"--m", "version=vmaf_4k_v0.6.1"}).models.at(0).version, "vmaf_4k_v0.6.1");
    EXPECT_SAYS(refusal({"--frame_skip", "1"}), "--frame_skip_ref, --frame_skip_dist");
    EXPECT_SAYS(refusal({"--c", "1"}), "ambiguous");
}

TEST(CommandLine, TakesValuesThatLookLikeOptions) {
    EXPECT_EQ(parsed({"-o", "--xml"}).reports.at(0).path, "--xml");
    EXPECT_EQ(parsed({"--output", "-q"}).reports.at(0).path, "-q");
    EXPECT_EQ(parsed({"--output=[a,b]"}).reports.at(0).path, "[a,b]");
    EXPECT_EQ(parsed({"--output= a \"b\" "}).reports.at(0).path, " a \"b\" ");
}

TEST(CommandLine, RefusesWhatItDoesNotKnow) {
    EXPECT_SAYS(refusal({"--refrence", "x"}), "did you mean --reference?");
    EXPECT_SAYS(refusal({"--zzzzzzzz"}), "unknown option --zzzzzzzz");
    EXPECT_SAYS(refusal({"-x"}), "unknown option -x");
    EXPECT_SAYS(refusal({"-qx"}), "unknown option -x in -qx");
    EXPECT_SAYS(refusal({"--=3"}), "unknown option --");
    EXPECT_SAYS(refusal({"stray.y4m"}), "stray argument 'stray.y4m'");
    EXPECT_SAYS(refusal({""}), "stray argument ''");
    EXPECT_SAYS(refusal({"--", "-q"}), "stray argument '-q'");
    EXPECT_SAYS(refusal({"--quiet=yes"}), "--quiet takes no value");
    EXPECT_SAYS(refusal({"--threads"}), "--threads needs a value");
    EXPECT_SAYS(refusal({"-m"}), "-m needs a value");
}

TEST(CommandLine, IgnoresTheUnknownWhenTold) {
    const Command command = parsed({"--ignore_unknown", "--future", "3", "-x", "--threads", "2", "--frame_skip", "--", "-q"});
    EXPECT_EQ(command.threads, 2);
    EXPECT_FALSE(command.quiet);
    EXPECT_EQ(command.notes.size(), 5u);
    EXPECT_SAYS(command.notes.at(0), "--future");
    EXPECT_SAYS(command.notes.at(1), "'3'");
}

TEST(CommandLine, ReadsNumbersStrictly) {
    EXPECT_EQ(parsed({"--threads", "0x10"}).threads, 16);
    EXPECT_EQ(parsed({"--threads", "010"}).threads, 8);
    EXPECT_EQ(parsed({"--frame_cnt", "9223372036854775807"}).frame_limit, INT64_MAX);
    for (const char* bad : {"", "x", "2x", " 2", "2 ", "-1", "+2", "1.5", "0x", "09", "0x1g", "1e3", "NaN"})
        for (const char* option : {"--threads", "--subsample", "--frame_cnt", "--frame_skip_ref", "--frame_skip_dist", "--width",
                                   "--height", "--bitdepth", "--worst"})
            EXPECT_SAYS(refusal({option, bad}), option) << bad;
    EXPECT_SAYS(refusal({"--threads", "1025"}), "0 to 1024");
    EXPECT_SAYS(refusal({"--subsample", "99999999999999999999999"}), "too large");
    EXPECT_EQ(parsed({"--cpumask", "-1"}).cpu_mask, UINT64_MAX);
    EXPECT_EQ(parsed({"--cpumask", "0xffffffff"}).cpu_mask, 0xffffffffu);
    EXPECT_SAYS(refusal({"--cpumask", "all"}), "--cpumask: 'all'");
    EXPECT_EQ(parsed({"--subsample", "0"}).subsample, 1);
}

TEST(CommandLine, NeedsBothInputs) {
    EXPECT_SAYS(refusal({}, false), "--reference");
    EXPECT_SAYS(refusal({"-r", "a"}, false), "--distorted");
    EXPECT_SAYS(refusal({"-r", "-", "-d", "-"}, false), "only one of the two");
    EXPECT_SAYS(refusal({"-r", "", "-d", "b"}, false), "--reference");
}

TEST(CommandLine, NeedsAllFourOfRawVideo) {
    const Command command = parsed({"-w", "352", "-h", "288", "-p", "422", "-b", "12"});
    EXPECT_TRUE(command.raw);
    EXPECT_EQ(command.raw_format.width, 352);
    EXPECT_EQ(command.raw_format.height, 288);
    EXPECT_EQ(command.raw_format.chroma, ChromaFormat::yuv422);
    EXPECT_EQ(command.reference.raw_bit_depth, 12);
    EXPECT_EQ(command.distorted.raw_bit_depth, 12);
    EXPECT_TRUE(command.check_sample_range) << "on by default for raw video";
    EXPECT_FALSE(parsed({"-w352", "-h288", "-p422", "-b12", "--no_check_sample_range"}).check_sample_range);
    EXPECT_TRUE(parsed({"--check-sample-range"}).check_sample_range);
    EXPECT_EQ(parsed({"-w352", "-h288", "-p420", "-b8", "--bitdepth_dist", "10"}).distorted.raw_bit_depth, 10);

    EXPECT_SAYS(refusal({"-w", "352"}), "missing: --height, --pixel_format, --bitdepth");
    EXPECT_SAYS(refusal({"-w", "0", "-h", "288", "-p", "420", "-b", "8"}), "missing: --width");
    EXPECT_SAYS(refusal({"-w352", "-h288", "-p411", "-b8"}), "unknown format '411'");
    EXPECT_SAYS(refusal({"-w352", "-h288", "-p420", "-b7"}), "7");
    EXPECT_SAYS(refusal({"-w352", "-h288", "-p420", "-b17"}), "too large");
    EXPECT_SAYS(refusal({"-w", "1000000", "-h288", "-p420", "-b8"}), "too large");
}

TEST(CommandLine, ReadsModels) {
    const Command command = parsed({"-m", "version=vmaf_4k_v0.6.1:name=k:disable_clip:enable_transform=true:adm.adm_enhn_gain_limit=1.2",
                                    "-m", R"(path=C\:\\a\=b.json:name=file)", "-m", "vmaf_v1.0.16_3d0h:name=short", "-m",
                                    "./m.json:name=bare", "-m", "version=x:name=off:disable_clip=false"});
    ASSERT_EQ(command.models.size(), 5u);
    EXPECT_EQ(command.models.at(0).version, "vmaf_4k_v0.6.1");
    EXPECT_EQ(command.models.at(0).name, "k");
    EXPECT_TRUE(command.models.at(0).disable_clip);
    EXPECT_TRUE(command.models.at(0).enable_transform);
    ASSERT_EQ(command.models.at(0).overloads.size(), 1u);
    EXPECT_EQ(command.models.at(0).overloads.at(0).metric, "adm");
    EXPECT_EQ(command.models.at(0).overloads.at(0).option, "adm_enhn_gain_limit");
    EXPECT_EQ(command.models.at(0).overloads.at(0).value, "1.2");
    EXPECT_EQ(command.models.at(1).path, R"(C:\a=b.json)");
    EXPECT_EQ(command.models.at(2).version, "vmaf_v1.0.16_3d0h");
    EXPECT_EQ(command.models.at(3).path, "./m.json");
    EXPECT_FALSE(command.models.at(4).disable_clip);
}

TEST(CommandLine, RefusesModelsThatCannotBe) {
    EXPECT_SAYS(refusal({"-m", "name=x"}), "names no model");
    EXPECT_SAYS(refusal({"-m", "disable_clip"}), "names no model");
    EXPECT_SAYS(refusal({"-m", ""}), "names no model");
    EXPECT_SAYS(refusal({"-m", "version"}), "'version' needs a value");
    EXPECT_SAYS(refusal({"-m", "version="}), "empty value");
    EXPECT_SAYS(refusal({"-m", "version=a:foo=bar"}), "unknown key 'foo'");
    EXPECT_SAYS(refusal({"-m", "version=a:nam=bar"}), "did you mean name?");
    EXPECT_SAYS(refusal({"-m", "version=a:disable_clip=maybe"}), "true or false");
    EXPECT_SAYS(refusal({"-m", "version=a:disable_clp"}), "did you mean disable_clip?");
    EXPECT_SAYS(refusal({"-m", "version=a:.x=1"}), "unknown key");
    EXPECT_SAYS(refusal({"-m", "version=a", "-m", "version=b"}), "same name 'vmaf'");
    EXPECT_SAYS(refusal({"-m", "version=a", "-m", "path=b.json"}), "--model b.json:name=other");
    EXPECT_SAYS(parsed({"-m", "version=a:path=b"}).notes.at(0), "path= has no effect");
}

TEST(CommandLine, HasNoLimitOnModelsAndFeatures) {
    Words words{"-r", "a", "-d", "b"};
    for (int i = 0; i < 300; ++i) {
        words.insert(words.end(), {"-m", "version=vmaf_v0.6.1:name=m" + std::to_string(i), "--feature", "psnr"});
    }
    words.insert(words.end(), {"-m", "name=long:path=" + std::string(5000, 'p')});
    const auto command = parse_command_line(words);
    ASSERT_TRUE(command) << command.error().message;
    EXPECT_EQ(command->models.size(), 301u);
    EXPECT_EQ(command->features.size(), 300u);
    EXPECT_EQ(command->models.back().path.size(), 5000u);
}

TEST(CommandLine, ReadsEveryFormOfAFeature) {
    const std::vector<OptionText> options{{"enable_chroma", "false"}, {"enable_apsnr", "true"}};
    for (const char* form : {"psnr=enable_chroma=false:enable_apsnr=true", "psnr:enable_chroma=false:enable_apsnr=true",
                             "name=psnr:enable_chroma=false:enable_apsnr=true", "enable_chroma=false:name=psnr:enable_apsnr=true",
                             "psnr:enable_chroma=false::enable_apsnr=true:"}) {
        const Command command = parsed({"--feature", form});
        ASSERT_EQ(command.features.size(), 1u);
        EXPECT_EQ(command.features.at(0).metric, "psnr") << form;
        EXPECT_EQ(command.features.at(0).options, options) << form;
    }
    EXPECT_EQ(parsed({"--feature", R"(cambi=heatmaps_path=a\:b=c)"}).features.at(0).options.at(0).value, "a:b=c");
    EXPECT_TRUE(parsed({"--feature", "psnr"}).features.at(0).options.empty());
    EXPECT_SAYS(refusal({"--feature", ""}), "names no metric");
    EXPECT_SAYS(refusal({"--feature", "=a=b"}), "names no metric");
    EXPECT_SAYS(refusal({"--feature", "name="}), "names no metric");
    EXPECT_SAYS(refusal({"--feature", "psnr="}), "no option");
    EXPECT_SAYS(refusal({"--feature", "psnr=enable_chroma"}), "'enable_chroma' needs a value");
    EXPECT_SAYS(refusal({"--feature", "psnr:enable_chroma="}), "'enable_chroma' needs a value");
}

TEST(CommandLine, HasThePresetsInOrder) {
    const Command v6 = parsed({"--feature", "float_moment", "--aom_ctc", "v6.0"});
    ASSERT_EQ(v6.models.size(), 2u);
    EXPECT_EQ(v6.models.at(0).name, "vmaf");
    EXPECT_EQ(v6.models.at(1).name, "vmaf_neg");
    EXPECT_EQ(v6.models.at(1).version, "vmaf_v0.6.1neg");
    EXPECT_TRUE(v6.common_bit_depth);
    std::string metrics;
    for (const FeatureRequest& feature : v6.features) metrics += feature.metric + " ";
    EXPECT_EQ(metrics, "float_moment psnr ciede float_ssim float_ms_ssim psnr_hvs cambi ");
    const std::vector<OptionText> psnr{{"reduced_hbd_peak", "true"}, {"enable_apsnr", "true"}, {"min_sse", "0.5"}};
    EXPECT_EQ(v6.features.at(1).options, psnr);

    EXPECT_EQ(parsed({"--aom_ctc", "v2.0"}).features.size(), 5u);
    EXPECT_FALSE(parsed({"--aom_ctc", "v5.0"}).common_bit_depth);
    EXPECT_EQ(parsed({"--aom_ctc", "v7.0"}).features.at(2).options.at(0), (OptionText{"scale", "1"}));
    const Command netflix = parsed({"--nflx_ctc", "v1.0"});
    EXPECT_EQ(netflix.models.at(1).version, "vmaf_4k_v0.6.1neg");
    EXPECT_EQ(netflix.features.size(), 3u);

    EXPECT_SAYS(refusal({"--aom_ctc", "proposed"}), "deprecated");
    EXPECT_SAYS(refusal({"--aom_ctc", "v8.0"}), "unknown version");
    EXPECT_SAYS(refusal({"--aom_ctc", "0 v2"}), "unknown version");
    EXPECT_SAYS(refusal({"--nflx_ctc", "v2.0"}), "unknown version");
    EXPECT_SAYS(refusal({"--aom_ctc", "v1.0", "--aom_ctc", "v1.0"}), "same name");
    EXPECT_SAYS(refusal({"--aom_ctc", "v1.0", "-m", "vmaf_4k_v0.6.1"}), "same name");
}

TEST(CommandLine, ChoosesReportFormats) {
    const Command several = parsed({"-o", "a.json", "-o", "b.csv", "-o", "c.SUB", "-o", "d", "-o", "-"});
    ASSERT_EQ(several.reports.size(), 5u);
    EXPECT_EQ(several.reports.at(0).format, ReportFormat::json);
    EXPECT_EQ(several.reports.at(1).format, ReportFormat::csv);
    EXPECT_EQ(several.reports.at(2).format, ReportFormat::sub);
    EXPECT_EQ(several.reports.at(3).format, ReportFormat::xml);
    EXPECT_TRUE(several.report_on_standard_output());
    EXPECT_EQ(parsed({"-o", "a.xml", "--json", "--csv"}).reports.at(0).format, ReportFormat::csv) << "the last flag, whatever the name";
    EXPECT_EQ(parsed({"--csv", "-o", "a.xml", "--json"}).reports.at(0).format, ReportFormat::json);
    EXPECT_FALSE(parsed({"-o", "a.xml"}).report_on_standard_output());
    EXPECT_SAYS(refusal({"-o", ""}), "empty");
    EXPECT_SAYS(refusal({"-o", "a", "-o", "a"}), "given twice");
    EXPECT_SAYS(refusal({"--precision", "18"}), "18");
    EXPECT_SAYS(refusal({"--precision", "many"}), "many");
    EXPECT_EQ(parsed({"--precision", "max"}).numbers.kind, NumberFormat::Kind::round_trip);
}

TEST(CommandLine, ChoosesBackends) {
    EXPECT_EQ(parsed({"--backend", "cuda", "--device", "1"}).device, "1");
    EXPECT_EQ(parsed({"--feature", "adm_cuda"}).backend, "cuda");
    EXPECT_EQ(parsed({"--feature", "adm_cuda"}).features.at(0).metric, "adm");
    EXPECT_EQ(parsed({"--sycl_device", "2"}).backend, "sycl");
    EXPECT_EQ(parsed({"--sycl_device", "2"}).device, "2");
    EXPECT_EQ(parsed({"--no_cuda", "--gpumask", "0", "--no-sycl"}).excluded_backends, (std::vector<std::string>{"cuda", "sycl"}));
    EXPECT_EQ(parsed({"--gpumask=-1"}).excluded_backends, (std::vector<std::string>{"cuda"}));
    EXPECT_SAYS(refusal({"--backend", "cdua"}), "unknown backend 'cdua'");
    EXPECT_SAYS(refusal({"--backend", "cuda", "--no_cuda"}), "contradicts");
    EXPECT_SAYS(refusal({"--backend", "cpu", "--feature", "vif_hip"}), "needs the backend hip");
    EXPECT_SAYS(refusal({"--instruction_set", "mmx"}), "mmx");
    EXPECT_EQ(parsed({"--instruction_set", "portable"}).instruction_set, "portable");
}

TEST(CommandLine, SaysWhatIsNotSupported) {
    for (const char* flag : {"--no-reference", "--tiny-fp16", "--tiny-model-verify"}) EXPECT_SAYS(refusal({flag}), "not supported") << flag;
    for (const char* option :
         {"--tiny-model", "--tiny-device", "--dnn-ep", "--tiny-threads", "--tiny-codec", "--tiny-preset", "--tiny-crf", "--tiny-resize"})
        EXPECT_SAYS(refusal({option, "x"}), "not supported") << option;
}

TEST(CommandLine, NotesWhatHasNoEffect) {
    const auto note = [](std::initializer_list<const char*> words) {
        const Command command = parsed(words);
        EXPECT_EQ(command.notes.size(), 1u);
        return command.notes.empty() ? std::string() : command.notes.front();
    };
    EXPECT_SAYS(note({"-c", "anything"}), "-c anything has no effect");
    EXPECT_SAYS(note({"--json"}), "without --output");
    EXPECT_SAYS(note({"-n"}), "nothing is measured");
    EXPECT_SAYS(note({"-q", "--worst", "3"}), "--worst");
    EXPECT_SAYS(note({"-q", "--precision", "max"}), "--precision");
    EXPECT_SAYS(note({"--backend", "cpu", "--no_hip"}), "--no_hip has no effect");
    EXPECT_SAYS(note({"--instruction_set", "portable", "--cpumask", "8"}), "--cpumask");
}

TEST(CommandLine, TakesInformationWithoutInputs) {
    EXPECT_EQ(parsed({"--help"}, false).action, Command::Action::help);
    EXPECT_EQ(parsed({"-v"}, false).action, Command::Action::version);
    EXPECT_EQ(parsed({"--list_models"}, false).action, Command::Action::list_models);
    EXPECT_EQ(parsed({"--list-metrics"}, false).action, Command::Action::list_metrics);
    EXPECT_EQ(parsed({"--list-features"}, false).action, Command::Action::list_metrics);
}

TEST(CommandLine, HelpListsEveryOption) {
    const std::string help = command_line_help();
    for (const char* option : {"-r,--reference",
                               "-d,--distorted",
                               "-w,--width",
                               "-h,--height",
                               "-p,--pixel_format",
                               "-b,--bitdepth",
                               "-m,--model",
                               "--feature",
                               "-o,--output",
                               "--xml",
                               "--json",
                               "--csv",
                               "--sub",
                               "--threads",
                               "--subsample",
                               "--cpumask",
                               "--frame_cnt",
                               "--frame_skip_ref",
                               "--frame_skip_dist",
                               "-n,--no_prediction",
                               "-q,--quiet",
                               "-v,--version",
                               "--aom_ctc",
                               "--nflx_ctc",
                               "--help",
                               "--backend",
                               "--device",
                               "--precision",
                               "--list_models",
                               "--list_metrics",
                               "--strict",
                               "--worst",
                               "--ignore_unknown"})
        EXPECT_SAYS(help, std::string("  ") + option) << option;
    EXPECT_EQ(help.find("tiny"), std::string::npos);
}

}  // namespace
}  // namespace isometric::cli
