/* ptx/driver/driver.h: the functions of the CUDA driver API that are implemented. All others return
 * CUDA_ERROR_NOT_SUPPORTED (unsupported.c). Meaning and layouts: NVIDIA, CUDA Driver API reference, version 13.
 * Handles are those of the runtime: a stream, event, function or module of the driver is also one of the
 * runtime. */
#ifndef VIVACE_PTX_DRIVER_DRIVER_H
#define VIVACE_PTX_DRIVER_DRIVER_H

#include "ptx/runtime/api.h"

/* Numbers above 99 are those of the runtime's errors. */
typedef enum cudaError_enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_INVALID_CONTEXT = 201,
    CUDA_ERROR_FILE_NOT_FOUND = 301,
    CUDA_ERROR_INVALID_HANDLE = 400,
    CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_NOT_SUPPORTED = 801,
    CUDA_ERROR_UNKNOWN = 999
} CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct driver_context *CUcontext;
typedef cudaLibrary_t CUmodule;
typedef const void *CUfunction;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;

struct driver_uuid {
    char bytes[16];
};
/* One side of a two-dimensional copy. type: 1: host, 2: device, 3: array (not supported), 4: unified memory. */
struct driver_plane {
    size_t x_bytes, y;
    int type;
    const void *host;
    CUdeviceptr device;
    void *array;
    size_t pitch;
};
struct driver_copy_2d {
    struct driver_plane from, to;
    size_t width_bytes, height;
};
struct driver_context_params {
    void *affinity;
    int affinity_count;
    void *graphics; /* for contexts that share the GPU with graphics */
};
struct driver_link; /* opaque */
struct driver_launch {
    unsigned grid[3], block[3], shared_bytes;
    CUstream stream;
    cudaLaunchAttribute *attributes;
    unsigned attribute_count;
};

/* Gives a function a second name. */
#define ALSO(name, function) extern __typeof__(function) name __attribute__((alias(#function)))

/* --- context.c --- */
CUresult driver_result(cudaError_t r);
CUresult cuInit(unsigned flags);
CUresult cuGetExportTable(const void **table, const void *id);
CUresult cuDriverGetVersion(int *version);
CUresult cuDeviceGet(CUdevice *device, int ordinal);
CUresult cuDeviceGetCount(int *count);
CUresult cuDeviceGetName(char *name, int room, CUdevice device);
CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device);
CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device);
CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device);
CUresult cuDeviceGetUuid_v2(struct driver_uuid *uuid, CUdevice device);
CUresult cuDeviceGetPCIBusId(char *id, int room, CUdevice device);
CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *id);
CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer);
CUresult cuDevicePrimaryCtxRetain(CUcontext *c, CUdevice device);
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device);
CUresult cuDevicePrimaryCtxReset_v2(CUdevice device);
CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags);
CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active);
CUresult cuCtxPushCurrent_v2(CUcontext c);
CUresult cuCtxPopCurrent_v2(CUcontext *c);
CUresult cuCtxCreate_v2(CUcontext *c, unsigned flags, CUdevice device);
CUresult cuCtxCreate_v3(CUcontext *c, void *affinity, int count, unsigned flags, CUdevice device);
CUresult cuCtxCreate_v4(CUcontext *c, const struct driver_context_params *p, unsigned flags, CUdevice device);
CUresult cuCtxDestroy_v2(CUcontext c);
CUresult cuCtxSetCurrent(CUcontext c);
CUresult cuCtxGetCurrent(CUcontext *c);
CUresult cuCtxGetDevice(CUdevice *device);
CUresult cuCtxGetFlags(unsigned *flags);
CUresult cuCtxGetApiVersion(CUcontext c, unsigned *version);
CUresult cuCtxSynchronize(void);
CUresult cuCtxGetLimit(size_t *value, int limit);
CUresult cuCtxSetLimit(int limit, size_t value);
CUresult cuCtxSetCacheConfig(int config);
CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest);
CUresult cuGetErrorString(CUresult r, const char **text);
CUresult cuGetErrorName(CUresult r, const char **text);
CUresult cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags, int *found);
CUresult cuGetProcAddress(const char *name, void **function, int version, uint64_t flags);
/* --- module.c --- */
CUresult cuModuleLoadDataEx(CUmodule *m, const void *image, unsigned count, int *options, void **values);
CUresult cuModuleLoadData(CUmodule *m, const void *image);
CUresult cuModuleLoadFatBinary(CUmodule *m, const void *image);
CUresult cuModuleLoad(CUmodule *m, const char *path);
CUresult cuModuleUnload(CUmodule m);
CUresult cuModuleGetFunction(CUfunction *f, CUmodule m, const char *name);
CUresult cuModuleGetFunctionCount(unsigned *count, CUmodule m);
CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes, CUmodule m, const char *name);
CUresult cuModuleGetLoadingMode(int *mode);
CUresult cuLibraryLoadData(CUmodule *l, const void *image, void *jit_options, void **jit_values, unsigned jit_count,
                           void *options, void **values, unsigned count);
CUresult cuLibraryLoadFromFile(CUmodule *l, const char *path, void *jit_options, void **jit_values,
                               unsigned jit_count, void *options, void **values, unsigned count);
