/* ptx/driver/context.c: the device, contexts, errors, and the addresses of functions. */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "ptx/driver/driver.h"

enum { CONTEXTS_MAX = 64, VERSION_OF_CONTEXTS = 13000 };

/* The only context, which all callers share. A thread's stack records whether the context is current. */
static struct driver_context {
    unsigned flags;
} context;
static _Thread_local CUcontext stack[CONTEXTS_MAX];
static _Thread_local unsigned depth;

CUresult driver_result(cudaError_t r)
{
    switch (r) {
    case cudaSuccess:
    case cudaErrorMemoryAllocation:
    case cudaErrorInitializationError: return (CUresult)r;
    case cudaErrorInvalidDeviceFunction: return CUDA_ERROR_INVALID_HANDLE;
    default: return (int)r < 100 ? CUDA_ERROR_INVALID_VALUE : (CUresult)r;
    }
}

CUresult cuInit(unsigned flags)
{
    int count = 0;

    return flags ? CUDA_ERROR_INVALID_VALUE : driver_result(cudaGetDeviceCount(&count));
}

/* Private function tables, which only NVIDIA's own runtime requests. It is then linked into the program, which is
 * not supported. */
CUresult cuGetExportTable(const void **table, const void *id)
{
    static atomic_flag reported = ATOMIC_FLAG_INIT;

    (void)id;
    if (table)
        *table = NULL;
    if (!atomic_flag_test_and_set(&reported))
        fputs("vivace exec: NVIDIA's runtime is part of this program: link it with `nvcc -cudart shared`\n",
              stderr);
    return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult cuDriverGetVersion(int *version)
{
    return driver_result(cudaDriverGetVersion(version));
}

/* --- the device --- */

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    if (!device)
        return CUDA_ERROR_INVALID_VALUE;
    *device = 0;
    return ordinal == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGetCount(int *count)
{
    return driver_result(cudaGetDeviceCount(count));
}

CUresult cuDeviceGetName(char *name, int room, CUdevice device)
{
    struct cudaDeviceProp p = {0};
    cudaError_t r = cudaGetDeviceProperties(&p, device);

    if (r == cudaSuccess && name && room > 0)
        snprintf(name, (size_t)room, "%s", p.name);
    return driver_result(r);
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
    struct cudaDeviceProp p = {0};
    cudaError_t r = cudaGetDeviceProperties(&p, device);

    if (r == cudaSuccess && bytes)
        *bytes = p.totalGlobalMem;
    return driver_result(r);
}

/* The driver's attributes have the same numbers as the runtime's. */
CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device)
{
    return driver_result(cudaDeviceGetAttribute(value, attribute, device));
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
    struct cudaDeviceProp p = {0};
    cudaError_t r = cudaGetDeviceProperties(&p, device);

    if (r == cudaSuccess) {
        *major = p.major;
        *minor = p.minor;
    }
    return driver_result(r);
}

CUresult cuDeviceGetUuid_v2(struct driver_uuid *uuid, CUdevice device)
{
    struct cudaDeviceProp p = {0};
    cudaError_t r = cudaGetDeviceProperties(&p, device);

    if (r == cudaSuccess && uuid)
        memcpy(uuid->bytes, p.uuid, sizeof uuid->bytes);
    return driver_result(r);
}

CUresult cuDeviceGetPCIBusId(char *id, int room, CUdevice device)
{
    return driver_result(cudaDeviceGetPCIBusId(id, room, device));
}

CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *id)
{
    return driver_result(cudaDeviceGetByPCIBusId(device, id));
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
    return driver_result(cudaDeviceCanAccessPeer(can, device, peer));
}

/* --- contexts --- */

