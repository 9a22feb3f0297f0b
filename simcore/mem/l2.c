#include "simcore/mem/l2.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

int l2_init(struct l2 *c, const struct gpu_design *d, struct err *e)
{
    size_t lines;

    memset(c, 0, sizeof *c);
    c->slices = d->l2_slices;
    c->ways = d->l2_ways;
    c->sets = d->l2_bytes / d->l2_slices / LINE_BYTES / d->l2_ways;
    c->set_epoch = mem_zalloc((size_t)c->slices * c->sets, sizeof *c->set_epoch, e);
    c->clock = mem_zalloc(c->slices, sizeof *c->clock, e);
    lines = (size_t)c->slices * c->sets * c->ways;
    c->tag = mem_zalloc(lines, sizeof *c->tag, e);
    c->used = mem_zalloc(lines, sizeof *c->used, e);
    c->lines = mem_zalloc(lines, sizeof *c->lines, e);
    if (c->set_epoch && c->clock && c->tag && c->used && c->lines)
        return 0;
    l2_release(c);
    return -1;
}

void l2_release(struct l2 *c)
{
    free(c->set_epoch);
    free(c->clock);
    free(c->tag);
    free(c->used);
    free(c->lines);
    memset(c, 0, sizeof *c);
}

/* The way to fill next: an empty one, else the one not used for longest. Age is a difference: the clock may wrap.
 */
static uint32_t victim_way(const uint64_t *tag, const uint32_t *used, uint32_t ways, uint32_t now)
{
    uint32_t oldest = 0, most = 0;

    for (uint32_t w = 0; w < ways; w++) {
        uint32_t age = tag[w] ? now - used[w] : UINT32_MAX;

        oldest = age > most ? w : oldest;
        most = age > most ? age : most;
    }
    return oldest;
}

void l2_find(struct l2 *c, uint32_t slice, uint32_t set, uint64_t line, struct l2_lookup *out)
{
    size_t index = (size_t)slice * c->sets + set, first = index * c->ways;
    uint64_t *tag = c->tag + first;
    uint32_t now = ++c->clock[slice], w = 0;

    if (c->set_epoch[index] != c->epoch) {
        memset(tag, 0, c->ways * sizeof *tag);
        c->set_epoch[index] = c->epoch;
    }
    while (w < c->ways && tag[w] != line + 1)
        w++;
    out->evicted_dirty = 0;
    out->present = w < c->ways;
    if (!out->present) {
        w = victim_way(tag, c->used + first, c->ways, now);
        if (tag[w]) {
            out->evicted = tag[w] - 1;
            out->evicted_dirty = c->lines[first + w].dirty;
        }
        tag[w] = line + 1;
        c->lines[first + w] = (struct l2_line){0};
    }
    c->used[first + w] = now;
    out->line = first + w;
}

size_t l2_peek(const struct l2 *c, uint32_t slice, uint32_t set, uint64_t line)
{
    size_t index = (size_t)slice * c->sets + set, first = index * c->ways;

    for (uint32_t w = 0; w < c->ways && c->set_epoch[index] == c->epoch; w++)
        if (c->tag[first + w] == line + 1)
            return first + w;
    return L2_ABSENT;
}
