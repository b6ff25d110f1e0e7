// Bytes of a file, pipe or standard input, in order.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isometric/status.h"

namespace isometric {

// Small reads come from a buffer; large ones go straight to their destination. Interrupted, short and not yet ready reads are continued.
// Errors carry code bad_input and say what failed; the caller names the file.
class ByteSource {
public:
    // "-" is standard input; of that and of /dev/fd/5 the descriptor is used as it stands (base/named_descriptor.h).
    static Result<ByteSource> open(const std::string& path);
    ByteSource(ByteSource&& other) noexcept;
    ByteSource& operator=(ByteSource&&) = delete;
    ~ByteSource();

    // The next bytes without taking them: as many as asked, fewer at the end. At most buffer_bytes.
    Result<std::string_view> peek(std::size_t size);
    // Takes bytes that peek() showed.
    void take(std::size_t size);
    // Takes up to and including the next line end, which is not returned. Nothing when none comes within `limit` bytes, or at all: then
    // nothing is taken but what fits the buffer.
    Result<std::optional<std::string>> take_line(std::size_t limit);

    // Fill the destinations in order. The number of bytes got: fewer than asked at the end only. The vectors are used up.
    Result<std::uint64_t> read(std::span<iovec> destinations);
    Result<std::uint64_t> read(void* destination, std::size_t size);
    // Drops bytes; seeks where that is possible. The number dropped: fewer than asked at the end only.
    Result<std::uint64_t> skip(std::uint64_t size);

    // Bytes taken since opening.
    std::uint64_t offset() const { return offset_; }
    // Bytes between here and the end; nothing for what has no size (pipes, terminals).
    std::optional<std::uint64_t> remaining() const;
    // To an offset, in files with a size.
    Status seek(std::uint64_t offset);

    static constexpr std::size_t buffer_bytes = 4096;

private:
    explicit ByteSource(int descriptor);
    Result<std::size_t> read_some(std::span<iovec> destinations);  // one system call; 0 at the end
    std::size_t take_buffered(std::span<iovec>& destinations);
    std::size_t buffered() const { return end_ - begin_; }

    int descriptor_ = -1;
    bool has_size_ = false;
    std::uint64_t start_ = 0;  // the descriptor's position when opened
    std::uint64_t offset_ = 0;
    std::vector<char> buffer_;
    std::size_t begin_ = 0, end_ = 0;  // what is left in the buffer
};

}  // namespace isometric