CUresult cuDevicePrimaryCtxRetain(CUcontext *c, CUdevice device)
{
    if (!c)
        return CUDA_ERROR_INVALID_VALUE;
    *c = &context;
    return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDevicePrimaryCtxReset_v2(CUdevice device)
{
    return device == 0 ? driver_result(cudaDeviceReset()) : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags)
{
    context.flags = flags;
    return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active)
{
    if (!flags || !active)
        return CUDA_ERROR_INVALID_VALUE;
    *flags = context.flags;
    *active = 1;
    return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuCtxPushCurrent_v2(CUcontext c)
{
    if (c != &context || depth == CONTEXTS_MAX)
        return CUDA_ERROR_INVALID_CONTEXT;
    stack[depth++] = c;
    return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent_v2(CUcontext *c)
{
    if (!depth)
        return CUDA_ERROR_INVALID_CONTEXT;
    depth--;
    if (c)
        *c = stack[depth];
    return CUDA_SUCCESS;
}

CUresult cuCtxCreate_v2(CUcontext *c, unsigned flags, CUdevice device)
{
    CUresult r = cuDevicePrimaryCtxRetain(c, device);

    context.flags = flags;
    return r == CUDA_SUCCESS ? cuCtxPushCurrent_v2(*c) : r;
}

/* A share of the SMs for the context is not supported. */
CUresult cuCtxCreate_v3(CUcontext *c, void *affinity, int count, unsigned flags, CUdevice device)
{
    (void)affinity;
    return count ? CUDA_ERROR_NOT_SUPPORTED : cuCtxCreate_v2(c, flags, device);
}

CUresult cuCtxCreate_v4(CUcontext *c, const struct driver_context_params *p, unsigned flags, CUdevice device)
{
    if (p && p->graphics)
        return CUDA_ERROR_NOT_SUPPORTED;
    return cuCtxCreate_v3(c, p ? p->affinity : NULL, p ? p->affinity_count : 0, flags, device);
}

CUresult cuCtxDestroy_v2(CUcontext c)
{
    if (c != &context)
        return CUDA_ERROR_INVALID_CONTEXT;
    depth -= depth > 0;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext c)
{
    depth -= depth > 0;
    return c ? cuCtxPushCurrent_v2(c) : CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *c)
{
    if (!c)
        return CUDA_ERROR_INVALID_VALUE;
    *c = depth ? stack[depth - 1] : NULL;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device)
{
    return cuDeviceGet(device, 0);
}

CUresult cuCtxGetFlags(unsigned *flags)
{
    if (!flags)
        return CUDA_ERROR_INVALID_VALUE;
    *flags = context.flags;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext c, unsigned *version)
{
    (void)c;
    if (!version)
        return CUDA_ERROR_INVALID_VALUE;
    *version = CUDART_VERSION;
    return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize(void)
{
    return driver_result(cudaDeviceSynchronize());
}

CUresult cuCtxGetLimit(size_t *value, int limit)
{
    return driver_result(cudaDeviceGetLimit(value, (enum cudaLimit)limit));
}

CUresult cuCtxSetLimit(int limit, size_t value)
{
    return driver_result(cudaDeviceSetLimit((enum cudaLimit)limit, value));
}

CUresult cuCtxSetCacheConfig(int config)
{
    return driver_result(cudaDeviceSetCacheConfig(config));
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    return driver_result(cudaDeviceGetStreamPriorityRange(least, greatest));
}

/* --- errors --- */

CUresult cuGetErrorString(CUresult r, const char **text)
{
    if (!text)
        return CUDA_ERROR_INVALID_VALUE;
    *text = cudaGetErrorString((cudaError_t)r);
    return CUDA_SUCCESS;
}

/* The driver's name of an error follows from the runtime's: cudaErrorInvalidValue becomes CUDA_ERROR_INVALID_VALUE.
 * This table has the exceptions. */
static const struct {
    int number;
    const char *name;
} own_names[] = {{CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY"},
                 {CUDA_ERROR_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED"},
                 {cudaErrorInvalidKernelImage, "CUDA_ERROR_INVALID_IMAGE"},
                 {cudaErrorNoKernelImageForDevice, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
                 {CUDA_ERROR_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE"},
                 {CUDA_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND"},
                 {cudaErrorLaunchFailure, "CUDA_ERROR_LAUNCH_FAILED"}};

CUresult cuGetErrorName(CUresult r, const char **text)
{
    static _Thread_local char name[96];
    const char *from = cudaGetErrorName((cudaError_t)r) + strlen("cuda");
    size_t n = strlen("CUDA");

    if (!text)
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t k = 0; k < sizeof own_names / sizeof *own_names; k++)
        if (own_names[k].number == (int)r) {
            *text = own_names[k].name;
            return CUDA_SUCCESS;
        }
    memcpy(name, "CUDA", n);
    for (; *from && n + 3 < sizeof name; from++) {
        if (*from >= 'A' && *from <= 'Z')
            name[n++] = '_';
        name[n++] = (char)(*from >= 'a' && *from <= 'z' ? *from - 'a' + 'A' : *from);
    }
    name[n] = '\0';
    *text = name;
    return CUDA_SUCCESS;
}

/* --- addresses of functions --- */

/* Returns the newest function of this name that a program for this version can use. */
CUresult cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags, int *found)
{
    static const char *const endings[] = {"_v2", ""};
    void *self = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    bool four = name && strcmp(name, "cuCtxCreate") == 0 && version >= VERSION_OF_CONTEXTS;
    char full[96];

    (void)flags;
    if (!name || !function)
        return CUDA_ERROR_INVALID_VALUE;
    *function = NULL;
    for (size_t k = 0; k < sizeof endings / sizeof *endings && !*function; k++) {
        snprintf(full, sizeof full, "%s%s", name, four ? "_v4" : endings[k]);
        *function = dlsym(self ? self : RTLD_DEFAULT, full);
    }
    if (found)
        *found = *function ? 0 : 1;
    if (self)
        dlclose(self);
    return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuGetProcAddress(const char *name, void **function, int version, uint64_t flags)
{
    return cuGetProcAddress_v2(name, function, version, flags, NULL);
}
