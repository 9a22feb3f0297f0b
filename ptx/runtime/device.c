/* ptx/runtime/device.c: the properties of the device, from the selected design, and its limits. There is one
 * device. */
#include <stdio.h>
#include <string.h>

#include "ptx/runtime/runtime.h"

enum { LIMITS = cudaLimitPersistingL2CacheSize + 1 };
static const char bus_id[] = "0000:01:00.0";
static size_t limits[LIMITS] = {[cudaLimitStackSize] = 1024,
                                [cudaLimitPrintfFifoSize] = 1 << 20,
                                [cudaLimitMallocHeapSize] = 8 << 20,
                                [cudaLimitDevRuntimeSyncDepth] = 2,
                                [cudaLimitDevRuntimePendingLaunchCount] = 2048,
                                [cudaLimitMaxL2FetchGranularity] = 64};
static unsigned device_flags;
static int cache_config, shared_config;

/* Takes the lock. If the library is ready but `valid` is false, returns `otherwise`. */
static cudaError_t enter(bool valid, cudaError_t otherwise)
{
    cudaError_t r = shim_enter();

    return r == cudaSuccess && !valid ? otherwise : r;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    cudaError_t r = enter(count, cudaErrorInvalidValue);

    if (r == cudaSuccess)
        *count = 1;
    return shim_leave(r);
}

cudaError_t cudaGetDevice(int *device)
{
    cudaError_t r = enter(device, cudaErrorInvalidValue);

    if (r == cudaSuccess)
        *device = 0;
    return shim_leave(r);
}

cudaError_t cudaSetDevice(int device)
{
    return shim_leave(enter(device == 0, cudaErrorInvalidDevice));
}

cudaError_t cudaInitDevice(int device, unsigned flags_of_device, unsigned flags)
{
    (void)flags_of_device, (void)flags;
    return cudaSetDevice(device);
}

cudaError_t cudaSetValidDevices(int *devices, int n)
{
    return shim_leave(enter(devices && n > 0 && devices[0] == 0, cudaErrorInvalidDevice));
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *p)
{
    (void)p;
    return cudaGetDevice(device);
}

/* --- properties --- */

/* The first GPU name that profiles use for the design, else the design's name. */
static void name_of(char out[256])
{
    const char *names = shim.gpu->gpu_names;
    size_t n = names ? strcspn(names, "|") : 0;

    if (n == 0)
        snprintf(out, 256, "NVIDIA %s", shim.gpu->name);
    else
        snprintf(out, 256, "%s%.*s", strncmp(names, "NVIDIA ", 7) == 0 ? "" : "NVIDIA ", (int)n, names);
}

static void put_sizes(struct cudaDeviceProp *p, const struct runtime_gpu *d)
{
    p->totalGlobalMem = shim.settings.memory_bytes;
    p->sharedMemPerBlock = 48 << 10;
    p->sharedMemPerBlockOptin = d->shared_cta_bytes;
    p->sharedMemPerMultiprocessor = d->shared_bytes;
    p->reservedSharedMemPerBlock = d->shared_system_bytes;
    p->regsPerBlock = p->regsPerMultiprocessor = (int)d->registers;
    p->totalConstMem = 64 << 10;
    p->l2CacheSize = (int)d->l2_bytes;
    p->memPitch = INT32_MAX;
    p->textureAlignment = p->surfaceAlignment = 512;
    p->texturePitchAlignment = 32;
    /* bus width in bits: programs compute the bandwidth from it with two transfers per clock */
    p->memoryBusWidth = d->dram_khz ? (int)((uint64_t)d->dram_mbs * 8000 / (2ull * d->dram_khz)) : 0;
}

/* Limits of the programming model since compute capability 7.0. Source: CUDA C++ Programming Guide, table of
 * technical specifications. */
