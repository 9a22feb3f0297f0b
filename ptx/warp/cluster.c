/* The CTAs of a cluster, and the addresses of their shared memory in other CTAs. */
#include "ptx/warp/launch.h"

uint64_t ptx_cluster_address(const struct ptx_cta *c, uint64_t address, uint32_t rank)
{
    uint64_t window = address - PTX_SHARED_BASE < PTX_WINDOW_BYTES ? PTX_SHARED_BASE : 0;

    if (c->cluster_ctas == 1) /* its own shared memory only */
        return address;
    return window + (address - window) % PTX_CLUSTER_STRIDE + ((uint64_t)rank + 1) * PTX_CLUSTER_STRIDE;
}

struct ptx_cta *ptx_cluster_peer(const struct ptx_cta *c, uint32_t rank)
{
    const struct ptx_run *r = c->run;

    for (size_t k = 0; rank < c->cluster_ctas && k < r->resident_count; k++)
        if (r->resident[k]->number == c->number - c->number % c->cluster_ctas + rank)
            return r->resident[k];
    return NULL;
}
