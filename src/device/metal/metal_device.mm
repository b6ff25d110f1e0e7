// Apple devices through Metal 3 (macOS 13): kernels are compiled from embedded source, arguments are bytes with addresses of buffers in them.
#import <Metal/Metal.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

#include "base/error.h"
#include "device/kernel.h"
#include "device/metal/metal_backend.h"

namespace isometric {

namespace {

Error metal_error(std::string_view what, NSError* cause) {
    return error(Code::metric_failed, "metal: {}: {}", what, cause ? cause.localizedDescription.UTF8String : "unknown error");
}

class MetalEvent : public Event::Body {
public:
    MetalEvent(id<MTLCommandBuffer> commands, id<MTLSharedEvent> signal) : commands_(commands), signal_(signal) {}
    Result<bool> done() override {
        if (commands_.status == MTLCommandBufferStatusError) return metal_error("queued work", commands_.error);
        return commands_.status == MTLCommandBufferStatusCompleted;
    }
    Status wait() override {
        [commands_ waitUntilCompleted];
        if (commands_.status == MTLCommandBufferStatusError) return metal_error("queued work", commands_.error);
        return {};
    }
    Result<double> milliseconds_since(Event::Body& earlier) override {
        return (commands_.GPUEndTime - static_cast<MetalEvent&>(earlier).commands_.GPUEndTime) * 1e3;
    }
    id<MTLSharedEvent> signal() const { return signal_; }

private:
    id<MTLCommandBuffer> commands_;
    id<MTLSharedEvent> signal_;
};

class MetalDevice : public Device, public std::enable_shared_from_this<MetalDevice> {
public:
    MetalDevice(id<MTLDevice> device, int index) : device_(device) {
        info_.backend = "metal";
        info_.index = index;
        info_.name = device.name.UTF8String;
        info_.memory_bytes = device.recommendedMaxWorkingSetSize;
        info_.groups_join = false;
    }

    const DeviceInfo& info() const override { return info_; }
    Result<Buffer> allocate(std::size_t bytes) override { return allocate(bytes, false); }
    Result<Buffer> allocate_pinned(std::size_t bytes) override { return allocate(bytes, true); }
    Result<std::unique_ptr<Queue>> create_queue() override;
    Status prepare(const KernelSet& set) override {
        const std::lock_guard lock(mutex_);
        ISO_TRY([[maybe_unused]] id<MTLLibrary> library, load(set));
        return {};
    }

    Result<id<MTLComputePipelineState>> pipeline(const KernelHandle& kernel);
    // Kernels follow addresses that Metal does not see, so every buffer is made resident for every launch.
    void use_all_buffers(id<MTLComputeCommandEncoder> encoder) {
        const std::lock_guard lock(mutex_);
        for (const auto& [address, buffer] : buffers_) [encoder useResource:buffer usage:MTLResourceUsageRead | MTLResourceUsageWrite];
    }
    // The buffer that holds an address, and the offset there.
    Result<id<MTLBuffer>> buffer_at(std::uint64_t address, std::size_t bytes, std::size_t& offset) {
        const std::lock_guard lock(mutex_);
        auto after = buffers_.upper_bound(address);
        if (after == buffers_.begin()) return error(Code::invalid_argument, "metal: an address of no buffer");
        --after;
        offset = address - after->first;
        if (offset + bytes > after->second.length) return error(Code::invalid_argument, "metal: {} bytes past the end of a buffer", bytes);
        return after->second;
    }
    id<MTLDevice> device() const { return device_; }

private:
    Result<Buffer> allocate(std::size_t bytes, bool pinned) {
        id<MTLBuffer> buffer = [device_ newBufferWithLength:std::max<std::size_t>(bytes, 16) options:MTLResourceStorageModeShared];
        if (!buffer) return error(Code::out_of_memory, "metal device {}: no memory for {} bytes", info_.index, bytes);
        const std::uint64_t address = buffer.gpuAddress;
        {
            const std::lock_guard lock(mutex_);
            buffers_[address] = buffer;
        }
        std::shared_ptr<void> owner(buffer.contents, [self = shared_from_this(), address](void*) {
            const std::lock_guard lock(self->mutex_);
            self->buffers_.erase(address);
        });
        return Buffer(std::move(owner), address, pinned ? static_cast<std::byte*>(buffer.contents) : nullptr, bytes);
    }
    Result<id<MTLLibrary>> load(const KernelSet& set);

