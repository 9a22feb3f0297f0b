/* ptx/runtime/array.c: arrays, which are pitched memory here, and copies to or from an array. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ptx/runtime/copy.h"

enum { ROW_ALIGN = 64, SIDE_MAX = 1 << 17 };

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f)
{
    return (struct cudaChannelFormatDesc){x, y, z, w, f};
}

static uint32_t element_of(const struct cudaChannelFormatDesc *d)
{
    int bits = d->x + d->y + d->z + d->w;

    return d->x > 0 && bits % 8 == 0 && bits <= 128 ? (uint32_t)bits / 8 : 0;
}

cudaError_t cudaMalloc3DArray(cudaArray_t *a, const struct cudaChannelFormatDesc *d, struct cudaExtent extent,
                              unsigned flags)
{
    size_t rows = extent.height ? extent.height : 1, slices = extent.depth ? extent.depth : 1;
    cudaError_t r = shim_enter();
    struct cuda_array *x = NULL;
    void *bytes;
    struct err e;

    if (r == cudaSuccess && (!a || !d || !element_of(d) || !extent.width || extent.width > SIDE_MAX ||
                             rows > SIDE_MAX || slices > SIDE_MAX))
        r = cudaErrorInvalidValue;
    if (r == cudaSuccess && !(x = mem_zalloc(1, sizeof *x, &e)))
        r = cudaErrorMemoryAllocation;
    if (r != cudaSuccess)
        return shim_leave(r);
    *x = (struct cuda_array){.desc = *d, .extent = extent, .element_bytes = element_of(d), .flags = flags};
    x->pitch = (extent.width * x->element_bytes + ROW_ALIGN - 1) / ROW_ALIGN * ROW_ALIGN;
    r = shim_allocate(MEMORY_ARRAY, x->pitch * rows * slices, &bytes);
    x->bytes = bytes;
    if (r != cudaSuccess) {
        free(x);
        return shim_leave(r);
    }
    *a = x;
    return shim_leave(r);
}

cudaError_t cudaMallocArray(cudaArray_t *a, const struct cudaChannelFormatDesc *d, size_t width, size_t height,
                            unsigned flags)
{
    return cudaMalloc3DArray(a, d, (struct cudaExtent){width, height, 0}, flags);
}

cudaError_t cudaFreeArray(cudaArray_t a)
{
    cudaError_t r = shim_enter();

    if (r == cudaSuccess && a)
        r = shim_release(a->bytes, MEMORY_ARRAY);
    if (r == cudaSuccess)
        free(a);
    return shim_leave(r);
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *d, struct cudaExtent *extent, unsigned *flags,
                             cudaArray_t a)
{
    cudaError_t r = shim_enter();

    if (r == cudaSuccess && !a)
        r = cudaErrorInvalidValue;
    if (r == cudaSuccess && d)
        *d = a->desc;
    if (r == cudaSuccess && extent)
        *extent = a->extent;
    if (r == cudaSuccess && flags)
        *flags = a->flags;
    return shim_leave(r);
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *d, cudaArray_const_t a)
{
    return cudaArrayGetInfo(d, NULL, NULL, (cudaArray_t)(uintptr_t)a);
}

/* --- copies --- */

static size_t rows_of(const struct cuda_array *a)
{
    return a->extent.height ? a->extent.height : 1;
}

static struct plane plane_of(const struct cuda_array *a, size_t x, size_t y, size_t z)
{
    size_t slice = a->pitch * rows_of(a);

    return (struct plane){a->bytes + z * slice + y * a->pitch + x, a->pitch, slice};
}

/* Returns true if that many bytes, rows and slices from this position on are inside the array. */
static bool inside(const struct cuda_array *a, struct cudaPos at, size_t width, size_t height, size_t depth)
{
    size_t row = a->extent.width * a->element_bytes, slices = a->extent.depth ? a->extent.depth : 1;

    return at.x <= row && width <= row - at.x && at.y <= rows_of(a) && height <= rows_of(a) - at.y &&
           at.z <= slices && depth <= slices - at.z;
}

