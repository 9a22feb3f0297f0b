/* ptx/runtime/copy.c: copies and fills, linear and pitched, to and from variables. */
#include "ptx/runtime/copy.h"

/* End of the device's address range. An address in the range must belong to an allocation. */
#define RANGE_END (PTX_GLOBAL_BASE + (8ull << 40))

static bool in_range(const void *p)
{
    return (uintptr_t)p >= PTX_GLOBAL_BASE && (uintptr_t)p < RANGE_END;
}

/* Bytes from the first to the last byte of a plane. */
static size_t extent_of(const struct plane *p, const struct work *w)
{
    return w->width + (w->height - 1) * p->pitch + (w->depth - 1) * p->slice;
}

/* The memory that a pointer refers to. 1: device. 0: host. 2: memory that both can access. -1: an address in the
 * device's range outside any allocation. */
static int side_of(const struct plane *p, const struct work *w)
{
    int kind = shim_memory_kind(p->bytes, extent_of(p, w));

    if (kind < 0)
        return in_range(p->bytes) ? -1 : 0;
    return kind == MEMORY_HOST || kind == MEMORY_MANAGED ? 2 : 1;
}

static cudaError_t direct(struct work *w, enum cudaMemcpyKind kind)
{
    int to = side_of(&w->to, w), from = side_of(&w->from, w);
    bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;

    if ((unsigned)kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (to < 0 || from < 0)
        return cudaErrorInvalidValue;
    if (kind != cudaMemcpyDefault && (to == !to_device || from == !from_device))
        return cudaErrorInvalidValue;
    if (kind == cudaMemcpyDefault) {
        to_device = to == 1 || (to == 2 && from != 1);
        from_device = from == 1 || (from == 2 && to != 1);
    }
    w->direction = to_device     ? (from_device ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice)
                   : from_device ? cudaMemcpyDeviceToHost
                                 : cudaMemcpyHostToHost;
    return cudaSuccess;
}

cudaError_t shim_make_copy_work(const struct copy_request *q, struct work *out)
{
    *out = (struct work){
        .kind = WORK_COPY, .to = q->to, .from = q->from, .width = q->width, .height = q->height, .depth = q->depth};
    if (q->width == 0 || q->height == 0 || q->depth == 0) {
        out->kind = WORK_NOTHING;
        return cudaSuccess;
    }
    if (!q->to.bytes || !q->from.bytes)
        return cudaErrorInvalidValue;
    if (q->height > 1 && (q->to.pitch < q->width || q->from.pitch < q->width))
        return cudaErrorInvalidPitchValue;
    return direct(out, q->kind);
}

static cudaError_t make_fill(struct plane to, uint32_t value, size_t width, size_t height, size_t depth,
                             struct work *out)
{
    *out = (struct work){.kind = WORK_FILL,
                         .to = to,
                         .value = value & 255,
                         .value_bytes = 1,
                         .width = width,
                         .height = height,
                         .depth = depth};
    if (width == 0 || height == 0 || depth == 0) {
        out->kind = WORK_NOTHING;
        return cudaSuccess;
    }
    if (height > 1 && to.pitch < width)
        return cudaErrorInvalidPitchValue;
    return side_of(&to, out) > 0 ? cudaSuccess : cudaErrorInvalidValue;
}

/* Called with the lock held. If `r` is cudaSuccess: submits the work, and waits if `waits`. Releases the lock. */
static cudaError_t submit(cudaError_t r, struct work *w, cudaStream_t s, bool waits)
{
    cudaStream_t stream = shim_stream_find(s);

    if (r == cudaSuccess)
        r = shim_submit(w, s);
    if (r == cudaSuccess && waits && stream)
        clock_host_waits(clock_stream_done(stream));
    return shim_leave(r);
}

cudaError_t shim_copy(const struct copy_request *q, cudaStream_t s, bool waits)
{
    cudaError_t r = shim_enter();
    struct work w;

    if (r == cudaSuccess)
        r = shim_make_copy_work(q, &w);
    return submit(r, &w, s, waits);
}

static cudaError_t fill(struct plane to, int value, size_t width, size_t height, size_t depth, cudaStream_t s)
{
    cudaError_t r = shim_enter();
    struct work w;

    if (r == cudaSuccess)
        r = make_fill(to, (uint32_t)value, width, height, depth, &w);
    return submit(r, &w, s, false);
}

/* --- linear --- */

static struct copy_request linear(void *to, const void *from, size_t n, enum cudaMemcpyKind kind)
{
    return (struct copy_request){.to = {to, n, n},
                                 .from = {(uint8_t *)(uintptr_t)from, n, n},
                                 .width = n,
                                 .height = 1,
                                 .depth = 1,
                                 .kind = kind};
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t n, enum cudaMemcpyKind kind)
{
    const struct copy_request q = linear(to, from, n, kind);

    return shim_copy(&q, NULL, true);
}
ALSO_PTDS(cudaMemcpy);

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n, enum cudaMemcpyKind kind, cudaStream_t s)
{
    const struct copy_request q = linear(to, from, n, kind);

    return shim_copy(&q, s, false);
}
ALSO_PTSZ(cudaMemcpyAsync);

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t n,
                                cudaStream_t s)
{
    const struct copy_request q = linear(to, from, n, cudaMemcpyDeviceToDevice);

    if (to_device != 0 || from_device != 0) {
        (void)shim_enter();
        return shim_leave(cudaErrorInvalidDevice);
    }
    return shim_copy(&q, s, false);
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t n)
{
    return cudaMemcpyPeerAsync(to, to_device, from, from_device, n, NULL);
}

