// A y4m or raw stream behind one byte of options. From a file and from a pipe it gives the same frames and the same kind of end; skipping
// counts what reading gives; nothing is read or written outside the pictures (address checks), and every error names the stream.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "isometric/input.h"

using namespace isometric;

namespace {

constexpr std::size_t pipe_capacity = 60000;  // what a pipe takes without a reader

void require(bool condition) {
    if (!condition) std::abort();
}

// A descriptor that gives the bytes; closed with the object.
class Stream {
public:
    Stream(const std::uint8_t* data, std::size_t size, bool pipe) {
        int ends[2] = {-1, -1};
        if (pipe) {
            require(::pipe(ends) == 0);
            descriptor_ = ends[0];
        } else {
            descriptor_ = ends[1] = ::memfd_create("stream", 0);
        }
        require(ends[1] >= 0 && ::write(ends[1], data, size) == ssize_t(size));
        if (pipe) ::close(ends[1]);
        else ::lseek(descriptor_, 0, SEEK_SET);
    }
    ~Stream() { ::close(descriptor_); }
    std::string path() const { return "/dev/fd/" + std::to_string(descriptor_); }

private:
    int descriptor_;
};

struct Outcome {
    std::uint64_t hash = 0xcbf29ce484222325u;  // of all samples
    std::int64_t frames = 0;
    bool failed = false;
    bool operator==(const Outcome&) const = default;
};

void add(std::uint64_t& hash, const Picture& picture, int planes) {
    for (int p = 0; p < planes; ++p)
        for (int y = 0; y < picture.format().plane_height(p); ++y) {
            const std::byte* row = picture.memory(p).data + y * picture.memory(p).stride_bytes;
            for (int i = 0; i < picture.format().plane_width(p) * picture.format().bytes_per_sample(); ++i)
                hash = (hash ^ std::uint64_t(row[i])) * 0x100000001b3u;
        }
}

InputOptions options_of(std::uint8_t choice) {
    InputOptions options;
    options.raw = choice & 1;
    options.convert_chroma_siting = !(choice & 2);
    options.output_bit_depth = choice & 4 ? 16 : 0;
    options.luma_only = choice & 8;
    options.check_sample_range = (choice & 16) != 0;
    constexpr ChromaFormat formats[] = {ChromaFormat::yuv420, ChromaFormat::yuv422, ChromaFormat::yuv444, ChromaFormat::yuv400};
    options.raw_format = {7, 5, choice & 16 ? 10 : 8, formats[choice >> 6]};
    return options;
}

Outcome read_stream(const std::string& path, const InputOptions& options, bool skipping) {
    Outcome outcome;
    auto reader = open_input(path, options);
    outcome.failed = !reader;
    if (!reader) return require(!reader.error().message.empty()), outcome;
    const PictureFormat& format = (*reader)->format();
    require(format.check().has_value());
    if (std::int64_t(format.width) * format.height > 1 << 20) return outcome.failed = true, outcome;  // no time for these
    Picture picture = *Picture::allocate(format);
    for (;;) {
        Result<bool> more = true;
        if (skipping) {
            const auto skipped = (*reader)->skip(1);
            more = skipped ? Result<bool>(*skipped == 1) : skipped.error();
        } else {
            more = (*reader)->read(picture);
        }
        if (!more) require(more.error().message.find(path) == 0);
        outcome.failed = !more;
        if (!more || !*more) return outcome;
        ++outcome.frames;
        if (!skipping) add(outcome.hash, picture, options.luma_only ? 1 : format.planes());
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 9 || size > pipe_capacity) return 0;
    InputOptions options = options_of(data[0]);
    const std::string_view start(reinterpret_cast<const char*>(data) + 1, 8);
    if (!options.raw && start != "YUV4MPEG") return 0;  // a container, which is FFmpeg's to check
    const Stream file(data + 1, size - 1, false), pipe(data + 1, size - 1, true), skipped(data + 1, size - 1, false);
    const Outcome from_file = read_stream(file.path(), options, false);
    require(read_stream(pipe.path(), options, false) == from_file);
    options.check_sample_range = false;
    const Outcome counted = read_stream(skipped.path(), options, true);
    require(data[0] & 16 ? counted.frames >= from_file.frames : counted.frames == from_file.frames && counted.failed == from_file.failed);
    return 0;
}
