/* ptx/runtime/graph.c: graphs: recorded work that is executed later, any number of times, in the order in which
 * it was added. A node can only depend on nodes that exist already, so this order is always valid. Edges cannot
 * be added later. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ptx/runtime/copy.h"
#include "ptx/runtime/graph.h"

/* --- memory --- */

static cudaError_t add_memory(struct graph_memories *m, struct graph_memory *one)
{
    struct err e;

    if (array_reserve((void **)&m->items, &m->capacity, m->count + 1, sizeof(struct graph_memory *), &e) != 0)
        return cudaErrorMemoryAllocation;
    one->users++;
    m->items[m->count++] = one;
    return cudaSuccess;
}

cudaError_t graph_allocate(cudaGraph_t g, size_t bytes, void **out)
{
    struct err e;
    struct graph_memory *one = mem_zalloc(1, sizeof *one, &e);
    cudaError_t r = one ? shim_allocate(MEMORY_DEVICE, bytes, &one->bytes) : cudaErrorMemoryAllocation;

    if (r == cudaSuccess && (r = add_memory(&g->memory, one)) != cudaSuccess)
        (void)shim_release(one->bytes, MEMORY_DEVICE);
    if (r != cudaSuccess) {
        free(one);
        return r;
    }
    *out = one->bytes;
    return cudaSuccess;
}

cudaError_t graph_share_memory(struct graph_memories *to, const struct graph_memories *from)
{
    cudaError_t r = cudaSuccess;

    for (size_t i = 0; r == cudaSuccess && i < from->count; i++)
        r = add_memory(to, from->items[i]);
    return r;
}

/* A program may free the memory itself. Then there is nothing to do. */
void graph_release_memory(struct graph_memories *m)
{
    for (size_t i = 0; i < m->count; i++) {
        struct graph_memory *one = m->items[i];

        if (--one->users)
            continue;
        if (shim_memory_kind(one->bytes, 1) >= 0)
            (void)shim_release(one->bytes, MEMORY_DEVICE);
        free(one);
    }
    free(m->items);
    *m = (struct graph_memories){0};
}

/* --- graphs and work --- */

