/* ptx/code/shared.c: finds all functions that a kernel can call and places the shared variables that they name. */
#include "ptx/code/shared.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { SHARED_MAX = 16 << 20 };

struct walk {
    const struct ptx_module *m;
    bool *used;  /* of each function: the kernel can call it */
    bool *named; /* of each variable: one of these functions names it */
    bool reserved;
    uint32_t *stack, depth;
};

static void use(struct walk *w, uint32_t function)
{
    if (function == PTX_NONE || w->used[function])
        return;
    w->used[function] = true;
    w->stack[w->depth++] = function;
}

static void look_at(struct walk *w, const struct ptx_function *f)
{
    bool indirect = false;

    for (uint32_t k = 0; k < f->operand_count; k++) {
        if (f->operands[k].kind == PTX_OP_FUNCTION)
            use(w, f->operands[k].index);
        else if (f->operands[k].kind == PTX_OP_VARIABLE)
            w->named[f->operands[k].index] = true;
        else if (f->operands[k].kind == PTX_OP_SPECIAL)
            w->reserved |=
                f->operands[k].index >= PTX_SREG_RESERVED_BEGIN && f->operands[k].index <= PTX_SREG_RESERVED_1;
    }
    for (uint32_t t = 0; t < f->target_count; t++)
        for (uint32_t k = 0; !f->targets[t].labels && k < f->targets[t].count; k++)
            use(w, f->targets[t].items[k]);
    for (uint32_t i = 0; i < f->inst_count; i++)
        for (uint32_t k = 0; k < f->insts[i].operand_count && strcmp(f->insts[i].opcode, "call") == 0; k++)
            indirect |= f->operands[f->insts[i].operand_first + k].kind == PTX_OP_REG;
    for (uint32_t k = 0; indirect && k < w->m->initial_count; k++)
        use(w, w->m->initials[k].function);
    if (f->alias_of)
        use(w, ptx_find_function(w->m, f->alias_of));
}

static int place(const struct walk *w, const char *kernel, struct ptx_shared *out, struct err *e)
{
    uint64_t end, align = 1;

    out->reserved = w->reserved ? PTX_RESERVED_BYTES : 0;
    end = out->reserved;
    for (uint32_t v = 0; v < w->m->variable_count; v++) {
        const struct ptx_variable *var = &w->m->variables[v];

        out->offset[v] = PTX_NONE;
        if (!w->named[v] || var->space != PTX_SPACE_SHARED)
            continue;
        if (var->unsized) {
            align = var->align > align ? var->align : align;
            continue;
        }
        end = (end + var->align - 1) / var->align * var->align;
        out->offset[v] = (uint32_t)end;
        end += var->bytes;
        if (end > SHARED_MAX)
            return err_set(e, ERR_UNSUPPORTED, "%s: more than %d bytes of shared variables", kernel, SHARED_MAX);
    }
    out->bytes = (uint32_t)end;
    out->dynamic = (uint32_t)((end + align - 1) / align * align);
    for (uint32_t v = 0; v < w->m->variable_count; v++)
        if (w->named[v] && w->m->variables[v].space == PTX_SPACE_SHARED && w->m->variables[v].unsized)
            out->offset[v] = out->dynamic;
    return 0;
}

int ptx_shared_layout(const struct ptx_module *m, uint32_t function, struct ptx_shared *out, struct err *e)
{
    struct walk w = {.m = m};
    int ret = -1;

    *out = (struct ptx_shared){0};
    w.used = mem_zalloc(m->function_count + 1u, sizeof *w.used, e);
    w.named = mem_zalloc(m->variable_count + 1u, sizeof *w.named, e);
    w.stack = mem_zalloc(m->function_count + 1u, sizeof *w.stack, e);
    out->offset = mem_zalloc(m->variable_count + 1u, sizeof *out->offset, e);
    if (w.used && w.named && w.stack && out->offset) {
        use(&w, function);
        while (w.depth)
            look_at(&w, &m->functions[w.stack[--w.depth]]);
        ret = place(&w, m->functions[function].name, out, e);
    }
    free(w.used);
    free(w.named);
    free(w.stack);
    if (ret < 0)
        ptx_shared_release(out);
    return ret;
}

void ptx_shared_release(struct ptx_shared *s)
{
    free(s->offset);
    *s = (struct ptx_shared){0};
}
