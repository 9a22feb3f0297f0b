/* ptx/driver/memory.c: device and host memory, copies, fills, pointer attributes. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/driver/driver.h"

static void *host(CUdeviceptr p)
{
    return (void *)(uintptr_t)p;
}

/* --- allocation --- */

CUresult cuMemAlloc_v2(CUdeviceptr *p, size_t bytes)
{
    void *at = NULL;
    cudaError_t r = p ? cudaMalloc(&at, bytes) : cudaErrorInvalidValue;

    if (r == cudaSuccess)
        *p = (CUdeviceptr)(uintptr_t)at;
    return driver_result(r);
}

CUresult cuMemAllocManaged(CUdeviceptr *p, size_t bytes, unsigned flags)
{
    void *at = NULL;
    cudaError_t r = p ? cudaMallocManaged(&at, bytes, flags) : cudaErrorInvalidValue;

    if (r == cudaSuccess)
        *p = (CUdeviceptr)(uintptr_t)at;
    return driver_result(r);
}

CUresult cuMemAllocAsync(CUdeviceptr *p, size_t bytes, CUstream stream)
{
    void *at = NULL;
    cudaError_t r = p ? cudaMallocAsync(&at, bytes, stream) : cudaErrorInvalidValue;

    if (r == cudaSuccess)
        *p = (CUdeviceptr)(uintptr_t)at;
    return driver_result(r);
}

CUresult cuMemAllocPitch_v2(CUdeviceptr *p, size_t *pitch, size_t width, size_t height, unsigned element_bytes)
{
    void *at = NULL;
    cudaError_t r = p ? cudaMallocPitch(&at, pitch, width, height) : cudaErrorInvalidValue;

    (void)element_bytes;
    if (r == cudaSuccess)
        *p = (CUdeviceptr)(uintptr_t)at;
    return driver_result(r);
}

CUresult cuMemFree_v2(CUdeviceptr p)
{
    return driver_result(cudaFree(host(p)));
}

CUresult cuMemFreeAsync(CUdeviceptr p, CUstream stream)
{
    return driver_result(cudaFreeAsync(host(p), stream));
}

CUresult cuMemAllocHost_v2(void **p, size_t bytes)
{
    return driver_result(cudaMallocHost(p, bytes));
}

CUresult cuMemHostAlloc(void **p, size_t bytes, unsigned flags)
{
    return driver_result(cudaHostAlloc(p, bytes, flags));
}

CUresult cuMemFreeHost(void *p)
{
    return driver_result(cudaFreeHost(p));
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *p, void *from, unsigned flags)
{
    void *at = NULL;
    cudaError_t r = p ? cudaHostGetDevicePointer(&at, from, flags) : cudaErrorInvalidValue;

    if (r == cudaSuccess)
        *p = (CUdeviceptr)(uintptr_t)at;
    return driver_result(r);
}

CUresult cuMemHostGetFlags(unsigned *flags, void *p)
{
    return driver_result(cudaHostGetFlags(flags, p));
}

CUresult cuMemGetInfo_v2(size_t *available, size_t *total)
{
    return driver_result(cudaMemGetInfo(available, total));
}

/* --- copies --- */

CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t n)
{
    return driver_result(cudaMemcpy(host(to), from, n, cudaMemcpyHostToDevice));
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t n, CUstream stream)
{
    return driver_result(cudaMemcpyAsync(host(to), from, n, cudaMemcpyHostToDevice, stream));
}

CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t n)
{
    return driver_result(cudaMemcpy(to, host(from), n, cudaMemcpyDeviceToHost));
}

CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t n, CUstream stream)
{
    return driver_result(cudaMemcpyAsync(to, host(from), n, cudaMemcpyDeviceToHost, stream));
}

CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t n)
{
    return driver_result(cudaMemcpy(host(to), host(from), n, cudaMemcpyDeviceToDevice));
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t n, CUstream stream)
{
    return driver_result(cudaMemcpyAsync(host(to), host(from), n, cudaMemcpyDeviceToDevice, stream));
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t n)
{
    return driver_result(cudaMemcpy(host(to), host(from), n, cudaMemcpyDefault));
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t n, CUstream stream)
{
    return driver_result(cudaMemcpyAsync(host(to), host(from), n, cudaMemcpyDefault, stream));
}

static uint8_t *plane(const struct driver_plane *p)
{
    uint8_t *begin = p->type == 1 ? (uint8_t *)(uintptr_t)p->host : host(p->device);

    return p->array || p->type == 3 || !begin ? NULL : begin + p->y * p->pitch + p->x_bytes;
}

