/* ptx/parse/parse_expression.c: parses constant expressions: 64-bit integers with the operators of C. Precedence
 * and types: NVIDIA, PTX ISA 9.0, section 4.5 (constants). Where ptxas 13.0 differs from the manual, we follow
 * ptxas: `& | ^` of signed numbers are signed, the result of `%` is unsigned, `?:` has the type of the selected
 * operand, and a shift uses the low 6 bits of its count. */
#include "ptx/parse/parse_internal.h"

/* Limits the nesting of brackets. */
int parse_deeper(struct parser *p)
{
    if (++p->nesting > PARSE_NESTING_MAX)
        return parse_fault(p, &p->x.token.place, "brackets are nested deeper than %d", PARSE_NESTING_MAX);
    return 0;
}

static int unary(struct parser *p, struct ptx_operand *out);
static int choice(struct parser *p, struct ptx_operand *out);

/* .u64) -1 ; the opening bracket is already consumed. */
static int cast(struct parser *p, struct ptx_operand *out)
{
    struct ptx_place at = p->x.token.place;
    bool is_unsigned = token_is(&p->x.token, ".u64");

    if (!is_unsigned && !token_is(&p->x.token, ".s64"))
        return parse_expected(p, "a cast to .s64 or .u64");
    lex_next(&p->x);
    if (parse_mark(p, ')') < 0 || unary(p, out) < 0)
        return -1;
    if (out->is_float)
        return parse_fault(p, &at, "a cast needs a whole number");
    out->is_unsigned = is_unsigned;
    return 0;
}

static int primary(struct parser *p, struct ptx_operand *out)
{
    const struct token *t = &p->x.token;
    int ret;

    out->kind = PTX_OP_IMMEDIATE;
    if (t->kind == TOKEN_INTEGER || t->kind == TOKEN_FLOAT) {
        out->bits = t->bits;
        out->is_float = t->kind == TOKEN_FLOAT;
        out->is_unsigned = t->kind == TOKEN_INTEGER && (t->text[t->n - 1] == 'U' || t->bits > INT64_MAX);
        out->float32 = t->float32;
        lex_next(&p->x);
        return 0;
    }
    if (parse_try(p, "WARP_SZ")) {
        out->bits = 32;
        return 0;
    }
    if (!token_is_mark(t, '('))
        return parse_expected(p, "a number");
    if (parse_deeper(p) < 0)
        return -1;
    lex_next(&p->x);
    if (p->x.token.kind == TOKEN_DOTTED)
        ret = cast(p, out);
    else
        ret = choice(p, out) < 0 ? -1 : parse_mark(p, ')');
    p->nesting--;
    return ret;
}

static int unary(struct parser *p, struct ptx_operand *out)
{
    const uint64_t sign = 1ull << 63;
    struct ptx_place at = p->x.token.place;
    char mark = p->x.token.kind == TOKEN_MARK ? p->x.token.mark : '\0';

    if (mark != '-' && mark != '~' && mark != '+' && mark != '!')
        return primary(p, out);
    lex_next(&p->x);
    if (parse_deeper(p) < 0 || unary(p, out) < 0)
        return -1;
    p->nesting--;
    if ((mark == '~' || mark == '!') && out->is_float)
        return parse_fault(p, &at, "`%c` needs a whole number", mark);
    if (mark == '~' || mark == '!')
        out->is_unsigned = mark == '~';
    switch (mark) {
    case '~': out->bits = ~out->bits; break;
    case '!': out->bits = !out->bits; break;
    case '-': out->bits = out->is_float ? out->bits ^ sign : 0 - out->bits; break;
    default: break;
    }
    return 0;
}

enum operation { MUL, DIV, REM, ADD, SUB, SHL, SHR, LT, LE, GT, GE, EQ, NE, AND, XOR, OR, BOTH, EITHER };

struct binary {
    char mark, next; /* next: the character after the mark in a two-character operator; else NUL */
    uint8_t precedence, operation;
};

/* The operator at the current token. NULL: there is none. */
static const struct binary *operator_here(const struct parser *p)
{
    static const struct binary operators[] = {
        {'*', 0, 10, MUL},  {'/', 0, 10, DIV},  {'%', 0, 10, REM}, {'+', 0, 9, ADD},    {'-', 0, 9, SUB},
        {'<', '<', 8, SHL}, {'>', '>', 8, SHR}, {'<', '=', 7, LE}, {'>', '=', 7, GE},   {'<', 0, 7, LT},
        {'>', 0, 7, GT},    {'=', '=', 6, EQ},  {'!', '=', 6, NE}, {'&', '&', 2, BOTH}, {'|', '|', 1, EITHER},
        {'&', 0, 5, AND},   {'^', 0, 4, XOR},   {'|', 0, 3, OR}};
    const struct token *t = &p->x.token;
    char next = p->x.at < p->x.end ? *p->x.at : '\0';

    for (size_t i = 0; t->kind == TOKEN_MARK && i < sizeof operators / sizeof *operators; i++)
        if (operators[i].mark == t->mark && (!operators[i].next || operators[i].next == next))
            return &operators[i];
    return NULL;
}

