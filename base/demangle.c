#include "base/demangle.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <libiberty/demangle.h>

#include "base/array.h"
#include "base/strbuf.h"
#include "base/text.h"

/* By substitutions a mangled name of 300 characters can expand to gigabytes. The text is therefore collected in
 * pieces, and the demangling fails above this limit. The longest names of PyTorch have about 10 000 characters. */
#define NAME_BYTES_MAX (64u << 10)

struct collected {
    struct strbuf text;
    jmp_buf too_long;
};

static void collect(const char *piece, size_t n, void *ctx)
{
    struct collected *c = ctx;

    /* A callback can stop the printer only by longjmp(). This is safe: the printer holds no heap memory. */
    if (c->text.length + n > NAME_BYTES_MAX)
        longjmp(c->too_long, 1);
    strbuf_add(&c->text, piece, n);
}

/* The library's limit on recursion stays in force: DMGL_NO_RECURSE_LIMIT is not set. */
static bool collect_demangled(struct collected *c, const char *name)
{
    if (setjmp(c->too_long) != 0)
        return false;
    return cplus_demangle_v3_callback(name, DMGL_PARAMS | DMGL_ANSI, collect, c) != 0;
}

char *demangle(const char *name, struct err *e)
{
    struct collected c = {.text = STRBUF_INIT};
    char *out;

    if (!str_starts(name, "_Z") || strlen(name) > NAME_BYTES_MAX || !collect_demangled(&c, name)) {
        strbuf_release(&c.text);
        return mem_strdup(name, e);
    }
    out = strbuf_detach(&c.text);
    if (!out)
        err_no_memory(e);
    return out;
}

/* --- one form for all spellings --- */

static void drop_blanks(char *s)
{
    char *to = s;

    for (; *s; s++)
        if (!isspace((unsigned char)*s))
            *to++ = *s;
    *to = '\0';
}

/* "f<int>(int*)" -> "f<int>". A name that is only "operator()" keeps its parentheses. */
static void drop_parameters(char *s)
{
    size_t n = strlen(s), depth = 0, at;

    if (n >= 6 && strcmp(s + n - 6, ")const") == 0)
        n -= 5;
    if (n == 0 || s[n - 1] != ')')
        return;
    for (at = n; at-- > 0;) {
        if (s[at] == ')')
            depth++;
        else if (s[at] == '(' && --depth == 0)
            break;
    }
    if (at == (size_t)-1 || at == 0 || (at >= 8 && memcmp(s + at - 8, "operator", 8) == 0))
        return;
    s[at] = '\0';
}

/* A literal among template arguments is spelled 4, 4u, 4ul or (unsignedint)4 by different tools: keeps the digits.
 * `s` points behind '<' or ','. Copies a recognized literal to *to and returns the position after it. */
static const char *copy_literal(const char *s, char **to)
{
    const char *p = s;
    bool is_bool = false;

    if (*p == '(') {
        const char *close = strchr(p, ')');

        is_bool = str_starts(p, "(bool)");
        if (!close || memchr(p + 1, '(', (size_t)(close - p - 1)))
            return s;
        p = close + 1;
    }
    if (*p == '-' && isdigit((unsigned char)p[1]))
        *(*to)++ = *p++;
    if (!isdigit((unsigned char)*p))
        return s;
    if (is_bool) {
        const char *word = *p == '0' ? "false" : "true";

        strcpy(*to, word); /* "(bool)1" was longer */
        *to += strlen(word);
        while (isdigit((unsigned char)*p))
            p++;
        return p;
    }
    while (isdigit((unsigned char)*p))
        *(*to)++ = *p++;
    while (*p == 'u' || *p == 'l')
        p++;
    return p;
}

static void plain_literals(char *s)
{
    const char *from = s;
    char *to = s;

    while (*from) {
        char c = *to++ = *from++;

        if (c == '<' || c == ',')
            from = copy_literal(from, &to);
    }
    *to = '\0';
}

static void replace_all(char *s, const char *what, const char *by) /* `by` is not longer */
{
    size_t n = strlen(what), m = strlen(by);

    for (char *at = s; (at = strstr(at, what)) != NULL; at += m) {
        memmove(at + m, at + n, strlen(at + n) + 1);
        for (size_t i = 0; i < m; i++)
            at[i] = by[i];
    }
}

char *kernel_name_plain(const char *name, struct err *e)
{
    char *s = demangle(name, e);

    if (!s)
        return NULL;
    if (str_starts(s, "void "))
        memmove(s, s + 5, strlen(s + 5) + 1);
    drop_blanks(s);
    replace_all(s, "(anonymousnamespace)", "<unnamed>");
    drop_parameters(s);
    plain_literals(s);
    return s;
}

void kernel_name_shorten(char *plain)
{
    size_t depth = 0, from = 0, to;

    for (size_t i = 0; plain[i]; i++) {
        if (plain[i] == '<' || plain[i] == '(')
            depth++;
        else if ((plain[i] == '>' || plain[i] == ')') && depth > 0)
            depth--;
        else if (depth == 0 && plain[i] == ':' && plain[i + 1] == ':')
            from = i + 2;
    }
    to = from + strcspn(plain + from, "<(");
    if (to == from)
        return; /* a name such as "<unnamed>" has no shorter form */
    memmove(plain, plain + from, to - from);
    plain[to - from] = '\0';
}

bool kernel_names_match(const char *a, const char *b)
{
    struct err ignored; /* the NULL result reports it */
    char *x, *y;
    bool equal;

    if (strcmp(a, b) == 0)
        return true;
    x = kernel_name_plain(a, &ignored);
    y = kernel_name_plain(b, &ignored);
    equal = x && y && strcmp(x, y) == 0;
    free(x);
    free(y);
    return equal;
}
