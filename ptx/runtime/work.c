/* ptx/runtime/work.c: executes kernels, copies, fills and host functions in the order of submission. */
#include <stdlib.h>
#include <string.h>

#include "ptx/runtime/runtime.h"

void work_release(struct work *w)
{
    free(w->params);
    w->params = NULL;
}

static enum shim_engine engine_of(enum cudaMemcpyKind direction)
{
    return direction == cudaMemcpyHostToDevice   ? ENGINE_COPY_IN
           : direction == cudaMemcpyDeviceToHost ? ENGINE_COPY_OUT
                                                 : ENGINE_COMPUTE;
}

static void copy(const struct work *w)
{
    for (size_t z = 0; z < w->depth; z++)
        for (size_t y = 0; y < w->height; y++)
            memmove(w->to.bytes + z * w->to.slice + y * w->to.pitch,
                    w->from.bytes + z * w->from.slice + y * w->from.pitch, w->width);
}

static void fill(const struct work *w)
{
    for (size_t z = 0; z < w->depth; z++)
        for (size_t y = 0; y < w->height; y++) {
            uint8_t *row = w->to.bytes + z * w->to.slice + y * w->to.pitch;

            if (w->value_bytes == 1)
                memset(row, (int)w->value, w->width);
            for (size_t x = 0; w->value_bytes > 1 && x + w->value_bytes <= w->width; x += w->value_bytes)
                memcpy(row + x, &w->value, w->value_bytes);
        }
}

cudaError_t shim_do(struct work *w, cudaStream_t stream)
{
    uint64_t bytes = (uint64_t)w->width * w->height * w->depth;

    switch (w->kind) {
    case WORK_KERNEL: return shim_run(w, stream);
    case WORK_COPY:
        copy(w);
        record_copy(w);
        clock_work(stream, engine_of(w->direction), clock_copy_ps(bytes, w->direction));
        break;
    case WORK_FILL:
        fill(w);
        record_copy(w);
        clock_work(stream, ENGINE_COMPUTE, clock_copy_ps(bytes / 2, cudaMemcpyDeviceToDevice));
        break;
    case WORK_HOST:
        clock_host_waits(clock_stream_done(stream));
        shim_unlock();
        w->host(w->host_data);
        shim_lock();
        break;
    case WORK_NOTHING: break;
    }
    return shim.sticky;
}

cudaError_t shim_submit(struct work *w, cudaStream_t given)
{
    cudaStream_t stream = shim_stream_find(given);
    cudaError_t r;

    if (stream && stream->capturing)
        return graph_add(stream->capturing, w, NULL);
    r = stream ? shim_do(w, stream) : cudaErrorInvalidResourceHandle;
    work_release(w);
    return r;
}
