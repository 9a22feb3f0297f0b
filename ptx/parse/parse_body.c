/* ptx/parse/parse_body.c: parses the statements of a function: scopes, declarations, labels. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ptx/parse/parse_internal.h"

enum { SCOPES_MAX = 1 << 20 };
#define SCOPE_WHOLE UINT32_MAX /* the scope of names that are unique in a function */

void parse_body_release(struct parse_body *b)
{
    symbols_release(&b->symbols);
    free(b->parents);
    free(b->references);
}

/* --- scopes --- */

static int open_scope(struct parser *p)
{
    struct parse_body *b = &p->body;

    if (b->scopes == SCOPES_MAX)
        return parse_fault(p, &p->x.token.place, "more than %d nested blocks", SCOPES_MAX);
    if (array_reserve((void **)&b->parents, &b->scope_capacity, b->scopes + 1, sizeof *b->parents, p->e) < 0)
        return -1;
    b->parents[b->scopes] = b->scope;
    b->scope = (uint32_t)b->scopes++;
    return 0;
}

int parse_begin_body(struct parser *p, uint32_t function)
{
    struct parse_body *b = &p->body;

    b->function = function;
    symbols_clear(&b->symbols);
    b->scope = 0;
    b->scopes = 1; /* scope 0 is the module's */
    b->reference_count = 0;
    b->register_capacity = b->inst_capacity = b->operand_capacity = b->label_capacity = b->target_capacity = 0;
    b->loc_file = b->loc_line = 0;
    b->nounroll = false;
    p->nesting = 0;
    p->scratch_count = 0;
    return open_scope(p);
}

/* --- registers --- */

/* Returns a name that is unique in the function. Blocks may reuse a name, also names of the module. With unique
 * names a printed module, which has no blocks, has the same meaning. */
const char *parse_name_once(struct parser *p, const char *name)
{
    const char *once = name;
    char longer[300];
    int ret = 1;

    for (size_t n = p->body.scopes;; n++) {
        if (!parse_find_global(p, once) && !parse_is_special(once))
            ret = symbols_add(&p->body.symbols, once, SCOPE_WHOLE, SYMBOL_LABEL, 0, p->e);
        if (ret <= 0)
            return ret < 0 ? NULL : once;
        snprintf(longer, sizeof longer, "%.250s$%zu", name, n);
        once = parse_intern(p, longer, strlen(longer));
        if (!once)
            return NULL;
    }
}

int parse_add_register(struct parser *p, const char *name, enum ptx_type type, uint8_t vector, uint32_t *index)
{
    struct ptx_function *f = parse_function_now(p);
    const char *once;
    int ret;

    if (f->register_count == PARSE_REGISTERS_MAX)
        return parse_fault(p, &p->x.token.place, "more than %d registers", PARSE_REGISTERS_MAX);
    if (array_reserve((void **)&f->registers, &p->body.register_capacity, f->register_count + 1u,
                      sizeof *f->registers, p->e) < 0)
        return -1;
    *index = f->register_count;
    ret = symbols_add(&p->body.symbols, name, p->body.scope, SYMBOL_REG, *index, p->e);
    if (ret > 0)
        return parse_fault(p, &p->x.token.place, "`%s` is declared twice", name);
    once = ret == 0 ? parse_name_once(p, name) : NULL;
    if (!once)
        return -1;
    f->registers[f->register_count++] = (struct ptx_register){once, (uint8_t)type, vector};
    return 0;
}

/* --- labels --- */

static int add_label(struct parser *p, const char *name, const struct ptx_place *at)
{
    struct ptx_function *f = parse_function_now(p);
    int ret;

    if (array_reserve((void **)&f->labels, &p->body.label_capacity, f->label_count + 1u, sizeof *f->labels, p->e) <
        0)
        return -1;
    ret = symbols_add(&p->body.symbols, name, p->body.scope, SYMBOL_LABEL, f->label_count, p->e);
    if (ret > 0)
        return parse_fault(p, at, "the label `%s` is defined twice", name);
    name = ret == 0 ? parse_name_once(p, name) : NULL;
    if (!name)
        return -1;
    f->labels[f->label_count++] = (struct ptx_label){name, f->inst_count};
    return 0;
}

/* Resolves labels that were used before their definition. A use refers to the innermost label of that name
 * around it. */
static int resolve(struct parser *p)
{
    struct ptx_function *f = parse_function_now(p);
    struct parse_body *b = &p->body;

    for (uint32_t i = 0; i < f->operand_count; i++) {
        struct ptx_operand *o = &f->operands[i];
        const struct parse_reference *r;
        const struct symbol *s = NULL;

        if (o->kind != PTX_OP_LABEL)
            continue;
        r = &b->references[o->index];
        for (uint32_t scope = r->scope; scope && !s; scope = b->parents[scope])
            s = symbols_find(&b->symbols, r->name, scope);
        if (!s || (s->kind != SYMBOL_LABEL && s->kind != SYMBOL_TARGETS))
            return parse_fault(p, &r->place, "`%s` is not declared", r->name);
        o->kind = s->kind == SYMBOL_LABEL ? PTX_OP_LABEL : PTX_OP_TARGETS;
        o->index = s->index;
    }
    return 0;
}

/* --- label: .branchtargets a, b; --- */

/* Items are references until the function ends. They are stored as operands that belong to no instruction, so
 * that resolve() finds them. */
