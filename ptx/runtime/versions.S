/* ptx/runtime/versions.S: the names of the runtime under the versions of CUDA 11 and 12. Each is a jump to the
 * function of CUDA 13. runtime_names.h is made from the objects of the library: NAME(function) for each name, except
 * those in versions.c. */
#if defined(__x86_64__)
#define JUMP(to) jmp to@PLT
#elif defined(__aarch64__)
#define JUMP(to) b to
#endif

#define AS(to, name, symbol, version)                                                                              \
    .globl symbol; .type symbol, %function; symbol: JUMP(to); .size symbol, . - symbol;                      \
    .symver symbol, name@version;
#define AS_11(to, name) AS(to, name, v11_##name, libcudart.so.11.0)
#define AS_12(to, name) AS(to, name, v12_##name, libcudart.so.12)
#define NAME(to) AS_11(to, to) AS_12(to, to)

    .text
#include "runtime_names.h"
/* The same for CUDA 12 as for 13, but not for 11. */
AS_12(cudaFuncGetAttributes, cudaFuncGetAttributes)
AS_12(cudaGetDriverEntryPoint, cudaGetDriverEntryPoint)
AS_12(cudaGetDriverEntryPoint_ptsz, cudaGetDriverEntryPoint_ptsz)
/* The later of two forms, which has lost its suffix in CUDA 13. */
AS_12(cudaMemAdvise, cudaMemAdvise_v2)
AS_12(cudaMemPrefetchAsync, cudaMemPrefetchAsync_v2)
AS_12(cudaMemPrefetchAsync_ptsz, cudaMemPrefetchAsync_v2_ptsz)
AS_12(cudaEventElapsedTime, cudaEventElapsedTime_v2)
AS_12(cudaChooseDevice, cudaChooseDevice_v2)
AS_12(cudaGraphAddNode, cudaGraphAddNode_v2)
AS_12(cudaGraphAddDependencies, cudaGraphAddDependencies_v2)
AS_12(cudaGraphRemoveDependencies, cudaGraphRemoveDependencies_v2)
AS_12(cudaGraphGetEdges, cudaGraphGetEdges_v2)
AS_12(cudaGraphNodeGetDependencies, cudaGraphNodeGetDependencies_v2)
AS_12(cudaGraphNodeGetDependentNodes, cudaGraphNodeGetDependentNodes_v2)
AS_12(cudaStreamUpdateCaptureDependencies, cudaStreamUpdateCaptureDependencies_v2)
AS_12(cudaStreamGetCaptureInfo, cudaStreamGetCaptureInfo_v2)
AS_12(cudaStreamGetCaptureInfo, cudaStreamGetCaptureInfo_v3)
AS_12(cudaSignalExternalSemaphoresAsync, cudaSignalExternalSemaphoresAsync_v2)
AS_12(cudaWaitExternalSemaphoresAsync, cudaWaitExternalSemaphoresAsync_v2)
AS_11(cudaStreamGetCaptureInfo, cudaStreamGetCaptureInfo_v2)
AS_11(cudaSignalExternalSemaphoresAsync, cudaSignalExternalSemaphoresAsync_v2)
AS_11(cudaWaitExternalSemaphoresAsync, cudaWaitExternalSemaphoresAsync_v2)
AS_11(cudaCreateTextureObject, cudaCreateTextureObject_v2)
/* Old names of functions that are still there. */
AS_11(cudaDeviceSynchronize, cudaThreadSynchronize)
AS_12(cudaDeviceSynchronize, cudaThreadSynchronize)
AS_11(cudaDeviceReset, cudaThreadExit)
AS_12(cudaDeviceReset, cudaThreadExit)
AS_11(cudaDeviceSetLimit, cudaThreadSetLimit)
AS_12(cudaDeviceSetLimit, cudaThreadSetLimit)
AS_11(cudaDeviceGetLimit, cudaThreadGetLimit)
AS_12(cudaDeviceGetLimit, cudaThreadGetLimit)
AS_11(cudaDeviceSetCacheConfig, cudaThreadSetCacheConfig)
AS_12(cudaDeviceSetCacheConfig, cudaThreadSetCacheConfig)
AS_11(cudaDeviceGetCacheConfig, cudaThreadGetCacheConfig)
AS_12(cudaDeviceGetCacheConfig, cudaThreadGetCacheConfig)

    .section .note.GNU-stack, "", %progbits