CUresult cuLibraryUnload(CUmodule l);
CUresult cuLibraryGetKernel(CUfunction *kernel, CUmodule l, const char *name);
CUresult cuLibraryGetModule(CUmodule *m, CUmodule l);
CUresult cuLibraryGetGlobal(CUdeviceptr *address, size_t *bytes, CUmodule l, const char *name);
CUresult cuKernelGetFunction(CUfunction *f, CUfunction kernel);
CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction f);
CUresult cuFuncSetAttribute(CUfunction f, int attribute, int value);
CUresult cuKernelGetAttribute(int *value, int attribute, CUfunction kernel, CUdevice device);
CUresult cuKernelSetAttribute(int attribute, int value, CUfunction kernel, CUdevice device);
CUresult cuFuncSetCacheConfig(CUfunction f, int config);
CUresult cuFuncSetSharedMemConfig(CUfunction f, int config);
CUresult cuFuncGetName(const char **name, CUfunction f);
CUresult cuKernelGetName(const char **name, CUfunction kernel);
CUresult cuFuncGetParamInfo(CUfunction f, size_t index, size_t *offset, size_t *bytes);
CUresult cuFuncLoad(CUfunction f);
CUresult cuFuncIsLoaded(int *state, CUfunction f);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction f, int threads, size_t shared,
                                                              unsigned flags);
CUresult cuOccupancyMaxActiveClusters(int *clusters, CUfunction f, const struct driver_launch *l);
CUresult cuOccupancyMaxPotentialClusterSize(int *size, CUfunction f, const struct driver_launch *l);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction f, int threads, size_t shared);
CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, CUfunction f, int blocks, int threads);
/* --- launch.c --- */
cudaLaunchConfig_t
driver_config(const struct driver_launch *l); /* converts to the runtime's launch configuration */
CUresult cuLaunchKernelEx(const struct driver_launch *l, CUfunction f, void **args, void **extra);
CUresult cuLaunchKernel(CUfunction f, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream stream, void **args,
                        void **extra);
CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                   CUstream stream, void **args);
CUresult cuLaunchHostFunc(CUstream stream, cudaHostFn_t f, void *data);
/* --- memory.c --- */
CUresult cuMemAlloc_v2(CUdeviceptr *p, size_t bytes);
CUresult cuMemAllocManaged(CUdeviceptr *p, size_t bytes, unsigned flags);
CUresult cuMemAllocAsync(CUdeviceptr *p, size_t bytes, CUstream stream);
CUresult cuMemAllocPitch_v2(CUdeviceptr *p, size_t *pitch, size_t width, size_t height, unsigned element_bytes);
CUresult cuMemFree_v2(CUdeviceptr p);
CUresult cuMemFreeAsync(CUdeviceptr p, CUstream stream);
CUresult cuMemAllocHost_v2(void **p, size_t bytes);
CUresult cuMemHostAlloc(void **p, size_t bytes, unsigned flags);
CUresult cuMemFreeHost(void *p);
CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *p, void *from, unsigned flags);
CUresult cuMemHostGetFlags(unsigned *flags, void *p);
CUresult cuMemGetInfo_v2(size_t *available, size_t *total);
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t n);
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t n, CUstream stream);
CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t n);
CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t n, CUstream stream);
CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t n);
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t n, CUstream stream);
CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t n);
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t n, CUstream stream);
CUresult cuMemcpy2DAsync_v2(const struct driver_copy_2d *c, CUstream stream);
CUresult cuMemcpy2D_v2(const struct driver_copy_2d *c);
CUresult cuMemcpy2DUnaligned_v2(const struct driver_copy_2d *c);
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t n, CUstream stream);
CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t n);
CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t n, CUstream stream);
CUresult cuMemsetD16_v2(CUdeviceptr to, unsigned short value, size_t n);
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t n, CUstream stream);
CUresult cuMemsetD32_v2(CUdeviceptr to, unsigned value, size_t n);
CUresult cuPointerGetAttribute(void *out, int attribute, CUdeviceptr p);
/* --- tensor.c --- */
CUresult cuTensorMapEncodeTiled(void *map, int type, unsigned rank, void *address, const uint64_t *dims,
                                const uint64_t *strides, const uint32_t *box, const uint32_t *steps, int interleave,
                                int swizzle, int promotion, int fill);
CUresult cuTensorMapReplaceAddress(void *map, void *address);
/* --- stream.c --- */
CUresult cuStreamCreate(CUstream *s, unsigned flags);
CUresult cuStreamCreateWithPriority(CUstream *s, unsigned flags, int priority);
CUresult cuStreamDestroy_v2(CUstream s);
CUresult cuStreamSynchronize(CUstream s);
CUresult cuStreamQuery(CUstream s);
CUresult cuStreamWaitEvent(CUstream s, CUevent x, unsigned flags);
CUresult cuStreamAddCallback(CUstream s, cudaStreamCallback_t f, void *data, unsigned flags);
CUresult cuStreamGetPriority(CUstream s, int *priority);
CUresult cuStreamGetFlags(CUstream s, unsigned *flags);
CUresult cuStreamGetId(CUstream s, unsigned long long *id);
CUresult cuStreamGetCtx(CUstream s, CUcontext *c);
CUresult cuEventCreate(CUevent *x, unsigned flags);
CUresult cuEventDestroy_v2(CUevent x);
CUresult cuEventRecord(CUevent x, CUstream s);
CUresult cuEventRecordWithFlags(CUevent x, CUstream s, unsigned flags);
CUresult cuEventSynchronize(CUevent x);
CUresult cuEventQuery(CUevent x);
CUresult cuEventElapsedTime(float *ms, CUevent begin, CUevent end);
CUresult cuEventElapsedTime_v2(float *ms, CUevent begin, CUevent end);
/* --- link.c --- */
CUresult cuLinkCreate_v2(unsigned count, int *options, void **values, struct driver_link **out);
CUresult cuLinkAddData_v2(struct driver_link *l, int type, void *data, size_t bytes, const char *name,
                          unsigned count, int *options, void **values);
CUresult cuLinkAddFile_v2(struct driver_link *l, int type, const char *path, unsigned count, int *options,
                          void **values);
CUresult cuLinkComplete(struct driver_link *l, void **image, size_t *bytes);
CUresult cuLinkDestroy(struct driver_link *l);

#endif
