/* ptx/parse/parse_function.c: parses function headers: parameters, results, directives. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/strbuf.h"
#include "ptx/parse/parse_internal.h"

enum { PARAM_BYTES_MAX = 64 << 10 };

/* ( param, param ) */
static int params(struct parser *p, struct ptx_param **list, uint32_t *count, uint32_t *bytes)
{
    size_t capacity = 0;

    if (parse_mark(p, '(') < 0)
        return -1;
    while (!token_is_mark(&p->x.token, ')')) {
        struct ptx_param *one;

        if ((*count && parse_mark(p, ',') < 0) ||
            array_reserve((void **)list, &capacity, *count + 1u, sizeof **list, p->e) < 0)
            return -1;
        one = &(*list)[*count];
        *one = (struct ptx_param){.reg = PTX_NONE, .variable = PTX_NONE};
        if (parse_param(p, one) < 0)
            return -1;
        one->offset = (*bytes + one->align - 1) / one->align * one->align;
        if (one->bytes > PARAM_BYTES_MAX - one->offset)
            return parse_fault(p, &p->x.token.place, "parameters of more than 64 KiB");
        *bytes = one->offset + one->bytes;
        (*count)++;
    }
    lex_next(&p->x);
    return 0;
}

static int three(struct parser *p, const char *what, uint32_t out[3])
{
    uint32_t n = 0;

    out[0] = out[1] = out[2] = 1;
    do {
        if (parse_uint(p, what, 1u << 30, &out[n]) < 0)
            return -1;
    } while (++n < 3 && parse_try_mark(p, ','));
    return 0;
}

/* Directives between a function's header and its body. */
static int directives(struct parser *p, struct ptx_function *f)
{
    uint32_t ignored;

    while (p->x.token.kind == TOKEN_DOTTED) {
        int ret = 0;

        if (parse_try(p, ".maxntid"))
            ret = three(p, ".maxntid", f->maxntid);
        else if (parse_try(p, ".reqntid"))
            ret = three(p, ".reqntid", f->reqntid);
        else if (parse_try(p, ".minnctapersm"))
            ret = parse_uint(p, ".minnctapersm", 1024, &f->minnctapersm);
        else if (parse_try(p, ".maxnctapersm"))
            ret = parse_uint(p, ".maxnctapersm", 1024, &ignored);
        else if (parse_try(p, ".maxnreg"))
            ret = parse_uint(p, ".maxnreg", 1024, &f->maxnreg);
        else if (parse_try(p, ".reqnctapercluster"))
            ret = three(p, ".reqnctapercluster", f->cluster);
        else if (parse_try(p, ".maxclusterrank"))
            ret = parse_uint(p, ".maxclusterrank", 1024, &ignored);
        else if (parse_try(p, ".abi_preserve")) /* registers that a callee saves: there is no such choice here */
            ret = parse_uint(p, ".abi_preserve", 1024, &ignored);
        else if (parse_try(p, ".abi_preserve_control"))
            ret = parse_uint(p, ".abi_preserve_control", 1024, &ignored);
        else if (parse_try(p, ".explicitcluster"))
            f->explicit_cluster = true;
        else if (parse_try(p, ".blocksareclusters"))
            f->blocks_are_clusters = true;
        else if (parse_try(p, ".noreturn"))
            f->noreturn = true;
        else if (parse_try(p, ".pragma")) {
            ret = parse_pragma(p);
        } else {
            return parse_expected(p, "a performance directive or the body");
        }
        if (ret < 0)
            return -1;
    }
    return 0;
}

const struct symbol *parse_find_global(const struct parser *p, const char *name)
{
    const struct symbol *own = symbols_find(&p->symbols, name, p->unit);

    return own ? own : symbols_find(&p->symbols, name, 0);
}

static uint32_t unit_of(const struct ptx_module *m, const struct symbol *s)
{
    return s->kind == SYMBOL_FUNCTION ? m->functions[s->index].unit : m->variables[s->index].unit;
}

const struct symbol *parse_find_declared(const struct parser *p, const char *name, enum ptx_linkage link)
{
    const struct symbol *s = parse_find_global(p, name);

    return s && s->scope == 0 && link == PTX_INTERNAL && unit_of(p->m, s) != p->unit ? NULL : s;
}

int parse_add_global(struct parser *p, const char *name, enum ptx_linkage link, enum symbol_kind kind,
                     uint32_t index)
{
    uint32_t scope = link == PTX_INTERNAL ? p->unit : 0;

    return symbols_add(&p->symbols, name, scope, kind, index, p->e) < 0 ? -1 : 0;
}

/* The name of a function or variable without linkage: another one if an earlier module has used it. */
const char *parse_name_in_unit(struct parser *p, const char *name, enum ptx_linkage link)
{
    struct strbuf longer = STRBUF_INIT;
    const char *interned;
    bool used = false;

    for (uint32_t unit = 0; unit < p->unit && link == PTX_INTERNAL; unit++)
        used = used || symbols_find(&p->symbols, name, unit);
    if (!used)
        return name;
    strbuf_addf(&longer, "%s$unit%u", name, p->unit);
    interned = longer.failed ? NULL : parse_intern(p, longer.text, longer.length);
    if (longer.failed)
        (void)err_no_memory(p->e);
    strbuf_release(&longer);
    return interned;
}