static int target_list(struct parser *p, struct ptx_targets *t, bool labels)
{
    size_t capacity = 0;

    do {
        struct ptx_operand one;

        if (array_reserve((void **)&t->items, &capacity, t->count + 1u, sizeof *t->items, p->e) < 0 ||
            parse_operand(p, &one, labels) < 0)
            return -1;
        if (!labels && one.kind != PTX_OP_FUNCTION)
            return parse_fault(p, &one.place, "this is not a function");
        t->items[t->count++] = one.index;
    } while (parse_try_mark(p, ','));
    return parse_mark(p, ';');
}

/* Skips results, `_` and parameters, because a call lists its own operands. The callee is checked instead. */
static int prototype(struct parser *p)
{
    while (!token_is_mark(&p->x.token, ';')) {
        if (p->x.token.kind == TOKEN_END || p->x.token.kind == TOKEN_BAD)
            return parse_expected(p, "`;`");
        lex_next(&p->x);
    }
    lex_next(&p->x);
    return 0;
}

/* The directive after a label that declares the targets of an indirect branch or call. Returns 0 if it is
 * another directive. */
static int targets(struct parser *p, const char *name, const struct ptx_place *at)
{
    struct ptx_function *f = parse_function_now(p);
    struct ptx_targets t = {.name = name};
    bool branch = parse_try(p, ".branchtargets"), call = !branch && parse_try(p, ".calltargets");
    int ret;

    if (!branch && !call && !parse_try(p, ".callprototype"))
        return 0;
    if (array_reserve((void **)&f->targets, &p->body.target_capacity, f->target_count + 1u, sizeof *f->targets,
                      p->e) < 0)
        return -1;
    ret = branch || call ? target_list(p, &t, branch) : prototype(p);
    t.labels = branch;
    f->targets[f->target_count] = t; /* the function owns it and frees it, also on error */
    if (ret == 0)
        ret = symbols_add(&p->body.symbols, name, p->body.scope, SYMBOL_TARGETS, f->target_count, p->e);
    if (ret == 0 && !(f->targets[f->target_count].name = parse_name_once(p, name)))
        ret = -1;
    f->target_count++;
    return ret > 0 ? parse_fault(p, at, "`%s` is declared twice", name) : ret < 0 ? -1 : 1;
}

/* Resolves the labels in lists of targets, which were references. */
static int resolve_targets(struct parser *p)
{
    struct ptx_function *f = parse_function_now(p);
    struct parse_body *b = &p->body;

    for (uint32_t i = 0; i < f->target_count; i++) {
        for (uint32_t k = 0; f->targets[i].labels && k < f->targets[i].count; k++) {
            const struct parse_reference *r = &b->references[f->targets[i].items[k]];
            const struct symbol *s = NULL;

            for (uint32_t scope = r->scope; scope && !s; scope = b->parents[scope])
                s = symbols_find(&b->symbols, r->name, scope);
            if (!s || s->kind != SYMBOL_LABEL)
                return parse_fault(p, &r->place, "the label `%s` is not defined", r->name);
            f->targets[i].items[k] = s->index;
        }
    }
    return 0;
}

/* --- statements --- */

/* .loc file line column and inlining attributes; ends at the end of its line. */
static int loc(struct parser *p)
{
    uint32_t line = p->x.token.place.line;

    lex_next(&p->x);
    if (p->x.token.kind == TOKEN_INTEGER && p->x.token.bits < PARSE_FILES_MAX) {
        p->body.loc_file = p->first_file + (uint32_t)p->x.token.bits;
        lex_next(&p->x);
        if (p->x.token.kind == TOKEN_INTEGER)
            p->body.loc_line = (uint32_t)p->x.token.bits;
    }
    lex_next_line(&p->x, line);
    return 0;
}

static int dotted(struct parser *p)
{
    if (token_is(&p->x.token, ".loc"))
        return loc(p);
    if (parse_try(p, ".pragma"))
        return parse_pragma(p);
    if (parse_space_of(&p->x.token) != PTX_GENERIC)
        return parse_variables(p, PTX_INTERNAL);
    return parse_expected(p, "a statement");
}

static int named(struct parser *p)
{
    struct ptx_inst i = {.guard = PTX_NONE, .place = p->x.token.place};
    const char *name = parse_name(p, "a statement");
    int list;

    if (!name)
        return -1;
    if (parse_try_mark(p, ':')) {
        list = targets(p, name, &i.place);
        return list < 0 ? -1 : list ? 0 : add_label(p, name, &i.place);
    }
    i.opcode = name;
    return parse_instruction(p, &i);
}

static int guarded(struct parser *p)
{
    struct ptx_inst i = {.guard = PTX_NONE, .place = p->x.token.place};

    if (parse_guard(p, &i) < 0)
        return -1;
    i.opcode = parse_name(p, "an instruction");
    return i.opcode ? parse_instruction(p, &i) : -1;
}

static int statement(struct parser *p)
{
    if (parse_try_mark(p, ';'))
        return 0;
    if (parse_try_mark(p, '@'))
        return guarded(p);
    if (p->x.token.kind == TOKEN_DOTTED)
        return dotted(p);
    return named(p);
}

int parse_body(struct parser *p)
{
    struct parse_body *b = &p->body;
    uint32_t depth = 1;

    while (depth) {
        if (token_is_mark(&p->x.token, '{')) {
            depth++;
            lex_next(&p->x);
            if (open_scope(p) < 0)
                return -1;
        } else if (token_is_mark(&p->x.token, '}')) {
            lex_next(&p->x);
            b->scope = b->parents[b->scope];
            depth--;
        } else if (statement(p) < 0) {
            return -1;
        }
    }
    return resolve(p) < 0 ? -1 : resolve_targets(p);
}
