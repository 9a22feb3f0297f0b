/* simcore/trace/trace_text.h: a window over the text of a trace, for scanning in place. Up to TEXT_AHEAD bytes
 * after `end` can be read and are zero, so a scanner that stops at an unexpected byte needs no bounds check. */
#ifndef VIVACE_SIMCORE_TRACE_TRACE_TEXT_H
#define VIVACE_SIMCORE_TRACE_TRACE_TEXT_H

#include "base/stream.h"

#define TRACE_LINE_MAX (1u << 20)
#define TEXT_AHEAD     8192u

struct trace_text {
    struct stream *s; /* owned by the caller */
    char *buffer;
    size_t capacity;
    char *at, *end;
    bool ended;    /* the stream ends at `end` */
    uint64_t line; /* number of the line that begins at `at` */
};

int trace_text_init(struct trace_text *t, struct stream *s, struct err *e);
void trace_text_release(struct trace_text *t);
int trace_text_refill(struct trace_text *t, struct err *e) MUST_CHECK;
/* Finds the whole line at `at`: 1 with its length without the newline, 0 at the end, -1. *complete: the line has a
 * newline. */
int trace_text_peek(struct trace_text *t, size_t *bytes, bool *complete, struct err *e);

/* Makes sure that TEXT_AHEAD bytes, or the rest of the text, can be scanned. */
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

/* Skips the line that trace_text_peek() found. */
static inline void trace_text_skip(struct trace_text *t, size_t bytes, bool complete)
{
    trace_text_next_line(t, t->at + bytes + (complete ? 1 : 0));
}

#endif
