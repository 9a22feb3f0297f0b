/* ptx/runtime/unsupported.c: the rest of the interface. A program that only references one of these functions
 * can start. A call returns cudaErrorNotSupported, and its first call prints a line with the function's name. */
#include <string.h>

#include "ptx/runtime/runtime.h"

enum { REPORTED_MAX = 64 };

cudaError_t shim_not_supported(const char *function, const char *what)
{
    static const char *reported[REPORTED_MAX];
    size_t i = 0;

    for (; i < REPORTED_MAX && reported[i]; i++)
        if (strcmp(reported[i], function) == 0)
            return cudaErrorNotSupported;
    if (i < REPORTED_MAX)
        reported[i] = function;
    shim.unsupported++;
    shim_say("%s is not supported%s%s", function, what ? ": " : "", what ? what : "");
    return cudaErrorNotSupported;
}

static cudaError_t answer(const char *function)
{
    (void)shim_enter();
    return shim_leave(shim_not_supported(function, NULL));
}

/* clang-format off */
#define UNSUPPORTED(X) \
    X(__cudaGetProcAddress) X(__cudaRegisterHostVar) X(__cudaRegisterUnifiedTable) \
    X(cudaArrayGetMemoryRequirements) X(cudaArrayGetPlane) X(cudaArrayGetSparseProperties) \
    X(cudaDestroyExternalMemory) \
    X(cudaDestroyExternalSemaphore) \
    X(cudaDeviceFlushGPUDirectRDMAWrites) X(cudaDeviceGetGraphMemAttribute) \
    X(cudaDeviceGetHostAtomicCapabilities) X(cudaDeviceGetNvSciSyncAttributes) \
    X(cudaDeviceGetP2PAtomicCapabilities) X(cudaDeviceGetP2PAttribute) X(cudaDeviceGetTexture1DLinearMaxWidth) \
    X(cudaDeviceGraphMemTrim) X(cudaDeviceRegisterAsyncNotification) X(cudaDeviceSetGraphMemAttribute) \
    X(cudaDeviceUnregisterAsyncNotification) X(cudaEGLStreamConsumerAcquireFrame) \
    X(cudaEGLStreamConsumerConnect) X(cudaEGLStreamConsumerConnectWithFlags) X(cudaEGLStreamConsumerDisconnect) \
    X(cudaEGLStreamConsumerReleaseFrame) X(cudaEGLStreamProducerConnect) X(cudaEGLStreamProducerDisconnect) \
    X(cudaEGLStreamProducerPresentFrame) X(cudaEGLStreamProducerReturnFrame) X(cudaEventCreateFromEGLSync) \
    X(cudaExternalMemoryGetMappedBuffer) X(cudaExternalMemoryGetMappedMipmappedArray) X(cudaFreeMipmappedArray) \
    X(cudaGLGetDevices) X(cudaGLMapBufferObject) X(cudaGLMapBufferObjectAsync) \
    X(cudaGLRegisterBufferObject) X(cudaGLSetBufferObjectMapFlags) X(cudaGLSetGLDevice) \
    X(cudaGLUnmapBufferObject) X(cudaGLUnmapBufferObjectAsync) X(cudaGLUnregisterBufferObject) \
    \
    X(cudaGetExportTable) X(cudaGetFuncBySymbol) X(cudaGetMipmappedArrayLevel) \
    X(cudaGetSurfaceObjectResourceDesc) X(cudaGetTextureObjectResourceDesc) \
    X(cudaGetTextureObjectResourceViewDesc) X(cudaGetTextureObjectTextureDesc) \
    X(cudaGraphAddDependencies) X(cudaGraphAddEventRecordNode) X(cudaGraphAddEventWaitNode) \
    X(cudaGraphAddExternalSemaphoresSignalNode) X(cudaGraphAddExternalSemaphoresWaitNode) \
    X(cudaGraphAddMemcpyNodeFromSymbol) \
    X(cudaGraphAddMemcpyNodeToSymbol) X(cudaGraphChildGraphNodeGetGraph) \
    X(cudaGraphConditionalHandleCreate) X(cudaGraphDebugDotPrint) X(cudaGraphDestroyNode) \
    X(cudaGraphEventRecordNodeGetEvent) X(cudaGraphEventRecordNodeSetEvent) X(cudaGraphEventWaitNodeGetEvent) \
    X(cudaGraphEventWaitNodeSetEvent) X(cudaGraphExecChildGraphNodeSetParams) \
    X(cudaGraphExecEventRecordNodeSetEvent) X(cudaGraphExecEventWaitNodeSetEvent) \
    X(cudaGraphExecExternalSemaphoresSignalNodeSetParams) X(cudaGraphExecExternalSemaphoresWaitNodeSetParams) \
    X(cudaGraphExecGetFlags) \
    \
    X(cudaGraphExecMemcpyNodeSetParamsFromSymbol) X(cudaGraphExecMemcpyNodeSetParamsToSymbol) \
    X(cudaGraphExecNodeSetParams) X(cudaGraphExecUpdate) \
    X(cudaGraphExternalSemaphoresSignalNodeGetParams) X(cudaGraphExternalSemaphoresSignalNodeSetParams) \
    X(cudaGraphExternalSemaphoresWaitNodeGetParams) X(cudaGraphExternalSemaphoresWaitNodeSetParams) \
    X(cudaGraphGetEdges) X(cudaGraphGetRootNodes) X(cudaGraphHostNodeGetParams) \
    X(cudaGraphInstantiateWithParams) X(cudaGraphInstantiateWithParams_ptsz) \
    X(cudaGraphKernelNodeCopyAttributes) X(cudaGraphKernelNodeGetAttribute) X(cudaGraphKernelNodeGetParams) \
    X(cudaGraphKernelNodeSetAttribute) X(cudaGraphMemAllocNodeGetParams) \
    X(cudaGraphMemFreeNodeGetParams) X(cudaGraphMemcpyNodeGetParams) \
    X(cudaGraphMemcpyNodeSetParamsFromSymbol) \
    X(cudaGraphMemcpyNodeSetParamsToSymbol) X(cudaGraphMemsetNodeGetParams) \
    X(cudaGraphNodeGetDependencies) X(cudaGraphNodeGetDependentNodes) \
    X(cudaGraphNodeGetEnabled) X(cudaGraphNodeSetEnabled) X(cudaGraphNodeSetParams) \
    X(cudaGraphReleaseUserObject) X(cudaGraphRemoveDependencies) X(cudaGraphRetainUserObject) \
    X(cudaGraphicsEGLRegisterImage) X(cudaGraphicsGLRegisterBuffer) X(cudaGraphicsGLRegisterImage) \
    X(cudaGraphicsMapResources) X(cudaGraphicsResourceGetMappedEglFrame) \
    X(cudaGraphicsResourceGetMappedMipmappedArray) X(cudaGraphicsResourceGetMappedPointer) \
    X(cudaGraphicsResourceSetMapFlags) X(cudaGraphicsSubResourceGetMappedArray) X(cudaGraphicsUnmapResources) \
    X(cudaGraphicsUnregisterResource) X(cudaGraphicsVDPAURegisterOutputSurface) \
    X(cudaGraphicsVDPAURegisterVideoSurface) X(cudaImportExternalMemory) X(cudaImportExternalSemaphore) \
    X(cudaIpcCloseMemHandle) X(cudaIpcGetEventHandle) X(cudaIpcGetMemHandle) X(cudaIpcOpenEventHandle) \
    X(cudaIpcOpenMemHandle) X(cudaLibraryEnumerateKernels) \
    X(cudaLibraryGetManaged) \
    X(cudaLibraryGetUnifiedFunction) \
    X(cudaLogsCurrent) X(cudaLogsDumpToFile) X(cudaLogsDumpToMemory) X(cudaLogsRegisterCallback) \
    X(cudaLogsUnregisterCallback) X(cudaMallocMipmappedArray) X(cudaMemDiscardAndPrefetchBatchAsync) \
    X(cudaMemDiscardAndPrefetchBatchAsync_ptsz) X(cudaMemDiscardBatchAsync) X(cudaMemDiscardBatchAsync_ptsz) \
    X(cudaMemGetDefaultMemPool) X(cudaMemGetMemPool) X(cudaMemPoolCreate) X(cudaMemPoolDestroy) \
    X(cudaMemPoolExportPointer) X(cudaMemPoolExportToShareableHandle) X(cudaMemPoolGetAccess) \
    X(cudaMemPoolGetAttribute) X(cudaMemPoolImportFromShareableHandle) X(cudaMemPoolImportPointer) \
    X(cudaMemPoolSetAccess) X(cudaMemPrefetchBatchAsync) X(cudaMemPrefetchBatchAsync_ptsz) \
    X(cudaMemRangeGetAttribute) X(cudaMemRangeGetAttributes) X(cudaMemSetMemPool) X(cudaMemcpy2DArrayToArray) \
    X(cudaMemcpy2DArrayToArray_ptds) X(cudaMemcpy3DBatchAsync) X(cudaMemcpy3DBatchAsync_ptsz) \
    X(cudaMemcpy3DPeer) X(cudaMemcpy3DPeerAsync) X(cudaMemcpy3DPeerAsync_ptsz) X(cudaMemcpy3DPeer_ptds) \
    X(cudaMemcpyArrayToArray) X(cudaMemcpyArrayToArray_ptds) X(cudaMemcpyBatchAsync) \
    X(cudaMemcpyBatchAsync_ptsz) X(cudaMemcpyFromArrayAsync) X(cudaMemcpyFromArrayAsync_ptsz) \
    X(cudaMemcpyToArrayAsync) X(cudaMemcpyToArrayAsync_ptsz) X(cudaMipmappedArrayGetMemoryRequirements) \
    X(cudaMipmappedArrayGetSparseProperties) \
    X(cudaSignalExternalSemaphoresAsync) \
    X(cudaSignalExternalSemaphoresAsync_ptsz) X(cudaStreamBeginCaptureToGraph) \
    X(cudaStreamBeginCaptureToGraph_ptsz) X(cudaStreamCopyAttributes) X(cudaStreamCopyAttributes_ptsz) \
    X(cudaStreamGetAttribute) X(cudaStreamGetAttribute_ptsz) X(cudaStreamGetCaptureInfo) \
    X(cudaStreamGetCaptureInfo_ptsz) X(cudaStreamSetAttribute) X(cudaStreamSetAttribute_ptsz) \
    X(cudaStreamUpdateCaptureDependencies) X(cudaStreamUpdateCaptureDependencies_ptsz) X(cudaUserObjectCreate) \
    X(cudaUserObjectRelease) X(cudaUserObjectRetain) X(cudaVDPAUGetDevice) X(cudaVDPAUSetVDPAUDevice) \
    X(cudaWaitExternalSemaphoresAsync) X(cudaWaitExternalSemaphoresAsync_ptsz)
/* clang-format on */

/* The functions ignore their arguments. */
#define X(name)                                                                                                    \
    cudaError_t name(void);                                                                                        \
    cudaError_t name(void)                                                                                         \
    {                                                                                                              \
        return answer(#name);                                                                                      \
    }
UNSUPPORTED(X)
#undef X
