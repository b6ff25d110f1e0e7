// Pictures: formats and shared, reference-counted sample memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "isometric/status.h"

namespace [[gnu::visibility("default")]] isometric {

enum class ChromaFormat : std::uint8_t { yuv400, yuv420, yuv422, yuv444 };

// "4:2:0" and so on.
const char* to_string(ChromaFormat chroma);

// Geometry of a picture. Samples are bytes at bit depth 8, else 16-bit words in native byte order with the value in the low bits. Readers refuse
// words above the bit depth; a session does not look for them in pictures that are pushed: their scores then mean nothing, and nothing else happens.
struct PictureFormat {
    int width = 0;   // luma, in samples
    int height = 0;  // luma
    int bit_depth = 8;
    ChromaFormat chroma = ChromaFormat::yuv420;

    static constexpr int min_bit_depth = 8;
    static constexpr int max_bit_depth = 16;
    static constexpr int max_side = 1 << 16;

    int planes() const { return chroma == ChromaFormat::yuv400 ? 1 : 3; }
    int bytes_per_sample() const { return bit_depth > 8 ? 2 : 1; }
    // Chroma sides round down, as libvmaf's pictures do; a file's round up (docs/input.md).
    int plane_width(int plane) const;
    int plane_height(int plane) const;

    // An error that names the side or depth that is out of range.
    Status check() const;
    std::string describe() const;  // "576x324 4:2:0 8 bit"

    bool operator==(const PictureFormat&) const = default;
};

// Rows of one plane. stride counts samples.
template <class T>
struct PlaneView {
    T* data = nullptr;
    std::ptrdiff_t stride = 0;
    int width = 0;
    int height = 0;

    T* row(int y) const { return data + y * stride; }
};

struct PlaneMemory {
    std::byte* data = nullptr;
    std::ptrdiff_t stride_bytes = 0;
};

// A handle to a picture; copies share its memory, which is freed (or returned to its pool) with the last of them.
// A picture is filled by one owner before it is shared and never written afterwards.
class Picture {
public:
    Picture() = default;

    // Zeroed memory, rows aligned to 64 bytes.
    static Result<Picture> allocate(const PictureFormat& format);

    // The caller's memory, used in place. `owner` is released with the last handle. Strides may be any number of bytes that
    // holds a row and is a multiple of the sample size; nothing outside the rows is read.
    static Result<Picture> wrap(const PictureFormat& format, const std::array<PlaneMemory, 3>& planes, std::shared_ptr<void> owner);

    // Memory of a device, used in place by a session that runs there: plane data are addresses on device `index` of `backend`, and nothing
    // writes to them any more. Rows that start at multiples of 16 bytes are read as they are, others copied on the device.
    static Result<Picture> wrap_device(const PictureFormat& format, const std::array<PlaneMemory, 3>& planes, std::shared_ptr<void> owner,
                                       std::string backend, int index);

    bool on_device() const { return !body_->backend.empty(); }
    const std::string& backend() const { return body_->backend; }  // empty for host memory
    int device_index() const { return body_->device_index; }

    bool empty() const { return !body_; }
    explicit operator bool() const { return !empty(); }
    const PictureFormat& format() const { return body_->format; }
    PlaneMemory memory(int plane) const { return body_->planes[std::size_t(plane)]; }

    // T is uint8_t at bit depth 8, else uint16_t.
    template <class T>
    PlaneView<const T> plane(int p) const {
        const PlaneMemory m = memory(p);
        return {reinterpret_cast<const T*>(m.data), m.stride_bytes / std::ptrdiff_t(sizeof(T)), format().plane_width(p), format().plane_height(p)};
    }
    template <class T>
    PlaneView<T> writable_plane(int p) {
        const PlaneMemory m = memory(p);
        return {reinterpret_cast<T*>(m.data), m.stride_bytes / std::ptrdiff_t(sizeof(T)), format().plane_width(p), format().plane_height(p)};
    }

private:
    struct Body {
        PictureFormat format;
        std::array<PlaneMemory, 3> planes{};
        std::shared_ptr<void> owner;
        std::string backend;
        int device_index = 0;
    };
    std::shared_ptr<const Body> body_;

    friend class PicturePool;
};

// A bounded set of equal pictures. acquire() waits until one is free, so a fast reader cannot outrun the metrics.
class PicturePool {
public:
    static Result<PicturePool> create(const PictureFormat& format, int count);

    // A picture whose contents are what its last user left. It goes back when the last handle is gone, also after the pool itself.
    Picture acquire();
    // The same without waiting: an empty picture when none is free.
    Picture try_acquire();
    int outstanding() const;

private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace isometric
