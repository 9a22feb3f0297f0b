/* ptx/runtime/memory.c: allocations. Host memory that the program allocates here is in the device's range too,
 * so kernels access it at the same address. */
#include <string.h>

#include "ptx/runtime/runtime.h"

static const char *const labels[] = {[MEMORY_DEVICE] = "memory of cudaMalloc",
                                     [MEMORY_HOST] = "memory of cudaMallocHost",
                                     [MEMORY_MANAGED] = "memory of cudaMallocManaged",
                                     [MEMORY_ARRAY] = "memory of cudaMallocArray"};
static uint64_t in_use[2]; /* bytes of device and of host memory */

enum { PITCH = 512 };

static int kind_of(const struct device_allocation *a)
{
    for (int k = MEMORY_DEVICE; k <= MEMORY_ARRAY; k++)
        if (strcmp(a->label, labels[k]) == 0)
            return k;
    return -1;
}

static const struct device_allocation *holding(const void *p, size_t bytes)
{
    uint64_t address = (uintptr_t)p;

    return device_bytes(shim.memory, address, bytes) ? device_find(shim.memory, address) : NULL;
}

int shim_memory_kind(const void *p, size_t bytes)
{
    const struct device_allocation *a = holding(p, bytes);
    int kind = a ? kind_of(a) : -1;

    return a && kind < 0 ? MEMORY_DEVICE : kind; /* without a kind: a module's variable, in device memory */
}

uint64_t shim_memory_in_use(void)
{
    return in_use[0];
}

cudaError_t shim_allocate(enum shim_memory_kind kind, size_t bytes, void **out)
{
    uint64_t *used = &in_use[kind == MEMORY_HOST], address;
    struct err e;

    if (!out)
        return cudaErrorInvalidValue;
    *out = NULL;
    if (bytes == 0)
        return cudaSuccess;
    if (bytes > shim.settings.memory_bytes - *used ||
        device_alloc(shim.memory, bytes, 512, labels[kind], &address, &e) != 0)
        return cudaErrorMemoryAllocation;
    *used += bytes;
    *out = (void *)(uintptr_t)address;
    return cudaSuccess;
}

cudaError_t shim_release(void *p, enum shim_memory_kind kind)
{
    const struct device_allocation *a = p ? holding(p, 0) : NULL;
    int is = a && a->address == (uintptr_t)p ? kind_of(a) : -1;
    uint64_t bytes = a ? a->bytes : 0;
    struct err e;

    if (!p)
        return cudaSuccess;
    if (is != (int)kind && !(kind == MEMORY_DEVICE && is == MEMORY_MANAGED))
        return cudaErrorInvalidValue;
    if (device_release(shim.memory, (uintptr_t)p, &e) != 0)
        return cudaErrorInvalidValue;
    in_use[is == MEMORY_HOST] -= bytes;
    return cudaSuccess;
}

size_t shim_memory_leaks(uint64_t *bytes)
{
    size_t n, leaks = 0;
    const struct device_allocation *const *all = device_allocations(shim.memory, &n);

    *bytes = 0;
    for (size_t i = 0; i < n; i++)
        if (kind_of(all[i]) >= 0) {
            leaks++;
            *bytes += all[i]->bytes;
        }
    return leaks;
}

void shim_memory_forget(void)
{
    size_t n;
    struct err e;

    for (size_t i = 0, kept = 0; device_allocations(shim.memory, &n), i = kept, i < n;) {
        const struct device_allocation *const *all = device_allocations(shim.memory, &n);

        if (kind_of(all[i]) < 0 || device_release(shim.memory, all[i]->address, &e) != 0)
            kept++;
    }
    in_use[0] = in_use[1] = 0;
}

/* --- the API --- */

static cudaError_t allocate(enum shim_memory_kind kind, size_t bytes, void **p)
{
    cudaError_t r = shim_enter();

    return shim_leave(r == cudaSuccess ? shim_allocate(kind, bytes, p) : r);
}

static cudaError_t release(void *p, enum shim_memory_kind kind)
{
    cudaError_t r = shim_enter();

    return shim_leave(r == cudaSuccess ? shim_release(p, kind) : r);
}

cudaError_t cudaMalloc(void **p, size_t bytes)
{
    return allocate(MEMORY_DEVICE, bytes, p);
}

cudaError_t cudaMallocManaged(void **p, size_t bytes, unsigned flags)
{
    (void)flags;
    return allocate(MEMORY_MANAGED, bytes, p);
}

cudaError_t cudaMallocHost(void **p, size_t bytes)
{
    return allocate(MEMORY_HOST, bytes, p);
}

cudaError_t cudaHostAlloc(void **p, size_t bytes, unsigned flags)
{
    (void)flags;
    return allocate(MEMORY_HOST, bytes, p);
}

cudaError_t cudaFree(void *p)
{
    return release(p, MEMORY_DEVICE);
}

cudaError_t cudaFreeHost(void *p)
{
    return release(p, MEMORY_HOST);
}

static size_t pitch_of(size_t width)
{
    return (width + PITCH - 1) / PITCH * PITCH;
}

