#include "simcore/mem/mshr.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

int mshr_init(struct mshr_file *t, size_t places, uint32_t requests, struct err *e)
{
    memset(t, 0, sizeof *t);
    t->places = places;
    t->entries = 2 * requests; /* who begins a fill waits for it: in the asker's partition of L2 and at home */
    t->at = mem_zalloc(places, sizeof *t->at, e);
    t->next = t->at ? mem_zalloc((size_t)requests + 1, sizeof *t->next, e) : NULL;
    t->entry = t->next ? mem_zalloc(t->entries, sizeof *t->entry, e) : NULL;
    return t->entry ? 0 : -1;
}

void mshr_release(struct mshr_file *t)
{
    free(t->at);
    free(t->next);
    free(t->entry);
    memset(t, 0, sizeof *t);
}

void mshr_reset(struct mshr_file *t)
{
    memset(t->at, 0, t->places * sizeof *t->at);
    t->first_free = t->fresh = 0;
}

/* The line's fill, as a number + 1; 0: none. */
static uint32_t mshr_find(const struct mshr_file *t, size_t place, uint64_t line)
{
    uint32_t i = t->at[place];

    while (i && t->entry[i - 1].line != line)
        i = t->entry[i - 1].next;
    return i;
}

uint8_t mshr_pending(const struct mshr_file *t, size_t place, uint64_t line)
{
    uint32_t i = mshr_find(t, place, line);

    return i ? t->entry[i - 1].pending : 0;
}

void mshr_allocate(struct mshr_file *t, size_t place, uint64_t line, uint8_t sectors)
{
    uint32_t i = mshr_find(t, place, line);

    if (!i) {
        i = t->first_free;
        if (i)
            t->first_free = t->entry[i - 1].next;
        else
            i = ++t->fresh;
        t->entry[i - 1] = (struct mshr){.line = line, .next = t->at[place]};
        t->at[place] = i;
    }
    t->entry[i - 1].pending |= sectors;
}

void mshr_merge(struct mshr_file *t, size_t place, uint64_t line, uint32_t request)
{
    struct mshr *f = &t->entry[mshr_find(t, place, line) - 1];

    t->next[request] = 0;
    if (f->last)
        t->next[f->last] = request;
    else
        f->first = request;
    f->last = request;
}

uint32_t mshr_fill(struct mshr_file *t, size_t place, uint64_t line, uint8_t sectors)
{
    uint32_t i = mshr_find(t, place, line), *link = &t->at[place], first;
    struct mshr *f;

    if (!i) /* the place was given away and taken back: the line was fetched twice, and the other was first */
        return 0;
    f = &t->entry[i - 1];
    first = f->first;
    f->first = f->last = 0;
    f->pending &= (uint8_t)~sectors;
    if (f->pending)
        return first;
    while (*link != i)
        link = &t->entry[*link - 1].next;
    *link = f->next;
    f->next = t->first_free;
    t->first_free = i;
    return first;
}

uint32_t mshr_next(const struct mshr_file *t, uint32_t request)
{
    return t->next[request];
}
