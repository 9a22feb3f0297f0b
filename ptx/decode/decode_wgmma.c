/* ptx/decode/decode_wgmma.c: matrix products of a warpgroup, with B in shared memory, and A there or in registers.
 * Shapes, types and operands: NVIDIA, PTX ISA 9.0, section 9.7.15. */
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "ptx/decode/decode_internal.h"

static struct ptx_wgmma *new_product(struct decoder *d)
{
    struct ptx_code *c = d->c;
    struct ptx_access *a = decode_new_access(d);

    if (!a ||
        array_reserve((void **)&c->wgmmas, &d->wgmma_capacity, c->wgmma_count + 1u, sizeof *c->wgmmas, d->e) < 0)
        return NULL;
    d->op->action = PTX_DO_MATRIX;
    d->op->uniform = true;
    a->what = PTX_MATRIX_WGMMA;
    d->op->args.imm = c->wgmma_count;
    c->wgmmas[c->wgmma_count] = (struct ptx_wgmma){.scale_a = 1, .scale_b = 1, .a_place = PTX_NO_ROW};
    return &c->wgmmas[c->wgmma_count++];
}

/* --- shapes and types that exist --- */

static bool is_fp8(uint8_t type)
{
    return type == PTX_E4M3 || type == PTX_E5M2;
}

static bool is_byte(uint8_t type)
{
    return type == PTX_S8 || type == PTX_U8;
}

static bool types_fit(const struct ptx_wgmma *x)
{
    if (is_fp8(x->a) && is_fp8(x->b))
        return x->d == PTX_F16 || x->d == PTX_F32;
    if (is_byte(x->a) && is_byte(x->b))
        return x->d == PTX_S32;
    if (x->a != x->b || (x->a != PTX_F16 && x->a != PTX_BF16 && x->a != PTX_TF32))
        return false;
    return x->d == PTX_F32 || (x->d == PTX_F16 && x->a == PTX_F16);
}

static bool read_form(struct decoder *d, struct ptx_wgmma *x)
{
    static const char *const known[] = {".mma_async", ".sync", ".aligned", ".satfinite"};
    const char *at = d->i->modifiers, *shape = strstr(at, ".m64n");
    unsigned n, k;

    if (d->i->type_count != 3 || !shape || sscanf(shape, ".m64n%uk%u", &n, &k) != 2 || !n || n % 8 || n > 256)
        return false;
    for (; *at == '.'; at += 1 + strcspn(at + 1, ".")) {
        size_t length = 1 + strcspn(at + 1, "."), i = 0;

        while (i < sizeof known / sizeof *known &&
               (strlen(known[i]) != length || strncmp(known[i], at, length) != 0))
            i++;
        if (i == sizeof known / sizeof *known && at != shape)
            return false;
    }
    x->d = d->i->types[0];
    x->a = d->i->types[1];
    x->b = d->i->types[2];
    x->n = (uint16_t)n;
    x->k = (uint16_t)k;
    x->saturate = ptx_has(d->i, ".satfinite");
    return types_fit(x) && k * ptx_type_bits(x->a) == 256 && (!x->saturate || x->d == PTX_S32);
}

/* --- operands --- */

static int sums(struct decoder *d, struct ptx_wgmma *x)
{
    const struct ptx_operand *o = decode_operand(d, 0);
    uint32_t want = x->n / (x->d == PTX_F16 ? 4u : 2u);

    if (decode_pieces(d, o) != want)
        return decode_fault(d, ERR_MALFORMED, &o->place, "%s%s needs %u registers here, not %u", d->i->opcode,
                            d->i->suffix, want, decode_pieces(d, o));
    for (uint32_t k = 0; k < want; k++) {
        struct ptx_operand one = decode_piece(d, o, k);

        if (decode_result(d, &one, 32, &x->sums[k]) < 0)
            return -1;
    }
    return 0;
}

/* A: four registers, or the descriptor of a matrix in shared memory. */
static int factor(struct decoder *d, struct ptx_wgmma *x)
{
    const struct ptx_operand *o = decode_operand(d, 1);
    bool negated;

    if (o->kind != PTX_OP_VECTOR)
        return decode_source(d, o, 64, DECODE_INTEGERS, &x->a_place, &negated);
    if (o->count != 4)
        return decode_fault(d, ERR_MALFORMED, &o->place, "%s%s needs 4 registers here, not %u", d->i->opcode,
                            d->i->suffix, o->count);
    for (uint32_t k = 0; k < 4; k++) {
        struct ptx_operand one = decode_piece(d, o, k);

        if (decode_source(d, &one, 32, DECODE_ANY, &x->a_registers[k], &negated) < 0)
            return -1;
    }
    return 0;
}

static int scale(struct decoder *d, uint32_t k, int8_t *out)
{
    uint64_t value;

    if (decode_integer(d, k, &value) < 0)
        return -1;
    *out = (int8_t)(int64_t)value;
    return *out == 1 || *out == -1
               ? 0
               : decode_fault(d, ERR_MALFORMED, &decode_operand(d, k)->place, "a scale must be 1 or -1");
}

static int turned(struct decoder *d, uint32_t k, bool *out)
{
    uint64_t value;

    if (decode_integer(d, k, &value) < 0)
        return -1;
    *out = value != 0;
    return 0;
}

static int product(struct decoder *d)
{
    struct ptx_wgmma *x = new_product(d);
    bool halves, registers;
    uint32_t count;

    if (!x)
        return -1;
    if (!read_form(d, x))
        return decode_unsupported(d);
    halves = x->a == PTX_F16 || x->a == PTX_BF16;
    registers = d->i->operand_count > 1 && decode_operand(d, 1)->kind == PTX_OP_VECTOR;
    count = x->d == PTX_S32 ? 4 : halves ? (registers ? 7 : 8) : 6;
    if (decode_count(d, count, count) < 0 || sums(d, x) < 0 || factor(d, x) < 0 || decode_to_src(d, 2, 64, 1) < 0 ||
        decode_to_src(d, 3, 1, 0) < 0)
        return -1;
    if (count > 4 && (scale(d, 4, &x->scale_a) < 0 || scale(d, 5, &x->scale_b) < 0))
        return -1;
    if (count == 8 && turned(d, 6, &x->a_turned) < 0)
        return -1;
    return count > 6 ? turned(d, count - 1, &x->b_turned) : 0;
}

int decode_wgmma(struct decoder *d)
{
    bool waits = ptx_has(d->i, ".wait_group");

    if (ptx_has(d->i, ".mma_async"))
        return product(d);
    if (!waits && !ptx_has(d->i, ".fence") && !ptx_has(d->i, ".commit_group"))
        return decode_unsupported(d);
    d->op->action = PTX_DO_NOTHING; /* products are complete at once, so there is nothing to wait for */
    return decode_count(d, waits, waits);
}
