/* ptx/tools/op_values.c: operands of an instruction and their values. */
#include "ptx/tools/op_values.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ptx/warp/launch.h"
#include "ptx/list/launch_list.h"
#include "ptx/code/live.h"

struct listing {
    const struct ptx_code *c;
    struct op_value *out;
    uint32_t count;
};

static void add_register(struct listing *l, uint32_t reg, uint32_t component, bool vector)
{
    const struct ptx_register *r = &l->c->function->registers[reg];
    uint32_t bits = ptx_row_bits((enum ptx_type)r->type);
    uint16_t row = l->c->row_of[reg];

    if (row == PTX_NO_ROW || l->count == OP_VALUES_MAX)
        return;
    l->out[l->count++] =
        (struct op_value){.reg = reg,
                          .component = vector ? (uint8_t)component : 255,
                          .bits = (uint8_t)bits,
                          .row = (uint16_t)(row + component * (bits == 1 ? 1 : ptx_row_units(bits)))};
}

static void add_operand(struct listing *l, const struct ptx_operand *o)
{
    const struct ptx_function *f = l->c->function;

    if (o->kind == PTX_OP_REG) {
        uint32_t n = f->registers[o->index].vector;
        bool one = o->component >= PTX_X && o->component <= PTX_W && n > 1;

        for (uint32_t k = 0; k < n; k++)
            if (!one || k == (uint32_t)o->component - PTX_X)
                add_register(l, o->index, k, n > 1);
    } else if (o->kind == PTX_OP_VECTOR || o->kind == PTX_OP_ADDRESS) {
        for (uint32_t k = 0; k < o->count; k++)
            add_operand(l, &f->operands[o->index + k]);
    }
    if (o->pair != PTX_NONE)
        add_operand(l, &f->operands[o->pair]);
}

uint32_t op_values(const struct ptx_code *c, uint32_t op, bool results, struct op_value out[OP_VALUES_MAX])
{
    const struct ptx_inst *i = &c->function->insts[op];
    uint32_t n = ptx_result_operands(c->function, i);
    struct listing l = {c, out, 0};

    if (!results && i->guard != PTX_NONE)
        add_register(&l, i->guard, 0, false);
    for (uint32_t k = results ? 0 : n; k < (results ? n : i->operand_count); k++)
        add_operand(&l, &c->function->operands[i->operand_first + k]);
    return l.count;
}

void op_value_read(const struct ptx_seen *s, const struct op_value *v, uint32_t lane, uint64_t out[2])
{
    out[0] = out[1] = 0;
    if (v->bits == 1)
        out[0] = s->preds[v->row] >> lane & 1;
    else
        memcpy(out, s->rows + (size_t)v->row * PTX_ROW_BYTES + (size_t)lane * v->bits / 8, v->bits / 8);
}

void op_value_name(const struct ptx_code *c, const struct op_value *v, struct strbuf *to)
{
    strbuf_adds(to, c->function->registers[v->reg].name);
    if (v->component != 255)
        strbuf_addf(to, ".%c", "xyzw"[v->component & 3]);
}

uint8_t op_type(const struct ptx_code *c, uint32_t op)
{
    const struct ptx_inst *i = &c->function->insts[op];

    return i->type_count ? i->types[0] : PTX_NO_TYPE;
}

static enum element_type element_for(uint8_t type)
{
    switch (type) {
    case PTX_F16: return ELEMENT_F16;
    case PTX_BF16: return ELEMENT_BF16;
    case PTX_F32: return ELEMENT_F32;
    case PTX_F64: return ELEMENT_F64;
    default: return ELEMENT_TYPE_COUNT;
    }
}

uint64_t op_type_exponent(uint8_t type)
{
    switch (type) {
    case PTX_F16:
    case PTX_F16X2: return 0x7c00;
    case PTX_BF16:
    case PTX_BF16X2: return 0x7f80;
    case PTX_F32: return 0x7f800000;
    case PTX_F64: return 0x7ff0000000000000;
    default: return 0;
    }
}

void op_value_text(const struct op_value *v, const uint64_t bits[2], uint8_t type, struct strbuf *to)
{
    enum element_type t = element_for(type);
    char text[NUM_TEXT];
    double x;

    if (v->bits == 128)
        strbuf_addf(to, "0x%016" PRIx64 "%016" PRIx64, bits[1], bits[0]);
    else
        strbuf_addf(to, "0x%" PRIx64, bits[0]);
    if (t == ELEMENT_TYPE_COUNT || element_bytes(t) * 8 != v->bits)
        return;
    x = element_read(t, bits);
    strbuf_addf(to, " (%s)", isnan(x) ? "nan" : isinf(x) ? (x < 0 ? "-inf" : "inf") : num_format(x, text));
}

void op_ptx_text(const struct ptx_seen *s, struct strbuf *to)
{
    const struct ptx_run *r = s->warp->cta->run;
    struct err ignored;
    char *text =
        ptx_print_inst(ptx_module_of(r, s->code), s->code->function, &s->code->function->insts[s->op], &ignored);

    strbuf_adds(to, text ? text : "?");
    free(text);
}

void op_sources_text(const struct ptx_seen *s, uint32_t lane, struct strbuf *to)
{
    struct op_value v[OP_VALUES_MAX];
    uint32_t n = op_values(s->code, s->op, false, v);

    for (uint32_t k = 0; k < n; k++) {
        uint64_t bits[2];

        strbuf_adds(to, k ? ", " : "; ");
        op_value_name(s->code, &v[k], to);
        strbuf_adds(to, " = ");
        op_value_read(s, &v[k], lane, bits);
        op_value_text(&v[k], bits, op_type(s->code, s->op), to);
    }
}
