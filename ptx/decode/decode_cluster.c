/* ptx/decode/decode_cluster.c: instructions on the CTAs of a cluster.
 * Forms: NVIDIA, PTX ISA 9.0, sections 9.7.9.23 (mapa), 9.7.13.4 (barrier.cluster). */
#include "ptx/decode/decode_internal.h"

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