static int divide(struct parser *p, const struct ptx_place *at, struct ptx_operand *a, uint64_t b)
{
    int64_t x = (int64_t)a->bits, y = (int64_t)b;

    if (!b || (!a->is_unsigned && y == -1 && x == INT64_MIN))
        return parse_fault(p, at, "a division by zero or out of range");
    a->bits = a->is_unsigned ? a->bits / b : (uint64_t)(x / y);
    return 0;
}

static int remainder_of(struct parser *p, const struct ptx_place *at, struct ptx_operand *a, uint64_t b)
{
    if (!b)
        return parse_fault(p, at, "a division by zero or out of range");
    a->bits %= b;
    a->is_unsigned = true;
    return 0;
}

/* The type of the count is ignored. */
static void shift(bool left, struct ptx_operand *a, uint64_t b)
{
    uint32_t n = b & 63;
    uint64_t sign = !a->is_unsigned && a->bits >> 63 && n ? ~(UINT64_MAX >> n) : 0;

    a->bits = left ? a->bits << n : a->bits >> n | sign;
}

/* Comparisons, && and ||: the result is signed. */
static bool holds(uint8_t operation, const struct ptx_operand *a, const struct ptx_operand *b)
{
    /* converts signed numbers to unsigned numbers of the same order */
    uint64_t flip = a->is_unsigned ? 0 : 1ull << 63, x = a->bits ^ flip, y = b->bits ^ flip;

    switch (operation) {
    case LT: return x < y;
    case LE: return x <= y;
    case GT: return x > y;
    case GE: return x >= y;
    case EQ: return x == y;
    case NE: return x != y;
    case BOTH: return a->bits && b->bits;
    default: return a->bits || b->bits;
    }
}

static int apply(struct parser *p, const struct ptx_place *at, uint8_t operation, struct ptx_operand *a,
                 const struct ptx_operand *b)
{
    if (a->is_float || b->is_float)
        return parse_fault(p, at, "an expression of whole numbers only");
    if (operation == SHL || operation == SHR) {
        shift(operation == SHL, a, b->bits);
        return 0;
    }
    a->is_unsigned |= b->is_unsigned; /* the result is unsigned if one operand is */
    switch (operation) {
    case MUL: a->bits *= b->bits; break;
    case DIV: return divide(p, at, a, b->bits);
    case REM: return remainder_of(p, at, a, b->bits);
    case ADD: a->bits += b->bits; break;
    case SUB: a->bits -= b->bits; break;
    case AND: a->bits &= b->bits; break;
    case XOR: a->bits ^= b->bits; break;
    case OR: a->bits |= b->bits; break;
    default:
        a->bits = holds(operation, a, b);
        a->is_unsigned = false;
        break;
    }
    return 0;
}

/* Parses operators with a precedence of at least `least`, left-associative. */
static int expression(struct parser *p, int least, struct ptx_operand *out)
{
    if (unary(p, out) < 0)
        return -1;
    for (;;) {
        const struct binary *op = operator_here(p);
        struct ptx_place at = p->x.token.place;
        struct ptx_operand right = {0};

        if (!op || op->precedence < least)
            return 0;
        lex_next(&p->x);
        if (op->next)
            lex_next(&p->x);
        if (expression(p, op->precedence + 1, &right) < 0 || apply(p, &at, op->operation, out, &right) < 0)
            return -1;
    }
}

/* a ? b : c */
static int choice(struct parser *p, struct ptx_operand *out)
{
    struct ptx_operand yes = {0}, no = {0};

    if (expression(p, 1, out) < 0)
        return -1;
    if (!parse_try_mark(p, '?'))
        return 0;
    if (out->is_float)
        return parse_fault(p, &p->x.token.place, "`?` needs a whole number before it");
    if (parse_deeper(p) < 0 || choice(p, &yes) < 0 || parse_mark(p, ':') < 0 || choice(p, &no) < 0)
        return -1;
    p->nesting--;
    *out = out->bits ? yes : no;
    return 0;
}

int parse_constant(struct parser *p, struct ptx_operand *out)
{
    struct ptx_place at = p->x.token.place;

    if (choice(p, out) < 0)
        return -1;
    out->place = at;
    out->pair = PTX_NONE;
    return 0;
}