/* The index of a declared function: a new one, or that of its earlier declaration. */
int parse_place_function(struct parser *p, const char *name, struct ptx_place at, enum ptx_linkage link,
                         uint32_t *index)
{
    const struct symbol *known = parse_find_declared(p, name, link);
    struct ptx_module *m = p->m;
    const char *own;

    if (known && known->kind != SYMBOL_FUNCTION)
        return parse_fault(p, &at, "`%s` is already the name of something else", name);
    if (known) {
        *index = known->index;
        return parse_add_global(p, name, link, SYMBOL_FUNCTION, *index);
    }
    own = parse_name_in_unit(p, name, link);
    if (!own || array_reserve((void **)&m->functions, &p->function_capacity, m->function_count + 1u,
                              sizeof *m->functions, p->e) < 0)
        return -1;
    *index = m->function_count++;
    m->functions[*index] = (struct ptx_function){.name = own, .place = at, .unit = p->unit};
    return parse_add_global(p, name, link, SYMBOL_FUNCTION, *index);
}

/* Skips tokens until at most `braces` braces are open. */
int parse_skip_to(struct parser *p, uint32_t braces, const char *what)
{
    while (p->x.braces > braces) {
        if (p->x.token.kind == TOKEN_BAD || p->x.token.kind == TOKEN_END)
            return parse_expected(p, what);
        lex_next(&p->x);
    }
    return 0;
}

static int body(struct parser *p, uint32_t index)
{
    struct ptx_function *f = &p->m->functions[index];
    uint32_t braces = p->x.braces;
    struct err fault;

    f->has_body = true;
    lex_next(&p->x); /* skips the opening brace */
    if (parse_body(p) == 0)
        return 0;
    fault = *p->e;
    if (fault.code == ERR_NO_MEMORY || parse_skip_to(p, braces, "the closing `}` of a function") < 0)
        return -1;
    f = &p->m->functions[index];
    f->broken = true;
    f->fault = fault;
    return 0;
}

/* Looks ahead to the name after a list of results. The results are parsed later, when the function is known. */
static const char *name_ahead(struct parser *p)
{
    struct lexer here = p->x;
    uint32_t depth = 0;
    const char *name;

    do {
        depth += token_is_mark(&p->x.token, '(');
        if (!depth)
            break;
        depth -= token_is_mark(&p->x.token, ')');
        lex_next(&p->x);
    } while (p->x.token.kind != TOKEN_END && p->x.token.kind != TOKEN_BAD);
    name = parse_name(p, "the name of a function");
    p->x = here;
    return name;
}

static void forget(struct ptx_module *m, struct ptx_param *params, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (params[i].variable != PTX_NONE)
            m->variables[params[i].variable].name = NULL;
    free(params);
}

/* Drops the data of an earlier declaration. */
static int begin_function(struct parser *p, uint32_t index, struct ptx_place at, bool entry, enum ptx_linkage link)
{
    struct ptx_function *f = &p->m->functions[index];

    if (f->has_body)
        return parse_fault(p, &at, "`%s` is defined twice", f->name);
    forget(p->m, f->params, f->param_count);
    forget(p->m, f->results, f->result_count);
    free(f->registers);
    *f = (struct ptx_function){.name = f->name,
                               .alias_of = f->alias_of,
                               .entry = entry,
                               .linkage = (uint8_t)link,
                               .unit = p->unit,
                               .place = at};
    return parse_begin_body(p, index);
}

/* Skips a declaration or a weak copy of a function that an earlier module has defined. */
static int skip_copy(struct parser *p, const struct ptx_function *f, struct ptx_place at, enum ptx_linkage link)
{
    uint32_t braces = p->x.braces;

    while (!token_is_mark(&p->x.token, '{') && !token_is_mark(&p->x.token, ';')) {
        if (p->x.token.kind == TOKEN_END || p->x.token.kind == TOKEN_BAD)
            return parse_expected(p, "the body of a function");
        lex_next(&p->x);
    }
    if (parse_try_mark(p, ';'))
        return 0;
    if (link != PTX_WEAK)
        return parse_fault(p, &at,
                           f->linkage == PTX_WEAK
                               ? "`%s` has a weak definition before this one, which cannot replace it"
                               : "`%s` is defined twice",
                           f->name);
    lex_next(&p->x);
    return parse_skip_to(p, braces, "the closing `}` of a function");
}

/* Parses the text after .entry or .func. */
int parse_function(struct parser *p, bool entry, enum ptx_linkage link)
{
    bool noreturn = parse_try(p, ".noreturn");
    struct ptx_place at = p->x.token.place;
    const char *name = name_ahead(p);
    enum ptx_linkage visible = link;
    struct ptx_function *f;
    uint32_t index = PTX_NONE;
    int ret;

    if (entry && link == PTX_INTERNAL) /* kernels are visible in any case */
        visible = PTX_VISIBLE;
    if (!name || parse_place_function(p, name, at, visible, &index) < 0)
        return -1;
    f = &p->m->functions[index];
    if (f->has_body && f->unit != p->unit)
        return skip_copy(p, f, at, link);
    if (begin_function(p, index, at, entry, link) < 0)
        return -1;
    f = &p->m->functions[index];
    f->noreturn = noreturn;
    ret =
        !entry && token_is_mark(&p->x.token, '(') ? params(p, &f->results, &f->result_count, &f->result_bytes) : 0;
    if (ret == 0 && !parse_name(p, "the name of a function"))
        ret = -1;
    if (ret == 0 && token_is_mark(&p->x.token, '('))
        ret = params(p, &f->params, &f->param_count, &f->param_bytes);
    if (ret == 0)
        ret = directives(p, f);
    if (ret == 0)
        ret = token_is_mark(&p->x.token, '{') ? body(p, index) : parse_mark(p, ';');
    p->m->functions[index].end = p->x.token.place;
    p->body.function = PTX_NONE;
    return ret;
}
