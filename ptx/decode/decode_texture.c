/* ptx/decode/decode_texture.c: tex, tld4, txq, suld, sust: textures and surfaces by handle.
 * Forms: NVIDIA, PTX ISA 9.0, sections 9.7.10 and 9.7.11. */
#include <string.h>

#include "ptx/decode/decode_internal.h"

#define WHICH(d, words) decode_which(d, words, sizeof(words) / sizeof *(words))

/* Number of coordinates, including the layer, which comes first. -1: an unknown geometry. */
static int coordinates_of(struct decoder *d)
{
    static const struct decode_word geometries[] = {{".1d", 1}, {".2d", 2}, {".3d", 3}, {".a1d", 1}, {".a2d", 2}};
    int dims = WHICH(d, geometries);
    bool layered = ptx_has(d->i, ".a1d") || ptx_has(d->i, ".a2d");

    if (dims > 0)
        d->op->args.imm |= (uint32_t)dims | (layered ? PTX_TEXTURE_LAYERED : 0);
    return dims + layered;
}

/* [handle, {coordinates}]: at operand k */
static int image(struct decoder *d, struct ptx_access *a, uint32_t k, bool floats)
{
    const struct ptx_operand *o = decode_operand(d, k), *c;
    int want = coordinates_of(d);
    bool negated;

    if (want < 0)
        return decode_unsupported(d);
    if (o->kind != PTX_OP_ADDRESS || o->count != 2 || o->offset)
        return decode_fault(d, o->kind == PTX_OP_ADDRESS && o->count == 3 ? ERR_UNSUPPORTED : ERR_MALFORMED,
                            &o->place, "%s%s: expected [handle, {coordinates}] here", d->i->opcode, d->i->suffix);
    if (d->f->operands[o->index].kind == PTX_OP_VARIABLE)
        return decode_fault(d, ERR_UNSUPPORTED, &o->place,
                            "not supported: texture references; pass a texture handle");
    c = &d->f->operands[o->index + 1];
    if (decode_pieces(d, c) < (uint32_t)want || decode_pieces(d, c) > 4)
        return decode_fault(d, ERR_MALFORMED, &c->place, "%s%s needs %d coordinates", d->i->opcode, d->i->suffix,
                            want);
    a->base_bits = 64;
    for (uint32_t s = 0; s < (uint32_t)want; s++) {
        bool layer = s == 0 && d->op->args.imm & PTX_TEXTURE_LAYERED;
        struct ptx_operand one = decode_piece(d, c, s);

        if (decode_source(d, &one, 32, floats && !layer ? DECODE_FLOATS : DECODE_ANY, &d->op->args.src[s],
                          &negated) < 0)
            return -1;
    }
    return decode_source(d, &d->f->operands[o->index], 64, DECODE_ANY, &a->base, &negated);
}

static int values(struct decoder *d, const struct ptx_operand *o, struct ptx_access *a, uint32_t want, bool write)
{
    uint32_t bits = ptx_row_bits(a->type);
    bool negated;

    if (decode_pieces(d, o) != want)
        return decode_fault(d, ERR_MALFORMED, &o->place, "%s%s must have %u values here", d->i->opcode,
                            d->i->suffix, want);
    a->vector = (uint8_t)want;
    a->value_count = (uint16_t)want;
    a->value_bits = (uint8_t)bits;
    for (uint32_t k = 0; k < want; k++) {
        struct ptx_operand one = decode_piece(d, o, k);
        uint16_t row;
        uint32_t own = bits;

        /* A byte may be in a wider register. */
        if (k == 0 && one.kind == PTX_OP_REG && ptx_type_bits(a->type) == 8) {
            if (decode_register(d, &one, &row, &own) < 0)
                return -1;
            a->value_bits = (uint8_t)own;
        }
        if (write ? decode_result(d, &one, a->value_bits, &a->values[k]) < 0
                  : decode_source(d, &one, a->value_bits, DECODE_ANY, &a->values[k], &negated) < 0)
            return -1;
    }
    return 0;
}

static struct ptx_access *begin(struct decoder *d, enum ptx_texture_what what)
{
    struct ptx_access *a = decode_new_access(d);

    d->op->action = PTX_DO_TEXTURE;
    if (a) {
        a->what = (uint8_t)what;
        a->type = d->i->types[0];
        a->space = PTX_SPACE_GLOBAL;
    }
    return a;
}

/* tex.2d.v4.f32.s32 {r,g,b,a}, [handle, {x, y}] {, lod | , gradient along x, along y}. Textures have one level, so
 * the operands that select a level are ignored. */
