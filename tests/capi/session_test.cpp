// The C interface gives what the C++ interface gives: every score of every metric, every model, in every format, bit for bit.
#include "isometric/session.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "isometric/report.h"
#include "libvmaf/isometric.h"
#include "tests/support/bits.h"
#include "tests/support/clip.h"
#include "tests/support/golden.h"

namespace isometric::test {
namespace {

struct Format {
    int depth;
    ChromaFormat chroma;
    VmafPixelFormat pix_fmt;
};

ClipSpec clip_of(const Format& format) {
    ClipSpec clip;
    clip.format = {177, 145, format.depth, format.chroma};
    clip.frames = 4;
    clip.distortion = {DistortionKind::quant, 24 << (format.depth - 8)};
    clip.seed = 11;
    return clip;
}

VmafPicture to_c(const Picture& picture, VmafPixelFormat pix_fmt) {
    const PictureFormat& format = picture.format();
    VmafPicture c;
    EXPECT_EQ(vmaf_picture_alloc(&c, pix_fmt, unsigned(format.bit_depth), unsigned(format.width), unsigned(format.height)), 0);
    for (int p = 0; p < format.planes(); ++p) {
        const std::size_t row = std::size_t(format.plane_width(p)) * std::size_t(format.bytes_per_sample());
        for (int y = 0; y < format.plane_height(p); ++y)
            std::memcpy(static_cast<std::byte*>(c.data[p]) + y * c.stride[p], picture.memory(p).data + y * picture.memory(p).stride_bytes,
                        row);
    }
    return c;
}

std::vector<std::string> metric_names(ChromaFormat chroma) {
    std::vector<std::string> names;
    for (const MetricDescription& metric : list_metrics()) {
        Session probe = *Session::create({});
        EXPECT_TRUE(probe.add_metric(metric.name));
        if (probe.start({177, 145, 8, chroma})) names.push_back(metric.name);
    }
    return names;
}

Scores score_cpp(const ClipSpec& clip, const std::vector<std::string>& metrics, const std::vector<std::string>& models) {
    Session session = *Session::create({.threads = 2});
    for (const std::string& version : models) EXPECT_TRUE(session.add_model(*Model::builtin(version, {.name = version})));
    for (const std::string& metric : metrics) EXPECT_TRUE(session.add_metric(metric));
    for (int i = 0; i < clip.frames; ++i) EXPECT_TRUE(session.push(make_picture(clip.reference(), i), make_picture(clip, i)));
    EXPECT_TRUE(session.finish());
    return session.scores();
}

VmafContext* score_c(const ClipSpec& clip, VmafPixelFormat pix_fmt, const std::vector<std::string>& metrics,
                     const std::vector<std::string>& models, unsigned threads) {
    VmafConfiguration cfg{};
    cfg.n_threads = threads;
    VmafContext* vmaf = nullptr;
    EXPECT_EQ(vmaf_init(&vmaf, cfg), 0);
    for (const std::string& version : models) {
        VmafModelConfig model_cfg{version.c_str(), 0};
        VmafModel* model = nullptr;
        EXPECT_EQ(vmaf_model_load(&model, &model_cfg, version.c_str()), 0);
        EXPECT_EQ(vmaf_use_features_from_model(vmaf, model), 0) << isometric_last_error();
        vmaf_model_destroy(model);
    }
    for (const std::string& metric : metrics) EXPECT_EQ(vmaf_use_feature(vmaf, metric.c_str(), nullptr), 0) << isometric_last_error();
    for (int i = 0; i < clip.frames; ++i) {
        VmafPicture ref = to_c(make_picture(clip.reference(), i), pix_fmt), dis = to_c(make_picture(clip, i), pix_fmt);
        EXPECT_EQ(vmaf_read_pictures(vmaf, &ref, &dis, unsigned(i)), 0) << isometric_last_error();
    }
    EXPECT_EQ(vmaf_read_pictures(vmaf, nullptr, nullptr, 0), 0) << isometric_last_error();
    return vmaf;
}

void expect_equal(const Scores& scores, VmafContext* vmaf, const std::string& what) {
    for (const ScoreColumn& column : scores.columns) {
        for (std::size_t i = 0; i < column.values.size(); ++i) {
            double score = 0;
            const int result = vmaf_feature_score_at_index(vmaf, column.name.c_str(), &score, unsigned(i));
            ASSERT_EQ(result == 0, column.values[i].has_value()) << what << " " << column.name << " frame " << i;
            if (!column.values[i]) continue;
            ASSERT_SAME_BITS(*column.values[i], score) << what << " " << column.name << " frame " << i;
        }
        const auto mean = pool(column, Pooling::harmonic_mean, 0, scores.frames - 1);
        double pooled = 0;
        const int result =
            vmaf_feature_score_pooled(vmaf, column.name.c_str(), VMAF_POOL_METHOD_HARMONIC_MEAN, &pooled, 0, unsigned(scores.frames - 1));
        ASSERT_EQ(result == 0, mean.has_value()) << what << " " << column.name;
        if (!mean) continue;
        ASSERT_SAME_BITS(*mean, pooled) << what << " " << column.name;
    }
}

TEST(CInterface, EveryMetricInEveryFormat) {
    for (const Format& format :
         {Format{8, ChromaFormat::yuv420, VMAF_PIX_FMT_YUV420P}, Format{10, ChromaFormat::yuv420, VMAF_PIX_FMT_YUV420P},
          Format{8, ChromaFormat::yuv422, VMAF_PIX_FMT_YUV422P}, Format{12, ChromaFormat::yuv422, VMAF_PIX_FMT_YUV422P},
          Format{8, ChromaFormat::yuv444, VMAF_PIX_FMT_YUV444P}, Format{16, ChromaFormat::yuv444, VMAF_PIX_FMT_YUV444P},
          Format{8, ChromaFormat::yuv400, VMAF_PIX_FMT_YUV400P}}) {
        const ClipSpec clip = clip_of(format);
        const std::vector<std::string> metrics = metric_names(format.chroma);
        EXPECT_GE(metrics.size(), 5u);
        VmafContext* const vmaf = score_c(clip, format.pix_fmt, metrics, {}, unsigned(format.depth % 3));
        expect_equal(score_cpp(clip, metrics, {}), vmaf, clip.describe());
        EXPECT_EQ(vmaf_close(vmaf), 0);
    }
}

TEST(CInterface, EveryModel) {
    const ClipSpec clip = clip_of({8, ChromaFormat::yuv420, VMAF_PIX_FMT_YUV420P});
    for (const BuiltinModel& builtin : builtin_models()) {
        const std::string version(builtin.version);
        Session probe = *Session::create({});
        if (!probe.add_model(*Model::builtin(version))) {  // reads a metric that this version does not have
            VmafConfiguration cfg{};
            VmafModelConfig model_cfg{nullptr, 0};
            VmafContext* vmaf = nullptr;
            VmafModel* model = nullptr;
            ASSERT_EQ(vmaf_init(&vmaf, cfg), 0);
            ASSERT_EQ(vmaf_model_load(&model, &model_cfg, version.c_str()), 0);
            EXPECT_EQ(vmaf_use_features_from_model(vmaf, model), -EINVAL);
            vmaf_model_destroy(model);
            EXPECT_EQ(vmaf_close(vmaf), 0);
            continue;
        }
        VmafContext* const vmaf = score_c(clip, VMAF_PIX_FMT_YUV420P, {}, {version}, 0);
        expect_equal(score_cpp(clip, {}, {version}), vmaf, version);
        EXPECT_EQ(vmaf_close(vmaf), 0);
    }
}

// Reports are the same bytes, but for who wrote them and how fast.
TEST(CInterface, Reports) {
    const ClipSpec clip = clip_of({8, ChromaFormat::yuv420, VMAF_PIX_FMT_YUV420P});
    const Scores scores = score_cpp(clip, {"psnr"}, {"vmaf_v0.6.1", "vmaf_b_v0.6.3"});
    VmafContext* const vmaf = score_c(clip, VMAF_PIX_FMT_YUV420P, {"psnr"}, {"vmaf_v0.6.1", "vmaf_b_v0.6.3"}, 2);
    const std::string path = (std::filesystem::temp_directory_path() / ("capi_session_test_" + std::to_string(getpid()))).string();
    for (const auto& [c, cpp] :
         {std::pair{VMAF_OUTPUT_FORMAT_XML, ReportFormat::xml}, std::pair{VMAF_OUTPUT_FORMAT_JSON, ReportFormat::json},
          std::pair{VMAF_OUTPUT_FORMAT_CSV, ReportFormat::csv}, std::pair{VMAF_OUTPUT_FORMAT_SUB, ReportFormat::sub}}) {
        ASSERT_EQ(vmaf_write_output(vmaf, path.c_str(), c), 0) << isometric_last_error();
        const auto written = read_whole_file(path);
        ASSERT_TRUE(written);
        const auto lines = [](const std::string& text) {
            std::vector<std::string> kept;
            std::istringstream in(text);
            for (std::string line; std::getline(in, line);)
                if (line.find("fps") == std::string::npos && line.find("version") == std::string::npos) kept.push_back(line);
            return kept;
        };
        EXPECT_EQ(lines(*written), lines(render_report(scores, {.format = cpp, .numbers = {}, .version = "x", .fps = 1})));
        EXPECT_GT(lines(*written).size(), 3u);
    }
    std::filesystem::remove(path);
    EXPECT_EQ(vmaf_close(vmaf), 0);
}

}  // namespace
}  // namespace isometric::test