/* --- pitched --- */

static struct copy_request pitched(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                   size_t height, enum cudaMemcpyKind kind)
{
    return (struct copy_request){.to = {to, to_pitch, 0},
                                 .from = {(uint8_t *)(uintptr_t)from, from_pitch, 0},
                                 .width = width,
                                 .height = height,
                                 .depth = 1,
                                 .kind = kind};
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                         size_t height, enum cudaMemcpyKind kind)
{
    const struct copy_request q = pitched(to, to_pitch, from, from_pitch, width, height, kind);

    return shim_copy(&q, NULL, true);
}
ALSO_PTDS(cudaMemcpy2D);

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t s)
{
    const struct copy_request q = pitched(to, to_pitch, from, from_pitch, width, height, kind);

    return shim_copy(&q, s, false);
}
ALSO_PTSZ(cudaMemcpy2DAsync);

/* --- fills --- */

cudaError_t cudaMemsetAsync(void *p, int value, size_t n, cudaStream_t s)
{
    return fill((struct plane){p, n, n}, value, n, 1, 1, s);
}
ALSO_PTSZ(cudaMemsetAsync);

cudaError_t cudaMemset(void *p, int value, size_t n)
{
    return cudaMemsetAsync(p, value, n, NULL);
}
ALSO_PTDS(cudaMemset);

cudaError_t cudaMemset2DAsync(void *p, size_t pitch, int value, size_t width, size_t height, cudaStream_t s)
{
    return fill((struct plane){p, pitch, 0}, value, width, height, 1, s);
}
ALSO_PTSZ(cudaMemset2DAsync);

cudaError_t cudaMemset2D(void *p, size_t pitch, int value, size_t width, size_t height)
{
    return cudaMemset2DAsync(p, pitch, value, width, height, NULL);
}
ALSO_PTDS(cudaMemset2D);

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr p, int value, struct cudaExtent extent, cudaStream_t s)
{
    const struct plane to = {p.ptr, p.pitch, p.pitch * p.ysize};

    return fill(to, value, extent.width, extent.height, extent.depth, s);
}
ALSO_PTSZ(cudaMemset3DAsync);

cudaError_t cudaMemset3D(struct cudaPitchedPtr p, int value, struct cudaExtent extent)
{
    return cudaMemset3DAsync(p, value, extent, NULL);
}
ALSO_PTDS(cudaMemset3D);

cudaError_t shim_make_memset_work(const struct cudaMemsetParams *p, struct work *out)
{
    cudaError_t r;

    if (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4)
        return cudaErrorInvalidValue;
    r = make_fill((struct plane){p->dst, p->pitch, 0}, p->value, p->width * p->elementSize, p->height, 1, out);
    if (p->elementSize > 1)
        out->value = p->value;
    out->value_bytes = p->elementSize;
    return r;
}

/* --- variables --- */

/* Finds byte `offset` of a variable and checks that n bytes follow. The lock is held. */
static cudaError_t locate(const void *symbol, size_t offset, size_t n, uint8_t **out)
{
    uint64_t address, bytes;
    cudaError_t r;

    if (!shim_variable_find(symbol, &address, &bytes, &r))
        return r;
    if (offset > bytes || n > bytes - offset)
        return cudaErrorInvalidValue;
    *out = (uint8_t *)(uintptr_t)(address + offset);
    return cudaSuccess;
}

static cudaError_t copy_symbol(const void *symbol, size_t offset, void *other, size_t n, enum cudaMemcpyKind kind,
                               bool to_symbol, cudaStream_t s, bool waits)
{
    cudaError_t r = shim_enter();
    struct copy_request q;
    uint8_t *at = NULL;
    struct work w;

    if (r == cudaSuccess)
        r = locate(symbol, offset, n, &at);
    q = to_symbol ? linear(at, other, n, kind) : linear(other, at, n, kind);
    if (r == cudaSuccess)
        r = shim_make_copy_work(&q, &w);
    return submit(r, &w, s, waits);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t n, size_t offset,
                               enum cudaMemcpyKind kind)
{
    return copy_symbol(symbol, offset, (void *)(uintptr_t)from, n, kind, true, NULL, true);
}
ALSO_PTDS(cudaMemcpyToSymbol);

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t n, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t s)
{
    return copy_symbol(symbol, offset, (void *)(uintptr_t)from, n, kind, true, s, false);
}
ALSO_PTSZ(cudaMemcpyToSymbolAsync);

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t n, size_t offset, enum cudaMemcpyKind kind)
{
    return copy_symbol(symbol, offset, to, n, kind, false, NULL, true);
}
ALSO_PTDS(cudaMemcpyFromSymbol);

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t n, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t s)
{
    return copy_symbol(symbol, offset, to, n, kind, false, s, false);
}
ALSO_PTSZ(cudaMemcpyFromSymbolAsync);

cudaError_t cudaGetSymbolAddress(void **address, const void *symbol)
{
    cudaError_t r = shim_enter();
    uint8_t *at = NULL;

    if (r == cudaSuccess)
        r = address ? locate(symbol, 0, 0, &at) : cudaErrorInvalidValue;
    if (r == cudaSuccess)
        *address = at;
    return shim_leave(r);
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol)
{
    cudaError_t r = shim_enter();
    uint64_t address, n = 0;

    if (r == cudaSuccess && !bytes)
        r = cudaErrorInvalidValue;
    if (r == cudaSuccess)
        (void)shim_variable_find(symbol, &address, &n, &r);
    if (r == cudaSuccess)
        *bytes = n;
    return shim_leave(r);
}
