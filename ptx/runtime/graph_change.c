/* ptx/runtime/graph_change.c: other parameters for nodes of graphs and of executable graphs, copies of graphs, and
 * nodes of any kind. */
#include "ptx/runtime/copy.h"
#include "ptx/runtime/graph.h"

/* --- parameters --- */

/* The work of a node in an executable graph. NULL: it has no such node. */
static struct work *item_of(cudaGraphExec_t x, cudaGraphNode_t node)
{
    for (size_t i = 0; x && i < x->count; i++)
        if (x->nodes[i] == node)
            return &x->items[i];
    return NULL;
}

/* With the lock held: replaces the work, which must be of the same kind. Releases the lock. */
static cudaError_t replace(cudaError_t r, struct work *at, struct work *w)
{
    if (r == cudaSuccess && at->kind != w->kind) {
        work_release(w);
        r = cudaErrorInvalidValue;
    }
    if (r == cudaSuccess) {
        work_release(at);
        *at = *w;
    }
    return shim_leave(r);
}

static cudaError_t enter(const struct work *at, const void *p)
{
    cudaError_t r = shim_enter();

    return r == cudaSuccess && (!at || !p) ? cudaErrorInvalidValue : r;
}

static cudaError_t set_kernel(struct work *at, const struct cudaKernelNodeParams *p)
{
    cudaError_t r = enter(at, p);
    struct work w = {0};

    if (r == cudaSuccess)
        r = graph_kernel_work("cudaGraphKernelNodeSetParams", p, at, &w);
    return replace(r, at, &w);
}

static cudaError_t set_copy(struct work *at, const struct cudaMemcpy3DParms *p)
{
    cudaError_t r = enter(at, p);
    struct work w = {0};

    if (r == cudaSuccess)
        r = shim_make_copy3d_work(p, &w);
    return replace(r, at, &w);
}

static cudaError_t set_copy_1d(struct work *at, void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    const struct copy_request q = {.to = {to, bytes, bytes},
                                   .from = {(uint8_t *)(uintptr_t)from, bytes, bytes},
                                   .width = bytes,
                                   .height = 1,
                                   .depth = 1,
                                   .kind = kind};
    cudaError_t r = enter(at, to);
    struct work w = {0};

    if (r == cudaSuccess)
        r = shim_make_copy_work(&q, &w);
    return replace(r, at, &w);
}

static cudaError_t set_fill(struct work *at, const struct cudaMemsetParams *p)
{
    cudaError_t r = enter(at, p);
    struct work w = {0};

    if (r == cudaSuccess)
        r = shim_make_memset_work(p, &w);
    return replace(r, at, &w);
}

static cudaError_t set_host(struct work *at, const struct cudaHostNodeParams *p)
{
    cudaError_t r = enter(at, p);
    struct work w = {.kind = WORK_HOST};

    if (r == cudaSuccess) {
        w.host = p->fn;
        w.host_data = p->userData;
    }
    return replace(r, at, &w);
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct cudaKernelNodeParams *p)
{
    return set_kernel(node ? &node->work : NULL, p);
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t x, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *p)
{
    return set_kernel(item_of(x, node), p);
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const struct cudaMemcpy3DParms *p)
{
    return set_copy(node ? &node->work : NULL, p);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t x, cudaGraphNode_t node,
                                             const struct cudaMemcpy3DParms *p)
{
    return set_copy(item_of(x, node), p);
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *to, const void *from, size_t bytes,
                                           enum cudaMemcpyKind kind)
{
    return set_copy_1d(node ? &node->work : NULL, to, from, bytes, kind);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t x, cudaGraphNode_t node, void *to, const void *from,
                                               size_t bytes, enum cudaMemcpyKind kind)
{
    return set_copy_1d(item_of(x, node), to, from, bytes, kind);
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const struct cudaMemsetParams *p)
{
    return set_fill(node ? &node->work : NULL, p);
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t x, cudaGraphNode_t node,
                                             const struct cudaMemsetParams *p)
{
    return set_fill(item_of(x, node), p);
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const struct cudaHostNodeParams *p)
{
    return set_host(node ? &node->work : NULL, p);
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t x, cudaGraphNode_t node,
                                           const struct cudaHostNodeParams *p)
{
    return set_host(item_of(x, node), p);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, int *type)
{
    cudaError_t r = shim_enter();

    if (r == cudaSuccess && (!node || !type))
        r = cudaErrorInvalidValue;
    if (r == cudaSuccess)
        *type = node->type;
    return shim_leave(r);
}

