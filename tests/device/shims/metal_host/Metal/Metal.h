// Declarations of the part of Metal that the Metal backend uses, so that a compiler can read its source on any machine. Nothing is defined.
#pragma once

#include <cstddef>
#include <cstdint>

typedef unsigned long NSUInteger;
typedef bool BOOL;
#define nil __null
#define YES true
#define NO false
enum { NSUTF8StringEncoding = 4 };

__attribute__((objc_root_class))
@interface NSObject
+ (instancetype)alloc;
- (instancetype)init;
@end
@interface NSString : NSObject
+ (instancetype)stringWithUTF8String:(const char*)text;
- (instancetype)initWithBytes:(const void*)bytes length:(NSUInteger)length encoding:(NSUInteger)encoding;
@property(readonly) const char* UTF8String;
@end
@interface NSError : NSObject
@property(readonly) NSString* localizedDescription;
@end
struct NSFastEnumerationState;
@interface NSArray : NSObject
- (NSUInteger)countByEnumeratingWithState:(NSFastEnumerationState*)state objects:(id __unsafe_unretained[])buffer count:(NSUInteger)length;
@end

typedef struct { NSUInteger width, height, depth; } MTLSize;
MTLSize MTLSizeMake(NSUInteger width, NSUInteger height, NSUInteger depth);
enum { MTLResourceStorageModeShared = 0, MTLResourceUsageRead = 1, MTLResourceUsageWrite = 2, MTLGPUFamilyMetal3 = 5001, MTLLanguageVersion3_0 = 3 << 16 };
typedef enum { MTLCommandBufferStatusCompleted = 4, MTLCommandBufferStatusError = 5 } MTLCommandBufferStatus;

@protocol MTLResource
@end
@protocol MTLBuffer <MTLResource>
@property(readonly) NSUInteger length;
@property(readonly) std::uint64_t gpuAddress;
@property(readonly) void* contents;
@end
@protocol MTLSharedEvent
@end
@protocol MTLFunction
@end
@protocol MTLLibrary
- (id<MTLFunction>)newFunctionWithName:(NSString*)name;
@end
@protocol MTLComputePipelineState
@property(readonly) NSUInteger maxTotalThreadsPerThreadgroup;
@end
@protocol MTLComputeCommandEncoder
- (void)setComputePipelineState:(id<MTLComputePipelineState>)state;
- (void)setBytes:(const void*)bytes length:(NSUInteger)length atIndex:(NSUInteger)index;
- (void)useResource:(id<MTLResource>)resource usage:(NSUInteger)usage;
- (void)dispatchThreadgroups:(MTLSize)groups threadsPerThreadgroup:(MTLSize)threads;
- (void)endEncoding;
@end
@protocol MTLBlitCommandEncoder
- (void)copyFromBuffer:(id<MTLBuffer>)from sourceOffset:(NSUInteger)a toBuffer:(id<MTLBuffer>)to destinationOffset:(NSUInteger)b size:(NSUInteger)size;
- (void)endEncoding;
@end
@protocol MTLCommandBuffer
@property(readonly) MTLCommandBufferStatus status;
@property(readonly) NSError* error;
@property(readonly) double GPUEndTime;
- (id<MTLComputeCommandEncoder>)computeCommandEncoder;
- (id<MTLBlitCommandEncoder>)blitCommandEncoder;
- (void)encodeSignalEvent:(id<MTLSharedEvent>)event value:(std::uint64_t)value;
- (void)encodeWaitForEvent:(id<MTLSharedEvent>)event value:(std::uint64_t)value;
- (void)addCompletedHandler:(void (^)(id<MTLCommandBuffer>))handler;
- (void)commit;
- (void)waitUntilCompleted;
@end
@protocol MTLCommandQueue
- (id<MTLCommandBuffer>)commandBuffer;
@end
@interface MTLCompileOptions : NSObject
@property BOOL fastMathEnabled;
@property NSUInteger languageVersion;
@end
@protocol MTLDevice
@property(readonly) NSString* name;
@property(readonly) std::uint64_t recommendedMaxWorkingSetSize;
- (id<MTLBuffer>)newBufferWithLength:(NSUInteger)length options:(NSUInteger)options;
- (id<MTLBuffer>)newBufferWithBytes:(const void*)bytes length:(NSUInteger)length options:(NSUInteger)options;
- (id<MTLLibrary>)newLibraryWithSource:(NSString*)source options:(MTLCompileOptions*)options error:(NSError* __autoreleasing*)error;
- (id<MTLComputePipelineState>)newComputePipelineStateWithFunction:(id<MTLFunction>)function error:(NSError* __autoreleasing*)error;
- (id<MTLCommandQueue>)newCommandQueue;
- (id<MTLSharedEvent>)newSharedEvent;
- (BOOL)supportsFamily:(NSUInteger)family;
@end
NSArray* MTLCopyAllDevices();
