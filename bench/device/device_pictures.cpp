#include "bench/device/device_pictures.h"

#include <array>
#include <cstring>
#include <memory>

#include "bench/device/checked_results.h"
#include "tests/device/twin_frames.h"

namespace isometric::bench {

using test::twin_frame_kinds;
using test::twin_picture;
using test::TwinFrameKind;

namespace {

DevicePicture view(const Picture& picture) {
    DevicePicture result{picture.format(), {}};
    for (int p = 0; p < picture.format().planes(); ++p)
        result.planes[std::size_t(p)] = {reinterpret_cast<std::uint64_t>(picture.memory(p).data), picture.memory(p).stride_bytes};
    return result;
}

}  // namespace

Picture on_device(Device& device, const Picture& picture, std::size_t padding, std::size_t offset) {
    const PictureFormat& f = picture.format();
    const auto stride = [&](int p) { return (std::size_t(f.plane_width(p) * f.bytes_per_sample()) + 15) / 16 * 16 + padding; };
    std::array<std::size_t, 3> begins{};
    std::size_t size = offset;
    for (int p = 0; p < f.planes(); ++p) {
        begins[std::size_t(p)] = size;
        size += stride(p) * std::size_t(f.plane_height(p));
    }
    std::vector<std::byte> bytes(size, std::byte{0x77});
    std::array<PlaneMemory, 3> planes{};
    const Buffer buffer = take(device.allocate(size));
    for (int p = 0; p < f.planes(); ++p) {
        for (int y = 0; y < f.plane_height(p); ++y)
            std::memcpy(bytes.data() + begins[std::size_t(p)] + std::size_t(y) * stride(p),
                        picture.memory(p).data + y * picture.memory(p).stride_bytes, std::size_t(f.plane_width(p) * f.bytes_per_sample()));
        planes[std::size_t(p)] = {buffer.pointer<std::byte>(begins[std::size_t(p)]), std::ptrdiff_t(stride(p))};
    }
    const auto queue = take(device.create_queue());
    need(queue->upload(buffer, 0, bytes.data(), size));
    need(queue->finish());
    return take(Picture::wrap_device(f, planes, std::make_shared<Buffer>(buffer), device.info().backend, device.info().index));
}

Pool::Pool(Device& device, const PictureFormat& format, int count) {
    const TwinFrameKind noise = twin_frame_kinds()[0];
    const Picture ref = twin_picture(format, noise, 1), dis = twin_picture(format, noise, 2);
    for (int i = 0; i < count; ++i)
        pairs.push_back({on_device(device, i % 2 ? dis : ref, 0, 0), on_device(device, i % 2 ? ref : dis, 0, 0)});
    for (const FramePair& pair : pairs) views.push_back({view(pair.ref), view(pair.dis)});
}

}  // namespace isometric::bench
