// Writing reports where it can go wrong: every failure is an error, and never costs the report that was there.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "isometric/report.h"
#include "tests/support/golden.h"

namespace isometric {
namespace {

namespace fs = std::filesystem;

Scores scores(std::size_t frames) {
    Scores result;
    result.frames = std::int64_t(frames);
    result.columns.push_back({"a", "a", false, std::vector<std::optional<double>>(frames, 0.25)});
    return result;
}

const ReportSettings csv{ReportFormat::csv, {}, {}, 0};

class ReportFile : public testing::Test {
protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "isometric-report-XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        folder_ = name;
        fs::permissions(folder_, fs::perms(0755));
    }
    void TearDown() override {
        fs::permissions(folder_, fs::perms(0755));
        fs::remove_all(folder_);
    }

    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    void put(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }
    std::string get(const std::string& name) const {
        return test::read_whole_file(path(name)).has_value() ? *test::read_whole_file(path(name)) : "?";
    }
    std::size_t files() const { return std::size_t(std::distance(fs::directory_iterator(folder_), fs::directory_iterator())); }

    fs::path folder_;
};

// Runs the body in a child without root's rights; the child's exit status is whether it held.
bool unprivileged(const std::function<bool()>& body) {
    const pid_t child = ::fork();
    if (child == 0) {
        if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(2);
        ::_exit(body() ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST_F(ReportFile, WritesAndReplaces) {
    ASSERT_TRUE(write_report(scores(2), csv, path("r.csv")));
    EXPECT_EQ(get("r.csv"), "Frame,a,\n0,0.250000,\n1,0.250000,\n");
    ASSERT_TRUE(write_report(scores(1), csv, path("r.csv")));
    EXPECT_EQ(get("r.csv"), "Frame,a,\n0,0.250000,\n");
    EXPECT_EQ(files(), 1u);  // no temporary is left
}

TEST_F(ReportFile, RelativePathsNeedNoFolder) {
    const fs::path before = fs::current_path();
    fs::current_path(folder_);
    EXPECT_TRUE(write_report(scores(1), csv, "r.csv"));
    fs::current_path(before);
    EXPECT_EQ(get("r.csv"), "Frame,a,\n0,0.250000,\n");
}

TEST_F(ReportFile, KeepsPermissionsAndLinks) {
    put("real.csv", "old");
    fs::permissions(path("real.csv"), fs::perms(0640));
    fs::create_symlink("real.csv", path("link.csv"));
    ASSERT_TRUE(write_report(scores(1), csv, path("link.csv")));
    EXPECT_TRUE(fs::is_symlink(path("link.csv")));
    EXPECT_EQ(get("real.csv"), "Frame,a,\n0,0.250000,\n");
    EXPECT_EQ(fs::status(path("real.csv")).permissions(), fs::perms(0640));
    fs::create_symlink("new.csv", path("dangling.csv"));
    ASSERT_TRUE(write_report(scores(1), csv, path("dangling.csv")));
    EXPECT_EQ(get("new.csv"), "Frame,a,\n0,0.250000,\n");
    fs::create_symlink("loop.csv", path("loop.csv"));
    EXPECT_EQ(write_report(scores(1), csv, path("loop.csv")).error().code, Code::output_failed);
}

TEST_F(ReportFile, NewFilesObeyTheUmask) {
    const mode_t before = ::umask(027);
    EXPECT_TRUE(write_report(scores(1), csv, path("r.csv")));
    ::umask(before);
    EXPECT_EQ(fs::status(path("r.csv")).permissions(), fs::perms(0640));
}

TEST_F(ReportFile, WhatCannotBeOpenedIsAnError) {
    put("file", "");
    for (const std::string& bad : {path("missing/r.csv"), path("file/r.csv"), folder_.string(), std::string("/proc/isometric/r.csv"),
                                   std::string(), path(std::string(300, 'n')), std::string("/dev/fd/987")}) {
        const Status written = write_report(scores(1), csv, bad);
        ASSERT_FALSE(written) << bad;
        EXPECT_EQ(written.error().code, Code::output_failed);
        EXPECT_NE(written.error().message.find(bad), std::string::npos) << written.error().message;
    }
}

TEST_F(ReportFile, AFullDeviceIsAnError) {
    const Status written = write_report(scores(1), csv, "/dev/full");
    ASSERT_FALSE(written);
    EXPECT_NE(written.error().message.find("No space left"), std::string::npos) << written.error().message;
    EXPECT_TRUE(write_report(scores(1), csv, "/dev/null"));
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

// A file size limit stands for the full disk.
TEST_F(ReportFile, AFullDiskKeepsTheOldReport) {
    put("r.csv", "old");
    EXPECT_EQ(fs::file_size(path("r.csv")), 3u);
    fs::permissions(folder_, fs::perms(0777));
    fs::permissions(path("r.csv"), fs::perms(0666));
    EXPECT_TRUE(unprivileged([&] {
        ::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{4096, 4096};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        const Status written = write_report(scores(10000), csv, path("r.csv"));
        return !written && written.error().code == Code::output_failed;
    }));
    EXPECT_EQ(get("r.csv"), "old");
    EXPECT_EQ(files(), 1u);
}

TEST_F(ReportFile, ReadOnlyTargetsAreErrors) {
    put("r.csv", "old");
    fs::permissions(path("r.csv"), fs::perms(0444));
    fs::permissions(folder_, fs::perms(0777));
    EXPECT_TRUE(unprivileged([&] { return !write_report(scores(1), csv, path("r.csv")); }));
    fs::permissions(folder_, fs::perms(0555));
    EXPECT_TRUE(unprivileged([&] { return !write_report(scores(1), csv, path("new.csv")); }));
    EXPECT_EQ(get("r.csv"), "old");
}

TEST_F(ReportFile, AWritableFileInAReadOnlyFolderIsWrittenInPlace) {
    put("r.csv", std::string(1000, 'x'));
    fs::permissions(path("r.csv"), fs::perms(0666));
    fs::permissions(folder_, fs::perms(0555));
    EXPECT_TRUE(unprivileged([&] { return bool(write_report(scores(1), csv, path("r.csv"))); }));
    EXPECT_EQ(get("r.csv"), "Frame,a,\n0,0.250000,\n");
}

// A redirected standard output is continued, not truncated.
TEST_F(ReportFile, StandardOutputIsContinued) {
    for (const char* name : {"/dev/stdout", "-", "/proc/self/fd/1", "/dev/fd/1"}) {
        put("out", "");
        const pid_t child = ::fork();
        if (child == 0) {
            const int file = ::open(path("out").c_str(), O_WRONLY);
            ::dup2(file, STDOUT_FILENO);
            bool good = ::write(STDOUT_FILENO, "before\n", 7) == 7;
            good = good && write_report(scores(1), csv, name).has_value();
            good = good && ::write(STDOUT_FILENO, "after\n", 6) == 6;
            ::_exit(good ? 0 : 1);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        EXPECT_EQ(status, 0) << name;
        EXPECT_EQ(get("out"), "before\nFrame,a,\n0,0.250000,\nafter\n") << name;
    }
}

TEST_F(ReportFile, AClosedPipeIsAnErrorAndNoSignal) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    ::close(ends[0]);
    for (int run = 0; run < 2; ++run) {
        const Status written = write_report(scores(1), csv, "/dev/fd/" + std::to_string(ends[1]));
        ASSERT_FALSE(written);
        EXPECT_NE(written.error().message.find("Broken pipe"), std::string::npos) << written.error().message;
    }
    ::close(ends[1]);
    sigset_t pending;
    ::sigpending(&pending);
    EXPECT_EQ(::sigismember(&pending, SIGPIPE), 0);
}

void ignore_alarm(int) {}

// A slow reader of a FIFO, with signals that interrupt the writer: short writes and EINTR.
TEST_F(ReportFile, ShortAndInterruptedWritesLoseNothing) {
    ASSERT_EQ(::mkfifo(path("fifo").c_str(), 0600), 0);
    const Scores big = scores(60000);
    struct sigaction action {
    }, before{};
    action.sa_handler = ignore_alarm;  // without SA_RESTART
    ::sigaction(SIGALRM, &action, &before);
    std::string got;
    std::thread reader([&] {
        sigset_t all;
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_BLOCK, &all, nullptr);  // the alarms are for the writer
        const int file = ::open(path("fifo").c_str(), O_RDONLY);
        char part[8192];
        for (ssize_t n; (n = ::read(file, part, sizeof part)) > 0;) {
            got.append(part, std::size_t(n));
            ::usleep(200);
        }
        ::close(file);
    });
    const itimerval often{{0, 300}, {0, 300}}, never{};
    ::setitimer(ITIMER_REAL, &often, nullptr);
    const Status written = write_report(big, csv, path("fifo"));
    ::setitimer(ITIMER_REAL, &never, nullptr);
    reader.join();
    ::sigaction(SIGALRM, &before, nullptr);
    ASSERT_TRUE(written) << written.error().message;
    EXPECT_EQ(got, render_report(big, csv));
    EXPECT_TRUE(fs::is_fifo(path("fifo")));
}

}  // namespace
}  // namespace isometric
