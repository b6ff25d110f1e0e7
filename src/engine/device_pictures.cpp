#include "engine/device_pictures.h"

#include <cstring>

#include "base/error.h"
#include "device/picture_kernels.h"

namespace isometric {

namespace {

constexpr std::size_t row_alignment = 64;  // kernels need 16
constexpr std::size_t plane_alignment = 256;

std::size_t rounded_up(std::size_t n, std::size_t unit) { return (n + unit - 1) / unit * unit; }

bool usable_in_place(const Picture& picture, int planes) {
    for (int p = 0; p < planes; ++p) {
        const PlaneMemory memory = picture.memory(p);
        if (reinterpret_cast<std::uintptr_t>(memory.data) % 16 != 0 || memory.stride_bytes % 16 != 0) return false;
    }
    return true;
}

}  // namespace

Result<std::unique_ptr<DevicePictures>> DevicePictures::create(std::shared_ptr<Device> device, const PictureFormat& format, int planes, int pairs,
                                                               int keep) {
    std::unique_ptr<DevicePictures> pictures(new DevicePictures);
    pictures->device_ = std::move(device);
    pictures->format_ = format;
    pictures->planes_ = planes;
    pictures->keep_ = keep;
    for (int p = 0; p < planes; ++p) {
        const auto plane = std::size_t(p);
        pictures->offsets_[plane] = pictures->picture_bytes_;
        pictures->strides_[plane] = rounded_up(std::size_t(format.plane_width(p)) * std::size_t(format.bytes_per_sample()), row_alignment);
        pictures->picture_bytes_ += rounded_up(pictures->strides_[plane] * std::size_t(format.plane_height(p)), plane_alignment);
    }
    for (int i = 0; i < pairs; ++i) {
        ISO_TRY(std::unique_ptr<HeldPair> pair, pictures->make_pair());
        pictures->pool_->free.push_back(std::move(pair));
    }
    return pictures;
}

Result<std::unique_ptr<HeldPair>> DevicePictures::make_pair() const {
    auto pair = std::make_unique<HeldPair>();
    for (HeldPicture* held : {&pair->ref, &pair->dis}) {
        ISO_TRY(held->memory, device_->allocate(picture_bytes_));
        ISO_TRY(held->staging, device_->allocate_pinned(picture_bytes_));
    }
    return pair;
}

std::unique_ptr<HeldPair> DevicePictures::take_pair() {
    const std::lock_guard lock(pool_->mutex);
    if (pool_->free.empty()) return nullptr;
    std::unique_ptr<HeldPair> pair = std::move(pool_->free.back());
    pool_->free.pop_back();
    return pair;
}

Result<std::shared_ptr<HeldPair>> DevicePictures::hold(std::int64_t index, const FramePair& pair, Queue& queue) {
    // With frames that look back, one upload at a time: the next frame waits for the picture instead of uploading it again.
    std::unique_lock lock(recent_mutex_, std::defer_lock);
    if (keep_ > 0) {
        lock.lock();
        for (const auto& held : recent_)
            if (held->index == index) return held;
    }
    std::unique_ptr<HeldPair> own = take_pair();
    if (!own) {  // frames far apart look back at frames far apart
        ISO_TRY(own, make_pair());
    }
    own->index = index;
    // Back to the pool in any case: also when an upload fails. Whoever lets go last has waited for the work that reads it.
    std::shared_ptr<HeldPair> held(own.release(), [pool = pool_](HeldPair* done) {
        done->ref.source = done->dis.source = Picture();
        const std::lock_guard pool_lock(pool->mutex);
        pool->free.emplace_back(done);
    });
    ISO_DO(place(pair.ref, held->ref, queue));
    ISO_DO(place(pair.dis, held->dis, queue));
    if (keep_ > 0) {
        ISO_TRY(held->ready, queue.record());
        recent_.push_back(held);
        while (int(recent_.size()) > keep_) recent_.pop_front();
    }
    return held;
}

Status DevicePictures::place(const Picture& from, HeldPicture& to, Queue& queue) const {
    to.picture.format = format_;
    if (from.on_device()) {
        to.source = from;
        if (usable_in_place(from, planes_)) {
            for (int p = 0; p < planes_; ++p) {
                const PlaneMemory memory = from.memory(p);
                to.picture.planes[std::size_t(p)] = {reinterpret_cast<std::uint64_t>(memory.data), memory.stride_bytes};
            }
            return {};
        }
    }
    for (int p = 0; p < planes_; ++p)
        to.picture.planes[std::size_t(p)] = {to.memory.address() + offsets_[std::size_t(p)], std::int64_t(strides_[std::size_t(p)])};
    return from.on_device() ? copy_on_device(from, to, queue) : upload(from, to, queue);
}

Status DevicePictures::upload(const Picture& from, HeldPicture& to, Queue& queue) const {
    for (int p = 0; p < planes_; ++p) {
        const PlaneMemory memory = from.memory(p);
        const std::size_t row = std::size_t(format_.plane_width(p)) * std::size_t(format_.bytes_per_sample());
        auto* rows = to.staging.host<std::byte>(offsets_[std::size_t(p)]);
        for (int y = 0; y < format_.plane_height(p); ++y)
            std::memcpy(rows + std::size_t(y) * strides_[std::size_t(p)], memory.data + y * memory.stride_bytes, row);
    }
    return queue.upload(to.memory, 0, to.staging.host<std::byte>(), picture_bytes_);
}

Status DevicePictures::copy_on_device(const Picture& from, HeldPicture& to, Queue& queue) const {
    for (int p = 0; p < planes_; ++p) {
        const PlaneMemory memory = from.memory(p);
        ISO_DO(queue.launch(kernel::picture_copy_row, std::uint32_t(format_.plane_height(p)),
                            {.from = reinterpret_cast<const u8*>(memory.data),
                             .to = to.memory.pointer<u8>(offsets_[std::size_t(p)]),
                             .from_stride = memory.stride_bytes,
                             .to_stride = i64(strides_[std::size_t(p)]),
                             .row_bytes = format_.plane_width(p) * format_.bytes_per_sample()}));
    }
    return {};
}

}  // namespace isometric
