/* ptx/parse/print.c: prints a module as PTX text that parses to the same module. The text has no blocks, because
 * the parser has made all names unique. */
#include <inttypes.h>
#include <string.h>

#include "base/strbuf.h"
#include "ptx/parse/module.h"

struct printer {
    const struct ptx_module *m;
    const struct ptx_function *f; /* NULL: not in a function */
    struct strbuf out;
};

static const char *const space_names[] = {"", ".reg", ".const", ".global", ".local", ".param", ".shared"};
static const char *const linkage_names[] = {"", ".visible ", ".extern ", ".weak ", ".common "};

/* --- operands --- */

static void operand(struct printer *w, const struct ptx_operand *o);

static void number(struct printer *w, const struct ptx_operand *o)
{
    double d;
    float f;
    uint32_t narrow;

    if (!o->is_float) {
        strbuf_addf(&w->out, "%" PRId64, (int64_t)o->bits);
        return;
    }
    if (!o->float32) {
        strbuf_addf(&w->out, "0d%016" PRIX64, o->bits);
        return;
    }
    memcpy(&d, &o->bits, sizeof d);
    f = (float)d;
    memcpy(&narrow, &f, sizeof narrow);
    strbuf_addf(&w->out, "0f%08" PRIX32, d != d ? (uint32_t)o->bits : narrow);
}

static void component(struct printer *w, const struct ptx_operand *o)
{
    static const char *const names[] = {"",    ".x",  ".y",  ".z",  ".w", ".b0", ".b1",
                                        ".b2", ".b3", ".h0", ".h1", ".h", ".b"};

    strbuf_adds(&w->out, names[o->component]);
    if (o->component >= PTX_HALVES)
        strbuf_addf(&w->out, "%0*" PRIx64, (int)o->count, o->bits);
}

static void list(struct printer *w, uint32_t first, uint32_t count, char open, char close)
{
    strbuf_addc(&w->out, open);
    for (uint32_t i = 0; i < count; i++) {
        strbuf_adds(&w->out, i ? ", " : "");
        operand(w, &w->f->operands[first + i]);
    }
    strbuf_addc(&w->out, close);
}

static void special(struct printer *w, const struct ptx_operand *o)
{
    static const char *const names[] = {
#define X(id, text, bits) text,
        PTX_SPECIALS(X)
#undef X
    };

    strbuf_addf(&w->out, "%%%s", names[o->index]);
    if (o->index == PTX_SREG_ENVREG)
        strbuf_addf(&w->out, "%" PRIu64, o->bits);
    component(w, o);
}

static void operand(struct printer *w, const struct ptx_operand *o)
{
    const struct ptx_function *f = w->f;

    if (o->negated)
        strbuf_addc(&w->out, o->kind == PTX_OP_REG && f->registers[o->index].type == PTX_PRED ? '!' : '-');
    switch ((enum ptx_operand_kind)o->kind) {
    case PTX_OP_REG:
        strbuf_adds(&w->out, f->registers[o->index].name);
        component(w, o);
        break;
    case PTX_OP_SPECIAL: special(w, o); break;
    case PTX_OP_IMMEDIATE: number(w, o); break;
    case PTX_OP_VARIABLE: strbuf_adds(&w->out, w->m->variables[o->index].name); break;
    case PTX_OP_FUNCTION: strbuf_adds(&w->out, w->m->functions[o->index].name); break;
    case PTX_OP_LABEL: strbuf_addf(&w->out, "%s", f->labels[o->index].name); break;
    case PTX_OP_TARGETS: strbuf_adds(&w->out, f->targets[o->index].name); break;
    case PTX_OP_ADDRESS: list(w, o->index, o->count, '[', ']'); break;
    case PTX_OP_VECTOR: list(w, o->index, o->count, '{', '}'); break;
    case PTX_OP_SINK: strbuf_addc(&w->out, '_'); break;
    }
    if (o->offset && o->kind != PTX_OP_ADDRESS)
        strbuf_addf(&w->out, "%+" PRId64, o->offset);
    if (o->pair != PTX_NONE) {
        strbuf_addc(&w->out, '|');
        operand(w, &f->operands[o->pair]);
    }
}

/* --- instructions --- */

static void inst(struct printer *w, const struct ptx_inst *i)
{
    const struct ptx_operand *o = w->f->operands;
    bool call = strcmp(i->opcode, "call") == 0;

    if (i->guard != PTX_NONE)
        strbuf_addf(&w->out, "@%s%s ", i->guard_negated ? "!" : "", w->f->registers[i->guard].name);
    strbuf_addf(&w->out, "%s%s", i->opcode, i->suffix);
    for (uint32_t k = 0; k < i->operand_count; k++) {
        strbuf_adds(&w->out, k ? ", " : " ");
        if (call && o[i->operand_first + k].kind == PTX_OP_VECTOR)
            list(w, o[i->operand_first + k].index, o[i->operand_first + k].count, '(', ')');
        else
            operand(w, &o[i->operand_first + k]);
    }
    strbuf_addc(&w->out, ';');
}

