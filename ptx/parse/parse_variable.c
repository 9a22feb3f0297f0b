/* ptx/parse/parse_variable.c: parses declarations of variables, parameters and registers, and initial values. */
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "ptx/parse/parse_internal.h"

enum { DIMENSIONS_MAX = 8 };
#define VARIABLE_BYTES_MAX (1ull << 40)
/* Limit of a gap before a value. The printer writes each byte of the gap as a zero. */
#define INITIAL_BYTES_MAX (1ull << 24)

enum ptx_space parse_space_of(const struct token *t)
{
    static const struct {
        const char *text;
        enum ptx_space space;
    } spaces[] = {{".global", PTX_SPACE_GLOBAL}, {".shared", PTX_SPACE_SHARED}, {".const", PTX_SPACE_CONST},
                  {".local", PTX_SPACE_LOCAL},   {".param", PTX_SPACE_PARAM},   {".reg", PTX_SPACE_REG},
                  {".tex", PTX_SPACE_GLOBAL} /* PTX before 1.5 */};

    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (token_is(t, spaces[i].text))
            return spaces[i].space;
    /* .shared::cta and the like */
    if (t->kind == TOKEN_DOTTED && t->n > 9 && memcmp(t->text, ".shared::", 9) == 0)
        return PTX_SPACE_SHARED;
    return PTX_GENERIC;
}

/* --- the common part of declarations: .align 8 .v4 .f32 --- */

struct declared {
    enum ptx_type type;
    uint32_t vector, align; /* align 0: natural alignment */
    uint8_t pointer_space;
    uint32_t pointer_align;
};

/* .ptr .global .align 16 of a parameter. */
static int pointer(struct parser *p, struct declared *d)
{
    enum ptx_space space = parse_space_of(&p->x.token);

    if (space != PTX_GENERIC) {
        d->pointer_space = (uint8_t)space;
        lex_next(&p->x);
    }
    if (parse_try(p, ".align"))
        return parse_uint(p, ".align", 1u << 20, &d->pointer_align);
    return 0;
}

static int attribute(struct parser *p)
{
    if (parse_mark(p, '(') < 0)
        return -1;
    while (!token_is_mark(&p->x.token, ')')) {
        if (p->x.token.kind == TOKEN_END || p->x.token.kind == TOKEN_BAD)
            return parse_expected(p, "`)`");
        lex_next(&p->x);
    }
    return parse_mark(p, ')');
}

static int alignment(struct parser *p, uint32_t *out)
{
    struct ptx_place at = p->x.token.place;

    if (parse_uint(p, ".align", 1u << 20, out) < 0)
        return -1;
    if (!*out || *out & (*out - 1))
        return parse_fault(p, &at, "an alignment must be a power of two");
    return 0;
}

static int declared(struct parser *p, struct declared *d)
{
    *d = (struct declared){.vector = 1};
    while (p->x.token.kind == TOKEN_DOTTED) {
        const struct token *t = &p->x.token;
        enum ptx_type type = ptx_type_of(t->text + 1, t->n - 1);
        int ret = 0;

        if (type != PTX_NO_TYPE) {
            d->type = type;
            lex_next(&p->x);
        } else if (parse_try(p, ".align")) {
            ret = alignment(p, &d->align);
        } else if (parse_try(p, ".v2")) {
            d->vector = 2;
        } else if (parse_try(p, ".v4")) {
            d->vector = 4;
        } else if (parse_try(p, ".v8")) {
            d->vector = 8;
        } else if (parse_try(p, ".ptr")) {
            ret = pointer(p, d);
        } else if (parse_try(p, ".attribute")) {
            ret = attribute(p);
        } else {
            return parse_expected(p, "a type");
        }
        if (ret < 0)
            return -1;
    }
    return d->type == PTX_NO_TYPE ? parse_expected(p, "a type") : 0;
}

static uint32_t type_bytes(enum ptx_type t)
{
    return (ptx_type_bits(t) + 7) / 8;
}

/* --- [4][8] --- */

struct shape {
    uint64_t size[DIMENSIONS_MAX];
    uint32_t dims;
    bool open; /* the first dimension is [] */
};