static void put_limits(struct cudaDeviceProp *p, const struct runtime_gpu *d)
{
    p->warpSize = 32;
    p->maxThreadsPerBlock = 1024;
    memcpy(p->maxThreadsDim, (int[]){1024, 1024, 64}, sizeof p->maxThreadsDim);
    memcpy(p->maxGridSize, (int[]){INT32_MAX, 65535, 65535}, sizeof p->maxGridSize);
    p->maxThreadsPerMultiProcessor = (int)d->warps * 32;
    p->maxBlocksPerMultiProcessor = (int)d->ctas;
    p->multiProcessorCount = (int)d->sms;
    p->major = (int)d->compute_capability / 10;
    p->minor = (int)d->compute_capability % 10;
    p->maxTexture1D = p->maxSurface1D = 131072;
    memcpy(p->maxTexture2D, (int[]){131072, 65536}, sizeof p->maxTexture2D);
    memcpy(p->maxSurface2D, (int[]){131072, 65536}, sizeof p->maxSurface2D);
    memcpy(p->maxTexture3D, (int[]){16384, 16384, 16384}, sizeof p->maxTexture3D);
    memcpy(p->maxTexture2DLinear, (int[]){131072, 65000, 2097120}, sizeof p->maxTexture2DLinear);
    memcpy(p->maxTexture1DLayered, (int[]){32768, 2048}, sizeof p->maxTexture1DLayered);
    memcpy(p->maxTexture2DLayered, (int[]){32768, 32768, 2048}, sizeof p->maxTexture2DLayered);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device)
{
    cudaError_t r = enter(p, cudaErrorInvalidValue);

    if (r == cudaSuccess && device != 0)
        r = cudaErrorInvalidDevice;
    if (r != cudaSuccess)
        return shim_leave(r);
    memset(p, 0, sizeof *p);
    name_of(p->name);
    memcpy(p->uuid, shim.gpu->sha256, sizeof p->uuid);
    put_sizes(p, shim.gpu);
    put_limits(p, shim.gpu);
    p->canMapHostMemory = p->concurrentKernels = p->unifiedAddressing = p->managedMemory = 1;
    p->concurrentManagedAccess = p->cooperativeLaunch = p->streamPrioritiesSupported = 1;
    p->globalL1CacheSupported = p->localL1CacheSupported = p->memoryPoolsSupported = 1;
    p->asyncEngineCount = 2;
    p->pciBusID = 1;
    p->clusterLaunch = shim.gpu->compute_capability >= 90;
    return shim_leave(cudaSuccess);
}

/* Attributes by number, in the order of the interface. The value is that of the properties. */
static int attribute_value(const struct cudaDeviceProp *p, int attribute, int *value)
{
    const struct {
        int attribute;
        int64_t value;
    } rows[] = {{1, p->maxThreadsPerBlock},
                {2, p->maxThreadsDim[0]},
                {3, p->maxThreadsDim[1]},
                {4, p->maxThreadsDim[2]},
                {5, p->maxGridSize[0]},
                {6, p->maxGridSize[1]},
                {7, p->maxGridSize[2]},
                {8, (int64_t)p->sharedMemPerBlock},
                {9, (int64_t)p->totalConstMem},
                {10, p->warpSize},
                {11, (int64_t)p->memPitch},
                {12, p->regsPerBlock},
                {13, shim.gpu->sm_khz}, /* clock rate, kHz */
                {14, (int64_t)p->textureAlignment},
                {15, 1}, /* copies overlap with kernels */
                {16, p->multiProcessorCount},
                {19, p->canMapHostMemory},
                {21, p->maxTexture1D},
                {22, p->maxTexture2D[0]},
                {23, p->maxTexture2D[1]},
                {24, p->maxTexture3D[0]},
                {25, p->maxTexture3D[1]},
                {26, p->maxTexture3D[2]},
                {30, (int64_t)p->surfaceAlignment},
                {31, p->concurrentKernels},
                {33, p->pciBusID},
                {34, p->pciDeviceID},
                {36, shim.gpu->dram_khz},
                {37, p->memoryBusWidth},
                {38, p->l2CacheSize},
                {39, p->maxThreadsPerMultiProcessor},
                {40, p->asyncEngineCount},
                {41, p->unifiedAddressing},
                {51, (int64_t)p->texturePitchAlignment},
                {75, p->major},
                {76, p->minor},
                {78, p->streamPrioritiesSupported},
                {79, p->globalL1CacheSupported},
                {80, p->localL1CacheSupported},
                {81, (int64_t)p->sharedMemPerMultiprocessor},
                {82, p->regsPerMultiprocessor},
                {83, p->managedMemory},
                {89, p->concurrentManagedAccess},
                {95, p->cooperativeLaunch},
                {97, (int64_t)p->sharedMemPerBlockOptin},
                {106, p->maxBlocksPerMultiProcessor},
                {111, (int64_t)p->reservedSharedMemPerBlock},
                {115, p->memoryPoolsSupported},
                {120, p->clusterLaunch}};

    if (attribute < 1 || attribute > 147)
        return -1;
    *value = 0; /* unsupported attributes are 0 */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].attribute == attribute)
            *value = rows[i].value > INT32_MAX ? INT32_MAX : (int)rows[i].value;
    return 0;
}

