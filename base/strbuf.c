#include "base/strbuf.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

char strbuf_empty[1];

static int make_room(struct strbuf *b, size_t more)
{
    struct err ignored; /* b->failed reports it */
    void *p = b->capacity ? b->text : NULL;

    if (b->failed || more >= SIZE_MAX - b->length ||
        array_reserve(&p, &b->capacity, b->length + more + 1, 1, &ignored) < 0) {
        b->failed = true;
        return -1;
    }
    b->text = p;
    b->text[b->length] = '\0'; /* newly allocated memory is not initialised */
    return 0;
}

void strbuf_add(struct strbuf *b, const void *bytes, size_t n)
{
    if (make_room(b, n) < 0)
        return;
    if (n)
        memcpy(b->text + b->length, bytes, n);
    b->length += n;
    b->text[b->length] = '\0';
}

void strbuf_adds(struct strbuf *b, const char *s)
{
    strbuf_add(b, s, strlen(s));
}

void strbuf_addc(struct strbuf *b, char c)
{
    strbuf_add(b, &c, 1);
}

void strbuf_vaddf(struct strbuf *b, const char *format, va_list ap)
{
    va_list again;
    int n;

    va_copy(again, ap);
    n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (n < 0 || make_room(b, (size_t)n) < 0) {
        b->failed = true;
        return;
    }
    vsnprintf(b->text + b->length, (size_t)n + 1, format, ap);
    b->length += (size_t)n;
}

void strbuf_addf(struct strbuf *b, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    strbuf_vaddf(b, format, ap);
    va_end(ap);
}

void strbuf_add_csv(struct strbuf *b, const char *s)
{
    if (!strpbrk(s, ",\"\r\n")) {
        strbuf_adds(b, s);
        return;
    }
    strbuf_addc(b, '"');
    for (; *s; s++) {
        if (*s == '"')
            strbuf_addc(b, '"');
        strbuf_addc(b, *s);
    }
    strbuf_addc(b, '"');
}

void strbuf_clear(struct strbuf *b)
{
    b->length = 0;
    b->failed = false;
    if (b->capacity)
        b->text[0] = '\0';
}

char *strbuf_detach(struct strbuf *b)
{
    char *text;

    if (b->failed || make_room(b, 0) < 0) {
        strbuf_release(b);
        return NULL;
    }
    text = b->text;
    *b = (struct strbuf)STRBUF_INIT;
    return text;
}

void strbuf_release(struct strbuf *b)
{
    if (b->capacity)
        free(b->text);
    *b = (struct strbuf)STRBUF_INIT;
}