static int shape(struct parser *p, struct shape *s, uint64_t element_bytes, uint64_t *bytes)
{
    struct ptx_place at = p->x.token.place;

    *s = (struct shape){.dims = 0};
    *bytes = element_bytes;
    while (parse_try_mark(p, '[')) {
        uint64_t n = 0;

        if (s->dims == DIMENSIONS_MAX)
            return parse_fault(p, &at, "an array of more than %d dimensions", DIMENSIONS_MAX);
        if (token_is_mark(&p->x.token, ']') && !s->dims)
            s->open = true;
        else if (parse_integer(p, &n) < 0)
            return -1;
        if (parse_mark(p, ']') < 0)
            return -1;
        if (n && *bytes > VARIABLE_BYTES_MAX / n)
            return parse_fault(p, &at, "an array of more than 1 TiB");
        *bytes *= s->open && !s->dims ? 1 : n;
        s->size[s->dims++] = n;
    }
    return 0;
}

/* --- = { 1, {2, 3}, symbol + 8 } --- */

struct initial {
    struct ptx_variable *v;
    struct shape shape;
    uint64_t element_bytes, most; /* most: size of the variable */
    uint64_t written;             /* end of the last value */
};

static int push_initial(struct parser *p, const struct ptx_initial *one)
{
    struct ptx_module *m = p->m;

    if (array_reserve((void **)&m->initials, &p->initial_capacity, m->initial_count + 1u, sizeof *m->initials,
                      p->e) < 0)
        return -1;
    m->initials[m->initial_count++] = *one;
    return 0;
}

/* The bits of a number as the variable's type. */
static uint64_t value_bits(const struct ptx_operand *o, enum ptx_type type)
{
    uint64_t bits = o->bits;
    uint32_t narrow;
    double d;
    float f;

    if (type != PTX_F64 && type != PTX_F32)
        return bits;
    memcpy(&d, &bits, sizeof d);
    if (!o->is_float)
        d = (double)(int64_t)bits;
    if (type == PTX_F64) {
        memcpy(&bits, &d, sizeof bits);
        return bits;
    }
    f = (float)d;
    memcpy(&narrow, &f, sizeof narrow);
    return o->float32 && d != d ? (uint32_t)bits : narrow;
}

static int symbol_value(struct parser *p, struct ptx_initial *one)
{
    struct ptx_place at = p->x.token.place;
    const char *name = parse_name(p, "a number or a name");
    const struct symbol *s = name ? parse_find(p, name) : NULL;

    if (!name)
        return -1;
    if (!s || (s->kind != SYMBOL_VARIABLE && s->kind != SYMBOL_FUNCTION))
        return parse_fault(p, &at, "`%s` is not a variable or function that is declared above", name);
    if (s->kind == SYMBOL_VARIABLE)
        one->variable = s->index;
    else
        one->function = s->index;
    if (token_is_mark(&p->x.token, '+') || token_is_mark(&p->x.token, '-'))
        return parse_integer(p, &one->value); /* the parser accepts the sign as part of the number */
    return 0;
}

/* Parses one element: a number, a symbol, generic(symbol), mask(0xff)(symbol) or 0xff(symbol). */
static int element(struct parser *p, const struct initial *in, struct ptx_initial *one)
{
    struct ptx_operand number = {0};

    if (parse_try(p, "mask")) {
        if (parse_mark(p, '(') < 0 || parse_integer(p, &one->mask) < 0 || parse_mark(p, ')') < 0)
            return -1;
        if (!parse_try_mark(p, '('))
            return symbol_value(p, one);
        return symbol_value(p, one) < 0 ? -1 : parse_mark(p, ')');
    }
    if (parse_try(p, "generic")) {
        one->generic = true;
        if (parse_mark(p, '(') < 0 || symbol_value(p, one) < 0 || parse_mark(p, ')') < 0)
            return -1;
        return token_is_mark(&p->x.token, '+') ? parse_integer(p, &one->value) : 0;
    }
    if (p->x.token.kind == TOKEN_NAME && !token_is(&p->x.token, "WARP_SZ"))
        return symbol_value(p, one);
    if (parse_constant(p, &number) < 0)
        return -1;
    if (!number.is_float && number.bits && parse_try_mark(p, '(')) {
        one->mask = number.bits;
        return symbol_value(p, one) < 0 ? -1 : parse_mark(p, ')');
    }
    one->value = value_bits(&number, in->v->type);
    return 0;
}

