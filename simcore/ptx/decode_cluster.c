/* simcore/ptx/decode_cluster.c: bulk copies, and what CTAs of a cluster do with each other.
 * Forms: NVIDIA, PTX ISA 9.0, sections 9.7.9.25.4 (cp.async.bulk), 9.7.9.23 (mapa), 9.7.13.4 (barrier.cluster). */
#include <string.h>

#include "simcore/ptx/decode_internal.h"

/* The op's next access, for an address. */
static int address(struct decoder *d, uint32_t k, uint8_t space, struct ptx_access *a)
{
    *a = (struct ptx_access){.base = PTX_NO_ROW, .vector = 1, .space = space, .type = PTX_B8};
    memset(a->values, 0xff, sizeof a->values); /* PTX_NO_ROW */
    return decode_address(d, decode_operand(d, k), a);
}

/* Three accesses in a row: what is written, what is read, and the barrier (without one it is like the first). */
static int bulk_copy(struct decoder *d, uint8_t to, uint8_t from, bool barrier)
{
    const bool many = ptx_has(d->i, ".multicast::cluster");
    uint32_t most = 3 + barrier + many, first;
    struct ptx_access all[3];

    if (ptx_has(d->i, ".cp_mask") || (many && !barrier))
        return decode_unsupported(d);
    if (decode_count(d, most, most + ptx_has(d->i, ".L2::cache_hint")) < 0 ||
        (many && decode_to_src(d, 4, 16, 1) < 0) || address(d, 0, to, &all[0]) < 0 ||
        address(d, 1, from, &all[1]) < 0 || decode_to_src(d, 2, 32, 0) < 0)
        return -1;
    all[2] = all[0];
    if (barrier && address(d, 3, PTX_SPACE_SHARED, &all[2]) < 0)
        return -1;
    d->op->action = PTX_DO_ASYNC;
    d->op->args.imm = barrier;
    for (uint32_t k = 0; k < 3; k++) {
        struct ptx_access *a = decode_new_access(d);

        if (!a)
            return -1;
        *a = all[k];
        a->what = PTX_CP_BULK;
        first = d->c->access_count - 3;
    }
    d->op->access = first;
    return 0;
}

static int nothing_but(struct decoder *d, uint32_t operands)
{
    d->op->action = PTX_DO_NOTHING;
    return decode_count(d, operands, operands);
}

int decode_bulk(struct decoder *d)
{
    const struct ptx_inst *i = d->i;
    bool arrives = ptx_has(i, ".mbarrier::complete_tx::bytes");
    const char *to_shared = strstr(i->modifiers, ".shared::c"), *global = strstr(i->modifiers, ".global");

    if (ptx_has(i, ".commit_group"))
        return nothing_but(d, 0);
    if (ptx_has(i, ".wait_group")) /* all copies are complete at once */
        return nothing_but(d, 1);
    if (ptx_has(i, ".tensor") || strcmp(i->opcode, "cp") != 0)
        return decode_unsupported(d);
    if (ptx_has(i, ".prefetch"))
        return nothing_but(d, 2 + ptx_has(i, ".L2::cache_hint"));
    if (arrives && to_shared && global && to_shared < global)
        return bulk_copy(d, PTX_SPACE_SHARED, PTX_SPACE_GLOBAL, true);
    if (arrives && ptx_has(i, ".shared::cluster") && ptx_has(i, ".shared::cta"))
        return bulk_copy(d, PTX_SPACE_SHARED, PTX_SPACE_SHARED, true);
    if (ptx_has(i, ".bulk_group") && ptx_has(i, ".shared::cta") && global && global < to_shared)
        return bulk_copy(d, PTX_SPACE_GLOBAL, PTX_SPACE_SHARED, false);
    return decode_unsupported(d);
}

/* mapa d, address, rank */
int decode_mapa(struct decoder *d)
{
    struct ptx_access *a;
    uint32_t bits;

    if (d->i->type_count != 1 || (d->i->types[0] != PTX_U32 && d->i->types[0] != PTX_U64))
        return decode_unsupported(d);
    bits = ptx_type_bits(d->i->types[0]);
    if (decode_count(d, 3, 3) < 0 || !(a = decode_new_access(d)))
        return -1;
    d->op->action = PTX_DO_ASYNC;
    a->what = PTX_CLUSTER_MAPA;
    a->type = d->i->types[0];
    if (decode_result(d, decode_operand(d, 0), bits, &d->op->args.dst) < 0)
        return -1;
    return decode_to_src(d, 1, bits, 0) < 0 ? -1 : decode_to_src(d, 2, 32, 1);
}

/* getctarank d, address */
int decode_getctarank(struct decoder *d)
{
    struct ptx_access *a;

    if (d->i->type_count != 1 || (d->i->types[0] != PTX_U32 && d->i->types[0] != PTX_U64))
        return decode_unsupported(d);
    if (decode_count(d, 2, 2) < 0 || !(a = decode_new_access(d)))
        return -1;
    d->op->action = PTX_DO_ASYNC;
    a->what = PTX_CLUSTER_RANK;
    a->type = d->i->types[0];
    if (decode_result(d, decode_operand(d, 0), 32, &d->op->args.dst) < 0)
        return -1;
    return decode_to_src(d, 1, ptx_type_bits(d->i->types[0]), 0);
}

int decode_cluster_barrier(struct decoder *d)
{
    bool arrives = ptx_has(d->i, ".arrive");
    struct ptx_access *a;

    if (decode_count(d, 0, 0) < 0)
        return -1;
    if (!arrives && !ptx_has(d->i, ".wait"))
        return decode_unsupported(d);
    if (!(a = decode_new_access(d)))
        return -1;
    d->op->action = PTX_DO_BARRIER;
    a->what = arrives ? PTX_BARRIER_CLUSTER_ARRIVE : PTX_BARRIER_CLUSTER_WAIT;
    return 0;
}
