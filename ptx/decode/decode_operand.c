/* ptx/decode/decode_operand.c: operands become rows. An operand that is no register gets a preset row. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ptx/decode/decode_internal.h"

const struct ptx_operand *decode_operand(const struct decoder *d, uint32_t k)
{
    return &d->f->operands[d->i->operand_first + k];
}

int decode_count(struct decoder *d, uint32_t least, uint32_t most)
{
    uint32_t n = d->i->operand_count;

    if (n >= least && n <= most)
        return 0;
    return decode_fault(d, ERR_MALFORMED, &d->i->place, "%s%s has %u operands, not %u", d->i->opcode, d->i->suffix,
                        n < least ? least : most, n);
}

/* --- rows --- */

int decode_new_row(struct decoder *d, uint32_t bits, uint16_t *row)
{
    uint32_t *count = bits == 1 ? &d->preds : &d->rows;

    if (*count >= PTX_NO_ROW - 8u)
        return decode_fault(d, ERR_UNSUPPORTED, &d->f->place, "%s needs more registers than Vivace can execute",
                            d->f->name);
    *row = (uint16_t)*count;
    *count += bits == 1 ? 1 : ptx_row_units(bits);
    return 0;
}

int decode_register(struct decoder *d, const struct ptx_operand *o, uint16_t *row, uint32_t *bits)
{
    const struct ptx_register *r;
    uint32_t part = 0;

    if (o->kind != PTX_OP_REG)
        return decode_fault(d, ERR_MALFORMED, &o->place, "%s%s needs a register here", d->i->opcode, d->i->suffix);
    r = &d->f->registers[o->index];
    if (o->component > PTX_W)
        return decode_fault(d, ERR_UNSUPPORTED, &o->place, "not supported: a part of a register in %s%s",
                            d->i->opcode, d->i->suffix);
    if (o->component != PTX_WHOLE)
        part = o->component - PTX_X;
    if (part >= r->vector || (r->vector > 1) != (o->component != PTX_WHOLE))
        return decode_fault(d, ERR_MALFORMED, &o->place, "`%s` holds %u value%s", r->name, r->vector,
                            r->vector > 1 ? "s; a component such as .x must be named" : " and has no components");
    *row = d->row_of_value[d->live.value_of[o->index] + part];
    *bits = ptx_row_bits(r->type);
    return 0;
}

static int same_width(struct decoder *d, const struct ptx_operand *o, uint32_t bits, uint32_t want)
{
    const char *name = d->f->registers[o->index].name;

    if (bits == want)
        return 0;
    if (bits == 1 || want == 1)
        return decode_fault(d, ERR_MALFORMED, &o->place, "%s%s: `%s` is %s predicate", d->i->opcode, d->i->suffix,
                            name, bits == 1 ? "a" : "no");
    return decode_fault(d, ERR_MALFORMED, &o->place, "%s%s needs %u bits here, and `%s` has %u", d->i->opcode,
                        d->i->suffix, want, name, bits);
}

int decode_result(struct decoder *d, const struct ptx_operand *o, uint32_t bits, uint16_t *row)
{
    uint32_t have = 0;

    if (o->kind == PTX_OP_SINK) {
        *row = PTX_NO_ROW;
        return 0;
    }
    if (o->negated)
        return decode_fault(d, ERR_MALFORMED, &o->place, "a result cannot be negated");
    return decode_register(d, o, row, &have) < 0 ? -1 : same_width(d, o, have, bits);
}

int decode_pair(struct decoder *d, uint32_t k, uint32_t bits, uint16_t *row)
{
    const struct ptx_operand *o = decode_operand(d, k);

    *row = PTX_NO_ROW;
    return o->pair == PTX_NONE ? 0 : decode_result(d, &d->f->operands[o->pair], bits, row);
}

/* --- presets --- */

static uint64_t hash_of(const struct ptx_preset *p)
{
    uint64_t h = p->value[0] * 0x9E3779B97F4A7C15ull ^ p->value[1];

    h ^= (uint64_t)p->bits << 8 | (uint64_t)p->special << 16 | (uint64_t)p->component << 24 | p->frame;
    h ^= (uint64_t)p->variable << 32 ^ p->function;
    h *= 0xBF58476D1CE4E5B9ull;
    return h ^ h >> 31;
}

static bool equal(const struct ptx_preset *a, const struct ptx_preset *b)
{
    return a->bits == b->bits && a->special == b->special && a->component == b->component &&
           a->value[0] == b->value[0] && a->value[1] == b->value[1] && a->variable == b->variable &&
           a->function == b->function && a->frame == b->frame;
}