/* Parses one element or the elements in braces. *offset: position of the next one. level: number of open braces. */
static int elements(struct parser *p, struct initial *in, uint32_t level, uint64_t *offset)
{
    uint64_t begin = *offset, stride = in->element_bytes;
    struct ptx_initial one = {
        .offset = *offset, .bytes = (uint32_t)in->element_bytes, .variable = PTX_NONE, .function = PTX_NONE};

    if (!parse_try_mark(p, '{')) {
        if (*offset + in->element_bytes > in->most)
            return parse_expected(p, "no more values than the array has room for");
        *offset += in->element_bytes;
        in->written = *offset;
        return element(p, in, &one) < 0 ? -1 : push_initial(p, &one);
    }
    if (level > in->shape.dims)
        return parse_expected(p, "a value: the array has fewer dimensions");
    for (uint32_t i = level + 1; i < in->shape.dims; i++)
        stride *= in->shape.size[i];
    while (!parse_try_mark(p, '}')) {
        if (*offset != begin && parse_mark(p, ',') < 0)
            return -1;
        if (token_is_mark(&p->x.token, '{') && stride) /* an inner brace begins at the next row */
            *offset = begin + (*offset - begin + stride - 1) / stride * stride;
        if (*offset > in->written + INITIAL_BYTES_MAX)
            return parse_expected(p, "a value at most 16 MiB after the previous value");
        if (elements(p, in, level + 1, offset) < 0)
            return -1;
    }
    return 0;
}

static int initial(struct parser *p, struct ptx_variable *v, const struct shape *s)
{
    struct initial in = {.v = v, .shape = *s, .element_bytes = type_bytes(v->type)};
    uint64_t offset = 0;

    in.most = v->unsized ? VARIABLE_BYTES_MAX : v->bytes;
    v->initial_first = p->m->initial_count;
    if (elements(p, &in, 0, &offset) < 0)
        return -1;
    v->initial_count = p->m->initial_count - v->initial_first;
    if (v->unsized) {
        v->bytes = offset;
        v->unsized = false;
    }
    return 0;
}

/* --- variables --- */

/* A variable of the module is declared again. 0: the old or the new declaration is kept; 1: it may not
 * be declared again. */
static int declare_again(struct parser *p, uint32_t index, const struct ptx_variable *v)
{
    struct ptx_variable *old = &p->m->variables[index];
    bool other = old->unit != p->unit;

    if (old->linkage == PTX_EXTERN) {
        *old = *v;
        return 0;
    }
    if (other && old->linkage == PTX_COMMON && v->linkage == PTX_COMMON && v->bytes > old->bytes)
        old->bytes = v->bytes;
    return !other || (v->linkage != PTX_EXTERN && v->linkage != PTX_WEAK && v->linkage != PTX_COMMON);
}

static int add_variable(struct parser *p, struct ptx_variable *v, uint32_t *index)
{
    bool local = p->body.function != PTX_NONE;
    enum ptx_linkage link = (enum ptx_linkage)v->linkage;
    const struct symbol *known =
        local ? symbols_find(&p->body.symbols, v->name, p->body.scope) : parse_find_declared(p, v->name, link);
    const char *name = v->name;
    int ret;

    v->unit = p->unit;
    if (known && !local && known->kind == SYMBOL_VARIABLE) {
        *index = known->index;
        if (declare_again(p, *index, v) == 0)
            return parse_add_global(p, name, link, SYMBOL_VARIABLE, *index);
    }
    if (known)
        return parse_fault(p, &v->place, "`%s` is declared twice", v->name);
    *index = p->m->variable_count;
    v->name = local ? name : parse_name_in_unit(p, name, link);
    ret = local ? symbols_add(&p->body.symbols, name, p->body.scope, SYMBOL_VARIABLE, *index, p->e)
                : parse_add_global(p, name, link, SYMBOL_VARIABLE, *index);
    if (ret < 0 || !v->name)
        return -1;
    v->name = local ? parse_name_once(p, v->name) : v->name;
    return v->name ? parse_push_variable(p, v, index) : -1;
}

/* Parses the name, dimensions and initial value of a declaration. */
static int one_variable(struct parser *p, const struct declared *d, enum ptx_space space, enum ptx_linkage linkage,
                        uint32_t *index)
{
    struct ptx_variable v = {.space = (uint8_t)space,
                             .linkage = (uint8_t)linkage,
                             .type = (uint8_t)d->type,
                             .vector = (uint8_t)d->vector,
                             .function = p->body.function,
                             .place = p->x.token.place};
    uint64_t natural = (uint64_t)type_bytes(d->type) * d->vector;
    struct shape s;

    v.name = parse_name(p, "a name");
    if (!v.name || shape(p, &s, natural, &v.bytes) < 0)
        return -1;
    if (d->vector > 1 && s.dims < DIMENSIONS_MAX)
        s.size[s.dims++] = d->vector; /* the vector has its own braces in initial values */
    v.align = d->align > natural ? d->align : d->align ? d->align : (uint32_t)natural;
    v.unsized = s.open;
    if (v.unsized)
        v.bytes = 0;
    if (parse_try_mark(p, '=') && initial(p, &v, &s) < 0)
        return -1;
    return add_variable(p, &v, index);
}