/* --- copies --- */

cudaError_t cudaGraphClone(cudaGraph_t *out, cudaGraph_t g)
{
    cudaError_t r = shim_enter();
    cudaGraph_t made = NULL;

    if (r == cudaSuccess && (!out || !g))
        r = cudaErrorInvalidValue;
    if (r == cudaSuccess)
        r = graph_new(&made);
    if (r == cudaSuccess)
        r = graph_append(made, g);
    if (r == cudaSuccess)
        *out = made;
    else
        graph_free(made);
    return shim_leave(r);
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *out, cudaGraphNode_t node, cudaGraph_t clone)
{
    cudaError_t r = shim_enter();
    cudaGraphNode_t found = NULL;

    if (r == cudaSuccess && (!out || !node || !clone))
        r = cudaErrorInvalidValue;
    for (size_t i = 0; r == cudaSuccess && i < clone->count; i++)
        if (clone->nodes[i]->origin == node)
            found = clone->nodes[i];
    if (r == cudaSuccess && !found)
        r = cudaErrorInvalidValue;
    if (r == cudaSuccess)
        *out = found;
    return shim_leave(r);
}

/* The nodes of the child are added one by one. The returned node does nothing; it marks their end. */
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t g, const cudaGraphNode_t *after, size_t n,
                                       cudaGraph_t child)
{
    cudaError_t r = shim_enter();
    struct work w = {.kind = WORK_NOTHING};
    cudaGraphNode_t made = NULL;

    (void)after, (void)n;
    if (r == cudaSuccess && (!g || !child || g == child))
        r = cudaErrorInvalidValue;
    if (r == cudaSuccess)
        r = graph_append(g, child);
    if (r == cudaSuccess)
        r = graph_add(g, &w, &made);
    if (r == cudaSuccess)
        made->type = cudaGraphNodeTypeGraph;
    if (r == cudaSuccess && node)
        *node = made;
    return shim_leave(r);
}

/* --- nodes of any kind --- */

cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t g, const cudaGraphNode_t *after, const void *edges,
                             size_t n, struct cudaGraphNodeParams *p)
{
    (void)edges;
    if (!p)
        return cudaErrorInvalidValue;
    switch (p->type) {
    case cudaGraphNodeTypeKernel: return cudaGraphAddKernelNode(node, g, after, n, &p->of.kernel);
    case cudaGraphNodeTypeMemcpy: return cudaGraphAddMemcpyNode(node, g, after, n, &p->of.copy.params);
    case cudaGraphNodeTypeMemset: return cudaGraphAddMemsetNode(node, g, after, n, &p->of.fill);
    case cudaGraphNodeTypeHost: return cudaGraphAddHostNode(node, g, after, n, &p->of.host);
    case cudaGraphNodeTypeGraph: return cudaGraphAddChildGraphNode(node, g, after, n, p->of.graph);
    case cudaGraphNodeTypeEmpty: return cudaGraphAddEmptyNode(node, g, after, n);
    case cudaGraphNodeTypeMemAlloc: return cudaGraphAddMemAllocNode(node, g, after, n, &p->of.alloc);
    case cudaGraphNodeTypeMemFree: return cudaGraphAddMemFreeNode(node, g, after, n, p->of.memory);
    default: (void)shim_enter(); return shim_leave(shim_not_supported("cudaGraphAddNode", "nodes of this type"));
    }
}
