/* ptx/runtime/versions.c: functions whose arguments or structs differ in the runtimes of CUDA 11 and 12. A program
 * asks for a name and a version of the library; versions.S offers all other names under these versions.
 *
 * Source of the layouts: NVIDIA, CUDA Runtime API reference 11.8 and 12.9, data structures. cudaDeviceProp of
 * CUDA 12 has the members and offsets of AMD's hipDeviceProp_t up to unifiedFunctionPointers
 * (ROCm, hip_runtime_api.h); CUDA 11 has them up to reservedSharedMemPerBlock. */
#include <stddef.h>
#include <string.h>

#include "ptx/runtime/runtime.h"

#define OFFER(function, name, version) __asm__(".symver " #function ", " #name "@" version)
#define CUDA_11                        "libcudart.so.11.0"
#define CUDA_12                        "libcudart.so.12"
#define OFFER_BOTH(function, name)                                                                                 \
    OFFER(function##_11, name, CUDA_11);                                                                           \
    OFFER(function##_12, name, CUDA_12)

enum { CUDART_VERSION_11 = 11080, CUDART_VERSION_12 = 12090 };

/* --- properties of the device --- */

struct prop_12 {
    char name[256], uuid[16], luid[8];
    unsigned luidDeviceNodeMask;
    size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
    size_t totalConstMem;
    int major, minor;
    size_t textureAlignment, texturePitchAlignment;
    int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode;
    int maxTexture1D, maxTexture1DMipmap, maxTexture1DLinear, maxTexture2D[2], maxTexture2DMipmap[2],
        maxTexture2DLinear[3], maxTexture2DGather[2], maxTexture3D[3], maxTexture3DAlt[3], maxTextureCubemap,
        maxTexture1DLayered[2], maxTexture2DLayered[3], maxTextureCubemapLayered[2];
    int maxSurface1D, maxSurface2D[2], maxSurface3D[3], maxSurface1DLayered[2], maxSurface2DLayered[3],
        maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
    size_t surfaceAlignment;
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount,
        unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize,
        maxThreadsPerMultiProcessor, streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported,
        singleToDoublePrecisionPerfRatio, pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported,
        canUseHostPointerForRegisteredMem, cooperativeLaunch, cooperativeMultiDeviceLaunch;
    size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, maxBlocksPerMultiProcessor,
        accessPolicyMaxWindowSize;
    size_t reservedSharedMemPerBlock;
    int hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported,
        timelineSemaphoreInteropSupported, memoryPoolsSupported, gpuDirectRDMASupported;
    unsigned gpuDirectRDMAFlushWritesOptions;
    int gpuDirectRDMAWritesOrdering;
    unsigned memoryPoolSupportedHandleTypes;
    int deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch, unifiedFunctionPointers, reserved[63];
};
enum { PROP_11_BYTES = offsetof(struct prop_12, hostRegisterSupported) };

_Static_assert(PROP_11_BYTES == 728 && sizeof(struct prop_12) == 1032, "sizes of the interface");

/* Members of both structs. */
/* clang-format off */
#define SHARED(X) \
    X(name) X(uuid) X(totalGlobalMem) X(sharedMemPerBlock) X(regsPerBlock) X(warpSize) X(memPitch) \
    X(maxThreadsPerBlock) X(maxThreadsDim) X(maxGridSize) X(totalConstMem) X(major) X(minor) X(textureAlignment) \
    X(texturePitchAlignment) X(multiProcessorCount) X(integrated) X(canMapHostMemory) X(maxTexture1D) \
    X(maxTexture2D) X(maxTexture2DLinear) X(maxTexture3D) X(maxTexture1DLayered) X(maxTexture2DLayered) \
    X(maxSurface1D) X(maxSurface2D) X(surfaceAlignment) X(concurrentKernels) X(ECCEnabled) X(pciBusID) \
    X(pciDeviceID) X(pciDomainID) X(asyncEngineCount) X(unifiedAddressing) X(memoryBusWidth) X(l2CacheSize) \
    X(persistingL2CacheMaxSize) X(maxThreadsPerMultiProcessor) X(streamPrioritiesSupported) \
    X(globalL1CacheSupported) X(localL1CacheSupported) X(sharedMemPerMultiprocessor) X(regsPerMultiprocessor) \
    X(managedMemory) X(concurrentManagedAccess) X(cooperativeLaunch) X(sharedMemPerBlockOptin) \
    X(maxBlocksPerMultiProcessor) X(accessPolicyMaxWindowSize) X(reservedSharedMemPerBlock) X(memoryPoolsSupported) \
    X(clusterLaunch)
/* clang-format on */

static cudaError_t properties(void *out, size_t bytes, int device)
{
    struct cudaDeviceProp p = {0};
    struct prop_12 old = {.deviceOverlap = 1};
    cudaError_t r = out ? cudaGetDeviceProperties(&p, device) : cudaErrorInvalidValue;

    if (r != cudaSuccess)
        return r;
#define X(member) memcpy(&old.member, &p.member, sizeof old.member);
    SHARED(X)
#undef X
    old.clockRate = (int)shim.gpu->sm_khz;
    old.memoryClockRate = (int)shim.gpu->dram_khz;
    memcpy(out, &old, bytes);
    return cudaSuccess;
}

cudaError_t properties_11(void *p, int device);
cudaError_t properties_12(void *p, int device);
cudaError_t properties_v2(void *p, int device);

cudaError_t properties_11(void *p, int device)
{
    return properties(p, PROP_11_BYTES, device);
}

/* Programs that were compiled with headers of CUDA 12 call the next function. The function of this name still fills
 * the struct of CUDA 11. */
cudaError_t properties_12(void *p, int device)
{
    return properties_11(p, device);
}

cudaError_t properties_v2(void *p, int device)
{
    return properties(p, sizeof(struct prop_12), device);
}

OFFER_BOTH(properties, cudaGetDeviceProperties);
OFFER(properties_v2, cudaGetDeviceProperties_v2, CUDA_12);

/* --- smaller structs --- */

/* Before CUDA 13 the struct ended here. */
enum {
    POINTER_BYTES = offsetof(struct cudaPointerAttributes, reserved),
    FUNCTION_11_BYTES = offsetof(struct cudaFuncAttributes, clusterDimMustBeSet) + 4 /* a multiple of 8 */
};

_Static_assert(POINTER_BYTES == 24 && FUNCTION_11_BYTES == 56, "sizes of the interface");

cudaError_t pointer_11(void *out, const void *p);
cudaError_t pointer_12(void *out, const void *p);
cudaError_t function_11(void *out, const void *f);

cudaError_t pointer_11(void *out, const void *p)
{
    struct cudaPointerAttributes a = {0};
    cudaError_t r = out ? cudaPointerGetAttributes(&a, p) : cudaErrorInvalidValue;

    if (r == cudaSuccess)
        memcpy(out, &a, POINTER_BYTES);
    return r;
}

cudaError_t pointer_12(void *out, const void *p)
{
    return pointer_11(out, p);
}

/* The members about clusters came with 11.8. */
cudaError_t function_11(void *out, const void *f)
{
    struct cudaFuncAttributes a = {0};
    cudaError_t r = out ? cudaFuncGetAttributes(&a, f) : cudaErrorInvalidValue;

    if (r == cudaSuccess)
        memcpy(out, &a, FUNCTION_11_BYTES);
    return r;
}

OFFER_BOTH(pointer, cudaPointerGetAttributes);
OFFER(function_11, cudaFuncGetAttributes, CUDA_11);

/* --- other arguments --- */

cudaError_t advise_11(const void *p, size_t bytes, int advice, int device);
cudaError_t advise_12(const void *p, size_t bytes, int advice, int device);
cudaError_t prefetch_11(const void *p, size_t bytes, int device, cudaStream_t stream);
cudaError_t prefetch_12(const void *p, size_t bytes, int device, cudaStream_t stream);
cudaError_t prefetch_ptsz_11(const void *p, size_t bytes, int device, cudaStream_t stream);
cudaError_t prefetch_ptsz_12(const void *p, size_t bytes, int device, cudaStream_t stream);
cudaError_t entry_point_11(const char *name, void **function, unsigned long long flags);
cudaError_t entry_point_ptsz_11(const char *name, void **function, unsigned long long flags);
cudaError_t add_node_12(cudaGraphNode_t *node, cudaGraph_t g, const cudaGraphNode_t *after, size_t n,
                        struct cudaGraphNodeParams *p);
cudaError_t version_11(int *version);
cudaError_t version_12(int *version);

/* 1: a device. Where memory shall be is only a hint. */
static struct cudaMemLocation on_device(int device)
{
    return (struct cudaMemLocation){1, device};
}

cudaError_t advise_11(const void *p, size_t bytes, int advice, int device)
{
    return cudaMemAdvise(p, bytes, advice, on_device(device));
}

cudaError_t advise_12(const void *p, size_t bytes, int advice, int device)
{
    return advise_11(p, bytes, advice, device);
}

cudaError_t prefetch_11(const void *p, size_t bytes, int device, cudaStream_t stream)
{
    return cudaMemPrefetchAsync(p, bytes, on_device(device), 0, stream);
}

cudaError_t prefetch_12(const void *p, size_t bytes, int device, cudaStream_t stream)
{
    return prefetch_11(p, bytes, device, stream);
}

cudaError_t prefetch_ptsz_11(const void *p, size_t bytes, int device, cudaStream_t stream)
{
    return prefetch_11(p, bytes, device, stream);
}

cudaError_t prefetch_ptsz_12(const void *p, size_t bytes, int device, cudaStream_t stream)
{
    return prefetch_11(p, bytes, device, stream);
}

cudaError_t entry_point_11(const char *name, void **function, unsigned long long flags)
{
    return cudaGetDriverEntryPointByVersion(name, function, CUDART_VERSION_11, flags, NULL);
}

cudaError_t entry_point_ptsz_11(const char *name, void **function, unsigned long long flags)
{
    return entry_point_11(name, function, flags);
}

cudaError_t add_node_12(cudaGraphNode_t *node, cudaGraph_t g, const cudaGraphNode_t *after, size_t n,
                        struct cudaGraphNodeParams *p)
{
    return cudaGraphAddNode(node, g, after, NULL, n, p);
}

static cudaError_t version(int *out, int number)
{
    if (!out)
        return cudaErrorInvalidValue;
    *out = number;
    return cudaSuccess;
}

cudaError_t version_11(int *out)
{
    return version(out, CUDART_VERSION_11);
}

cudaError_t version_12(int *out)
{
    return version(out, CUDART_VERSION_12);
}

OFFER(add_node_12, cudaGraphAddNode, CUDA_12);
OFFER_BOTH(advise, cudaMemAdvise);
OFFER_BOTH(prefetch, cudaMemPrefetchAsync);
OFFER_BOTH(prefetch_ptsz, cudaMemPrefetchAsync_ptsz);
OFFER(entry_point_11, cudaGetDriverEntryPoint, CUDA_11);
OFFER(entry_point_ptsz_11, cudaGetDriverEntryPoint_ptsz, CUDA_11);
OFFER_BOTH(version, cudaRuntimeGetVersion);

/* --- what CUDA 13 no longer has --- */

/* clang-format off */
#define GONE(X) \
    X(cudaSetDoubleForDevice) X(cudaSetDoubleForHost) X(cudaLaunchCooperativeKernelMultiDevice) \
    X(cudaProfilerInitialize) X(cudaBindTexture) X(cudaBindTexture2D) X(cudaBindTextureToArray) \
    X(cudaBindTextureToMipmappedArray) X(cudaUnbindTexture) X(cudaGetTextureAlignmentOffset) \
    X(cudaGetTextureReference) X(cudaBindSurfaceToArray) X(cudaGetSurfaceReference) X(__cudaRegisterTexture) \
    X(__cudaRegisterSurface)
/* clang-format on */

#define X(name)                                                                                                    \
    cudaError_t gone_##name##_11(void);                                                                            \
    cudaError_t gone_##name##_12(void);                                                                            \
    cudaError_t gone_##name##_11(void)                                                                             \
    {                                                                                                              \
        (void)shim_enter();                                                                                        \
        return shim_leave(shim_not_supported(#name, NULL));                                                        \
    }                                                                                                              \
    cudaError_t gone_##name##_12(void)                                                                             \
    {                                                                                                              \
        return gone_##name##_11();                                                                                 \
    }                                                                                                              \
    OFFER_BOTH(gone_##name, name);
GONE(X)
#undef X
