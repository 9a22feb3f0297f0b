/* mapa and getctarank: addresses in the shared memory of another CTA of the cluster. */
#include <string.h>

#include "ptx/warp/exec_address.h"

static uint32_t word(const struct ptx_warp *w, uint16_t row, uint32_t lane)
{
    uint32_t v;

    memcpy(&v, ptx_row(w, row) + (size_t)lane * 4, sizeof v);
    return v;
}

/* The rank of the CTA whose shared memory contains the address. */
static uint32_t rank_of(const struct ptx_cta *c, uint64_t address)
{
    uint64_t window = address - PTX_SHARED_BASE < PTX_WINDOW_BYTES ? PTX_SHARED_BASE : 0;
    uint64_t slot = (address - window) / PTX_CLUSTER_STRIDE;

    return (uint32_t)(slot ? slot - 1 : c->number % c->cluster_ctas);
}

int ptx_do_cluster(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    const struct ptx_access *a = &w->code->accesses[op->access];
    uint32_t bytes = a->type == PTX_U64 ? 8 : 4;

    for (; mask && op->args.dst != PTX_NO_ROW; mask &= mask - 1) {
        uint32_t l = ptx_first_lane(mask), rank = op->args.src[1] == PTX_NO_ROW ? 0 : word(w, op->args.src[1], l);
        uint64_t address = 0;

        memcpy(&address, ptx_row(w, op->args.src[0]) + (size_t)l * bytes, bytes); /* rows are little-endian */
        if (a->what == PTX_CLUSTER_MAPA && rank >= w->cta->cluster_ctas)
            return ptx_fault(w, 1u << l, "mapa: the cluster has no CTA %u", rank);
        address =
            a->what == PTX_CLUSTER_MAPA ? ptx_cluster_address(w->cta, address, rank) : rank_of(w->cta, address);
        bytes = a->what == PTX_CLUSTER_MAPA ? bytes : 4;
        memcpy(ptx_row(w, op->args.dst) + (size_t)l * bytes, &address, bytes);
        bytes = a->type == PTX_U64 ? 8 : 4;
    }
    return 0;
}
