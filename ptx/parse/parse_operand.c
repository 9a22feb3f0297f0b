/* ptx/parse/parse_operand.c: parses operands of instructions. */
#include <string.h>

#include "base/array.h"
#include "ptx/parse/parse_internal.h"

int parse_push_scratch(struct parser *p, const struct ptx_operand *o)
{
    if (array_reserve((void **)&p->scratch, &p->scratch_capacity, p->scratch_count + 1, sizeof *p->scratch, p->e) <
        0)
        return -1;
    p->scratch[p->scratch_count++] = *o;
    return 0;
}

int parse_take_scratch(struct parser *p, size_t first, uint32_t *at, uint32_t *count)
{
    struct ptx_function *f = parse_function_now(p);
    size_t n = p->scratch_count - first;

    if (array_reserve((void **)&f->operands, &p->body.operand_capacity, f->operand_count + n, sizeof *f->operands,
                      p->e) < 0)
        return -1;
    *at = f->operand_count;
    *count = (uint32_t)n;
    if (n)
        memcpy(f->operands + f->operand_count, p->scratch + first, n * sizeof *f->operands);
    f->operand_count += (uint32_t)n;
    p->scratch_count = first;
    return 0;
}

/* --- names --- */

static bool special_of(const char *name, struct ptx_operand *out)
{
    static const char *const names[] = {
#define X(id, text, bits) text,
        PTX_SPECIALS(X)
#undef X
    };
    size_t n = strlen(name);

    if (name[0] != '%')
        return false;
    for (size_t i = 0; i < PTX_SPECIAL_COUNT; i++) {
        if (names[i][0] == name[1] && strcmp(names[i], name + 1) == 0) { /* fast test first: many calls */
            *out = (struct ptx_operand){.kind = PTX_OP_SPECIAL, .index = (uint32_t)i};
            return true;
        }
    }
    if (n < 8 || strncmp(name, "%envreg", 7) != 0 || strspn(name + 7, "0123456789") != n - 7 || n > 9)
        return false;
    *out = (struct ptx_operand){.kind = PTX_OP_SPECIAL, .index = PTX_SREG_ENVREG};
    for (const char *d = name + 7; *d; d++)
        out->bits = out->bits * 10 + (uint64_t)(*d - '0');
    return out->bits < 32;
}

bool parse_is_special(const char *name)
{
    struct ptx_operand o;

    return special_of(name, &o);
}

const struct symbol *parse_find(const struct parser *p, const char *name)
{
    const struct symbol *s = NULL;

    for (uint32_t scope = p->body.function == PTX_NONE ? 0 : p->body.scope; scope && !s;
         scope = p->body.parents[scope])
        s = symbols_find(&p->body.symbols, name, scope);
    return s ? s : parse_find_global(p, name);
}

static int refer(struct parser *p, const char *name, struct ptx_operand *out)
{
    struct parse_body *b = &p->body;

    if (array_reserve((void **)&b->references, &b->reference_capacity, b->reference_count + 1,
                      sizeof *b->references, p->e) < 0)
        return -1;
    out->kind = PTX_OP_LABEL;
    out->index = (uint32_t)b->reference_count;
    b->references[b->reference_count++] = (struct parse_reference){name, b->scope, out->place};
    return 0;
}

/* .h10, .b3210: halves or bytes that are read from two registers or written to one. */
static bool several(const struct token *t, struct ptx_operand *out)
{
    bool halves = t->n > 1 && t->text[1] == 'h';
    size_t n = t->n - 2;

    if (t->n < 4 || (!halves && t->text[1] != 'b') || n > (halves ? 2 : 4))
        return false;
    for (size_t i = 0; i < n; i++) {
        char digit = t->text[2 + i];

        if (digit < '0' || digit > (halves ? '3' : '7'))
            return false;
        out->bits = out->bits << 4 | (uint64_t)(digit - '0');
    }
    out->component = halves ? PTX_HALVES : PTX_BYTES;
    out->count = (uint32_t)n;
    return true;
}

static int component(struct parser *p, struct ptx_operand *out)
{
    static const struct {
        const char *text;
        enum ptx_component is;
    } components[] = {{".x", PTX_X},      {".y", PTX_Y},          {".z", PTX_Z},          {".w", PTX_W},
                      {".r", PTX_X},      {".g", PTX_Y},          {".b", PTX_Z},          {".a", PTX_W},
                      {".b0", PTX_BYTE0}, {".b1", PTX_BYTE0 + 1}, {".b2", PTX_BYTE0 + 2}, {".b3", PTX_BYTE3},
                      {".h0", PTX_HALF0}, {".h1", PTX_HALF1}};

    if (p->x.token.kind != TOKEN_DOTTED)
        return 0;
    for (size_t i = 0; i < sizeof components / sizeof *components; i++) {
        if (!parse_try(p, components[i].text))
            continue;
        out->component = (uint8_t)components[i].is;
        return 0;
    }
    if (!several(&p->x.token, out))
        return parse_expected(p, "a component such as .x");
    lex_next(&p->x);
    return 0;
}

static int offset(struct parser *p, struct ptx_operand *out)
{
    uint64_t value;

    if (!token_is_mark(&p->x.token, '+') && !token_is_mark(&p->x.token, '-'))
        return 0;
    if (parse_integer(p, &value) < 0)
        return -1;
    out->offset += (int64_t)value;
    return 0;
}

