// What tests of the program share: a folder of their own and small clips in it.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "parity/clip.h"
#include "tests/cli/process.h"

namespace isometric::cli {

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << "expected: " << (part) << "\nin: " << (text)
#define EXPECT_NOT_SAYS(text, part) EXPECT_EQ((text).find(part), std::string::npos) << "not expected: " << (part) << "\nin: " << (text)

class ProgramTest : public testing::Test {
protected:
    void SetUp() override {
        std::string pattern = (std::filesystem::temp_directory_path() / "isometric-cli-XXXXXX").string();
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        folder_ = pattern;
        const ClipSpec distorted = clip();
        write("ref.y4m", to_y4m(distorted.reference()));
        write("dis.y4m", to_y4m(distorted));
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    // 96x80, five frames: large enough for every metric of the default model, small enough to be quick.
    static ClipSpec clip(const char* text = "96x80 8 420 5 texture quant:24 1") {
        const auto spec = ClipSpec::parse(text);
        EXPECT_TRUE(spec);
        return *spec;
    }

    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    void write(const std::string& name, const std::string& bytes) const { std::ofstream(path(name), std::ios::binary) << bytes; }
    std::string read(const std::string& name) const {
        std::ostringstream bytes;
        bytes << std::ifstream(path(name), std::ios::binary).rdbuf();
        return bytes.str();
    }

    // The pair with more options.
    Finished score(std::vector<std::string> more = {}) const {
        std::vector<std::string> arguments{"-r", path("ref.y4m"), "-d", path("dis.y4m")};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_program(arguments);
    }

    std::filesystem::path folder_;
};

// A report without the rate, which differs from run to run.
std::string without_rate(std::string report);

}  // namespace isometric::cli
