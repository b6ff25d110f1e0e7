// Writing a report so that it is whole or not there.
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <ctime>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/named_descriptor.h"
#include "isometric/report.h"

namespace isometric {
namespace {

Error failure(const std::string& path, std::string_view what, int code) {
    return error(Code::output_failed, "report {}: {}: {}", path, what, std::generic_category().message(code));
}

// Owns a descriptor. close() reports what the system had put off until then.
class File {
public:
    explicit File(int descriptor) : descriptor_(descriptor) {}
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }

    bool is_open() const { return descriptor_ >= 0; }
    int descriptor() const { return descriptor_; }

    // errno, or 0.
    int close() {
        const int result = ::close(std::exchange(descriptor_, -1));
        return result != 0 && errno != EINTR ? errno : 0;  // after EINTR the descriptor is closed on Linux
    }

private:
    int descriptor_;
};

// While it lives, writing to a pipe without a reader gives EPIPE and does not end the process.
class NoPipeSignal {
public:
    NoPipeSignal() {
        ::sigemptyset(&pipe_);
        ::sigaddset(&pipe_, SIGPIPE);
        sigset_t pending;
        ::sigpending(&pending);
        was_pending_ = ::sigismember(&pending, SIGPIPE) == 1;
        ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
    }
    ~NoPipeSignal() {
        const timespec now{};
        if (!was_pending_)  // take back the one that our write raised
            while (::sigtimedwait(&pipe_, nullptr, &now) < 0 && errno == EINTR) {
            }
        ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    NoPipeSignal(const NoPipeSignal&) = delete;
    NoPipeSignal& operator=(const NoPipeSignal&) = delete;

private:
    sigset_t pipe_, before_;
    bool was_pending_;
};

// errno, or 0 when all bytes were taken.
int write_all(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0) {
            if (errno == EINTR) continue;
            return errno;
        }
        bytes.remove_prefix(std::size_t(written));
    }
    return 0;
}

// Not every file system can, and what cannot be synchronised need not be.
int synchronise(int descriptor) {
    while (::fsync(descriptor) != 0) {
        if (errno == EINTR) continue;
        return errno == EINVAL || errno == ENOSYS || errno == ENOTSUP ? 0 : errno;
    }
    return 0;
}

int open_retrying(const char* path, int flags, mode_t mode = 0) {
    for (;;) {
        const int descriptor = ::open(path, flags | O_CLOEXEC, mode);
        if (descriptor >= 0 || errno != EINTR) return descriptor;
    }
}

Status write_in_place(int descriptor, const std::string& path, std::string_view bytes) {
    File file(descriptor);
    if (!file.is_open()) return failure(path, "cannot be opened", errno);
    const NoPipeSignal guard;
    if (const int code = write_all(descriptor, bytes)) return failure(path, "cannot be written", code);
    if (const int code = file.close()) return failure(path, "cannot be written", code);
    return {};
}

// A new file beside the target. Its name is the process's own, so that two runs do not meet; the descriptor is negative on failure.
struct Temporary {
    std::string path;
    int descriptor = -1;
};

Temporary create_beside(const std::string& target) {
    const std::string folder = target.substr(0, target.find_last_of('/') + 1);
    Temporary temporary;
    for (int attempt = 0; attempt < 1000; ++attempt) {
        temporary.path = fmt::format("{}.isometric-{}-{}.tmp", folder, ::getpid(), attempt);
        temporary.descriptor = open_retrying(temporary.path.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0666);
        if (temporary.descriptor >= 0 || errno != EEXIST) break;
    }
    return temporary;
}

// Fills the temporary file and puts it in the target's place; `existing` is the target's, if it is there.
Status replace(const Temporary& temporary, const std::string& target, const struct stat* existing, const std::string& path,
               std::string_view bytes) {
    File file(temporary.descriptor);
    const auto give_up = [&](std::string_view what, int code) -> Error {
        ::unlink(temporary.path.c_str());
        return failure(path, what, code);
    };
    if (existing) {  // the report keeps its permissions, and its owner where that is allowed
        if (::fchown(file.descriptor(), existing->st_uid, existing->st_gid) != 0) errno = 0;
        if (::fchmod(file.descriptor(), existing->st_mode & 07777) != 0) errno = 0;
    }
    if (const int code = write_all(file.descriptor(), bytes)) return give_up("cannot be written", code);
    if (const int code = synchronise(file.descriptor())) return give_up("cannot be written", code);
    if (const int code = file.close()) return give_up("cannot be written", code);
    if (::rename(temporary.path.c_str(), target.c_str()) != 0) return give_up("cannot be put in its place", errno);
    return {};
}

// Where the file really is: symbolic links are followed, so that a link stays a link. The target itself need not be there.
Result<std::string> follow_links(const std::string& path) {
    std::string target = path;
    for (int links = 0; links < 40; ++links) {
        char link[PATH_MAX];
        const ssize_t length = ::readlink(target.c_str(), link, sizeof link);
        if (length < 0) return target;
        std::string next(link, std::size_t(length));
        if (!next.starts_with('/')) next.insert(0, target.substr(0, target.find_last_of('/') + 1));
        target = std::move(next);
    }
    return failure(path, "cannot be opened", ELOOP);
}

}  // namespace

Status write_report(const Scores& scores, const ReportSettings& settings, const std::string& path) {
    const std::string bytes = render_report(scores, settings);
    if (const auto descriptor = named_descriptor(path, STDOUT_FILENO))
        return write_in_place(::fcntl(*descriptor, F_DUPFD_CLOEXEC, 0), path, bytes);
    ISO_TRY(const std::string target, follow_links(path));
    struct stat existing {};
    const bool exists = ::stat(target.c_str(), &existing) == 0;
    if (!exists && errno != ENOENT) return failure(path, "cannot be opened", errno);
    if (exists && S_ISDIR(existing.st_mode)) return failure(path, "cannot be written", EISDIR);
    if (exists && !S_ISREG(existing.st_mode)) return write_in_place(open_retrying(target.c_str(), O_WRONLY), path, bytes);
    if (exists && ::access(target.c_str(), W_OK) != 0) return failure(path, "cannot be written", errno);  // renaming over it would succeed
    const Temporary temporary = create_beside(target);
    if (temporary.descriptor >= 0) return replace(temporary, target, exists ? &existing : nullptr, path, bytes);
    // A file that may be written in a folder that may not: the one case in which the old report is lost when writing fails.
    if (exists && (errno == EACCES || errno == EPERM))
        return write_in_place(open_retrying(target.c_str(), O_WRONLY | O_TRUNC), path, bytes);
    return failure(path, "cannot be created", errno);
}

}  // namespace isometric