cudaError_t cudaDeviceGetAttribute(int *value, int attribute, int device)
{
    struct cudaDeviceProp p = {0};
    cudaError_t r = cudaGetDeviceProperties(&p, device);

    if (r != cudaSuccess)
        return r;
    r = shim_enter();
    if (r == cudaSuccess && (!value || attribute_value(&p, attribute, value) != 0))
        r = cudaErrorInvalidValue;
    return shim_leave(r);
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int n, int device)
{
    cudaError_t r = enter(id && n >= (int)sizeof bus_id, cudaErrorInvalidValue);

    if (r == cudaSuccess && device != 0)
        r = cudaErrorInvalidDevice;
    if (r == cudaSuccess)
        memcpy(id, bus_id, sizeof bus_id);
    return shim_leave(r);
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id)
{
    cudaError_t r = enter(device && id && strcmp(id, bus_id) == 0, cudaErrorInvalidDevice);

    if (r == cudaSuccess)
        *device = 0;
    return shim_leave(r);
}

/* --- state --- */

cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    cudaError_t r = enter(true, cudaSuccess);

    device_flags = flags;
    return shim_leave(r);
}

cudaError_t cudaGetDeviceFlags(unsigned *flags)
{
    cudaError_t r = enter(flags, cudaErrorInvalidValue);

    if (r == cudaSuccess)
        *flags = device_flags;
    return shim_leave(r);
}

/* Frees all allocations and clears a fault. Modules and the reported launches stay. */
cudaError_t cudaDeviceReset(void)
{
    cudaError_t r = shim_enter();

    if (shim.ready) {
        shim_memory_forget();
        shim.sticky = r = cudaSuccess;
    }
    return shim_leave(r);
}

cudaError_t cudaDeviceSynchronize(void)
{
    cudaError_t r = shim_enter();

    if (r == cudaSuccess)
        clock_host_waits(clock_all_done());
    return shim_leave(r);
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    cudaError_t r = enter(value, cudaErrorInvalidValue);

    if (r == cudaSuccess && (unsigned)limit >= LIMITS)
        r = cudaErrorUnsupportedLimit;
    if (r == cudaSuccess)
        *value = limits[limit];
    return shim_leave(r);
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    cudaError_t r = enter((unsigned)limit < LIMITS, cudaErrorUnsupportedLimit);

    if (r == cudaSuccess)
        limits[limit] = value;
    return shim_leave(r);
}

static cudaError_t get_config(int *out, int config)
{
    cudaError_t r = enter(out, cudaErrorInvalidValue);

    if (r == cudaSuccess)
        *out = config;
    return shim_leave(r);
}

static cudaError_t set_config(int *at, int config)
{
    cudaError_t r = shim_enter();

    *at = config;
    return shim_leave(r);
}

cudaError_t cudaDeviceGetCacheConfig(int *config)
{
    return get_config(config, cache_config);
}

cudaError_t cudaDeviceSetCacheConfig(int config)
{
    return set_config(&cache_config, config);
}

cudaError_t cudaDeviceGetSharedMemConfig(int *config)
{
    return get_config(config, shared_config);
}

cudaError_t cudaDeviceSetSharedMemConfig(int config)
{
    return set_config(&shared_config, config);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    cudaError_t r = shim_enter();

    if (least)
        *least = 0;
    if (greatest)
        *greatest = -5;
    return shim_leave(r);
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    cudaError_t r = enter(can && device == 0 && peer == 0, can ? cudaErrorInvalidDevice : cudaErrorInvalidValue);

    if (r == cudaSuccess)
        *can = 0;
    return shim_leave(r);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    (void)peer, (void)flags;
    return shim_leave(enter(false, cudaErrorInvalidDevice));
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    (void)peer;
    return shim_leave(enter(false, cudaErrorInvalidDevice));
}

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    return shim_leave(shim_enter());
}