static cudaError_t copy_array(cudaArray_const_t a, size_t x, size_t y, void *other, size_t pitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, bool to_array, cudaStream_t s, bool waits)
{
    const struct plane linear = {other, pitch, 0};
    struct copy_request q = {.width = width, .height = height, .depth = 1, .kind = kind};

    if (!a || !inside(a, (struct cudaPos){x, y, 0}, width, height, 1)) {
        (void)shim_enter();
        return shim_leave(cudaErrorInvalidValue);
    }
    q.to = to_array ? plane_of(a, x, y, 0) : linear;
    q.from = to_array ? linear : plane_of(a, x, y, 0);
    return shim_copy(&q, s, waits);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                                size_t height, enum cudaMemcpyKind kind)
{
    return copy_array(to, x, y, (void *)(uintptr_t)from, pitch, width, height, kind, true, NULL, true);
}
ALSO_PTDS(cudaMemcpy2DToArray);

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                     size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t s)
{
    return copy_array(to, x, y, (void *)(uintptr_t)from, pitch, width, height, kind, true, s, false);
}
ALSO_PTSZ(cudaMemcpy2DToArrayAsync);

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                  size_t height, enum cudaMemcpyKind kind)
{
    return copy_array(from, x, y, to, pitch, width, height, kind, false, NULL, true);
}
ALSO_PTDS(cudaMemcpy2DFromArray);

cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                       size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t s)
{
    return copy_array(from, x, y, to, pitch, width, height, kind, false, s, false);
}
ALSO_PTSZ(cudaMemcpy2DFromArrayAsync);

/* Copies n bytes along the rows of an array: whole rows, or a part of one row. */
static cudaError_t copy_rows(cudaArray_const_t a, size_t x, size_t y, void *other, size_t n,
                             enum cudaMemcpyKind kind, bool to_array)
{
    size_t row = a ? a->extent.width * a->element_bytes : 1;
    bool whole = x == 0 && n % row == 0;

    return copy_array(a, x, y, other, whole ? row : n, whole ? row : n, whole ? n / row : 1, kind, to_array, NULL,
                      true);
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t n,
                              enum cudaMemcpyKind kind)
{
    return copy_rows(to, x, y, (void *)(uintptr_t)from, n, kind, true);
}
ALSO_PTDS(cudaMemcpyToArray);

cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t n,
                                enum cudaMemcpyKind kind)
{
    return copy_rows(from, x, y, to, n, kind, false);
}
ALSO_PTDS(cudaMemcpyFromArray);

/* --- three dimensions --- */

/* One side of a copy. The unit of x is an element for an array and a byte for pitched memory. */
static cudaError_t side(const struct cuda_array *a, struct cudaPos at, const struct cudaPitchedPtr *p,
                        const struct copy_request *q, struct plane *out)
{
    uint8_t *bytes = p->ptr;

    if (a) {
        at.x *= a->element_bytes;
        *out = plane_of(a, at.x, at.y, at.z);
        return p->ptr || !inside(a, at, q->width, q->height, q->depth) ? cudaErrorInvalidValue : cudaSuccess;
    }
    if (!bytes || (q->depth > 1 && p->ysize < q->height))
        return cudaErrorInvalidValue;
    *out =
        (struct plane){bytes + at.z * p->pitch * p->ysize + at.y * p->pitch + at.x, p->pitch, p->pitch * p->ysize};
    return cudaSuccess;
}

cudaError_t shim_make_copy3d_work(const struct cudaMemcpy3DParms *p, struct work *out)
{
    const struct cuda_array *array = p->srcArray ? p->srcArray : p->dstArray;
    struct copy_request q = {.width = p->extent.width * (array ? array->element_bytes : 1),
                             .height = p->extent.height,
                             .depth = p->extent.depth,
                             .kind = p->kind};
    cudaError_t r = side(p->srcArray, p->srcPos, &p->srcPtr, &q, &q.from);

    if (r == cudaSuccess)
        r = side(p->dstArray, p->dstPos, &p->dstPtr, &q, &q.to);
    return r == cudaSuccess ? shim_make_copy_work(&q, out) : r;
}

static cudaError_t copy3d(const struct cudaMemcpy3DParms *p, cudaStream_t s, bool waits)
{
    cudaError_t r = shim_enter();
    struct work w;

    if (r == cudaSuccess)
        r = p ? shim_make_copy3d_work(p, &w) : cudaErrorInvalidValue;
    if (r == cudaSuccess)
        r = shim_submit(&w, s);
    if (r == cudaSuccess && waits)
        clock_host_waits(clock_stream_done(shim_stream_find(s)));
    return shim_leave(r);
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
    return copy3d(p, NULL, true);
}
ALSO_PTDS(cudaMemcpy3D);

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t s)
{
    return copy3d(p, s, false);
}
ALSO_PTSZ(cudaMemcpy3DAsync);
