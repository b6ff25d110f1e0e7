#include "input/byte_source.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <system_error>
#include <utility>

#include "base/assert.h"
#include "base/error.h"
#include "base/named_descriptor.h"

namespace isometric {
namespace {

constexpr int pipe_bytes = 1 << 20;  // what an ordinary user may ask for: fewer switches between the two processes

Error failure(std::string_view what, int code) { return error(Code::bad_input, "{}: {}", what, std::generic_category().message(code)); }

// Drops `size` bytes from the front of the destinations.
void drop_front(std::span<iovec>& destinations, std::size_t size) {
    while (!destinations.empty() && size >= destinations.front().iov_len) {
        size -= destinations.front().iov_len;
        destinations = destinations.subspan(1);
    }
    if (size == 0) return;
    iovec& first = destinations.front();
    first.iov_base = static_cast<char*>(first.iov_base) + size;
    first.iov_len -= size;
}

}  // namespace

ByteSource::ByteSource(int descriptor) : descriptor_(descriptor), buffer_(buffer_bytes) {
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) return;
    const off_t position = ::lseek(descriptor, 0, SEEK_CUR);
    has_size_ = S_ISREG(status.st_mode) && position >= 0;
    if (has_size_) {
        start_ = std::uint64_t(position);
        (void)::posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
    } else if (S_ISFIFO(status.st_mode)) {
#ifdef F_SETPIPE_SZ
        (void)::fcntl(descriptor, F_SETPIPE_SZ, pipe_bytes);
#endif
    }
}

ByteSource::ByteSource(ByteSource&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      has_size_(other.has_size_),
      start_(other.start_),
      offset_(other.offset_),
      buffer_(std::move(other.buffer_)),
      begin_(other.begin_),
      end_(other.end_) {}

ByteSource::~ByteSource() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

Result<ByteSource> ByteSource::open(const std::string& path) {
    const auto named = named_descriptor(path, STDIN_FILENO);
    for (;;) {
        const int descriptor = named ? ::fcntl(*named, F_DUPFD_CLOEXEC, 0) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (descriptor >= 0) return ByteSource(descriptor);
        if (errno != EINTR) return failure("cannot be opened", errno);
    }
}

Result<std::size_t> ByteSource::read_some(std::span<iovec> destinations) {
    const int count = int(std::min<std::size_t>(destinations.size(), IOV_MAX));
    for (;;) {
        const ssize_t got = ::readv(descriptor_, destinations.data(), count);
        if (got >= 0) return std::size_t(got);
        if (errno == EAGAIN || errno == EWOULDBLOCK) {
            pollfd wait{descriptor_, POLLIN, 0};
            if (::poll(&wait, 1, -1) >= 0 || errno == EINTR) continue;
        }
        if (errno != EINTR) return failure("cannot be read", errno);
    }
}

Result<std::string_view> ByteSource::peek(std::size_t size) {
    ISO_ASSERT(size <= buffer_bytes);
    if (buffered() < size) {
        std::memmove(buffer_.data(), buffer_.data() + begin_, buffered());
        end_ = buffered();
        begin_ = 0;
    }
    while (buffered() < size) {
        iovec rest{buffer_.data() + end_, buffer_.size() - end_};
        ISO_TRY(const std::size_t got, read_some({&rest, 1}));
        if (got == 0) break;
        end_ += got;
    }
    return std::string_view(buffer_.data() + begin_, std::min(size, buffered()));
}

void ByteSource::take(std::size_t size) {
    ISO_ASSERT(size <= buffered());
    begin_ += size;
    offset_ += size;
}

Result<std::optional<std::string>> ByteSource::take_line(std::size_t limit) {
    std::string line;
    for (;;) {
        ISO_TRY(std::string_view next, peek(1));
        if (next.empty()) return std::optional<std::string>();
        next = {buffer_.data() + begin_, std::min(buffered(), limit - line.size() + 1)};
        const std::size_t end = next.find('\n');
        line += next.substr(0, end);
        take(end == std::string_view::npos ? next.size() : end + 1);
        if (end != std::string_view::npos && line.size() <= limit) return std::optional(std::move(line));
        if (line.size() > limit) return std::optional<std::string>();
    }
}

std::size_t ByteSource::take_buffered(std::span<iovec>& destinations) {
    std::size_t copied = 0;
    while (!destinations.empty() && buffered() > 0) {
        const std::size_t size = std::min(destinations.front().iov_len, buffered());
        std::memcpy(destinations.front().iov_base, buffer_.data() + begin_, size);
        begin_ += size;
        copied += size;
        drop_front(destinations, size);
    }
    return copied;
}

Result<std::uint64_t> ByteSource::read(std::span<iovec> destinations) {
    std::uint64_t total = take_buffered(destinations);
    offset_ += total;
    drop_front(destinations, 0);  // empty vectors at the front would look like the end
    while (!destinations.empty()) {
        ISO_TRY(const std::size_t got, read_some(destinations));
        if (got == 0) break;
        drop_front(destinations, got);
        total += got;
        offset_ += got;
    }
    return total;
}

Result<std::uint64_t> ByteSource::read(void* destination, std::size_t size) {
    iovec one{destination, size};
    return read({&one, 1});
}

Result<std::uint64_t> ByteSource::skip(std::uint64_t size) {
    if (const auto left = remaining()) {
        const std::uint64_t step = std::min(size, *left);
        ISO_DO(seek(offset_ + step));
        return step;
    }
    std::uint64_t dropped = std::min<std::uint64_t>(size, buffered());
    take(std::size_t(dropped));
    std::vector<char> sink(std::size_t(std::min<std::uint64_t>(size - dropped, pipe_bytes)));
    while (dropped < size) {
        ISO_TRY(const std::uint64_t got, read(sink.data(), std::size_t(std::min<std::uint64_t>(size - dropped, sink.size()))));
        if (got == 0) break;
        dropped += got;
    }
    return dropped;
}

std::optional<std::uint64_t> ByteSource::remaining() const {
    struct stat status {};
    if (!has_size_ || ::fstat(descriptor_, &status) != 0) return std::nullopt;
    const std::uint64_t size = std::uint64_t(status.st_size), here = start_ + offset_;
    return size > here ? size - here : 0;
}

Status ByteSource::seek(std::uint64_t offset) {
    if (offset >= offset_ && offset - offset_ <= buffered()) {
        take(std::size_t(offset - offset_));
        return {};
    }
    if (::lseek(descriptor_, off_t(start_ + offset), SEEK_SET) < 0) return failure("cannot be positioned", errno);
    offset_ = offset;
    begin_ = end_ = 0;
    return {};
}

}  // namespace isometric