/* The hash table's entry for the preset: its present entry, or a free one. */
static uint32_t *find_preset(const struct decoder *d, const struct ptx_preset *p)
{
    uint32_t at = (uint32_t)hash_of(p) & (d->preset_room - 1);

    while (d->preset_places[at] && !equal(&d->c->presets[d->preset_places[at] - 1], p))
        at = (at + 1) & (d->preset_room - 1);
    return &d->preset_places[at];
}

static int grow_presets(struct decoder *d)
{
    uint32_t room = d->preset_room ? 2 * d->preset_room : 64;
    uint32_t *places;

    if (2 * d->c->preset_count < d->preset_room)
        return 0;
    places = mem_zalloc(room, sizeof *places, d->e);
    if (!places)
        return -1;
    free(d->preset_places);
    d->preset_places = places;
    d->preset_room = room;
    for (uint32_t k = 0; k < d->c->preset_count; k++)
        *find_preset(d, &d->c->presets[k]) = k + 1;
    return 0;
}

int decode_preset(struct decoder *d, const struct ptx_preset *p, uint16_t *row)
{
    uint32_t *place;

    if (grow_presets(d) < 0)
        return -1;
    place = find_preset(d, p);
    if (!*place) {
        if (array_reserve((void **)&d->c->presets, &d->preset_capacity, d->c->preset_count + 1u,
                          sizeof *d->c->presets, d->e) < 0)
            return -1;
        d->c->presets[d->c->preset_count] = *p;
        if (decode_new_row(d, p->bits, &d->c->presets[d->c->preset_count].row) < 0)
            return -1;
        *place = ++d->c->preset_count;
    }
    *row = d->c->presets[*place - 1].row;
    return 0;
}

/* --- numbers --- */

static uint32_t float_bits(const struct ptx_operand *o)
{
    uint32_t bits;
    double wide;
    float narrow;

    memcpy(&wide, &o->bits, sizeof wide);
    if (wide != wide && o->float32)
        return (uint32_t)o->bits; /* keep the payload of the NaN */
    narrow = (float)wide;
    memcpy(&bits, &narrow, sizeof bits);
    return bits;
}

static uint64_t double_bits(const struct ptx_operand *o)
{
    double wide;

    memcpy(&wide, &o->bits, sizeof wide);
    if (wide == wide || !o->float32)
        return o->bits;
    return (o->bits & 1u << 31) << 32 | 0x7ffull << 52 | (o->bits & 0x7fffff) << 29;
}

static int number(struct decoder *d, const struct ptx_operand *o, uint32_t bits, enum decode_numbers numbers,
                  uint64_t *out)
{
    if (numbers == DECODE_FLOATS && !o->is_float)
        return decode_fault(d, ERR_MALFORMED, &o->place, "%s%s needs a float here, such as 0f3F800000 or 1.0",
                            d->i->opcode, d->i->suffix);
    if (o->is_float && (numbers == DECODE_INTEGERS || (bits != 32 && bits != 64)))
        return decode_fault(d, ERR_MALFORMED, &o->place, "%s%s needs a whole number here", d->i->opcode,
                            d->i->suffix);
    *out = !o->is_float ? o->bits : bits == 32 ? float_bits(o) : double_bits(o);
    if (bits == 1)
        *out = *out != 0;
    else if (bits < 64)
        *out &= (1ull << bits) - 1;
    return 0;
}

int decode_integer(struct decoder *d, uint32_t k, uint64_t *out)
{
    const struct ptx_operand *o = k < d->i->operand_count ? decode_operand(d, k) : NULL;

    if (!o || o->kind != PTX_OP_IMMEDIATE || o->is_float)
        return decode_fault(d, ERR_MALFORMED, o ? &o->place : &d->i->place, "%s%s needs a whole number here",
                            d->i->opcode, d->i->suffix);
    *out = o->bits;
    return 0;
}

/* --- sources --- */

static bool has_components(uint32_t special)
{
    switch (special) {
    case PTX_SREG_TID:
    case PTX_SREG_NTID:
    case PTX_SREG_CTAID:
    case PTX_SREG_NCTAID:
    case PTX_SREG_CLUSTERID:
    case PTX_SREG_NCLUSTERID:
    case PTX_SREG_CLUSTER_CTAID:
    case PTX_SREG_CLUSTER_NCTAID: return true;
    default: return false;
    }
}

