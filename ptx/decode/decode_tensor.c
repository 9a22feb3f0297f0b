/* ptx/decode/decode_tensor.c: copies between boxes of tensors and shared memory.
 * Forms: NVIDIA, PTX ISA 9.0, section 9.7.9.27 (cp.async.bulk.tensor, cp.reduce.async.bulk.tensor). */
#include <string.h>

#include "ptx/decode/decode_internal.h"

/* [map, {coordinates}]. The tensor map can be anywhere in the generic address space. */
static int box(struct decoder *d, const struct ptx_operand *o, uint32_t dims, struct ptx_access *a)
{
    struct ptx_operand map = *o;
    const struct ptx_operand *c;
    bool negated;

    if (o->kind != PTX_OP_ADDRESS || o->count != 2)
        return decode_fault(d, ERR_MALFORMED, &o->place, "%s%s: expected [map, {coordinates}] here", d->i->opcode,
                            d->i->suffix);
    map.count = 1;
    if (decode_bulk_address(d, &map, PTX_GENERIC, a) < 0)
        return -1;
    c = &d->f->operands[o->index + 1];
    if (decode_pieces(d, c) != dims)
        return decode_fault(d, ERR_MALFORMED, &c->place, "%s%s needs %u coordinates", d->i->opcode, d->i->suffix,
                            dims);
    a->value_count = (uint16_t)dims;
    a->value_bits = 32;
    for (uint32_t k = 0; k < dims; k++) {
        struct ptx_operand one = decode_piece(d, c, k);

        if (decode_source(d, &one, 32, DECODE_INTEGERS, &a->values[k], &negated) < 0)
            return -1;
    }
    return 0;
}

/* [destination], [map, {coordinates}], [barrier] {, CTA mask} {, policy} */
static int to_shared(struct decoder *d, uint32_t dims)
{
    const bool many = ptx_has(d->i, ".multicast::cluster");
    uint32_t most = 3 + many;
    struct ptx_access all[3];

    if (decode_count(d, most, most + ptx_has(d->i, ".L2::cache_hint")) < 0 ||
        (many && decode_to_src(d, 3, 16, 1) < 0) ||
        decode_bulk_address(d, decode_operand(d, 0), PTX_SPACE_SHARED, &all[0]) < 0 ||
        box(d, decode_operand(d, 1), dims, &all[1]) < 0 ||
        decode_bulk_address(d, decode_operand(d, 2), PTX_SPACE_SHARED, &all[2]) < 0)
        return -1;
    return decode_bulk_end(d, all, PTX_TENSOR_LOAD);
}

/* [map, {coordinates}], [source] {, policy} */
static int to_tensor(struct decoder *d, uint32_t dims)
{
    bool reduces = ptx_has(d->i, ".reduce");
    int what = decode_atomic_kind(d);
    struct ptx_access all[3];

    if (reduces && (what < 0 || what == PTX_ATOM_EXCH || what == PTX_ATOM_CAS))
        return decode_unsupported(d);
    if (decode_count(d, 2, 2 + ptx_has(d->i, ".L2::cache_hint")) < 0 ||
        box(d, decode_operand(d, 0), dims, &all[1]) < 0 ||
        decode_bulk_address(d, decode_operand(d, 1), PTX_SPACE_SHARED, &all[0]) < 0)
        return -1;
    all[2] = all[0];
    d->op->args.imm = reduces ? (uint32_t)what : 0;
    return decode_bulk_end(d, all, reduces ? PTX_TENSOR_REDUCE : PTX_TENSOR_STORE);
}

int decode_tensor(struct decoder *d)
{
    static const struct decode_word ranks[] = {{".1d", 1}, {".2d", 2}, {".3d", 3}, {".4d", 4}, {".5d", 5}};
    const struct ptx_inst *i = d->i;
    int dims = decode_which(d, ranks, sizeof ranks / sizeof *ranks);

    if (dims < 0 || strstr(i->modifiers, ".im2col") || strstr(i->modifiers, ".tile::") ||
        strstr(i->modifiers, ".cta_group"))
        return decode_unsupported(d);
    if (ptx_has(i, ".prefetch")) {
        d->op->action = PTX_DO_NOTHING;
        return decode_count(d, 1, 1 + ptx_has(i, ".L2::cache_hint"));
    }
    if (ptx_has(i, ".mbarrier::complete_tx::bytes"))
        return to_shared(d, (uint32_t)dims);
    return ptx_has(i, ".bulk_group") ? to_tensor(d, (uint32_t)dims) : decode_unsupported(d);
}