char *ptx_print_inst(const struct ptx_module *m, const struct ptx_function *f, const struct ptx_inst *i,
                     struct err *e)
{
    struct printer w = {.m = m, .f = f, .out = STRBUF_INIT};
    char *text;

    inst(&w, i);
    text = strbuf_detach(&w.out);
    if (!text)
        err_no_memory(e);
    return text;
}

/* --- variables --- */

static void bits(struct printer *w, enum ptx_type type, uint64_t value)
{
    if (type == PTX_F64)
        strbuf_addf(&w->out, "0d%016" PRIX64, value);
    else if (type == PTX_F32)
        strbuf_addf(&w->out, "0f%08" PRIX32, (uint32_t)value);
    else
        strbuf_addf(&w->out, "%" PRId64, (int64_t)value);
}

static void initial(struct printer *w, const struct ptx_variable *v)
{
    uint64_t at = 0;

    strbuf_adds(&w->out, " = {");
    for (uint32_t k = 0; k < v->initial_count; k++) {
        const struct ptx_initial *one = &w->m->initials[v->initial_first + k];
        const char *name = one->variable != PTX_NONE   ? w->m->variables[one->variable].name
                           : one->function != PTX_NONE ? w->m->functions[one->function].name
                                                       : NULL;

        for (; at < one->offset; at += one->bytes) { /* bytes that the initial values omit are zero */
            strbuf_adds(&w->out, at ? ", " : "");
            bits(w, v->type, 0);
        }
        strbuf_adds(&w->out, at ? ", " : "");
        at += one->bytes;
        if (!name)
            bits(w, v->type, one->value);
        else if (one->mask)
            strbuf_addf(&w->out, "mask(0x%" PRIx64 ")(%s%+" PRId64 ")", one->mask, name, (int64_t)one->value);
        else
            strbuf_addf(&w->out, one->generic ? "generic(%s)%+" PRId64 : "%s%+" PRId64, name, (int64_t)one->value);
    }
    strbuf_addc(&w->out, '}');
}

static void variable(struct printer *w, const struct ptx_variable *v)
{
    uint64_t element = (uint64_t)(ptx_type_bits(v->type) + 7) / 8;

    strbuf_addf(&w->out, "%s%s .align %u .%s %s", linkage_names[v->linkage], space_names[v->space], v->align,
                ptx_type_name(v->type), v->name);
    if (v->unsized)
        strbuf_adds(&w->out, "[]");
    else if (v->bytes != element)
        strbuf_addf(&w->out, "[%" PRIu64 "]", v->bytes / element);
    if (v->initial_count)
        initial(w, v);
    strbuf_adds(&w->out, ";\n");
}

/* --- functions --- */

static void param(struct printer *w, const struct ptx_function *f, const struct ptx_param *a)
{
    const struct ptx_variable *v;

    if (a->reg != PTX_NONE) {
        strbuf_addf(&w->out, ".reg .%s %s", ptx_type_name(a->type), f->registers[a->reg].name);
        return;
    }
    v = &w->m->variables[a->variable];
    strbuf_addf(&w->out, ".param .align %u .%s", a->align, ptx_type_name(a->type));
    if (a->pointer_space || a->pointer_align)
        strbuf_addf(&w->out, " .ptr%s%s", a->pointer_space ? " " : "", space_names[a->pointer_space]);
    if (a->pointer_align)
        strbuf_addf(&w->out, " .align %u", a->pointer_align);
    strbuf_addf(&w->out, " %s", v->name);
    if (v->bytes != (ptx_type_bits(v->type) + 7) / 8)
        strbuf_addf(&w->out, "[%" PRIu64 "]", v->bytes / ((ptx_type_bits(v->type) + 7) / 8));
}

static void params(struct printer *w, const struct ptx_function *f, const struct ptx_param *a, uint32_t count)
{
    strbuf_addc(&w->out, '(');
    for (uint32_t i = 0; i < count; i++) {
        strbuf_adds(&w->out, i ? ", " : "");
        param(w, f, &a[i]);
    }
    strbuf_adds(&w->out, ") ");
}

static void three(struct printer *w, const char *name, const uint32_t n[3])
{
    if (n[0])
        strbuf_addf(&w->out, "\n%s %u, %u, %u", name, n[0], n[1], n[2]);
}

static void head(struct printer *w, const struct ptx_function *f)
{
    strbuf_addf(&w->out, "\n%s%s ", linkage_names[f->linkage], f->entry ? ".entry" : ".func");
    if (f->result_count)
        params(w, f, f->results, f->result_count);
    strbuf_addf(&w->out, "%s ", f->name);
    params(w, f, f->params, f->param_count);
    three(w, ".maxntid", f->maxntid);
    three(w, ".reqntid", f->reqntid);
    three(w, ".reqnctapercluster", f->cluster);
    if (f->minnctapersm)
        strbuf_addf(&w->out, "\n.minnctapersm %u", f->minnctapersm);
    if (f->maxnreg)
        strbuf_addf(&w->out, "\n.maxnreg %u", f->maxnreg);
    strbuf_adds(&w->out, f->explicit_cluster ? "\n.explicitcluster" : "");
    strbuf_adds(&w->out, f->blocks_are_clusters ? "\n.blocksareclusters" : "");
    strbuf_adds(&w->out, f->noreturn ? "\n.noreturn" : "");
}