cudaError_t cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height)
{
    cudaError_t r = shim_enter();

    if (r == cudaSuccess && (!pitch || (height && pitch_of(width) > SIZE_MAX / 2 / height)))
        r = cudaErrorInvalidValue;
    if (r == cudaSuccess)
        r = shim_allocate(MEMORY_DEVICE, pitch_of(width) * height, p);
    if (r == cudaSuccess)
        *pitch = pitch_of(width);
    return shim_leave(r);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *p, struct cudaExtent extent)
{
    void *bytes = NULL;
    size_t pitch = 0;
    cudaError_t r = p && (!extent.depth || extent.height <= SIZE_MAX / extent.depth)
                        ? cudaMallocPitch(&bytes, &pitch, extent.width, extent.height * extent.depth)
                        : cudaErrorInvalidValue;

    if (r == cudaSuccess)
        *p = (struct cudaPitchedPtr){bytes, pitch, extent.width, extent.height};
    return r;
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags)
{
    cudaError_t r = shim_enter();

    (void)flags;
    if (r == cudaSuccess && (!device || shim_memory_kind(host, 0) < 0))
        r = cudaErrorInvalidValue;
    if (r == cudaSuccess)
        *device = host;
    return shim_leave(r);
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *p)
{
    cudaError_t r = shim_enter();

    if (r == cudaSuccess && (!flags || shim_memory_kind(p, 0) != MEMORY_HOST))
        r = cudaErrorInvalidValue;
    if (r == cudaSuccess)
        *flags = cudaHostAllocMapped;
    return shim_leave(r);
}

/* Does nothing: every copy can use the program's own memory, and kernels cannot access it. */
cudaError_t cudaHostRegister(void *p, size_t bytes, unsigned flags)
{
    cudaError_t r = shim_enter();

    if (r == cudaSuccess && (!p || !bytes))
        r = cudaErrorInvalidValue;
    if (r == cudaSuccess && (flags & cudaHostAllocMapped))
        r = shim_not_supported("cudaHostRegister", "registering memory that the program allocated by other means");
    return shim_leave(r);
}

cudaError_t cudaHostUnregister(void *p)
{
    return shim_leave(shim_enter() == cudaSuccess && !p ? cudaErrorInvalidValue : shim.sticky);
}

cudaError_t cudaMemGetInfo(size_t *available, size_t *total)
{
    cudaError_t r = shim_enter();

    if (r == cudaSuccess && available)
        *available = shim.settings.memory_bytes - in_use[0];
    if (r == cudaSuccess && total)
        *total = shim.settings.memory_bytes;
    return shim_leave(r);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *a, const void *p)
{
    static const enum cudaMemoryType types[] = {[MEMORY_DEVICE] = cudaMemoryTypeDevice,
                                                [MEMORY_HOST] = cudaMemoryTypeHost,
                                                [MEMORY_MANAGED] = cudaMemoryTypeManaged,
                                                [MEMORY_ARRAY] = cudaMemoryTypeDevice};
    cudaError_t r = shim_enter();

    if (r == cudaSuccess && !a)
        r = cudaErrorInvalidValue;
    if (r == cudaSuccess) {
        int kind = shim_memory_kind(p, 0);

        memset(a, 0, sizeof *a);
        a->device = kind < 0 ? -2 : 0; /* -2: it belongs to no device */
        a->type = kind < 0 ? cudaMemoryTypeUnregistered : types[kind];
        a->devicePointer = kind < 0 ? NULL : (void *)(uintptr_t)p;
        a->hostPointer = kind == MEMORY_DEVICE || kind == MEMORY_ARRAY ? NULL : (void *)(uintptr_t)p;
    }
    return shim_leave(r);
}

/* --- hints and pools: memory never moves, and there is one pool --- */

static cudaError_t nothing_to_do(bool valid)
{
    cudaError_t r = shim_enter();

    return shim_leave(r == cudaSuccess && !valid ? cudaErrorInvalidValue : r);
}

cudaError_t cudaMemPrefetchAsync(const void *p, size_t bytes, struct cudaMemLocation to, unsigned flags,
                                 cudaStream_t stream)
{
    cudaError_t r = shim_enter();

    (void)to, (void)flags, (void)stream;
    if (r == cudaSuccess && shim_memory_kind(p, bytes) < 0)
        r = cudaErrorInvalidValue;
    return shim_leave(r);
}
ALSO_PTSZ(cudaMemPrefetchAsync);

cudaError_t cudaMemAdvise(const void *p, size_t bytes, int advice, struct cudaMemLocation where)
{
    (void)advice;
    return cudaMemPrefetchAsync(p, bytes, where, 0, NULL);
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *p, size_t bytes, unsigned flags)
{
    (void)stream, (void)bytes, (void)flags;
    return nothing_to_do(p != NULL);
}
ALSO_PTSZ(cudaStreamAttachMemAsync);

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    static char the_pool;

    if (pool)
        *pool = (cudaMemPool_t)(void *)&the_pool;
    return nothing_to_do(pool && device == 0);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    return cudaDeviceGetDefaultMemPool(pool, device);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    return nothing_to_do(pool && device == 0);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, int attribute, void *value)
{
    (void)attribute;
    return nothing_to_do(pool && value);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep)
{
    (void)keep;
    return nothing_to_do(pool != NULL);
}
