/* ptx/parse/parse_steps.c: error reporting and small steps that the whole parser uses. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "ptx/parse/parse_internal.h"

int parse_fault(struct parser *p, const struct ptx_place *at, const char *format, ...)
{
    char text[360];
    va_list ap;

    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    text_sanitize(text);
    return err_set(p->e, ERR_MALFORMED, "%s:%u:%u: %s", p->m->label, at->line, at->column, text);
}

int parse_expected(struct parser *p, const char *what)
{
    const struct token *t = &p->x.token;

    if (t->kind == TOKEN_BAD)
        return parse_fault(p, &t->place, "%.*s", (int)t->n, t->text);
    if (t->kind == TOKEN_END)
        return parse_fault(p, &t->place, "expected %s, but the text ends here", what);
    return parse_fault(p, &t->place, "expected %s, found `%.*s`", what, (int)(t->n < 60 ? t->n : 60), t->text);
}

int parse_mark(struct parser *p, char mark)
{
    char what[4] = {'`', mark, '`', '\0'};

    if (!token_is_mark(&p->x.token, mark))
        return parse_expected(p, what);
    lex_next(&p->x);
    return 0;
}

bool parse_try_mark(struct parser *p, char mark)
{
    if (!token_is_mark(&p->x.token, mark))
        return false;
    lex_next(&p->x);
    return true;
}

bool parse_try(struct parser *p, const char *word)
{
    if (!token_is(&p->x.token, word))
        return false;
    lex_next(&p->x);
    return true;
}

const char *parse_intern(struct parser *p, const char *text, size_t n)
{
    return intern_add(p->m->texts, text, n, p->e);
}

const char *parse_name(struct parser *p, const char *what)
{
    const char *name;

    if (p->x.token.kind != TOKEN_NAME) {
        (void)parse_expected(p, what);
        return NULL;
    }
    name = parse_intern(p, p->x.token.text, p->x.token.n);
    lex_next(&p->x);
    return name;
}

int parse_integer(struct parser *p, uint64_t *out)
{
    struct ptx_operand o = {0};
    struct ptx_place at = p->x.token.place;

    if (parse_constant(p, &o) < 0)
        return -1;
    if (o.is_float)
        return parse_fault(p, &at, "expected a whole number");
    *out = o.bits;
    return 0;
}

int parse_uint(struct parser *p, const char *what, uint32_t most, uint32_t *out)
{
    struct ptx_place at = p->x.token.place;
    uint64_t value = 0;

    if (parse_integer(p, &value) < 0)
        return -1;
    if (value > most)
        return parse_fault(p, &at, "%s: %llu is more than %u", what, (unsigned long long)value, most);
    *out = (uint32_t)value;
    return 0;
}

int parse_pragma(struct parser *p)
{
    while (p->x.token.kind == TOKEN_STRING || token_is_mark(&p->x.token, ',')) {
        p->body.nounroll |=
            p->x.token.n == strlen("nounroll") && memcmp(p->x.token.text, "nounroll", strlen("nounroll")) == 0;
        lex_next(&p->x);
    }
    return parse_mark(p, ';');
}

struct ptx_function *parse_function_now(struct parser *p)
{
    return &p->m->functions[p->body.function];
}

int parse_push_variable(struct parser *p, const struct ptx_variable *v, uint32_t *index)
{
    struct ptx_module *m = p->m;

    if (array_reserve((void **)&m->variables, &p->variable_capacity, m->variable_count + 1u, sizeof *m->variables,
                      p->e) < 0)
        return -1;
    *index = m->variable_count;
    m->variables[m->variable_count++] = *v;
    return 0;
}