static int special(struct decoder *d, const struct ptx_operand *o, struct ptx_preset *p)
{
    static const uint8_t widths[] = {
#define X(name, text, bits) bits,
        PTX_SPECIALS(X)
#undef X
    };

    if (ptx_is_clock(o))
        return decode_fault(d, ERR_UNSUPPORTED, &o->place,
                            "not supported: a clock as this operand of %s%s; move it to a register first",
                            d->i->opcode, d->i->suffix);
    if (p->bits > widths[o->index] || (p->bits == 1) != (widths[o->index] == 1))
        return decode_fault(d, ERR_MALFORMED, &o->place, "%s%s needs %u bits here, and this register has %u",
                            d->i->opcode, d->i->suffix, p->bits, widths[o->index]);
    if (has_components(o->index) != (o->component >= PTX_X && o->component <= PTX_W))
        return decode_fault(d, ERR_MALFORMED, &o->place, "this special register has %s",
                            has_components(o->index) ? "the components .x .y .z" : "no components");
    if (o->component == PTX_W) /* the fourth component has no meaning and reads as 0 */
        return 0;
    p->special = (uint8_t)o->index;
    p->component = o->component ? (uint8_t)(o->component - PTX_X) : 0;
    p->value[0] = o->index == PTX_SREG_ENVREG ? o->bits : 0;
    return 0;
}

static int variable(struct decoder *d, const struct ptx_operand *o, struct ptx_preset *p)
{
    const struct ptx_variable *v = &d->m->variables[o->index];
    const struct decode_home *home = &d->homes[o->index];

    if (p->bits != 32 && p->bits != 64)
        return decode_fault(d, ERR_MALFORMED, &o->place, "the address of `%s` has 64 bits", v->name);
    p->value[0] = (uint64_t)o->offset;
    if (home->kind) {
        p->value[0] += home->at;
        p->frame = home->kind == DECODE_FRAME;
    } else if (v->space == PTX_SPACE_LOCAL || v->space == PTX_SPACE_PARAM) {
        return decode_fault(d, ERR_UNSUPPORTED, &o->place, "not supported: `%s` does not belong to this function",
                            v->name);
    } else {
        p->variable = o->index;
    }
    return 0;
}

int decode_source(struct decoder *d, const struct ptx_operand *o, uint32_t bits, enum decode_numbers numbers,
                  uint16_t *row, bool *negated)
{
    struct ptx_preset p = {
        .bits = (uint8_t)bits, .special = PTX_SPECIAL_COUNT, .variable = PTX_NONE, .function = PTX_NONE};
    uint32_t have = 0;
    int ret;

    *negated = o->negated;
    if (o->negated && bits != 1)
        return decode_fault(d, ERR_MALFORMED, &o->place, "%s%s accepts no negated operand", d->i->opcode,
                            d->i->suffix);
    switch (o->kind) {
    case PTX_OP_REG: return decode_register(d, o, row, &have) < 0 ? -1 : same_width(d, o, have, bits);
    case PTX_OP_IMMEDIATE: ret = number(d, o, bits, numbers, &p.value[0]); break;
    case PTX_OP_SPECIAL: ret = special(d, o, &p); break;
    case PTX_OP_VARIABLE: ret = variable(d, o, &p); break;
    case PTX_OP_FUNCTION:
        p.function = o->index;
        ret = bits == 64 ? 0 : decode_fault(d, ERR_MALFORMED, &o->place, "the address of a function has 64 bits");
        break;
    default:
        return decode_fault(d, ERR_MALFORMED, &o->place, "%s%s cannot read this operand", d->i->opcode,
                            d->i->suffix);
    }
    return ret < 0 ? -1 : decode_preset(d, &p, row);
}

int decode_to_src(struct decoder *d, uint32_t k, uint32_t bits, uint32_t slot)
{
    bool negated;

    if (decode_source(d, decode_operand(d, k), bits, DECODE_ANY, &d->op->args.src[slot], &negated) < 0)
        return -1;
    d->op->args.negate |= (uint8_t)(negated << slot);
    return 0;
}

uint32_t decode_pieces(const struct decoder *d, const struct ptx_operand *o)
{
    if (o->kind == PTX_OP_VECTOR)
        return o->count;
    return o->kind == PTX_OP_REG && o->component == PTX_WHOLE ? d->f->registers[o->index].vector : 1;
}

struct ptx_operand decode_piece(const struct decoder *d, const struct ptx_operand *o, uint32_t k)
{
    struct ptx_operand one = *o;

    if (o->kind == PTX_OP_VECTOR)
        return d->f->operands[o->index + k];
    if (decode_pieces(d, o) > 1)
        one.component = (uint8_t)(PTX_X + k);
    return one;
}
