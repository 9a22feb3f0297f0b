#include "simcore/sm/l1.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

uint32_t l1_ways(const struct gpu_design *d, uint32_t carveout_bytes)
{
    uint32_t taken = carveout_bytes + d->l1_unusable_bytes;
    uint32_t bytes = d->unified_bytes > taken ? d->unified_bytes - taken : 0;
    uint32_t ways = bytes / LINE_BYTES / d->l1_sets;

    return ways ? ways : 1;
}

int l1_init(struct l1 *c, const struct gpu_design *d, struct err *e)
{
    size_t most;

    memset(c, 0, sizeof *c);
    c->set_mask = d->l1_sets - 1;
    c->set_shift = (uint32_t)__builtin_ctz(d->l1_sets);
    most = (size_t)d->l1_sets * l1_ways(d, d->carveout_bytes[0]);
    c->tag = mem_zalloc(most, sizeof *c->tag, e);
    c->used = mem_zalloc(most, sizeof *c->used, e);
    c->lines = mem_zalloc(most, sizeof *c->lines, e);
    if (c->tag && c->used && c->lines)
        return 0;
    l1_release(c);
    return -1;
}

void l1_release(struct l1 *c)
{
    free(c->tag);
    free(c->used);
    free(c->lines);
    memset(c, 0, sizeof *c);
}

void l1_begin(struct l1 *c, const struct gpu_design *d, uint32_t carveout_bytes)
{
    c->ways = l1_ways(d, carveout_bytes);
    c->clock = 0;
    l1_invalidate(c);
}

void l1_invalidate(struct l1 *c)
{
    memset(c->tag, 0, (size_t)(c->set_mask + 1) * c->ways * sizeof *c->tag);
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

/* Where the set of a line begins. */
static size_t first_way(const struct l1 *c, uint64_t line)
{
    uint32_t set = (uint32_t)(line + address_mix(line >> c->set_shift)) & c->set_mask;

    return (size_t)set * c->ways;
}

void l1_prefetch(const struct l1 *c, uint64_t line)
{
    size_t first = first_way(c, line);

    __builtin_prefetch(c->tag + first);
    __builtin_prefetch(c->tag + first + c->ways / 2);
    __builtin_prefetch(c->used + first);
    __builtin_prefetch(c->used + first + c->ways - 1);
}

struct l1_line *l1_find(struct l1 *c, uint64_t line, bool allocate)
{
    size_t first = first_way(c, line);
    uint32_t w = 0, now = ++c->clock;
    uint64_t *tag = c->tag + first;

    while (w < c->ways && tag[w] != line + 1)
        w++;
    if (w == c->ways) {
        if (!allocate)
            return NULL;
        w = victim_way(tag, c->used + first, c->ways, now);
        tag[w] = line + 1;
        c->lines[first + w] = (struct l1_line){0};
    }
    c->used[first + w] = now;
    return &c->lines[first + w];
}

void l1_rebase(struct l1 *c, uint32_t cycles)
{
    for (uint32_t i = 0; i < (c->set_mask + 1) * c->ways; i++)
        c->lines[i].ready = time_back(c->lines[i].ready, cycles);
}
