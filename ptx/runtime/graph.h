/* ptx/runtime/graph.h: graphs and their nodes. Internal to ptx/runtime. */
#ifndef VIVACE_PTX_RUNTIME_GRAPH_H
#define VIVACE_PTX_RUNTIME_GRAPH_H

#include "ptx/runtime/runtime.h"

/* Memory of an allocation node: the same address at every launch. It is freed with the last graph or executable
 * graph that has the node. */
struct graph_memory {
    void *bytes;
    unsigned users;
};
struct graph_memories {
    struct graph_memory **items;
    size_t count, capacity;
};
struct cuda_graph_node {
    struct work work;
    int type;                             /* enum cudaGraphNodeType */
    const struct cuda_graph_node *origin; /* in a clone: the node of which it is a copy; never followed */
};
struct cuda_graph {
    struct cuda_graph_node **nodes;
    size_t count, capacity;
    struct graph_memories memory;
};
struct cuda_graph_exec {
    struct work *items;
    const struct cuda_graph_node **nodes; /* of each item; never followed, because the graph may be gone */
    size_t count;
    struct graph_memories memory;
};

/* A copy of a kernel owns a copy of the arguments. */
cudaError_t graph_copy_work(const struct work *from, struct work *to);
/* The work of a kernel node. cudaKernelNodeParams has no cluster and no cooperative flag: they are those of `of`, a
 * node of the same kernel (NULL: none). call: for messages. */
cudaError_t graph_kernel_work(const char *call, const struct cudaKernelNodeParams *p, const struct work *of,
                              struct work *out);
cudaError_t graph_new(cudaGraph_t *g);
/* Allocates memory that belongs to the graph. */
cudaError_t graph_allocate(cudaGraph_t g, size_t bytes, void **out);
cudaError_t graph_share_memory(struct graph_memories *to, const struct graph_memories *from);
void graph_release_memory(struct graph_memories *m);
/* Adds copies of all nodes of a graph. */
cudaError_t graph_append(cudaGraph_t to, const struct cuda_graph *from);
void graph_free(cudaGraph_t g);

#endif