/* array[3]: the address of an element, an old syntax. */
static int subscript(struct parser *p, struct ptx_operand *out)
{
    const struct ptx_variable *v = &p->m->variables[out->index];
    uint64_t element = (uint64_t)(ptx_type_bits(v->type) + 7) / 8 * v->vector, at = 0;

    while (parse_try_mark(p, '[')) {
        if (parse_integer(p, &at) < 0 || parse_mark(p, ']') < 0)
            return -1;
        out->offset += (int64_t)(at * element);
        out->element = true;
    }
    return 0;
}

static int name_operand(struct parser *p, struct ptx_operand *out, bool label)
{
    const char *name = parse_name(p, "an operand");
    const struct symbol *s = name && !label ? parse_find(p, name) : NULL;
    struct ptx_place at = out->place;

    if (!name)
        return -1;
    if (strcmp(name, "_") == 0) {
        out->kind = PTX_OP_SINK;
        return 0;
    }
    if (!label && !s && special_of(name, out)) {
        out->place = at;
        out->pair = PTX_NONE;
        if (component(p, out) < 0)
            return -1;
        return out->component < PTX_BYTE0
                   ? 0
                   : parse_fault(p, &at, "only bytes and halves of registers can be selected");
    }
    if (!s)
        return refer(p, name, out);
    out->index = s->index;
    switch (s->kind) {
    case SYMBOL_REG: out->kind = PTX_OP_REG; return component(p, out) < 0 ? -1 : offset(p, out);
    case SYMBOL_FUNCTION: out->kind = PTX_OP_FUNCTION; return 0;
    case SYMBOL_LABEL: out->kind = PTX_OP_LABEL; return refer(p, name, out);
    case SYMBOL_TARGETS: out->kind = PTX_OP_TARGETS; return 0;
    case SYMBOL_VARIABLE: break;
    }
    out->kind = PTX_OP_VARIABLE;
    return subscript(p, out) < 0 ? -1 : offset(p, out);
}

/* --- lists --- */

/* { a, b } ; the opening brace is already consumed. */
static int vector(struct parser *p, struct ptx_operand *out)
{
    size_t first = p->scratch_count;

    if (parse_deeper(p) < 0)
        return -1;
    do {
        struct ptx_operand one = {0};

        if (parse_operand(p, &one, false) < 0 || parse_push_scratch(p, &one) < 0)
            return -1;
    } while (parse_try_mark(p, ','));
    p->nesting--;
    out->kind = PTX_OP_VECTOR;
    return parse_mark(p, '}') < 0 ? -1 : parse_take_scratch(p, first, &out->index, &out->count);
}

/* [ base + offset, more ] ; the opening bracket is already consumed. */
static int address(struct parser *p, struct ptx_operand *out)
{
    size_t first = p->scratch_count;

    if (parse_deeper(p) < 0)
        return -1;
    do {
        struct ptx_operand one = {0};
        bool base = p->scratch_count == first;

        if (parse_operand(p, &one, false) < 0)
            return -1;
        if (base && one.kind != PTX_OP_REG && one.kind != PTX_OP_VARIABLE && one.kind != PTX_OP_IMMEDIATE)
            return parse_fault(p, &one.place, "an address must begin with a register, a variable or a number");
        if (base && one.is_float)
            return parse_fault(p, &one.place, "a floating-point number is not an address");
        if (base)
            out->offset = one.offset;
        if (parse_push_scratch(p, &one) < 0)
            return -1;
    } while (parse_try_mark(p, ','));
    p->nesting--;
    out->kind = PTX_OP_ADDRESS;
    return parse_mark(p, ']') < 0 ? -1 : parse_take_scratch(p, first, &out->index, &out->count);
}

/* %r1|%p2 */
static int pair(struct parser *p, struct ptx_operand *out)
{
    struct ptx_operand second = {0};
    size_t first = p->scratch_count;
    uint32_t count;

    if ((out->kind != PTX_OP_REG && out->kind != PTX_OP_SINK) || !parse_try_mark(p, '|'))
        return 0;
    if (parse_operand(p, &second, false) < 0 || parse_push_scratch(p, &second) < 0)
        return -1;
    return parse_take_scratch(p, first, &out->pair, &count);
}

int parse_operand(struct parser *p, struct ptx_operand *out, bool label)
{
    const struct token *t = &p->x.token;
    struct ptx_place at = t->place;
    int ret;

    *out = (struct ptx_operand){.pair = PTX_NONE, .place = at};
    if (parse_try_mark(p, '{'))
        return vector(p, out);
    if (parse_try_mark(p, '['))
        return address(p, out);
    if (t->kind == TOKEN_NAME && !token_is(t, "WARP_SZ"))
        return name_operand(p, out, label) < 0 ? -1 : pair(p, out);
    if (token_is_mark(t, '!') || token_is_mark(t, '-')) {
        struct lexer here = p->x;

        lex_next(&p->x);
        if (p->x.token.kind == TOKEN_NAME) {
            ret = name_operand(p, out, false);
            out->negated = true;
            return ret;
        }
        p->x = here;
    }
    return parse_constant(p, out);
}
