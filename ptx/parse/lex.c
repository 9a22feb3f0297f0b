#include "ptx/parse/lex.h"

#include <string.h>

#include "base/text.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

static int hex_digit(char c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static void bad(struct lexer *x, const char *sentence)
{
    x->token.kind = TOKEN_BAD;
    x->token.text = sentence;
    x->token.n = strlen(sentence);
    x->at = x->end; /* skips the rest of the text, which is unreliable after an error */
}

/* Skips blanks, comments, and the NUL at the end of modules inside programs. False: a comment is not closed. */
static bool skip_blanks(struct lexer *x)
{
    while (x->at < x->end) {
        char c = *x->at, next = x->end - x->at > 1 ? x->at[1] : '\0';

        if (c == '\n') {
            x->line++;
            x->line_start = ++x->at;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' || c == '\0') {
            x->at++;
        } else if (c == '/' && next == '/') {
            while (x->at < x->end && *x->at != '\n')
                x->at++;
        } else if (c == '/' && next == '*') {
            const char *p = x->at + 2;

            for (; x->end - p > 1 && !(p[0] == '*' && p[1] == '/'); p++) {
                if (*p != '\n')
                    continue;
                x->line++;
                x->line_start = p + 1;
            }
            if (x->end - p < 2)
                return false;
            x->at = p + 2;
        } else {
            return true;
        }
    }
    return true;
}

static void take_name(struct lexer *x)
{
    const char *p = x->at + 1;

    while (p < x->end && (is_letter(*p) || is_digit(*p) || *p == '%'))
        p++;
    x->token.kind = TOKEN_NAME;
    x->token.n = (size_t)(p - x->at);
    x->at = p;
}

/* .5 and .5e-3 are numbers; .1d and .128x64b are words. */
static bool is_fraction(const struct lexer *x)
{
    const char *p = x->at + 1;

    if (p == x->end || !is_digit(*p))
        return false;
    while (p < x->end && is_digit(*p))
        p++;
    if (x->end - p > 1 && (*p == 'e' || *p == 'E'))
        return is_digit(p[1]) || ((p[1] == '+' || p[1] == '-') && x->end - p > 2 && is_digit(p[2]));
    return p == x->end || !is_letter(*p);
}

/* ".L2::128B": "::" joins words to one token. */
static void take_dotted(struct lexer *x)
{
    const char *p = x->at + 1;

    for (;;) {
        while (p < x->end && (is_letter(*p) || is_digit(*p)))
            p++;
        if (x->end - p < 3 || p[0] != ':' || p[1] != ':' || !(is_letter(p[2]) || is_digit(p[2])))
            break;
        p += 2;
    }
    x->token.kind = TOKEN_DOTTED;
    x->token.n = (size_t)(p - x->at);
    x->at = p;
    if (x->token.n == 1)
        bad(x, "a dot must be followed by a word");
}

static void take_string(struct lexer *x)
{
    const char *p = x->at + 1;

    while (p < x->end && *p != '"' && *p != '\n')
        p += *p == '\\' && x->end - p > 1 ? 2 : 1;
    if (p >= x->end || *p != '"') {
        bad(x, "a string has no closing quote");
        return;
    }
    x->token.kind = TOKEN_STRING;
    x->token.text = x->at + 1;
    x->token.n = (size_t)(p - x->at - 1);
    x->at = p + 1;
}

/* Reads digits of a base. False: there are none, or the number exceeds 64 bits. */
static bool take_digits(const char **at, const char *end, unsigned base, uint64_t *out)
{
    const char *p = *at;
    uint64_t value = 0;

    for (; p < end; p++) {
        int digit = hex_digit(*p);

        if (digit < 0 || digit >= (int)base)
            break;
        if (value > (UINT64_MAX - (uint64_t)digit) / base)
            return false;
        value = value * base + (uint64_t)digit;
    }
    if (p == *at)
        return false;
    *at = p;
    *out = value;
    return true;
}

/* 0f3F800000 and 0d3FF0000000000000: the bits of a float. */
static void take_float_bits(struct lexer *x, int digits)
{
    const char *p = x->at + 2, *begin = p;
    uint64_t bits;

    if (!take_digits(&p, x->end, 16, &bits) || p - begin != digits) {
        bad(x, digits == 8 ? "a number 0f... must have 8 hexadecimal digits"
                           : "a number 0d... must have 16 hexadecimal digits");
        return;
    }
    x->token.kind = TOKEN_FLOAT;
    x->token.float32 = digits == 8;
    if (digits == 8) {
        uint32_t narrow = (uint32_t)bits;
        float f;
        double d;

        memcpy(&f, &narrow, sizeof f);
        d = (double)f;
        memcpy(&bits, &d, sizeof bits);
        /* Conversion to double would change a signalling NaN to a quiet one. The low half keeps the 32 bits of
         * the NaN. */
        if (f != f)
            bits = 0x7ff0000000000000ull | narrow;
    }
    x->token.bits = bits;
    x->token.n = (size_t)(p - x->at);
    x->at = p;
}

static void take_decimal_float(struct lexer *x, const char *end)
{
    char text[64];
    struct err e;
    double d;

    if ((size_t)(end - x->at) >= sizeof text) {
        bad(x, "a number is too long");
        return;
    }
    memcpy(text, x->at, (size_t)(end - x->at));
    text[end - x->at] = '\0';
    if (parse_double(text, "number", &d, &e) < 0) {
        bad(x, "this is not a number");
        return;
    }
    memcpy(&x->token.bits, &d, sizeof d);
    x->token.kind = TOKEN_FLOAT;
    x->token.n = (size_t)(end - x->at);
    x->at = end;
}

/* The end of a decimal number with a point or an exponent. NULL: it is an integer. */
static const char *decimal_end(const struct lexer *x)
{
    const char *p = x->at;
    bool fraction = false;

    while (p < x->end && is_digit(*p))
        p++;
    if (p < x->end && *p == '.') {
        fraction = true;
        p++;
        while (p < x->end && is_digit(*p))
            p++;
    }
    if (p < x->end && (*p == 'e' || *p == 'E')) {
        const char *q = p + 1;

        if (q < x->end && (*q == '+' || *q == '-'))
            q++;
        if (q < x->end && is_digit(*q)) {
            while (q < x->end && is_digit(*q))
                q++;
            return q;
        }
    }
    return fraction ? p : NULL;
}

static void take_number(struct lexer *x)
{
    char second = x->end - x->at > 1 ? x->at[1] : '\0';
    const char *p = x->at, *decimal = decimal_end(x);
    unsigned base = 10;

    if (*x->at == '0' && (second == 'f' || second == 'F')) {
        take_float_bits(x, 8);
        return;
    }
    if (*x->at == '0' && (second == 'd' || second == 'D')) {
        take_float_bits(x, 16);
        return;
    }
    if (decimal) {
        take_decimal_float(x, decimal);
        return;
    }
    if (*p == '0' && (second == 'x' || second == 'X' || second == 'b' || second == 'B')) {
        base = second == 'x' || second == 'X' ? 16 : 2;
        p += 2;
    } else if (*p == '0' && is_digit(second)) {
        base = 8;
    }
    if (!take_digits(&p, x->end, base, &x->token.bits)) {
        bad(x, "this is not a number, or one of more than 64 bits");
        return;
    }
    if (p < x->end && *p == 'U')
        p++;
    x->token.kind = TOKEN_INTEGER;
    x->token.n = (size_t)(p - x->at);
    x->at = p;
}

void lex_next(struct lexer *x)
{
    x->braces += token_is_mark(&x->token, '{');
    if (x->braces)
        x->braces -= token_is_mark(&x->token, '}');
    x->token = (struct token){.kind = TOKEN_END};
    if (!skip_blanks(x)) {
        x->token.place = (struct ptx_place){x->line, (uint32_t)(x->at - x->line_start) + 1};
        bad(x, "a comment is not closed");
        return;
    }
    x->token.text = x->at;
    x->token.place = (struct ptx_place){x->line, (uint32_t)(x->at - x->line_start) + 1};
    if (x->at == x->end)
        return;
    if (is_letter(*x->at) || (*x->at == '%' && x->end - x->at > 1 && (is_letter(x->at[1]) || is_digit(x->at[1])))) {
        take_name(x);
    } else if (*x->at == '.' && !is_fraction(x)) {
        take_dotted(x);
    } else if (is_digit(*x->at) || *x->at == '.') {
        take_number(x);
    } else if (*x->at == '"') {
        take_string(x);
    } else if (strchr(";,()[]{}<>@!|&^~=+-*/%:?#", *x->at)) {
        x->token.kind = TOKEN_MARK;
        x->token.mark = *x->at++;
        x->token.n = 1;
    } else {
        bad(x, "a character that is not allowed in PTX");
    }
}

void lex_begin(struct lexer *x, const char *text, size_t n)
{
    *x = (struct lexer){.at = text, .end = text + n, .line_start = text, .line = 1};
    lex_next(x);
}

void lex_next_line(struct lexer *x, uint32_t line)
{
    while (x->token.kind != TOKEN_END && x->token.kind != TOKEN_BAD && x->token.place.line == line)
        lex_next(x);
}

bool token_is(const struct token *t, const char *name)
{
    return (t->kind == TOKEN_NAME || t->kind == TOKEN_DOTTED) && strlen(name) == t->n &&
           memcmp(t->text, name, t->n) == 0;
}

bool token_is_mark(const struct token *t, char mark)
{
    return t->kind == TOKEN_MARK && t->mark == mark;
}
