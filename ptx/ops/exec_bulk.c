/* Bulk copies and reductions, which complete at once; st.async and red.async, whose bytes are counted at a
 * barrier. */
#include "ptx/ops/exec_bulk.h"

#include <string.h>

#include "ptx/ops/exec_observe.h"

enum { BULK_ALIGN = 16 };

uint8_t *ptx_bulk_reach(struct ptx_warp *w, const struct ptx_access *a, uint32_t lane, uint32_t cta, uint32_t bytes,
                        uint32_t align, enum ptx_use use, uint32_t *at_shared)
{
    uint64_t at[PTX_LANES];
    uint32_t left = 1u << lane;
    struct ptx_reach r;

    ptx_addresses(w, a, left, at);
    for (uint32_t l = 0; l < PTX_LANES && cta != PTX_NONE; l++)
        at[l] = ptx_cluster_address(w->cta, at[l], cta);
    if (ptx_reach(w, a->space, at, &left, bytes, align, use, &r) != 0)
        return NULL;
    if (at_shared)
        *at_shared = r.space == PTX_SPACE_SHARED ? (uint32_t)r.at[lane] : PTX_NONE;
    return ptx_host(&r, lane);
}

uint32_t ptx_bulk_ctas(const struct ptx_warp *w, const struct ptx_op *op, uint32_t lane)
{
    uint16_t ctas;

    memcpy(&ctas, ptx_row(w, op->args.src[1]) + (size_t)lane * sizeof ctas, sizeof ctas);
    return ctas;
}

/* Executes a lane's copy, then counts its bytes. cta: rank of the destination CTA in the cluster; PTX_NONE:
 * given by the address. */
static int bulk_to(struct ptx_warp *w, const struct ptx_op *op, uint32_t lane, uint32_t cta)
{
    const struct ptx_access *a = &w->code->accesses[op->access];
    const uint8_t *from;
    uint32_t bytes;
    uint8_t *to;

    memcpy(&bytes, ptx_row(w, op->args.src[0]) + (size_t)lane * sizeof bytes, sizeof bytes);
    if (bytes % BULK_ALIGN)
        return ptx_fault(w, 1u << lane, "a bulk copy of %u bytes; this must be a multiple of %u", bytes,
                         BULK_ALIGN);
    if (bytes) {
        bool reduces = a->what == PTX_CP_BULK_REDUCE;

        from = ptx_bulk_reach(w, &a[1], lane, PTX_NONE, bytes, BULK_ALIGN, PTX_READS, NULL);
        to = from ? ptx_bulk_reach(w, &a[0], lane, cta, bytes, BULK_ALIGN, reduces ? PTX_CHANGES : PTX_WRITES, NULL)
                  : NULL;
        if (!to)
            return -1;
        if (reduces)
            ptx_atomic_reduce(a[1].what, a[1].type, a[0].space == PTX_SPACE_GLOBAL, to, from,
                              bytes / (ptx_type_bits((enum ptx_type)a[1].type) / 8));
        else
            memmove(to, from, bytes);
        w->cta->stores++;
    }
    return op->args.imm ? ptx_mbarrier_complete(w, &a[2], lane, cta, bytes) : 0;
}

static void report(const struct ptx_warp *w, const struct ptx_op *op, uint32_t lane, uint32_t ctas)
{
    const struct ptx_access *a = &w->code->accesses[op->access];
    const struct ptx_access *global = a[0].space == PTX_SPACE_GLOBAL   ? &a[0]
                                      : a[1].space == PTX_SPACE_GLOBAL ? &a[1]
                                                                       : NULL;
    struct ptx_observed_copy c;
    uint64_t at[PTX_LANES];
    uint32_t bytes;

    memcpy(&bytes, ptx_row(w, op->args.src[0]) + (size_t)lane * sizeof bytes, sizeof bytes);
    ptx_report_copy(&c, w, lane, op->args.imm ? &a[2] : NULL, bytes, ctas);
    if (global) {
        ptx_addresses(w, global, 1u << lane, at);
        ptx_report_row(&c, at[lane], bytes);
    }
    ptx_report_copied(&c);
}

int ptx_do_bulk(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    for (; mask; mask &= mask - 1) {
        uint32_t lane = ptx_first_lane(mask), ctas = 0;

        if (op->args.src[1] == PTX_NO_ROW) {
            if (bulk_to(w, op, lane, PTX_NONE) != 0)
                return -1;
        } else {
            ctas = ptx_bulk_ctas(w, op, lane);
        }
        for (uint32_t left = ctas; left; left &= left - 1)
            if (bulk_to(w, op, lane, ptx_first_lane(left)) != 0)
                return -1;
        if (ptx_is_observed(w) && (ctas || op->args.src[1] == PTX_NO_ROW)) /* not a copy without a destination */
            report(w, op, lane, ctas);
    }
    return 0;
}

/* Makes one report for each barrier, with all lanes whose bytes are counted there. */
static void report_counted(const struct ptx_warp *w, const struct ptx_access *barrier, uint32_t mask,
                           const uint32_t bytes[PTX_LANES])
{
    uint64_t at[PTX_LANES] = {0};

    for (uint32_t left = mask; left; left &= left - 1)
        at[ptx_first_lane(left)] = ptx_observed_shared(w, barrier, ptx_first_lane(left));
    while (mask) {
        uint64_t field[BARRIER_FIELDS] = {
            [BARRIER_ADDRESS] = at[ptx_first_lane(mask)], [BARRIER_WHAT] = BARRIER_ARRIVE};

        for (uint32_t left = mask; left; left &= left - 1) {
            uint32_t l = ptx_first_lane(left);

            if (at[l] != field[BARRIER_ADDRESS])
                continue;
            field[BARRIER_LANES] |= 1u << l;
            field[BARRIER_BYTES] -= bytes[l];
        }
        ptx_report_fields(w, field, BARRIER_FIELDS);
        mask &= ~(uint32_t)field[BARRIER_LANES];
    }
}

/* st.async, red.async: execute at once, then count the bytes. */
int ptx_do_counted(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    const struct ptx_access *a = &w->code->accesses[op->access];
    uint32_t bytes[PTX_LANES];
    struct ptx_op data = *op;

    memcpy(bytes, ptx_row(w, op->args.src[1]), sizeof bytes);
    data.access++;
    data.args.src[1] = PTX_NO_ROW;
    if ((a->what == PTX_ASYNC_STORE ? ptx_do_store(w, &data, mask) : ptx_do_atomic(w, &data, mask)) != 0)
        return -1;
    for (uint32_t left = mask; left; left &= left - 1)
        if (ptx_mbarrier_complete(w, a, ptx_first_lane(left), PTX_NONE, bytes[ptx_first_lane(left)]) != 0)
            return -1;
    if (ptx_is_observed(w))
        report_counted(w, a, mask, bytes);
    return 0;
}