cudaError_t graph_new(cudaGraph_t *g)
{
    struct err e;

    *g = mem_zalloc(1, sizeof **g, &e);
    return *g ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t graph_copy_work(const struct work *from, struct work *to)
{
    uint32_t bytes = from->kind == WORK_KERNEL ? ptx_program_module(shim.program, from->kernel->module->number)
                                                     ->functions[from->kernel->function]
                                                     .param_bytes
                                               : 0;
    struct err e;

    *to = *from;
    if (from->kind != WORK_KERNEL)
        return cudaSuccess;
    to->params = mem_zalloc(bytes + 1u, 1, &e);
    if (!to->params)
        return cudaErrorMemoryAllocation;
    memcpy(to->params, from->params, bytes);
    return cudaSuccess;
}

cudaError_t graph_add(cudaGraph_t g, struct work *w, cudaGraphNode_t *node)
{
    static const int types[] = {[WORK_KERNEL] = cudaGraphNodeTypeKernel,
                                [WORK_COPY] = cudaGraphNodeTypeMemcpy,
                                [WORK_FILL] = cudaGraphNodeTypeMemset,
                                [WORK_HOST] = cudaGraphNodeTypeHost,
                                [WORK_NOTHING] = cudaGraphNodeTypeEmpty};
    struct err e;
    cudaGraphNode_t made = mem_zalloc(1, sizeof *made, &e);

    if (!made ||
        array_reserve((void **)&g->nodes, &g->capacity, g->count + 1, sizeof(struct cuda_graph_node *), &e) != 0) {
        free(made);
        work_release(w);
        return cudaErrorMemoryAllocation;
    }
    made->work = *w;
    made->type = types[w->kind];
    g->nodes[g->count++] = made;
    if (node)
        *node = made;
    return cudaSuccess;
}

/* --- capture --- */

cudaError_t cudaStreamBeginCapture(cudaStream_t given, int mode)
{
    cudaError_t r = shim_enter();
    cudaStream_t s = shim_stream_find(given);

    (void)mode;
    if (r == cudaSuccess && (!s || s != given))
        r = s ? cudaErrorStreamCaptureUnsupported : cudaErrorInvalidResourceHandle;
    if (r == cudaSuccess && s->capturing)
        r = cudaErrorIllegalState;
    if (r == cudaSuccess)
        r = graph_new(&s->capturing);
    return shim_leave(r);
}
ALSO_PTSZ(cudaStreamBeginCapture);

cudaError_t cudaStreamEndCapture(cudaStream_t given, cudaGraph_t *g)
{
    cudaError_t r = shim_enter();
    cudaStream_t s = shim_stream_find(given);

    if (r == cudaSuccess && (!s || !g || !s->capturing))
        r = !s ? cudaErrorInvalidResourceHandle : g ? cudaErrorIllegalState : cudaErrorInvalidValue;
    if (r == cudaSuccess) {
        *g = s->capturing;
        clock_end_capture(s->capturing);
    }
    return shim_leave(r);
}
ALSO_PTSZ(cudaStreamEndCapture);

cudaError_t cudaStreamIsCapturing(cudaStream_t given, enum cudaStreamCaptureStatus *status)
{
    cudaError_t r = shim_enter();
    cudaStream_t s = shim_stream_find(given);

    if (r == cudaSuccess && (!s || !status))
        r = s ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
    if (r == cudaSuccess)
        *status = s->capturing ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return shim_leave(r);
}
ALSO_PTSZ(cudaStreamIsCapturing);

cudaError_t cudaThreadExchangeStreamCaptureMode(int *mode)
{
    static _Thread_local int current;
    int before = current;

    if (!mode)
        return cudaErrorInvalidValue;
    current = *mode;
    *mode = before;
    return cudaSuccess;
}

/* --- graphs --- */

cudaError_t cudaGraphCreate(cudaGraph_t *g, unsigned flags)
{
    cudaError_t r = shim_enter();

    if (r == cudaSuccess)
        r = g && !flags ? graph_new(g) : cudaErrorInvalidValue;
    return shim_leave(r);
}

void graph_free(cudaGraph_t g)
{
    for (size_t i = 0; g && i < g->count; i++) {
        work_release(&g->nodes[i]->work);
        free(g->nodes[i]);
    }
    if (g) {
        graph_release_memory(&g->memory);
        free(g->nodes);
        free(g);
    }
}

cudaError_t cudaGraphDestroy(cudaGraph_t g)
{
    cudaError_t r = shim_enter();

    if (r == cudaSuccess)
        graph_free(g);
    return shim_leave(r);
}

cudaError_t graph_append(cudaGraph_t to, const struct cuda_graph *from)
{
    cudaError_t r = graph_share_memory(&to->memory, &from->memory);

    for (size_t i = 0; r == cudaSuccess && i < from->count; i++) {
        cudaGraphNode_t made;
        struct work w;

        r = graph_copy_work(&from->nodes[i]->work, &w);
        if (r == cudaSuccess)
            r = graph_add(to, &w, &made);
        if (r == cudaSuccess) {
            made->type = from->nodes[i]->type;
            made->origin = from->nodes[i];
        }
    }
    return r;
}

static void release_exec(cudaGraphExec_t x)
{
    for (size_t i = 0; x && i < x->count; i++)
        work_release(&x->items[i]);
    if (x) {
        graph_release_memory(&x->memory);
        free(x->items);
        free(x->nodes);
    }
    free(x);
}

static cudaError_t instantiate(cudaGraphExec_t *out, cudaGraph_t g)
{
    struct err e;
    cudaGraphExec_t x = mem_zalloc(1, sizeof *x, &e);
    cudaError_t r = cudaSuccess;

    if (x)
        x->items = mem_zalloc(g->count + 1, sizeof *x->items, &e);
    if (x && x->items)
        x->nodes = mem_zalloc(g->count + 1, sizeof(struct cuda_graph_node *), &e);
    if (!x || !x->items || !x->nodes) {
        release_exec(x);
        return cudaErrorMemoryAllocation;
    }
    for (; r == cudaSuccess && x->count < g->count; x->count++) {
        x->nodes[x->count] = g->nodes[x->count];
        r = graph_copy_work(&g->nodes[x->count]->work, &x->items[x->count]);
    }
    if (r == cudaSuccess)
        r = graph_share_memory(&x->memory, &g->memory);
    if (r == cudaSuccess)
        *out = x;
    else
        release_exec(x);
    return r;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *x, cudaGraph_t g, unsigned long long flags)
{
    cudaError_t r = shim_enter();

    (void)flags;
    if (r == cudaSuccess)
        r = x && g ? instantiate(x, g) : cudaErrorInvalidValue;
    return shim_leave(r);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *x, cudaGraph_t g, unsigned long long flags)
{
    return cudaGraphInstantiate(x, g, flags);
}

cudaError_t cudaGraphUpload(cudaGraphExec_t x, cudaStream_t s)
{
    cudaError_t r = shim_enter();

    return shim_leave(r == cudaSuccess && (!x || !shim_stream_find(s)) ? cudaErrorInvalidValue : r);
}
ALSO_PTSZ(cudaGraphUpload);

/* If the stream is being captured, the graph's items are captured one by one. */
cudaError_t cudaGraphLaunch(cudaGraphExec_t x, cudaStream_t given)
{
    cudaError_t r = shim_enter();

    if (r == cudaSuccess && !x)
        r = cudaErrorInvalidValue;
    for (size_t i = 0; r == cudaSuccess && i < x->count; i++) {
        struct work w;

        r = graph_copy_work(&x->items[i], &w);
        if (r == cudaSuccess)
            r = shim_submit(&w, given);
    }
    return shim_leave(r);
}
ALSO_PTSZ(cudaGraphLaunch);

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t x)
{
    cudaError_t r = shim_enter();

    release_exec(x);
    return shim_leave(r);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t g, cudaGraphNode_t *nodes, size_t *n)
{
    cudaError_t r = shim_enter();

    if (r == cudaSuccess && (!g || !n))
        r = cudaErrorInvalidValue;
    if (r == cudaSuccess) {
        for (size_t i = 0; nodes && i < *n; i++)
            nodes[i] = i < g->count ? g->nodes[i] : NULL;
        *n = nodes && *n < g->count ? *n : g->count;
    }
    return shim_leave(r);
}