    id<MTLDevice> device_;
    DeviceInfo info_;
    std::mutex mutex_;
    std::map<std::uint64_t, id<MTLBuffer>> buffers_;
    std::map<const KernelSet*, id<MTLLibrary>> libraries_;
    std::map<std::string_view, id<MTLComputePipelineState>> pipelines_;
};

Result<id<MTLLibrary>> MetalDevice::load(const KernelSet& set) {
    if (const auto found = libraries_.find(&set); found != libraries_.end()) return found->second;
    for (const KernelImage& image : set.images) {
        if (image.kind != ImageKind::metal) continue;
        NSString* source = [[NSString alloc] initWithBytes:image.begin length:image.size() encoding:NSUTF8StringEncoding];
        MTLCompileOptions* options = [[MTLCompileOptions alloc] init];
        options.fastMathEnabled = NO;
        options.languageVersion = MTLLanguageVersion3_0;
        NSError* cause = nil;
        id<MTLLibrary> library = [device_ newLibraryWithSource:source options:options error:&cause];
        if (!library) return metal_error(fmt::format("the kernels of {}", set.name), cause);
        return libraries_[&set] = library;
    }
    return error(Code::backend_unavailable, "metal: the kernels of {} were built without Metal source", set.name);
}

Result<id<MTLComputePipelineState>> MetalDevice::pipeline(const KernelHandle& kernel) {
    const std::lock_guard lock(mutex_);
    if (const auto found = pipelines_.find(kernel.name); found != pipelines_.end()) return found->second;
    ISO_TRY(id<MTLLibrary> library, load(*kernel.set));
    id<MTLFunction> function = [library newFunctionWithName:[NSString stringWithUTF8String:std::string(kernel.name).c_str()]];
    if (!function) return error(Code::backend_unavailable, "metal: no kernel {}", kernel.name);
    NSError* cause = nil;
    id<MTLComputePipelineState> state = [device_ newComputePipelineStateWithFunction:function error:&cause];
    if (!state) return metal_error(fmt::format("kernel {}", kernel.name), cause);
    if (state.maxTotalThreadsPerThreadgroup < kLanes) return error(Code::backend_unavailable, "metal: kernel {} fits fewer than {} threads", kernel.name, kLanes);
    return pipelines_[kernel.name] = state;
}

class MetalQueue : public Queue {
public:
    MetalQueue(std::shared_ptr<MetalDevice> device, id<MTLCommandQueue> queue) : device_(std::move(device)), queue_(queue) {}
    ~MetalQueue() override { (void)finish(); }

