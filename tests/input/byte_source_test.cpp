#include "input/byte_source.h"

#include <signal.h>
#include <sys/time.h>

#include "tests/input/input_files.h"
#include "tests/support/fill.h"

namespace isometric::test {
namespace {

using ByteSourceTest = InputFiles;

std::string noise_bytes(std::size_t size) {
    std::string bytes(size, '\0');
    Random random(size);
    for (char& c : bytes) c = char(random());
    return bytes;
}

TEST_F(ByteSourceTest, MixesPeeksLinesReadsAndSkips) {
    const std::string bytes = "header line\nsecond\n" + noise_bytes(20000);
    for (const bool pipe : {false, true}) {
        const std::string file = pipe ? put_pipe(bytes, 1000) : put("f", bytes);
        ByteSource source = *ByteSource::open(file);
        EXPECT_EQ(source.remaining().has_value(), !pipe);
        EXPECT_EQ(*source.peek(6), "header");
        EXPECT_EQ(**source.take_line(100), "header line");
        EXPECT_EQ(**source.take_line(6), "second");
        EXPECT_EQ(source.offset(), 19u);
        std::string got(5000, '\0');
        EXPECT_EQ(*source.read(got.data(), got.size()), 5000u);
        EXPECT_EQ(got, bytes.substr(19, 5000));
        EXPECT_EQ(*source.skip(3000), 3000u);
        EXPECT_EQ(*source.peek(10), bytes.substr(8019, 10));
        EXPECT_EQ(*source.skip(4), 4u);
        EXPECT_EQ(*source.read(got.data(), 10), 10u);
        EXPECT_EQ(got.substr(0, 10), bytes.substr(8023, 10));
        EXPECT_EQ(source.offset(), 8033u);
        EXPECT_EQ(*source.skip(1000000), bytes.size() - 8033);
        EXPECT_EQ(*source.read(got.data(), 10), 0u);
        EXPECT_TRUE(source.peek(1)->empty());
        if (pipe) join_pipe();
    }
}

TEST_F(ByteSourceTest, LinesEndAtTheirLimit) {
    put("f", "12345\n");
    EXPECT_EQ(**ByteSource::open(path("f"))->take_line(5), "12345");
    EXPECT_FALSE(ByteSource::open(path("f"))->take_line(4)->has_value());
    put("f", std::string(10000, 'x') + "\nrest");
    ByteSource source = *ByteSource::open(path("f"));
    EXPECT_EQ((*source.take_line(10000))->size(), 10000u);
    EXPECT_EQ(*source.peek(4), "rest");
    EXPECT_FALSE(source.take_line(100)->has_value());  // no line end
}

// More rows than one system call takes, some of them empty.
TEST_F(ByteSourceTest, ScattersOverManyDestinations) {
    const std::string bytes = noise_bytes(30000);
    for (const bool pipe : {false, true}) {
        const std::string file = pipe ? put_pipe(bytes, 777) : put("f", bytes);
        ByteSource source = *ByteSource::open(file);
        (void)source.peek(100);
        std::string got(30000, '\0');
        std::vector<iovec> rows;
        for (std::size_t i = 0; i < 3000; ++i) {
            rows.push_back({got.data() + i * 10, 10});
            rows.push_back({got.data(), 0});
        }
        EXPECT_EQ(*source.read(rows), 30000u);
        EXPECT_EQ(got, bytes);
        if (pipe) join_pipe();
    }
}

TEST_F(ByteSourceTest, StartsWhereTheDescriptorStands) {
    put("f", "0123456789");
    const int saved = ::dup(STDIN_FILENO), opened = ::open(path("f").c_str(), O_RDONLY);
    EXPECT_EQ(::lseek(opened, 4, SEEK_SET), 4);
    ::dup2(opened, STDIN_FILENO);
    ::close(opened);
    {
        ByteSource source = *ByteSource::open("-");
        EXPECT_EQ(*source.remaining(), 6u);
        EXPECT_EQ(*source.skip(2), 2u);
        EXPECT_EQ(*source.peek(9), "6789");
        EXPECT_TRUE(source.seek(1).has_value());
        EXPECT_EQ(*source.peek(9), "56789");
    }
    ::dup2(saved, STDIN_FILENO);
    ::close(saved);
}

void ignore_alarm(int) {}

// Signals without SA_RESTART, a slow writer, and a descriptor that does not block.
TEST_F(ByteSourceTest, ContinuesInterruptedReads) {
    const std::string bytes = noise_bytes(60000);
    for (const bool blocking : {true, false}) {
        int ends[2];
        ASSERT_EQ(::pipe(ends), 0);
        if (!blocking) ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
        struct sigaction action {
        }, before{};
        action.sa_handler = ignore_alarm;
        ::sigaction(SIGALRM, &action, &before);
        std::thread writer([&] {
            sigset_t all;
            ::sigfillset(&all);
            ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
            for (std::size_t at = 0; at < bytes.size(); at += 3000) {
                EXPECT_EQ(::write(ends[1], bytes.data() + at, 3000), 3000);
                ::usleep(1000);
            }
            ::close(ends[1]);
        });
        const itimerval often{{0, 300}, {0, 300}}, never{};
        ::setitimer(ITIMER_REAL, &often, nullptr);
        const int saved = ::dup(STDIN_FILENO);
        ::dup2(ends[0], STDIN_FILENO);
        std::string got(bytes.size() + 10, '\0');
        const auto size = ByteSource::open("-")->read(got.data(), got.size());
        ::setitimer(ITIMER_REAL, &never, nullptr);
        writer.join();
        ::dup2(saved, STDIN_FILENO);
        ::close(saved);
        ::close(ends[0]);
        ::sigaction(SIGALRM, &before, nullptr);
        ASSERT_TRUE(size) << size.error().message;
        EXPECT_EQ(got.substr(0, *size), bytes);
    }
}

}  // namespace
}  // namespace isometric::test