/* --- nodes, by hand --- */

/* Called with the lock held. If `r` is cudaSuccess, adds the work as a node. */
static cudaError_t add(cudaError_t r, cudaGraph_t g, struct work *w, cudaGraphNode_t *node)
{
    if (r == cudaSuccess)
        r = graph_add(g, w, node);
    return shim_leave(r);
}

static cudaError_t enter(const void *g, const void *p)
{
    cudaError_t r = shim_enter();

    return r == cudaSuccess && (!g || !p) ? cudaErrorInvalidValue : r;
}

cudaError_t graph_kernel_work(const char *call, const struct cudaKernelNodeParams *p, const struct work *of,
                              struct work *out)
{
    struct kernel_request q = {
        .grid = p->gridDim, .block = p->blockDim, .shared = p->sharedMemBytes, .args = p->kernelParams};
    cudaError_t r;

    if (p->extra)
        return shim_not_supported(call, "arguments in `extra`");
    if (of && of->kind == WORK_KERNEL && of->kernel == shim_kernel_find(p->func, &r)) {
        q.cluster = (dim3){of->cluster[0], of->cluster[1], of->cluster[2]};
        q.cooperative = of->cooperative;
    }
    return shim_make_kernel_work(p->func, &q, out);
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t g, const cudaGraphNode_t *after, size_t n,
                                   const struct cudaKernelNodeParams *p)
{
    cudaError_t r = enter(g, p);
    struct work w;

    (void)after, (void)n;
    if (r == cudaSuccess)
        r = graph_kernel_work("cudaGraphAddKernelNode", p, NULL, &w);
    return add(r, g, &w, node);
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t g, const cudaGraphNode_t *after, size_t n,
                                   const struct cudaMemcpy3DParms *p)
{
    cudaError_t r = enter(g, p);
    struct work w;

    (void)after, (void)n;
    if (r == cudaSuccess)
        r = shim_make_copy3d_work(p, &w);
    return add(r, g, &w, node);
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t g, const cudaGraphNode_t *after, size_t n,
                                     void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    const struct copy_request q = {.to = {to, bytes, bytes},
                                   .from = {(uint8_t *)(uintptr_t)from, bytes, bytes},
                                   .width = bytes,
                                   .height = 1,
                                   .depth = 1,
                                   .kind = kind};
    cudaError_t r = enter(g, to);
    struct work w;

    (void)after, (void)n;
    if (r == cudaSuccess)
        r = shim_make_copy_work(&q, &w);
    return add(r, g, &w, node);
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t g, const cudaGraphNode_t *after, size_t n,
                                   const struct cudaMemsetParams *p)
{
    cudaError_t r = enter(g, p);
    struct work w;

    (void)after, (void)n;
    if (r == cudaSuccess)
        r = shim_make_memset_work(p, &w);
    return add(r, g, &w, node);
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t g, const cudaGraphNode_t *after, size_t n,
                                 const struct cudaHostNodeParams *p)
{
    cudaError_t r = enter(g, p);
    struct work w = {.kind = WORK_HOST};

    (void)after, (void)n;
    if (r == cudaSuccess) {
        w.host = p->fn;
        w.host_data = p->userData;
    }
    return add(r, g, &w, node);
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t g, const cudaGraphNode_t *after, size_t n)
{
    cudaError_t r = enter(g, g);
    struct work w = {.kind = WORK_NOTHING};

    (void)after, (void)n;
    return add(r, g, &w, node);
}
