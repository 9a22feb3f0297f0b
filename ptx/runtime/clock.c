/* ptx/runtime/clock.c: the modelled time of work on the device. Items of a stream run one after the other. The
 * device runs one kernel at a time and has one copy engine per direction. Work begins no earlier than the host's
 * time at its submission. The legacy stream and all blocking streams wait for each other. */
#include "ptx/runtime/runtime.h"

static struct cuda_stream legacy = {.id = 1};
static struct cuda_stream *streams = &legacy; /* all streams; the legacy stream is the last */
static uint64_t host_ps, engine_free[ENGINE_COUNT];

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* NULL and 1 name the legacy stream. 2 names the per-thread stream, which is the legacy stream here. */
cudaStream_t shim_stream_find(cudaStream_t given)
{
    if ((uintptr_t)given <= 2)
        return &legacy;
    for (cudaStream_t s = streams; s; s = s->next)
        if (s == given)
            return s;
    return NULL;
}

void clock_add_stream(cudaStream_t s)
{
    static uint64_t ids = 1;

    s->id = ++ids;
    s->ready_ps = host_ps;
    s->next = streams;
    streams = s;
}

void clock_remove_stream(cudaStream_t s)
{
    cudaStream_t *at = &streams;

    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
    legacy.ready_ps = s->flags & cudaStreamNonBlocking ? legacy.ready_ps : later(legacy.ready_ps, s->ready_ps);
}

void clock_end_capture(cudaGraph_t g)
{
    for (cudaStream_t s = streams; s; s = s->next)
        if (s->capturing == g)
            s->capturing = NULL;
}

static uint64_t ready(cudaStream_t s)
{
    uint64_t at = s->ready_ps;

    if (s->flags & cudaStreamNonBlocking)
        return at;
    if (s != &legacy)
        return later(at, legacy.ready_ps);
    for (cudaStream_t x = streams; x; x = x->next)
        if (!(x->flags & cudaStreamNonBlocking))
            at = later(at, x->ready_ps);
    return at;
}

uint64_t clock_work(cudaStream_t s, enum shim_engine engine, uint64_t length_ps)
{
    uint64_t begin = later(later(ready(s), host_ps), engine_free[engine]);

    s->ready_ps = engine_free[engine] = begin + length_ps;
    return begin;
}

void clock_wait_for(cudaStream_t s, uint64_t at_ps)
{
    s->ready_ps = later(s->ready_ps, at_ps);
}

void clock_host_waits(uint64_t at_ps)
{
    host_ps = later(host_ps, at_ps);
}

uint64_t clock_all_done(void)
{
    uint64_t at = host_ps;

    for (cudaStream_t s = streams; s; s = s->next)
        at = later(at, s->ready_ps);
    return at;
}

uint64_t clock_stream_done(cudaStream_t s)
{
    return later(ready(s), host_ps);
}

uint64_t clock_copy_ps(uint64_t bytes, enum cudaMemcpyKind kind)
{
    enum runtime_copy way = kind == cudaMemcpyDeviceToDevice ? RUNTIME_COPY_DEVICE
                            : kind == cudaMemcpyDeviceToHost ? RUNTIME_COPY_TO_HOST
                                                             : RUNTIME_COPY_TO_DEVICE;

    return kind == cudaMemcpyHostToHost ? 0 : shim.gpu->ops->copy_ps(shim.gpu, way, bytes);
}
