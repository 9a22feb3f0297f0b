/* ptx/decode/op_text.c: one op as text, from its decoded form. */
#include <inttypes.h>
#include <string.h>

#include "base/strbuf.h"
#include "ptx/code/actions.h"
#include "ptx/decode/decode_handlers.h"

struct writer {
    const struct ptx_code *c;
    struct strbuf out;
};

static const char *const actions[PTX_ACTION_COUNT] = {
    "form",  "nothing", "branch",  "branch.index", "call",    "return",      "exit",
    "trap",  "load",    "store",   "atomic",       "barrier", "warp",        "matrix",
    "async", "fence",   "special", "sleep",        "texture", "system.call", "stack"};

static const struct ptx_form *form_of(const struct ptx_op *op)
{
    size_t n;
    const struct ptx_form *const *forms = ptx_forms(&n);

    for (size_t k = 0; k < n; k++)
        if (forms[k]->full == op->full && forms[k]->part == op->part &&
            (forms[k]->has_imm || forms[k]->imm == op->args.imm))
            return forms[k];
    return NULL;
}

static const struct ptx_preset *preset_of(const struct ptx_code *c, uint16_t row, bool predicate)
{
    for (uint32_t k = 0; k < c->preset_count; k++)
        if (c->presets[k].row == row && (c->presets[k].bits == 1) == predicate)
            return &c->presets[k];
    return NULL;
}

static const char *special_name(uint32_t special)
{
    static const char *const names[] = {
#define X(name, text, bits) text,
        PTX_SPECIALS(X)
#undef X
    };

    return names[special];
}

/* Writes r12, p3, or the preset of the row: #5, %tid.0 (x), %envreg.3, variable3+8, frame+16, function2. */
static void row(struct writer *w, uint16_t at, bool predicate)
{
    const struct ptx_preset *p = preset_of(w->c, at, predicate);

    if (at == PTX_NO_ROW)
        strbuf_adds(&w->out, "_");
    else if (!p)
        strbuf_addf(&w->out, "%c%u", predicate ? 'p' : 'r', at);
    else if (p->special != PTX_SPECIAL_COUNT)
        strbuf_addf(&w->out, "%%%s.%" PRIu64, special_name(p->special), p->component + p->value[0]);
    else if (p->variable != PTX_NONE)
        strbuf_addf(&w->out, "variable%u+%" PRIu64, p->variable, p->value[0]);
    else if (p->function != PTX_NONE)
        strbuf_addf(&w->out, "function%u", p->function);
    else
        strbuf_addf(&w->out, "%s%" PRIu64, p->frame ? "frame+" : "#", p->value[0]);
}

static void operand(struct writer *w, const struct ptx_op *op, uint32_t slot, bool predicate)
{
    strbuf_adds(&w->out, op->args.negate >> slot & 1 ? " !" : " ");
    row(w, op->args.src[slot], predicate);
}

static void form(struct writer *w, const struct ptx_op *op)
{
    const struct ptx_form *f = form_of(op);

    if (!f) {
        strbuf_adds(&w->out, op->full == decode_do_isspacep       ? "isspacep "
                             : op->full == decode_do_quad         ? "quad "
                             : op->full == decode_do_video        ? "video "
                             : op->full == decode_do_video_picked ? "picked video "
                                                                  : "resized ");
        row(w, op->args.dst, op->full == decode_do_isspacep);
        strbuf_adds(&w->out, " <-");
        for (uint32_t s = 0; s < PTX_SOURCES_MAX; s++)
            if (op->args.src[s] != PTX_NO_ROW)
                operand(w, op, s, false);
        strbuf_addf(&w->out, " imm %#x", op->args.imm);
        return;
    }
    strbuf_addf(&w->out, "%s ", f->name);
    row(w, op->args.dst, f->dst_bits == 1);
    if (f->dst2_bits && op->args.dst2 != PTX_NO_ROW) {
        strbuf_adds(&w->out, "|");
        row(w, op->args.dst2, f->dst2_bits == 1);
    }
    strbuf_adds(&w->out, " <-");
    for (uint32_t s = 0; s < PTX_SOURCES_MAX; s++)
        if (op->args.src[s] != PTX_NO_ROW)
            operand(w, op, s, f->src_bits[s] == 1);
    if (f->has_imm)
        strbuf_addf(&w->out, " imm %#x", op->args.imm);
}

