#include "tests/cli/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>

extern char** environ;

namespace isometric::cli {
namespace {

void require(bool condition) {
    if (condition) return;
    std::perror("running the program");
    std::abort();
}

struct Pipe {
    int read_end = -1;
    int write_end = -1;

    Pipe() {
        int ends[2];
        require(::pipe2(ends, O_CLOEXEC) == 0);
        read_end = ends[0];
        write_end = ends[1];
    }
};

void close_end(int& descriptor) {
    if (descriptor >= 0) ::close(descriptor);
    descriptor = -1;
}

struct Terminal {
    int master = -1;
    int slave = -1;

    Terminal() {
        master = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
        require(master >= 0 && ::grantpt(master) == 0 && ::unlockpt(master) == 0);
        slave = ::open(::ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
        require(slave >= 0);
        const winsize size{24, 80, 0, 0};
        require(::ioctl(slave, TIOCSWINSZ, &size) == 0);
    }
};

// A descriptor that the test reads or writes while the program runs.
struct Channel {
    int descriptor = -1;
    std::string* received = nullptr;    // reading
    const std::string* sent = nullptr;  // writing
    std::size_t position = 0;
};

// False when the channel has ended.
bool advance(Channel& channel) {
    if (channel.received) {
        char bytes[65536];
        const ssize_t n = ::read(channel.descriptor, bytes, sizeof bytes);
        if (n > 0) channel.received->append(bytes, std::size_t(n));
        return n > 0;
    }
    const std::size_t left = channel.sent->size() - channel.position;
    if (left == 0) return false;
    const ssize_t n = ::write(channel.descriptor, channel.sent->data() + channel.position, left);
    if (n > 0) channel.position += std::size_t(n);
    return n > 0 || (n < 0 && errno == EAGAIN);
}

void exchange(std::vector<Channel> channels) {
    for (Channel& channel : channels)
        if (channel.sent) ::fcntl(channel.descriptor, F_SETFL, O_NONBLOCK);
    while (!channels.empty()) {
        std::vector<pollfd> waiting;
        for (const Channel& channel : channels) waiting.push_back({channel.descriptor, short(channel.received ? POLLIN : POLLOUT), 0});
        ::poll(waiting.data(), nfds_t(waiting.size()), -1);
        for (std::size_t i = channels.size(); i-- > 0;) {
            if (waiting[i].revents == 0 || advance(channels[i])) continue;
            ::close(channels[i].descriptor);
            channels.erase(channels.begin() + std::ptrdiff_t(i));
        }
    }
}

// Words that run a program of another processor's: "qemu-aarch64|-L|/usr/aarch64-linux-gnu", empty on the processor's own machine.
std::vector<std::string> launcher() {
    std::vector<std::string> words;
    std::istringstream text(ISO_LAUNCHER);
    for (std::string word; std::getline(text, word, '|');) words.push_back(word);
    return words;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> list;
    for (std::string& word : words) list.push_back(word.data());
    list.push_back(nullptr);
    return list;
}

std::vector<std::string> environment_with(const std::vector<std::string>& more) {
    std::vector<std::string> all;
    for (char** entry = environ; *entry; ++entry) all.emplace_back(*entry);
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

}  // namespace

Finished run_program(const Launch& launch) {
    ::signal(SIGPIPE, SIG_IGN);  // the program may end before it has read everything
    std::vector<std::string> words = launcher();
    words.emplace_back(ISO_PROGRAM);
    words.insert(words.end(), launch.arguments.begin(), launch.arguments.end());
    std::vector<std::string> environment = environment_with(launch.environment);

    Finished finished;
    Pipe in, out;
    std::unique_ptr<Terminal> terminal;
    std::unique_ptr<Pipe> err;
    std::vector<Channel> channels{{in.write_end, nullptr, &launch.standard_input}};
    if (launch.output_is_broken_pipe) close_end(out.read_end);
    else channels.push_back({out.read_end, &finished.out});

    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, in.read_end, STDIN_FILENO);
    if (launch.output_file.empty()) ::posix_spawn_file_actions_adddup2(&actions, out.write_end, STDOUT_FILENO);
    else ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, launch.output_file.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (launch.error_is_terminal) {
        terminal = std::make_unique<Terminal>();
        ::posix_spawn_file_actions_adddup2(&actions, terminal->slave, STDERR_FILENO);
        channels.push_back({terminal->master, &finished.err});
    } else {
        err = std::make_unique<Pipe>();
        ::posix_spawn_file_actions_adddup2(&actions, err->write_end, STDERR_FILENO);
        channels.push_back({err->read_end, &finished.err});
    }
    std::vector<Pipe> inputs(launch.piped.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        ::posix_spawn_file_actions_adddup2(&actions, inputs[i].read_end, launch.piped[i].first);
        channels.push_back({inputs[i].write_end, nullptr, &launch.piped[i].second});
    }

    pid_t process = 0;
    const int spawned = ::posix_spawnp(&process, words[0].c_str(), &actions, nullptr, pointers(words).data(), pointers(environment).data());
    ::posix_spawn_file_actions_destroy(&actions);
    require(spawned == 0);
    close_end(in.read_end);
    close_end(out.write_end);
    if (err) close_end(err->write_end);
    if (terminal) close_end(terminal->slave);
    for (Pipe& input : inputs) close_end(input.read_end);

    exchange(std::move(channels));
    int status = 0;
    ::waitpid(process, &status, 0);
    if (WIFEXITED(status)) finished.status = WEXITSTATUS(status);
    else finished.signal = WTERMSIG(status);
    return finished;
}

Finished run_program(std::vector<std::string> arguments) {
    Launch launch;
    launch.arguments = std::move(arguments);
    return run_program(launch);
}

}  // namespace isometric::cli
