/* ptx/runtime/graph_memory.c: allocations and releases on streams and as nodes. The memory of a node is there from
 * the time at which the node is added, so that its address is known. */
#include "ptx/runtime/graph.h"

static cudaError_t add_node(cudaGraph_t g, int type, cudaGraphNode_t *node)
{
    struct work w = {.kind = WORK_NOTHING};
    cudaGraphNode_t made;
    cudaError_t r = graph_add(g, &w, &made);

    if (r == cudaSuccess)
        made->type = type;
    if (r == cudaSuccess && node)
        *node = made;
    return r;
}

static cudaError_t capture_malloc(cudaGraph_t g, size_t bytes, void **out)
{
    cudaError_t r = out ? graph_allocate(g, bytes, out) : cudaErrorInvalidValue;

    return r == cudaSuccess ? add_node(g, cudaGraphNodeTypeMemAlloc, NULL) : r;
}

static cudaError_t capture_free(cudaGraph_t g)
{
    return add_node(g, cudaGraphNodeTypeMemFree, NULL);
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t g, const cudaGraphNode_t *after, size_t n,
                                     struct cudaMemAllocNodeParams *p)
{
    cudaError_t r = shim_enter();

    (void)after, (void)n;
    if (r == cudaSuccess && (!g || !p))
        r = cudaErrorInvalidValue;
    if (r == cudaSuccess)
        r = graph_allocate(g, p->bytesize, &p->dptr);
    if (r == cudaSuccess)
        r = add_node(g, cudaGraphNodeTypeMemAlloc, node);
    return shim_leave(r);
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t g, const cudaGraphNode_t *after, size_t n,
                                    void *p)
{
    cudaError_t r = shim_enter();

    (void)after, (void)n;
    if (r == cudaSuccess && (!g || shim_memory_kind(p, 0) < 0))
        r = cudaErrorInvalidValue;
    if (r == cudaSuccess)
        r = add_node(g, cudaGraphNodeTypeMemFree, node);
    return shim_leave(r);
}

/* --- on streams --- */

cudaError_t cudaMallocAsync(void **p, size_t bytes, cudaStream_t stream)
{
    cudaError_t r = shim_enter();
    cudaStream_t s = shim_stream_find(stream);

    if (r == cudaSuccess && s && s->capturing)
        r = capture_malloc(s->capturing, bytes, p);
    else if (r == cudaSuccess)
        r = shim_allocate(MEMORY_DEVICE, bytes, p);
    return shim_leave(r);
}
ALSO_PTSZ(cudaMallocAsync);

cudaError_t cudaMallocFromPoolAsync(void **p, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
{
    (void)pool;
    return cudaMallocAsync(p, bytes, stream);
}
ALSO_PTSZ(cudaMallocFromPoolAsync);

cudaError_t cudaFreeAsync(void *p, cudaStream_t stream)
{
    cudaError_t r = shim_enter();
    cudaStream_t s = shim_stream_find(stream);

    if (r == cudaSuccess && s && s->capturing)
        r = p && shim_memory_kind(p, 0) < 0 ? cudaErrorInvalidValue : capture_free(s->capturing);
    else if (r == cudaSuccess)
        r = shim_release(p, MEMORY_DEVICE);
    return shim_leave(r);
}
ALSO_PTSZ(cudaFreeAsync);