    Status upload(const Buffer& to, std::size_t offset, const void* from, std::size_t bytes) override {
        if (offset + bytes > to.size()) return error(Code::internal, "upload of {} bytes at {} into {}", bytes, offset, to.size());
        id<MTLBuffer> staging = [device_->device() newBufferWithBytes:from length:bytes options:MTLResourceStorageModeShared];
        if (!staging) return error(Code::out_of_memory, "metal: no memory for {} bytes", bytes);
        std::size_t at = 0;
        ISO_TRY(id<MTLBuffer> buffer, device_->buffer_at(to.address() + offset, bytes, at));
        return copy(staging, 0, buffer, at, bytes, nullptr);
    }
    Status read_back(void* to, const Buffer& from, std::size_t offset, std::size_t bytes) override {
        if (offset + bytes > from.size()) return error(Code::internal, "read-back of {} bytes at {} from {}", bytes, offset, from.size());
        return read_address(to, from.address() + offset, bytes);
    }
    Status read_address(void* to, std::uint64_t address, std::size_t bytes) override {
        id<MTLBuffer> staging = [device_->device() newBufferWithLength:bytes options:MTLResourceStorageModeShared];
        if (!staging) return error(Code::out_of_memory, "metal: no memory for {} bytes", bytes);
        std::size_t at = 0;
        ISO_TRY(id<MTLBuffer> buffer, device_->buffer_at(address, bytes, at));
        return copy(buffer, at, staging, 0, bytes, to);
    }
    Status launch(const KernelHandle& kernel, std::uint32_t groups, const void* arguments) override {
        ISO_TRY(id<MTLComputePipelineState> state, device_->pipeline(kernel));
        if (groups == 0) return {};
        id<MTLCommandBuffer> commands = [queue_ commandBuffer];
        id<MTLComputeCommandEncoder> encoder = [commands computeCommandEncoder];
        [encoder setComputePipelineState:state];
        [encoder setBytes:arguments length:kernel.argument_bytes atIndex:0];
        device_->use_all_buffers(encoder);
        [encoder dispatchThreadgroups:MTLSizeMake(groups, 1, 1) threadsPerThreadgroup:MTLSizeMake(kLanes, 1, 1)];
        [encoder endEncoding];
        return commit(commands);
    }
    Result<Event> record() override {
        id<MTLCommandBuffer> commands = [queue_ commandBuffer];
        id<MTLSharedEvent> signal = [device_->device() newSharedEvent];
        [commands encodeSignalEvent:signal value:1];
        ISO_DO(commit(commands));
        return Event(std::make_shared<MetalEvent>(commands, signal));
    }
    Status wait(const Event& event) override {
        id<MTLCommandBuffer> commands = [queue_ commandBuffer];
        [commands encodeWaitForEvent:static_cast<MetalEvent*>(event.body())->signal() value:1];
        return commit(commands);
    }
    Status finish() override {
        ISO_TRY(const Event event, record());
        return event.wait();
    }

private:
    // The first failed command is the queue's error; what follows it must not count as done.
    Status commit(id<MTLCommandBuffer> commands) {
        if (last_ && last_.status == MTLCommandBufferStatusError) return metal_error("queued work", last_.error);
        [commands commit];
        last_ = commands;
        return {};
    }
    Status copy(id<MTLBuffer> from, std::size_t from_offset, id<MTLBuffer> to, std::size_t to_offset, std::size_t bytes, void* then_to_host) {
        id<MTLCommandBuffer> commands = [queue_ commandBuffer];
        id<MTLBlitCommandEncoder> encoder = [commands blitCommandEncoder];
        [encoder copyFromBuffer:from sourceOffset:from_offset toBuffer:to destinationOffset:to_offset size:bytes];
        [encoder endEncoding];
        if (then_to_host)
            [commands addCompletedHandler:^(id<MTLCommandBuffer>) {
                std::memcpy(then_to_host, to.contents, bytes);
            }];
        return commit(commands);
    }

    std::shared_ptr<MetalDevice> device_;
    id<MTLCommandQueue> queue_;
    id<MTLCommandBuffer> last_ = nil;
};

Result<std::unique_ptr<Queue>> MetalDevice::create_queue() {
    id<MTLCommandQueue> queue = [device_ newCommandQueue];
    if (!queue) return error(Code::out_of_memory, "metal device {}: no queue", info_.index);
    return std::unique_ptr<Queue>(new MetalQueue(shared_from_this(), queue));
}

}  // namespace

Result<Devices> metal_devices() {
    Devices devices;
    for (id<MTLDevice> device in MTLCopyAllDevices())
        if ([device supportsFamily:MTLGPUFamilyMetal3]) devices.push_back(std::make_shared<MetalDevice>(device, int(devices.size())));
    if (devices.empty()) return error(Code::backend_unavailable, "metal: no device that supports Metal 3");
    return devices;
}

}  // namespace isometric
