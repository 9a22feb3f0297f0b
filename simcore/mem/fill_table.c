#include "simcore/mem/fill_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

int fill_table_init(struct fill_table *t, size_t places, uint32_t requests, struct err *e)
{
    memset(t, 0, sizeof *t);
    t->places = places;
    t->fills = 2 * requests; /* who begins a fill waits for it: in the asker's partition of L2 and at home */
    t->at = mem_zalloc(places, sizeof *t->at, e);
    t->next = t->at ? mem_zalloc((size_t)requests + 1, sizeof *t->next, e) : NULL;
    t->fill = t->next ? mem_zalloc(t->fills, sizeof *t->fill, e) : NULL;
    return t->fill ? 0 : -1;
}

void fill_table_release(struct fill_table *t)
{
    free(t->at);
    free(t->next);
    free(t->fill);
    memset(t, 0, sizeof *t);
}

void fill_table_reset(struct fill_table *t)
{
    memset(t->at, 0, t->places * sizeof *t->at);
    t->first_free = t->fresh = 0;
}

/* The line's fill, as a number + 1; 0: none. */
static uint32_t find(const struct fill_table *t, size_t place, uint64_t line)
{
    uint32_t i = t->at[place];

    while (i && t->fill[i - 1].line != line)
        i = t->fill[i - 1].next;
    return i;
}

uint8_t fill_pending(const struct fill_table *t, size_t place, uint64_t line)
{
    uint32_t i = find(t, place, line);

    return i ? t->fill[i - 1].pending : 0;
}

void fill_begin(struct fill_table *t, size_t place, uint64_t line, uint8_t sectors)
{
    uint32_t i = find(t, place, line);

    if (!i) {
        i = t->first_free;
        if (i)
            t->first_free = t->fill[i - 1].next;
        else
            i = ++t->fresh;
        t->fill[i - 1] = (struct fill){.line = line, .next = t->at[place]};
        t->at[place] = i;
    }
    t->fill[i - 1].pending |= sectors;
}

void fill_wait(struct fill_table *t, size_t place, uint64_t line, uint32_t request)
{
    struct fill *f = &t->fill[find(t, place, line) - 1];

    t->next[request] = 0;
    if (f->last)
        t->next[f->last] = request;
    else
        f->first = request;
    f->last = request;
}

uint32_t fill_arrived(struct fill_table *t, size_t place, uint64_t line, uint8_t sectors)
{
    uint32_t i = find(t, place, line), *link = &t->at[place], first;
    struct fill *f;

    if (!i) /* the place was given away and taken back: the line was fetched twice, and the other was first */
        return 0;
    f = &t->fill[i - 1];
    first = f->first;
    f->first = f->last = 0;
    f->pending &= (uint8_t)~sectors;
    if (f->pending)
        return first;
    while (*link != i)
        link = &t->fill[*link - 1].next;
    *link = f->next;
    f->next = t->first_free;
    t->first_free = i;
    return first;
}

uint32_t fill_next(const struct fill_table *t, uint32_t request)
{
    return t->next[request];
}
