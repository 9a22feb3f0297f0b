#include "simcore/trace/trace_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define WINDOW_BYTES                                                                                               \
    (96u << 10) /* most kernels of a real program are small, and new memory costs more than a read */

int trace_text_init(struct trace_text *t, struct stream *s, struct err *e)
{
    *t = (struct trace_text){.s = s, .capacity = WINDOW_BYTES, .line = stream_line_number(s) + 1};
    t->buffer = malloc(t->capacity + TEXT_AHEAD);
    if (!t->buffer)
        return err_no_memory(e);
    t->at = t->end = t->buffer;
    memset(t->end, 0, TEXT_AHEAD);
    return 0;
}

void trace_text_release(struct trace_text *t)
{
    free(t->buffer);
    *t = (struct trace_text){0};
}

/* Moves the unread bytes to the front and reads until the window is full. */
int trace_text_refill(struct trace_text *t, struct err *e)
{
    size_t have = (size_t)(t->end - t->at);

    memmove(t->buffer, t->at, have);
    t->at = t->buffer;
    while (have < t->capacity && !t->ended) {
        ssize_t got = stream_read(t->s, t->buffer + have, t->capacity - have, e);

        if (got < 0)
            return -1;
        t->ended = got == 0;
        have += (size_t)got;
    }
    t->end = t->buffer + have;
    memset(t->end, 0, TEXT_AHEAD);
    return 0;
}

/* Enlarges the window, which one line fills. That line begins at the start of the window. */
static int widen(struct trace_text *t, struct err *e)
{
    char *p;

    if (t->capacity > TRACE_LINE_MAX)
        return err_set(e, ERR_INVALID, "%s: line %llu is longer than %u bytes", stream_name(t->s),
                       (unsigned long long)t->line, TRACE_LINE_MAX);
    p = realloc(t->buffer, 2 * t->capacity + TEXT_AHEAD);
    if (!p)
        return err_no_memory(e);
    t->buffer = t->at = p;
    t->end = p + t->capacity;
    t->capacity *= 2;
    return 0;
}

int trace_text_peek(struct trace_text *t, size_t *bytes, bool *complete, struct err *e)
{
    for (;;) {
        size_t have = (size_t)(t->end - t->at);
        char *newline = have ? memchr(t->at, '\n', have) : NULL;

        if (newline) {
            *bytes = (size_t)(newline - t->at);
            *complete = true;
            return 1;
        }
        if (t->ended) {
            *bytes = have;
            *complete = false;
            return have > 0;
        }
        if (have == t->capacity && widen(t, e) < 0)
            return -1;
        if (trace_text_refill(t, e) < 0)
            return -1;
    }
}
