// Pictures as kernels see them.
#pragma once

#include <array>
#include <cstdint>

#include "device/kernel.h"
#include "isometric/picture.h"

namespace isometric {

struct DevicePicture {
    struct Memory {
        std::uint64_t address = 0;
        std::int64_t stride_bytes = 0;
    };
    PictureFormat format;
    std::array<Memory, 3> planes{};

    // T is u8 at bit depth 8, else u16. Rows start at multiples of 16 bytes.
    template <class T>
    Plane<const T> plane(int p) const {
        const Memory& memory = planes[std::size_t(p)];
        return {reinterpret_cast<const T*>(memory.address), i32(memory.stride_bytes / i64(sizeof(T))), format.plane_width(p), format.plane_height(p)};
    }
};

struct DeviceFramePair {
    DevicePicture ref, dis;
};

}  // namespace isometric
