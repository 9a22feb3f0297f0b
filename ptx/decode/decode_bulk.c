/* ptx/decode/decode_bulk.c: copies and reductions of blocks of bytes.
 * Forms: NVIDIA, PTX ISA 9.0, section 9.7.9.25.4 (cp.async.bulk, cp.reduce.async.bulk). */
#include <string.h>

#include "ptx/decode/decode_internal.h"

int decode_bulk_address(struct decoder *d, const struct ptx_operand *o, uint8_t space, struct ptx_access *a)
{
    *a = (struct ptx_access){.base = PTX_NO_ROW, .vector = 1, .space = space, .type = PTX_B8};
    memset(a->values, 0xff, sizeof a->values); /* PTX_NO_ROW */
    return decode_address(d, o, a);
}

int decode_bulk_end(struct decoder *d, const struct ptx_access all[3], int what)
{
    d->op->action = PTX_DO_ASYNC;
    for (uint32_t k = 0; k < 3; k++) {
        struct ptx_access *a = decode_new_access(d);

        if (!a)
            return -1;
        *a = all[k];
        if (k == 0)
            a->what = (uint8_t)what;
    }
    d->op->access = d->c->access_count - 3;
    return 0;
}

/* The atomic operation of a reduction, stored in the access of the source. */
static int reduction(struct decoder *d, struct ptx_access *from)
{
    int what = decode_atomic_kind(d);

    if (what < 0 || what == PTX_ATOM_EXCH || what == PTX_ATOM_CAS || d->i->type_count != 1 ||
        !ptx_atomic_known((uint8_t)what, d->i->types[0]))
        return decode_unsupported(d);
    from->what = (uint8_t)what;
    from->type = d->i->types[0];
    return 0;
}

/* [destination], [source], bytes {, [barrier]} {, CTA mask} {, policy} */
static int copy(struct decoder *d, uint8_t to, uint8_t from, bool barrier)
{
    const bool many = ptx_has(d->i, ".multicast::cluster"), reduces = ptx_has(d->i, ".reduce");
    uint32_t most = 3 + barrier + many;
    struct ptx_access all[3];

    if (ptx_has(d->i, ".cp_mask") || (many && !barrier))
        return decode_unsupported(d);
    if (decode_count(d, most, most + ptx_has(d->i, ".L2::cache_hint")) < 0 ||
        (many && decode_to_src(d, 4, 16, 1) < 0) || decode_bulk_address(d, decode_operand(d, 0), to, &all[0]) < 0 ||
        decode_bulk_address(d, decode_operand(d, 1), from, &all[1]) < 0 || decode_to_src(d, 2, 32, 0) < 0)
        return -1;
    all[2] = all[0];
    if (barrier && decode_bulk_address(d, decode_operand(d, 3), PTX_SPACE_SHARED, &all[2]) < 0)
        return -1;
    d->op->args.imm = barrier;
    if (reduces && reduction(d, &all[1]) < 0)
        return -1;
    return decode_bulk_end(d, all, reduces ? PTX_CP_BULK_REDUCE : PTX_CP_BULK);
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
    if (ptx_has(i, ".wait_group")) /* all copies are complete at once, so there is nothing to wait for */
        return nothing_but(d, 1);
    if (ptx_has(i, ".tensor"))
        return decode_tensor(d);
    if (ptx_has(i, ".prefetch"))
        return nothing_but(d, 2 + ptx_has(i, ".L2::cache_hint"));
    if (arrives && to_shared && global && to_shared < global)
        return copy(d, PTX_SPACE_SHARED, PTX_SPACE_GLOBAL, true);
    if (arrives && ptx_has(i, ".shared::cluster") && ptx_has(i, ".shared::cta"))
        return copy(d, PTX_SPACE_SHARED, PTX_SPACE_SHARED, true);
    if (ptx_has(i, ".bulk_group") && ptx_has(i, ".shared::cta") && global && global < to_shared)
        return copy(d, PTX_SPACE_GLOBAL, PTX_SPACE_SHARED, false);
    return decode_unsupported(d);
}