static void address(struct writer *w, const struct ptx_access *a)
{
    static const char *const spaces[] = {"generic", "reg", "const", "global", "local", "param", "shared"};

    strbuf_addf(&w->out, " %s[", spaces[a->space]);
    if (a->base != PTX_NO_ROW)
        row(w, a->base, false);
    strbuf_addf(&w->out, a->base != PTX_NO_ROW ? "%+" PRId64 "]" : "%" PRId64 "]", a->offset);
}

static void access_text(struct writer *w, const struct ptx_op *op, const struct ptx_access *a)
{
    bool moves = op->action == PTX_DO_LOAD || op->action == PTX_DO_STORE;

    if (!moves)
        strbuf_addf(&w->out, " %u", a->what);
    if (a->type)
        strbuf_addf(&w->out, ".%s", ptx_type_name(a->type));
    if (moves || a->base != PTX_NO_ROW)
        address(w, a);
    for (uint32_t k = 0; k < a->value_count; k++) {
        strbuf_adds(&w->out, k ? ", " : " {");
        row(w, a->values[k], false);
    }
    if (a->value_count)
        strbuf_addf(&w->out, "} of %u bits", a->value_bits);
    if (a->hints)
        strbuf_addf(&w->out, " hints %#x", a->hints);
}

static void passed(struct writer *w, uint32_t first, uint32_t count, const char *what)
{
    for (uint32_t k = 0; k < count; k++) {
        const struct ptx_passed *p = &w->c->passed[first + k];

        strbuf_adds(&w->out, k ? ", " : what);
        if (p->row == PTX_NO_ROW)
            strbuf_addf(&w->out, "frame[%u..%u]", p->frame, p->frame + p->bytes);
        else
            row(w, p->row, p->bits == 1);
    }
}

/* Actions that are no forms. Rows and indices in preds look the same: only the action determines which they are. */
static void other(struct writer *w, const struct ptx_op *op)
{
    bool calls = op->action == PTX_DO_CALL || op->action == PTX_DO_SYSTEM_CALL;

    strbuf_adds(&w->out, actions[op->action]);
    if (op->access != PTX_NONE && !calls)
        access_text(w, op, &w->c->accesses[op->access]);
    if (op->target != PTX_NONE)
        strbuf_addf(&w->out, " -> %u", op->target);
    if (op->join != PTX_NONE)
        strbuf_addf(&w->out, " join %u", op->join);
    if (op->args.dst != PTX_NO_ROW)
        strbuf_addf(&w->out, " dst %u", op->args.dst);
    if (op->args.dst2 != PTX_NO_ROW)
        strbuf_addf(&w->out, "|%u", op->args.dst2);
    for (uint32_t s = 0; s < PTX_SOURCES_MAX; s++)
        if (op->args.src[s] != PTX_NO_ROW)
            strbuf_addf(&w->out, " src%u %s%u", s, op->args.negate >> s & 1 ? "!" : "", op->args.src[s]);
    if (op->args.imm)
        strbuf_addf(&w->out, " imm %#x", op->args.imm);
    if (calls) {
        const struct ptx_call *call = &w->c->calls[op->access];

        passed(w, call->first, call->args, " takes ");
        passed(w, call->first + call->args, call->results, " gives ");
    }
}

char *ptx_op_text(const struct ptx_code *c, uint32_t op, struct err *e)
{
    struct writer w = {.c = c, .out = STRBUF_INIT};
    const struct ptx_op *o = &c->ops[op];
    char *text;

    strbuf_addf(&w.out, "%u: ", op);
    if (o->guarded)
        strbuf_addf(&w.out, "@%sp%u ", o->guard_negated ? "!" : "", o->guard);
    if (o->action == PTX_DO_FORM)
        form(&w, o);
    else
        other(&w, o);
    text = strbuf_detach(&w.out);
    if (!text)
        err_no_memory(e);
    return text;
}
