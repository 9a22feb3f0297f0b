/* base/strbuf.h: a growing string.
 *
 *   struct strbuf b = STRBUF_INIT;
 *   strbuf_addf(&b, "%s: %u", name, n);
 *   if (b.failed) ...                     memory ran out; checked once, at the end
 *   char *text = strbuf_detach(&b);       the caller frees; NULL when it failed
 *   strbuf_release(&b);
 *
 * `text` is always a valid, NUL-terminated string, also before the first addition. */
#ifndef VIVACE_BASE_STRBUF_H
#define VIVACE_BASE_STRBUF_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct strbuf {
    char *text;
    size_t length, capacity; /* bytes; capacity 0: text is a constant */
    bool failed;
};

extern char strbuf_empty[1];
#define STRBUF_INIT                                                                                                \
    {                                                                                                              \
        .text = strbuf_empty                                                                                       \
    }

void strbuf_add(struct strbuf *b, const void *bytes, size_t n);
void strbuf_adds(struct strbuf *b, const char *s);
void strbuf_addc(struct strbuf *b, char c);
void strbuf_addf(struct strbuf *b, const char *format, ...) PRINTF_LIKE(2, 3);
void strbuf_vaddf(struct strbuf *b, const char *format, va_list ap);
/* Appends one field of a CSV (RFC 4180), in quotes where the format needs them. */
void strbuf_add_csv(struct strbuf *b, const char *s);
void strbuf_clear(struct strbuf *b); /* keeps the memory */
char *strbuf_detach(struct strbuf *b);
void strbuf_release(struct strbuf *b);

#endif
