/* sass/print.c: a decoded instruction as text. */
#include <inttypes.h>

#include "sass/decode.h"

/* Numbers of special registers. Source: CuAssembler's and turingas's lists, and kernels that read one special
 * register each, compiled by ptxas 13.0. */
static const struct {
    uint16_t index;
    const char *name;
} specials[] = {
    {0x00, "SR_LANEID"},
    {0x03, "SR_VIRTID"},
    {0x43, "SR_VIRTUALSMID"},
    {0x51, "SR_CLOCKHI"},
    {0x52, "SR_GLOBALTIMERLO"},
    {0x20, "SR_TID"},
    {0x21, "SR_TID.X"},
    {0x22, "SR_TID.Y"},
    {0x23, "SR_TID.Z"},
    {0x25, "SR_CTAID.X"},
    {0x26, "SR_CTAID.Y"},
    {0x27, "SR_CTAID.Z"},
    {0x2f, "SR_SWINHI"},
    {0x32, "SR_SMEMSZ"},
    {0x37, "SR_LMEMHIOFF"},
    {0x38, "SR_EQMASK"},
    {0x39, "SR_LTMASK"},
    {0x3a, "SR_LEMASK"},
    {0x3b, "SR_GTMASK"},
    {0x3c, "SR_GEMASK"},
    {0x50, "SR_CLOCKLO"},
    {0x88, "SR_CgaCtaId"},
    {0xff, "SRZ"},
};

const char *sass_special_name(uint32_t index)
{
    for (size_t k = 0; k < sizeof specials / sizeof *specials; k++)
        if (specials[k].index == index)
            return specials[k].name;
    return NULL;
}

static void print_special(uint16_t index, struct strbuf *out)
{
    const char *name = sass_special_name(index);

    if (name)
        strbuf_adds(out, name);
    else
        strbuf_addf(out, "SR_0x%x", index);
}

static void print_number(int64_t value, struct strbuf *out)
{
    if (value < 0)
        strbuf_addf(out, "-0x%" PRIx64, -(uint64_t)value);
    else
        strbuf_addf(out, "0x%" PRIx64, (uint64_t)value);
}

static void print_register(uint16_t index, uint16_t zero, const char *prefix, const char *last, struct strbuf *out)
{
    if (index == zero)
        strbuf_addf(out, "%s%s", prefix, last);
    else
        strbuf_addf(out, "%s%u", prefix, index);
}

static void print_offset(int64_t value, bool first, struct strbuf *out)
{
    if (value == 0 && !first)
        return;
    if (!first && value >= 0)
        strbuf_addc(out, '+');
    print_number(value, out);
}

/* "[R2.64+0x10]", "desc[UR4][R2.64]", "[R2.X4+UR5+0x10]" */
static void print_address(const struct sass_operand *x, struct strbuf *out)
{
    bool first = x->index == SASS_RZ;

    if (x->described)
        strbuf_addf(out, "desc[UR%u]", x->uniform);
    strbuf_addc(out, '[');
    if (!first)
        strbuf_addf(out, "R%u%s", x->index, x->wide ? ".64" : x->short_index ? ".U32" : "");
    if (!first && x->scale)
        strbuf_addf(out, ".X%u", 1u << x->scale);
    if (!x->described && x->uniform != SASS_URZ) {
        strbuf_addf(out, "%sUR%u", first ? "" : "+", x->uniform);
        first = false;
    }
    print_offset(x->value, first, out);
    strbuf_addc(out, ']');
}

static void print_constant(const struct sass_operand *x, struct strbuf *out)
{
    strbuf_addf(out, "c[0x%x][", x->bank);
    if (x->index != SASS_RZ)
        strbuf_addf(out, "R%u", x->index);
    print_offset(x->value, x->index == SASS_RZ, out);
    strbuf_addc(out, ']');
}

static void print_plain(const struct sass_operand *x, struct strbuf *out)
{
    switch ((enum sass_kind)x->kind) {
    case SASS_REGISTER: print_register(x->index, SASS_RZ, "R", "Z", out); break;
    case SASS_UNIFORM: print_register(x->index, SASS_URZ, "UR", "Z", out); break;
    case SASS_PREDICATE: print_register(x->index, SASS_PT, "P", "T", out); break;
    case SASS_UNIFORM_PREDICATE: print_register(x->index, SASS_PT, "UP", "T", out); break;
    case SASS_BARRIER: strbuf_addf(out, "B%u", x->index); break;
    case SASS_NUMBER: print_number(x->value, out); break;
    case SASS_SPECIAL: print_special(x->index, out); break;
    case SASS_CONSTANT: print_constant(x, out); break;
    case SASS_ADDRESS: print_address(x, out); break;
    case SASS_TARGET: print_number(x->value, out); break;
    case SASS_ALL_PREDICATES: strbuf_adds(out, "PR"); break;
    }
}

void sass_print_operand(const struct sass_operand *x, struct strbuf *out)
{
    bool predicate = x->kind == SASS_PREDICATE || x->kind == SASS_UNIFORM_PREDICATE;

    if (x->negated)
        strbuf_addc(out, predicate ? '!' : '-');
    if (x->inverted)
        strbuf_addc(out, '~');
    if (x->absolute)
        strbuf_addc(out, '|');
    print_plain(x, out);
    if (x->half)
        strbuf_adds(out, x->half == 2 ? ".H0_H0" : x->half == 3 ? ".H1_H1" : ".?");
    if (x->absolute)
        strbuf_addc(out, '|');
}

void sass_print(const struct sass_inst *x, struct strbuf *out)
{
    if (!x->name) {
        strbuf_addf(out, "unknown 0x%016" PRIx64 " 0x%016" PRIx64, x->words[0], x->words[1]);
        return;
    }
    if (x->guard.index != SASS_PT || x->guard.negated) {
        strbuf_addc(out, '@');
        sass_print_operand(&x->guard, out);
        strbuf_addc(out, ' ');
    }
    strbuf_addf(out, "%s%s", x->name, x->modifiers);
    for (uint32_t k = 0; k < x->operand_count; k++) {
        strbuf_adds(out, k ? ", " : " ");
        sass_print_operand(&x->operands[k], out);
    }
}
