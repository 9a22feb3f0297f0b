#include "ingest/json_repair.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/assert.h"

/* The bytes of one call. `at` is the next byte to read. */
struct input {
    const char *text;
    size_t at, end;
    bool last;
};

#define UNDECIDED 0x100 /* the next bytes decide */
#define NOTHING   0x101 /* end of the text */

/* --- levels --- */

static bool in_array(const struct json_repair *r)
{
    unsigned d = r->depth;

    return d > 0 && d <= JSON_REPAIR_DEPTH && (r->arrays[(d - 1) / 8] >> (d - 1) % 8 & 1);
}

static void open_level(struct json_repair *r, bool array)
{
    unsigned d = r->depth++;

    if (d < JSON_REPAIR_DEPTH) {
        r->arrays[d / 8] &= (uint8_t) ~(1u << d % 8);
        r->arrays[d / 8] |= (uint8_t)((unsigned)array << d % 8);
    }
    r->expects_key = !array;
}

static void close_level(struct json_repair *r)
{
    r->depth -= r->depth > 0;
    r->expects_key = false;
}

/* --- strings --- */

/* The first byte from *at on that is not white space. *at moves to it. */
static int after_blanks(const struct input *in, size_t *at)
{
    while (*at < in->end && strchr(" \t\r\n", in->text[*at]) && in->text[*at])
        ++*at;
    if (*at < in->end)
        return (unsigned char)in->text[*at];
    return in->last ? NOTHING : UNDECIDED;
}

/* Whether the quote at in->at ends its string. 1: yes, 0: no, -1: more bytes are needed. */
static int ends_string(const struct json_repair *r, const struct input *in)
{
    size_t at = in->at + 1;
    int next = after_blanks(in, &at);

    if (next == UNDECIDED)
        return -1;
    if (next == NOTHING)
        return 1;
    if (r->in_key)
        return 1; /* a quote inside a key has several readings: the parser refuses what follows */
    if (next == '}' || next == ']')
        return 1;
    if (next != ',')
        return 0;
    if (r->depth == 0 || in_array(r))
        return 1;
    at++;
    next = after_blanks(in, &at);
    return next == UNDECIDED ? -1 : next == '"' || next == NOTHING;
}

static bool valid_escape(const struct input *in, size_t left)
{
    const char *s = in->text + in->at + 1;

    if (*s != 'u')
        return strchr("\"\\/bfnrt", *s) != NULL;
    for (size_t i = 1; i <= 4; i++)
        if (i >= left || !isxdigit((unsigned char)s[i]))
            return false;
    return true;
}

static void add_control(struct json_repair *r, char c, struct strbuf *out)
{
    r->controls++;
    if (c == '\n')
        strbuf_adds(out, "\\n");
    else if (c == '\t')
        strbuf_adds(out, "\\t");
    else
        strbuf_addf(out, "\\u%04x", (unsigned)(unsigned char)c);
}

/* Copies a backslash and the character that it escapes. False: more bytes are needed. */
static bool add_escape(struct json_repair *r, struct input *in, struct strbuf *out)
{
    size_t left = in->end - in->at - 1; /* bytes after the backslash */

    if (!in->last && (left < 1 || (in->text[in->at + 1] == 'u' && left < 5)))
        return false;
    if (left >= 1 && in->text[in->at + 1] && valid_escape(in, left)) {
        strbuf_add(out, in->text + in->at, 2);
        in->at += 2;
        return true;
    }
    strbuf_adds(out, "\\\\");
    r->backslashes++;
    in->at++;
    return true;
}

/* Handles a quote. False: more bytes are needed. */
static bool add_quote(struct json_repair *r, struct input *in, struct strbuf *out)
{
    int ends = ends_string(r, in);

    if (ends < 0)
        return false;
    if (ends) {
        strbuf_addc(out, '"');
        r->in_string = false;
        r->expects_key = false;
    } else {
        strbuf_adds(out, "\\\"");
        r->quotes++;
    }
    in->at++;
    return true;
}

static bool add_in_string(struct json_repair *r, struct input *in, struct strbuf *out)
{
    size_t from = in->at;
    char c = 0;

    for (; in->at < in->end; in->at++) {
        c = in->text[in->at];
        if (c == '"' || c == '\\' || (unsigned char)c < ' ')
            break;
    }
    strbuf_add(out, in->text + from, in->at - from);
    if (in->at == in->end)
        return true;
    if (c == '"')
        return add_quote(r, in, out);
    if (c == '\\')
        return add_escape(r, in, out);
    add_control(r, c, out);
    in->at++;
    return true;
}

/* --- between strings --- */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("+-./#()_", c));
}

static bool is_no_number(const char *word, size_t n)
{
    static const char *const words[] = {"nan",      "inf",       "infinity", "n/a",
                                        "nan(ind)", "nan(snan)", "1.#inf",   "1.#ind"};

    if (n > 0 && (*word == '-' || *word == '+')) {
        word++;
        n--;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == n && strncasecmp(words[i], word, n) == 0)
            return true;
    return false;
}

static bool add_word(struct json_repair *r, struct input *in, struct strbuf *out)
{
    size_t end = in->at;

    while (end < in->end && is_word(in->text[end]))
        end++;
    if (end == in->end && !in->last)
        return false;
    if (is_no_number(in->text + in->at, end - in->at)) {
        strbuf_adds(out, "null");
        r->words++;
    } else {
        strbuf_add(out, in->text + in->at, end - in->at);
    }
    in->at = end;
    return true;
}

static bool add_outside(struct json_repair *r, struct input *in, struct strbuf *out)
{
    char c = in->text[in->at];

    if (is_word(c))
        return add_word(r, in, out);
    if (c == '"') {
        r->in_string = true;
        r->in_key = r->expects_key;
    } else if (c == '{' || c == '[') {
        open_level(r, c == '[');
    } else if (c == '}' || c == ']') {
        close_level(r);
    } else if (c == ',') {
        r->expects_key = r->depth > 0 && !in_array(r);
    }
    strbuf_addc(out, c);
    in->at++;
    return true;
}

void json_repair_feed(struct json_repair *r, const char *bytes, size_t n, bool last, struct strbuf *out)
{
    struct input in = {.text = bytes, .end = n, .last = last};
    struct strbuf joined = STRBUF_INIT;

    if (r->rest.length) {
        strbuf_add(&joined, r->rest.text, r->rest.length);
        strbuf_add(&joined, bytes, n);
        strbuf_clear(&r->rest);
        r->rest.failed |= joined.failed;
        in.text = joined.text;
        in.end = joined.length;
    }
    while (in.at < in.end && !r->rest.failed)
        if (!(r->in_string ? add_in_string : add_outside)(r, &in, out)) {
            ASSERT(!last);
            strbuf_add(&r->rest, in.text + in.at, in.end - in.at);
            break;
        }
    strbuf_release(&joined);
}

void json_repair_release(struct json_repair *r)
{
    strbuf_release(&r->rest);
}
