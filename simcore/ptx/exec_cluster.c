/* Bulk copies, which are complete at once, and clusters, which have one CTA. */
#include <string.h>

#include "simcore/ptx/cta.h"
#include "simcore/ptx/exec_address.h"
#include "simcore/ptx/launch.h"

static uint32_t word(const struct ptx_warp *w, uint16_t row, uint32_t lane)
{
    uint32_t v;

    memcpy(&v, ptx_row(w, row) + (size_t)lane * 4, sizeof v);
    return v;
}

/* `bytes` at a lane's address; NULL: told. */
static uint8_t *reach(struct ptx_warp *w, const struct ptx_access *a, uint32_t lane, uint32_t bytes, uint32_t align,
                      enum ptx_use use)
{
    uint64_t at[PTX_LANES];
    uint32_t left = 1u << lane;
    struct ptx_reach r;

    ptx_addresses(w, a, left, at);
    return ptx_reach(w, a->space, at, &left, bytes, align, use, &r) != 0 ? NULL : ptx_host(&r, lane);
}

int ptx_bulk_copy(struct ptx_warp *w, const struct ptx_op *op, uint32_t lane, uint32_t *bytes)
{
    const struct ptx_access *a = &w->code->accesses[op->access];
    uint8_t *to, *from;

    *bytes = word(w, op->args.src[0], lane);
    if (*bytes % 16)
        return ptx_fault(w, 1u << lane, "a bulk copy of %u bytes; multiples of 16 are possible", *bytes);
    if (!*bytes)
        return 0;
    from = reach(w, &a[1], lane, *bytes, 16, PTX_READS);
    to = from ? reach(w, &a[0], lane, *bytes, 16, PTX_WRITES) : NULL;
    if (!to)
        return -1;
    memmove(to, from, *bytes);
    w->cta->stores++;
    return 0;
}

/* Only here does it matter that a cluster is one CTA. */
int ptx_do_cluster(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    const struct ptx_access *a = &w->code->accesses[op->access];
    const uint32_t *cluster = w->cta->run->launch.cluster;
    uint32_t bytes = a->type == PTX_U64 ? 8 : 4;

    if ((uint64_t)cluster[0] * cluster[1] * cluster[2] != 1)
        return ptx_fault(w, mask, "not supported: clusters of more than one CTA");
    for (; mask && a->what != PTX_CLUSTER_ARRIVE; mask &= mask - 1) {
        uint32_t l = ptx_first_lane(mask);

        if (a->what == PTX_CLUSTER_MAPA && word(w, op->args.src[1], l) != 0)
            return ptx_fault(w, 1u << l, "mapa: the cluster has no CTA %u", word(w, op->args.src[1], l));
        if (op->args.dst == PTX_NO_ROW)
            continue;
        if (a->what == PTX_CLUSTER_MAPA)
            memcpy(ptx_row(w, op->args.dst) + (size_t)l * bytes, ptx_row(w, op->args.src[0]) + (size_t)l * bytes,
                   bytes);
        else
            memset(ptx_row(w, op->args.dst) + (size_t)l * 4, 0, 4); /* the rank of the only CTA */
    }
    return 0;
}