CUresult cuMemcpy2DAsync_v2(const struct driver_copy_2d *c, CUstream stream)
{
    uint8_t *to = c ? plane(&c->to) : NULL, *from = c ? plane(&c->from) : NULL;
    size_t to_pitch, from_pitch;

    if (!to || !from) /* arrays belong to the runtime API */
        return c ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE;
    to_pitch = c->to.pitch ? c->to.pitch : c->width_bytes;
    from_pitch = c->from.pitch ? c->from.pitch : c->width_bytes;
    return driver_result(
        cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, c->width_bytes, c->height, cudaMemcpyDefault, stream));
}

CUresult cuMemcpy2D_v2(const struct driver_copy_2d *c)
{
    return cuMemcpy2DAsync_v2(c, NULL);
}

CUresult cuMemcpy2DUnaligned_v2(const struct driver_copy_2d *c)
{
    return cuMemcpy2DAsync_v2(c, NULL);
}

/* --- fills --- */

/* The runtime fills memory with a byte. Other values are repeated in host memory and copied. */
static CUresult fill(CUdeviceptr to, uint32_t value, size_t size, size_t n, CUstream stream)
{
    bool same = size == 1 || (value & 0xff) * (size == 2 ? 0x101u : 0x1010101u) == value;
    uint8_t *made;
    cudaError_t r;

    if (same)
        return driver_result(cudaMemsetAsync(host(to), (int)(value & 0xff), n * size, stream));
    if (n > SIZE_MAX / size || !(made = malloc(n * size + 1)))
        return CUDA_ERROR_OUT_OF_MEMORY;
    for (size_t i = 0; i < n; i++)
        memcpy(made + i * size, &value, size); /* little-endian, like all supported hosts */
    r = cudaMemcpyAsync(host(to), made, n * size, cudaMemcpyHostToDevice, stream);
    free(made);
    return driver_result(r);
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t n, CUstream stream)
{
    return fill(to, value, 1, n, stream);
}

CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t n)
{
    return fill(to, value, 1, n, NULL);
}

CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t n, CUstream stream)
{
    return fill(to, value, 2, n, stream);
}

CUresult cuMemsetD16_v2(CUdeviceptr to, unsigned short value, size_t n)
{
    return fill(to, value, 2, n, NULL);
}

CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t n, CUstream stream)
{
    return fill(to, value, 4, n, stream);
}

CUresult cuMemsetD32_v2(CUdeviceptr to, unsigned value, size_t n)
{
    return fill(to, value, 4, n, NULL);
}

/* --- pointer attributes --- */

enum { POINTER_CONTEXT = 1, POINTER_TYPE, POINTER_DEVICE, POINTER_HOST, POINTER_MANAGED = 8, POINTER_ORDINAL = 9 };

CUresult cuPointerGetAttribute(void *out, int attribute, CUdeviceptr p)
{
    struct cudaPointerAttributes a;
    cudaError_t r = out ? cudaPointerGetAttributes(&a, host(p)) : cudaErrorInvalidValue;
    const uint32_t types[] = {0, 1, 2, 2}; /* managed memory counts as device memory */
    uint32_t managed;

    if (r != cudaSuccess || a.type == cudaMemoryTypeUnregistered)
        return r != cudaSuccess ? driver_result(r) : CUDA_ERROR_INVALID_VALUE;
    managed = a.type == cudaMemoryTypeManaged;
    switch (attribute) {
    case POINTER_CONTEXT: return cuDevicePrimaryCtxRetain(out, 0);
    case POINTER_TYPE: memcpy(out, &types[a.type], sizeof types[0]); break;
    case POINTER_DEVICE: memcpy(out, &a.devicePointer, sizeof a.devicePointer); break;
    case POINTER_HOST: memcpy(out, &a.hostPointer, sizeof a.hostPointer); break;
    case POINTER_MANAGED: memcpy(out, &managed, sizeof managed); break;
    case POINTER_ORDINAL: memcpy(out, &a.device, sizeof a.device); break;
    default: return CUDA_ERROR_NOT_SUPPORTED;
    }
    return CUDA_SUCCESS;
}

/* The same functions for per-thread default streams. */
ALSO(cuMemAllocAsync_ptsz, cuMemAllocAsync);
ALSO(cuMemFreeAsync_ptsz, cuMemFreeAsync);
ALSO(cuMemcpy2DAsync_v2_ptsz, cuMemcpy2DAsync_v2);
ALSO(cuMemcpyAsync_ptsz, cuMemcpyAsync);
ALSO(cuMemcpyDtoDAsync_v2_ptsz, cuMemcpyDtoDAsync_v2);
ALSO(cuMemcpyDtoHAsync_v2_ptsz, cuMemcpyDtoHAsync_v2);
ALSO(cuMemcpyHtoDAsync_v2_ptsz, cuMemcpyHtoDAsync_v2);
ALSO(cuMemsetD16Async_ptsz, cuMemsetD16Async);
ALSO(cuMemsetD32Async_ptsz, cuMemsetD32Async);
ALSO(cuMemsetD8Async_ptsz, cuMemsetD8Async);