int parse_variables(struct parser *p, enum ptx_linkage linkage)
{
    enum ptx_space space = parse_space_of(&p->x.token);
    struct declared d;
    uint32_t index;

    lex_next(&p->x);
    if (space == PTX_SPACE_REG)
        return parse_registers(p);
    if (p->x.token.kind == TOKEN_MARK && p->x.token.mark == '[') {
        uint32_t bank; /* .const[2]: an old syntax that names a bank */

        lex_next(&p->x);
        if (parse_uint(p, "bank", 10, &bank) < 0 || parse_mark(p, ']') < 0)
            return -1;
    }
    if (declared(p, &d) < 0)
        return -1;
    do {
        if (one_variable(p, &d, space, linkage, &index) < 0)
            return -1;
    } while (parse_try_mark(p, ','));
    return parse_mark(p, ';');
}

int parse_param(struct parser *p, struct ptx_param *out)
{
    enum ptx_space space = parse_space_of(&p->x.token);
    struct declared d;

    if (space != PTX_SPACE_PARAM && space != PTX_SPACE_REG)
        return parse_expected(p, "`.param` or `.reg`");
    lex_next(&p->x);
    if (declared(p, &d) < 0)
        return -1;
    out->type = (uint8_t)d.type;
    out->pointer_space = d.pointer_space;
    out->pointer_align = d.pointer_align;
    if (space == PTX_SPACE_REG) {
        out->name = parse_name(p, "a name");
        out->bytes = out->align = type_bytes(d.type);
        return out->name ? parse_add_register(p, out->name, d.type, (uint8_t)d.vector, &out->reg) : -1;
    }
    if (token_is(&p->x.token, "_")) { /* in a prototype */
        struct shape s;
        uint64_t bytes;

        lex_next(&p->x);
        out->align = d.align ? d.align : type_bytes(d.type);
        if (shape(p, &s, (uint64_t)type_bytes(d.type) * d.vector, &bytes) < 0)
            return -1;
        out->bytes = (uint32_t)bytes;
        return bytes > UINT32_MAX ? parse_expected(p, "a parameter of fewer bytes") : 0;
    }
    if (one_variable(p, &d, PTX_SPACE_PARAM, PTX_INTERNAL, &out->variable) < 0)
        return -1;
    out->name = p->m->variables[out->variable].name;
    out->align = p->m->variables[out->variable].align;
    if (p->m->variables[out->variable].bytes > UINT32_MAX)
        return parse_expected(p, "a parameter of fewer bytes");
    out->bytes = (uint32_t)p->m->variables[out->variable].bytes;
    return 0;
}

/* %r<100> declares %r0 to %r99. */
static int register_range(struct parser *p, const char *prefix, const struct declared *d)
{
    struct ptx_place at = p->x.token.place;
    char name[256];
    uint64_t count = p->x.token.bits;
    uint32_t index;

    if (p->x.token.kind != TOKEN_INTEGER)
        return parse_expected(p, "the number of registers");
    lex_next(&p->x);
    if (parse_mark(p, '>') < 0)
        return -1;
    if (count > PARSE_REGISTERS_MAX || strlen(prefix) > sizeof name - 12)
        return parse_fault(p, &at, "%llu registers; at most %d are supported", (unsigned long long)count,
                           PARSE_REGISTERS_MAX);
    for (uint32_t i = 0; i < count; i++) {
        int n = snprintf(name, sizeof name, "%s%u", prefix, i);
        const char *whole = parse_intern(p, name, (size_t)n);

        if (!whole || parse_add_register(p, whole, d->type, (uint8_t)d->vector, &index) < 0)
            return -1;
    }
    return 0;
}

int parse_registers(struct parser *p)
{
    struct declared d;
    uint32_t index;

    if (p->body.function == PTX_NONE)
        return parse_expected(p, "a register only inside a function");
    if (declared(p, &d) < 0)
        return -1;
    do {
        const char *name = parse_name(p, "the name of a register");

        if (!name)
            return -1;
        if (parse_try_mark(p, '<') ? register_range(p, name, &d) < 0
                                   : parse_add_register(p, name, d.type, (uint8_t)d.vector, &index) < 0)
            return -1;
    } while (parse_try_mark(p, ','));
    return parse_mark(p, ';');
}
