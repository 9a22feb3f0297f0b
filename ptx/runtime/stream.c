/* ptx/runtime/stream.c: streams and events. Work is complete when its call returns, so no call blocks. The clock
 * models its duration. */
#include <stdlib.h>

#include "base/array.h"
#include "ptx/runtime/runtime.h"

static struct cuda_event *events;

/* Takes the lock and finds the stream. NULL: *r is the reason. */
static cudaStream_t enter(cudaStream_t given, cudaError_t *r)
{
    cudaStream_t s;

    *r = shim_enter();
    s = shim_stream_find(given);
    if (*r == cudaSuccess && !s)
        *r = cudaErrorInvalidResourceHandle;
    return *r == cudaSuccess ? s : NULL;
}

static bool known(cudaEvent_t x)
{
    for (cudaEvent_t at = events; at; at = at->next)
        if (at == x)
            return true;
    return false;
}

/* --- streams --- */

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *s, unsigned flags, int priority)
{
    cudaError_t r = shim_enter();
    cudaStream_t made = NULL;
    struct err e;

    if (r == cudaSuccess && (!s || flags > cudaStreamNonBlocking))
        r = cudaErrorInvalidValue;
    if (r == cudaSuccess && !(made = mem_zalloc(1, sizeof *made, &e)))
        r = cudaErrorMemoryAllocation;
    if (r == cudaSuccess) {
        made->flags = flags;
        made->priority = priority;
        clock_add_stream(made);
        *s = made;
    }
    return shim_leave(r);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned flags)
{
    return cudaStreamCreateWithPriority(s, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t *s)
{
    return cudaStreamCreateWithPriority(s, 0, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t given)
{
    cudaError_t r;
    cudaStream_t s = enter(given, &r);

    if (s && s != given)
        r = cudaErrorInvalidResourceHandle; /* the legacy stream */
    if (r == cudaSuccess) {
        clock_remove_stream(s);
        free(s);
    }
    return shim_leave(r);
}

cudaError_t cudaStreamSynchronize(cudaStream_t given)
{
    cudaError_t r;
    cudaStream_t s = enter(given, &r);

    if (s && s->capturing)
        r = cudaErrorStreamCaptureUnsupported;
    else if (s)
        clock_host_waits(clock_stream_done(s));
    return shim_leave(r);
}
ALSO_PTSZ(cudaStreamSynchronize);

cudaError_t cudaStreamQuery(cudaStream_t given)
{
    return cudaStreamSynchronize(given);
}
ALSO_PTSZ(cudaStreamQuery);

/* A stream that waits for an event of a capture joins the capture. */
cudaError_t cudaStreamWaitEvent(cudaStream_t given, cudaEvent_t x, unsigned flags)
{
    cudaError_t r;
    cudaStream_t s = enter(given, &r);

    (void)flags;
    if (s && !known(x))
        r = cudaErrorInvalidResourceHandle;
    if (r == cudaSuccess && x->captured)
        s->capturing = x->captured;
    else if (r == cudaSuccess)
        clock_wait_for(s, x->at_ps);
    return shim_leave(r);
}
ALSO_PTSZ(cudaStreamWaitEvent);

cudaError_t cudaStreamAddCallback(cudaStream_t given, cudaStreamCallback_t f, void *data, unsigned flags)
{
    cudaError_t r;
    cudaStream_t s = enter(given, &r);

    (void)flags;
    if (s && (!f || s->capturing))
        r = f ? cudaErrorStreamCaptureUnsupported : cudaErrorInvalidValue;
    if (r == cudaSuccess) {
        clock_host_waits(clock_stream_done(s));
        shim_unlock();
        f(given, cudaSuccess, data);
        shim_lock();
    }
    return shim_leave(r);
}
ALSO_PTSZ(cudaStreamAddCallback);

/* Defines a query of one property of a stream s. The result pointer may be NULL. */
#define STREAM_FACT(name, type, fact)                                                                              \
    cudaError_t name(cudaStream_t given, __typeof__(type) *out)                                                    \
    {                                                                                                              \
        cudaError_t r;                                                                                             \
        cudaStream_t s = enter(given, &r);                                                                         \
                                                                                                                   \
        if (s && out)                                                                                              \
            *out = (fact);                                                                                         \
        return shim_leave(r);                                                                                      \
    }                                                                                                              \
    ALSO_PTSZ(name)
STREAM_FACT(cudaStreamGetPriority, int, s->priority);
STREAM_FACT(cudaStreamGetFlags, unsigned, s->flags);
STREAM_FACT(cudaStreamGetId, unsigned long long, s->id);
STREAM_FACT(cudaStreamGetDevice, int, 0);

/* --- events --- */

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *x, unsigned flags)
{
    cudaError_t r = shim_enter();
    cudaEvent_t made = NULL;
    struct err e;

    if (r == cudaSuccess && !x)
        r = cudaErrorInvalidValue;
    if (r == cudaSuccess && !(made = mem_zalloc(1, sizeof *made, &e)))
        r = cudaErrorMemoryAllocation;
    if (r == cudaSuccess) {
        made->flags = flags;
        made->next = events;
        events = made;
        *x = made;
    }
    return shim_leave(r);
}

cudaError_t cudaEventCreate(cudaEvent_t *x)
{
    return cudaEventCreateWithFlags(x, 0);
}

cudaError_t cudaEventDestroy(cudaEvent_t x)
{
    cudaError_t r = shim_enter();

    if (r == cudaSuccess && !known(x))
        r = cudaErrorInvalidResourceHandle;
    for (cudaEvent_t *at = &events; r == cudaSuccess && *at; at = &(*at)->next)
        if (*at == x) {
            *at = x->next;
            free(x);
            break;
        }
    return shim_leave(r);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t x, cudaStream_t given, unsigned flags)
{
    cudaError_t r;
    cudaStream_t s = enter(given, &r);

    (void)flags;
    if (s && !known(x))
        r = cudaErrorInvalidResourceHandle;
    if (r == cudaSuccess) {
        x->recorded = true;
        x->captured = s->capturing;
        x->at_ps = clock_stream_done(s);
    }
    return shim_leave(r);
}
ALSO_PTSZ(cudaEventRecordWithFlags);

cudaError_t cudaEventRecord(cudaEvent_t x, cudaStream_t given)
{
    return cudaEventRecordWithFlags(x, given, 0);
}
ALSO_PTSZ(cudaEventRecord);

cudaError_t cudaEventSynchronize(cudaEvent_t x)
{
    cudaError_t r = shim_enter();

    if (r == cudaSuccess && !known(x))
        r = cudaErrorInvalidResourceHandle;
    if (r == cudaSuccess && x->captured)
        r = cudaErrorCapturedEvent;
    if (r == cudaSuccess)
        clock_host_waits(x->at_ps);
    return shim_leave(r);
}

cudaError_t cudaEventQuery(cudaEvent_t x)
{
    return cudaEventSynchronize(x);
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t begin, cudaEvent_t end)
{
    cudaError_t r = shim_enter();

    if (r == cudaSuccess && !ms)
        r = cudaErrorInvalidValue;
    if (r == cudaSuccess && (!known(begin) || !known(end) || !begin->recorded || !end->recorded ||
                             (begin->flags | end->flags) & cudaEventDisableTiming))
        r = cudaErrorInvalidResourceHandle;
    if (r == cudaSuccess)
        *ms = (float)(((double)end->at_ps - (double)begin->at_ps) * 1e-9);
    return shim_leave(r);
}
