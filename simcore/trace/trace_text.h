/* simcore/trace/trace_text.h: a window over the text of a trace, made for scanning in place: at[] can be read up to
 * TEXT_AHEAD bytes beyond `end` (zeros stand there), so a scanner that stops at anything unexpected needs no
 * bounds. */
#ifndef VIVACE_SIMCORE_TRACE_TRACE_TEXT_H
#define VIVACE_SIMCORE_TRACE_TRACE_TEXT_H

#include "base/stream.h"

#define TRACE_LINE_MAX (1u << 20)
#define TEXT_AHEAD     8192u

struct trace_text {
    struct stream *s; /* not ours */
    char *buffer;
    size_t capacity;
    char *at, *end;
    bool ended;    /* nothing comes after `end` */
    uint64_t line; /* number of the line that begins at `at` */
};

int trace_text_init(struct trace_text *t, struct stream *s, struct err *e);
void trace_text_release(struct trace_text *t);
int trace_text_refill(struct trace_text *t, struct err *e) MUST_CHECK;
/* The whole line at `at`: 1 and its bytes without the newline, 0 at the end, -1. *complete: it has a newline. */
int trace_text_peek(struct trace_text *t, size_t *bytes, bool *complete, struct err *e);

/* Sees to it that TEXT_AHEAD bytes, or all that is left, can be scanned. */
static inline int trace_text_ahead(struct trace_text *t, struct err *e)
{
    if ((size_t)(t->end - t->at) >= TEXT_AHEAD || t->ended)
        return 0;
    return trace_text_refill(t, e);
}

static inline void trace_text_next_line(struct trace_text *t, char *next)
{
    t->at = next;
    t->line++;
}

/* Passes over the line that trace_text_peek() showed. */
static inline void trace_text_skip(struct trace_text *t, size_t bytes, bool complete)
{
    trace_text_next_line(t, t->at + bytes + (complete ? 1 : 0));
}

#endif
