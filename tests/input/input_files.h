// Files, pipes and readers for the tests of the readers.
#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "isometric/input.h"
#include "tests/support/clip.h"

namespace isometric::test {

// A folder of its own for each test.
class InputFiles : public testing::Test {
protected:
    void SetUp() override {
        std::string name = (std::filesystem::temp_directory_path() / "isometric-input-XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        folder_ = name;
    }
    void TearDown() override {
        if (writer_.joinable()) writer_.join();
        std::filesystem::remove_all(folder_);
    }

    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    std::string put(const std::string& name, std::string_view bytes) const {
        std::ofstream(path(name), std::ios::binary).write(bytes.data(), std::streamsize(bytes.size()));
        return path(name);
    }
    // A FIFO that gets the bytes in pieces from another thread.
    std::string put_pipe(std::string bytes, std::size_t piece) {
        const std::string name = path(fmt::format("pipe{}", ++pipes_));
        EXPECT_EQ(::mkfifo(name.c_str(), 0600), 0);
        writer_ = std::thread([bytes = std::move(bytes), piece, to = name] {
            sigset_t closed_pipe;
            ::sigemptyset(&closed_pipe);
            ::sigaddset(&closed_pipe, SIGPIPE);
            ::pthread_sigmask(SIG_BLOCK, &closed_pipe, nullptr);  // a reader that found an error closes early
            const int file = ::open(to.c_str(), O_WRONLY);
            for (std::size_t at = 0; at < bytes.size(); at += piece)
                if (::write(file, bytes.data() + at, std::min(piece, bytes.size() - at)) < 0) break;
            ::close(file);
        });
        return name;
    }
    void join_pipe() { writer_.join(); }

    std::filesystem::path folder_;
    std::thread writer_;
    int pipes_ = 0;
};

// All frames, each in a picture of its own, which was filled with a pattern before. Ends with the error, if there is one.
struct ReadFrames {
    std::vector<Picture> frames;
    std::string error;
};

inline ReadFrames read_all(FrameReader& reader) {
    ReadFrames result;
    for (;;) {
        Result<Picture> picture = Picture::allocate(reader.format());
        if (!picture) return result.error = picture.error().message, result;
        for (int p = 0; p < reader.format().planes(); ++p)
            for (int y = 0; y < reader.format().plane_height(p); ++y)
                std::fill_n(picture->memory(p).data + y * picture->memory(p).stride_bytes,
                            reader.format().plane_width(p) * reader.format().bytes_per_sample(), std::byte(0xA7));
        const Result<bool> more = reader.read(*picture);
        if (!more) return result.error = more.error().message, result;
        if (!*more) return result;
        result.frames.push_back(*std::move(picture));
    }
}

inline ReadFrames read_all(const std::string& path, const InputOptions& options = {}) {
    auto reader = open_input(path, options);
    if (!reader) return {{}, reader.error().message};
    return read_all(**reader);
}

inline InputOptions raw_options(const ClipSpec& spec) {
    InputOptions options;
    options.raw = true;
    options.raw_format = spec.format;
    return options;
}

inline ClipSpec clip(std::string_view text) { return *ClipSpec::parse(text); }

}  // namespace isometric::test
