/* simcore/mem/mshr/per_request.c: an unlimited number of entries; no request has to wait for an entry. */
#include "simcore/mem/mshr/mshr.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

struct entry {
    uint64_t line;
    uint32_t next;        /* next entry of the same place in L2, + 1; or next free entry */
    uint32_t first, last; /* list of waiting requests, in order; 0: none */
    uint8_t pending;      /* sectors being fetched */
};
struct table {
    uint32_t first_free, fresh;
    uint32_t *at;   /* for each place: its first entry + 1 */
    uint32_t *next; /* for each request: the next waiting request */
    struct entry *entry;
};

static void per_request_release(struct mshr_file *f)
{
    struct table *t = f->own;

    if (!t)
        return;
    free(t->at);
    free(t->next);
    free(t->entry);
    free(t);
    f->own = NULL;
}

static int per_request_init(struct mshr_file *f, const struct gpu_design *d, struct err *e)
{
    struct table *t = f->own = mem_zalloc(1, sizeof *t, e);

    (void)d;
    if (!t)
        return -1;
    t->at = mem_zalloc(f->places, sizeof *t->at, e);
    t->next = t->at ? mem_zalloc((size_t)f->requests_max + 1, sizeof *t->next, e) : NULL;
    /* a request waits for at most two fills: in its own partition of L2, and in the home partition */
    t->entry = t->next ? mem_zalloc(2 * (size_t)f->requests_max, sizeof *t->entry, e) : NULL;
    return t->entry ? 0 : -1;
}

static void per_request_reset(struct mshr_file *f)
{
    struct table *t = f->own;

    memset(t->at, 0, f->places * sizeof *t->at);
    t->first_free = t->fresh = 0;
}

/* The entry of the line, as index + 1; 0: none. */
static uint32_t find_entry(const struct table *t, size_t place, uint64_t line)
{
    uint32_t i = t->at[place];

    while (i && t->entry[i - 1].line != line)
        i = t->entry[i - 1].next;
    return i;
}

static uint8_t per_request_pending(const struct mshr_file *f, size_t place, uint64_t line)
{
    const struct table *t = f->own;
    uint32_t i = find_entry(t, place, line);

    return i ? t->entry[i - 1].pending : 0;
}

static void per_request_allocate(struct mshr_file *f, size_t place, uint64_t line, uint8_t sectors)
{
    struct table *t = f->own;
    uint32_t i = find_entry(t, place, line);

    if (!i) {
        i = t->first_free;
        if (i)
            t->first_free = t->entry[i - 1].next;
        else
            i = ++t->fresh;
        t->entry[i - 1] = (struct entry){.line = line, .next = t->at[place]};
        t->at[place] = i;
    }
    t->entry[i - 1].pending |= sectors;
}

static void per_request_merge(struct mshr_file *f, size_t place, uint64_t line, uint32_t request)
{
    struct table *t = f->own;
    struct entry *x = &t->entry[find_entry(t, place, line) - 1];

    t->next[request] = 0;
    if (x->last)
        t->next[x->last] = request;
    else
        x->first = request;
    x->last = request;
}

static uint32_t per_request_fill(struct mshr_file *f, size_t place, uint64_t line, uint8_t sectors)
{
    struct table *t = f->own;
    uint32_t i = find_entry(t, place, line), *link = &t->at[place], first;
    struct entry *x;

    if (!i) /* the line was evicted and fetched again, and the other fetch was faster */
        return 0;
    x = &t->entry[i - 1];
    first = x->first;
    x->first = x->last = 0;
    x->pending &= (uint8_t)~sectors;
    if (x->pending)
        return first;
    while (*link != i)
        link = &t->entry[*link - 1].next;
    *link = x->next;
    x->next = t->first_free;
    t->first_free = i;
    return first;
}

static uint32_t per_request_next(const struct mshr_file *f, uint32_t request)
{
    const struct table *t = f->own;
    return t->next[request];
}

const struct mshr_ops mshr_per_request = {.name = "per_request",
                                          .init = per_request_init,
                                          .release = per_request_release,
                                          .reset = per_request_reset,
                                          .pending = per_request_pending,
                                          .allocate = per_request_allocate,
                                          .merge = per_request_merge,
                                          .fill = per_request_fill,
                                          .next = per_request_next};