static bool is_param_register(const struct ptx_function *f, uint32_t reg)
{
    for (uint32_t i = 0; i < f->param_count; i++)
        if (f->params[i].reg == reg)
            return true;
    for (uint32_t i = 0; i < f->result_count; i++)
        if (f->results[i].reg == reg)
            return true;
    return false;
}

static bool is_param_variable(const struct ptx_function *f, uint32_t variable)
{
    for (uint32_t i = 0; i < f->param_count; i++)
        if (f->params[i].variable == variable)
            return true;
    for (uint32_t i = 0; i < f->result_count; i++)
        if (f->results[i].variable == variable)
            return true;
    return false;
}

static void declarations(struct printer *w, const struct ptx_function *f)
{
    for (uint32_t i = 0; i < f->register_count; i++) {
        const struct ptx_register *r = &f->registers[i];

        if (is_param_register(f, i))
            continue;
        strbuf_adds(&w->out, "\t.reg ");
        if (r->vector > 1)
            strbuf_addf(&w->out, ".v%u ", r->vector);
        strbuf_addf(&w->out, ".%s %s;\n", ptx_type_name(r->type), r->name);
    }
    for (uint32_t i = 0; i < w->m->variable_count; i++) {
        const struct ptx_variable *v = &w->m->variables[i];

        if (&w->m->functions[v->function == PTX_NONE ? 0 : v->function] != f || v->function == PTX_NONE ||
            !v->name || is_param_variable(f, i))
            continue;
        strbuf_addc(&w->out, '\t');
        variable(w, v);
    }
    for (uint32_t i = 0; i < f->target_count; i++) {
        const struct ptx_targets *t = &f->targets[i];

        strbuf_addf(&w->out, "%s: %s", t->name,
                    !t->count   ? ".callprototype _"
                    : t->labels ? ".branchtargets"
                                : ".calltargets");
        for (uint32_t k = 0; k < t->count; k++)
            strbuf_addf(&w->out, "%s %s", k ? "," : "",
                        t->labels ? f->labels[t->items[k]].name : w->m->functions[t->items[k]].name);
        strbuf_adds(&w->out, ";\n");
    }
}

static void body(struct printer *w, const struct ptx_function *f)
{
    uint32_t label = 0;

    strbuf_adds(&w->out, "\n{\n");
    declarations(w, f);
    for (uint32_t i = 0; i <= f->inst_count; i++) {
        for (; label < f->label_count && f->labels[label].at == i; label++)
            strbuf_addf(&w->out, "%s:\n", f->labels[label].name);
        if (i == f->inst_count)
            break;
        if (f->insts[i].nounroll)
            strbuf_adds(&w->out, "\t.pragma \"nounroll\";\n");
        strbuf_addc(&w->out, '\t');
        inst(w, &f->insts[i]);
        strbuf_addc(&w->out, '\n');
    }
    strbuf_adds(&w->out, "}\n");
}

/* Functions are declared before variables, because initial values may refer to them. Bodies come last. */
static void functions(struct printer *w, bool entries)
{
    for (uint32_t i = 0; i < w->m->function_count; i++) {
        const struct ptx_function *f = &w->m->functions[i];

        if (f->entry != entries || !f->has_body || f->broken)
            continue;
        w->f = f;
        head(w, f);
        body(w, f);
    }
    w->f = NULL;
}

char *ptx_print(const struct ptx_module *m, struct err *e)
{
    struct printer w = {.m = m, .out = STRBUF_INIT};
    char *text;

    strbuf_addf(&w.out, ".version %u.%u\n.target %s\n.address_size %u\n", m->version_major, m->version_minor,
                m->target_text ? m->target_text : "sm_50", m->address_bits);
    for (uint32_t i = 0; i < m->function_count; i++) {
        if (m->functions[i].entry || m->functions[i].broken || m->functions[i].alias_of)
            continue;
        head(&w, &m->functions[i]);
        strbuf_adds(&w.out, ";\n");
    }
    for (uint32_t i = 0; i < m->variable_count; i++)
        if (m->variables[i].function == PTX_NONE)
            variable(&w, &m->variables[i]);
    functions(&w, false);
    functions(&w, true);
    for (uint32_t i = 0; i < m->function_count; i++)
        if (m->functions[i].alias_of)
            strbuf_addf(&w.out, ".alias %s, %s;\n", m->functions[i].name, m->functions[i].alias_of);
    text = strbuf_detach(&w.out);
    if (!text)
        err_no_memory(e);
    return text;
}