int decode_tex(struct decoder *d)
{
    uint32_t want = ptx_has(d->i, ".grad") ? 4 : ptx_has(d->i, ".level") ? 3 : 2;
    struct ptx_access *a;

    if (d->i->type_count != 2 || d->i->vector != 4 || ptx_type_bits(d->i->types[0]) != 32 ||
        d->i->types[0] == PTX_F16X2 || (d->i->types[1] != PTX_S32 && d->i->types[1] != PTX_F32))
        return decode_unsupported(d);
    if (decode_count(d, want, want) < 0 || !(a = begin(d, PTX_TEXTURE_FETCH)))
        return -1;
    if (d->i->types[1] == PTX_S32)
        d->op->args.imm |= PTX_TEXTURE_WHOLE;
    if (decode_operand(d, 0)->pair != PTX_NONE)
        return decode_unsupported(d);
    return image(d, a, 1, d->i->types[1] == PTX_F32) < 0 ? -1 : values(d, decode_operand(d, 0), a, 4, true);
}

/* tld4.r.2d.v4.f32.f32 (or .a2d): one channel of the four texels that a linear filter would read */
int decode_tld4(struct decoder *d)
{
    static const struct decode_word channels[] = {{".r", 0}, {".g", 1}, {".b", 2}, {".a", 3}};
    int channel = WHICH(d, channels);
    struct ptx_access *a;

    if (channel < 0 || d->i->type_count != 2 || d->i->vector != 4 ||
        (!ptx_has(d->i, ".2d") && !ptx_has(d->i, ".a2d")) || ptx_type_bits(d->i->types[0]) != 32 ||
        d->i->types[1] != PTX_F32)
        return decode_unsupported(d);
    if (decode_count(d, 2, 2) < 0 || !(a = begin(d, PTX_TEXTURE_GATHER)))
        return -1;
    d->op->args.imm |= (uint32_t)channel << PTX_TEXTURE_CHANNEL;
    return image(d, a, 1, true) < 0 ? -1 : values(d, decode_operand(d, 0), a, 4, true);
}

/* txq.width.b32 d, [handle]; suq has the same operands */
int decode_txq(struct decoder *d)
{
    static const struct decode_word queries[] = {{".width", 0}, {".height", 1}, {".depth", 2}, {".array_size", 3}};
    const struct ptx_operand *o;
    int what = WHICH(d, queries);
    struct ptx_access *a;
    bool negated;

    if (what < 0 || d->i->type_count != 1 || d->i->types[0] != PTX_B32 || ptx_has(d->i, ".level"))
        return decode_unsupported(d);
    if (decode_count(d, 2, 2) < 0 || !(a = begin(d, PTX_TEXTURE_QUERY)))
        return -1;
    o = decode_operand(d, 1);
    if (o->kind != PTX_OP_ADDRESS || o->count != 1 || o->offset || d->f->operands[o->index].kind == PTX_OP_VARIABLE)
        return decode_unsupported(d);
    d->op->args.imm = (uint32_t)what;
    a->base_bits = 64;
    if (decode_source(d, &d->f->operands[o->index], 64, DECODE_ANY, &a->base, &negated) < 0)
        return -1;
    return values(d, decode_operand(d, 0), a, 1, true);
}

/* suld.b.2d.v2.b32.clamp {a,b}, [handle, {x, y}]; sust.b.2d.v2.b32.clamp [handle, {x, y}], {a,b}. x is in bytes. */
int decode_surface(struct decoder *d)
{
    static const struct decode_word edges[] = {
        {".trap", PTX_SURFACE_TRAP}, {".clamp", PTX_SURFACE_CLAMP}, {".zero", PTX_SURFACE_ZERO}};
    bool store = strcmp(d->i->opcode, "sust") == 0;
    int edge = WHICH(d, edges);
    struct ptx_access *a;

    if (!ptx_has(d->i, ".b") || d->i->type_count != 1 || d->i->vector > 4 || ptx_type_bits(d->i->types[0]) < 8)
        return decode_unsupported(d);
    if (decode_count(d, 2, 2) < 0 || !(a = begin(d, store ? PTX_SURFACE_STORE : PTX_SURFACE_LOAD)))
        return -1;
    d->op->args.imm |= (uint32_t)(edge < 0 ? PTX_SURFACE_TRAP : edge) << PTX_TEXTURE_CHANNEL | PTX_TEXTURE_WHOLE;
    if (image(d, a, store ? 0 : 1, false) < 0)
        return -1;
    return values(d, decode_operand(d, store ? 1 : 0), a, d->i->vector, !store);
}
