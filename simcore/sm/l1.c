#include "simcore/sm/l1.h"

#include <string.h>

uint32_t l1_ways(const struct gpu_design *d, uint32_t carveout_bytes)
{
    uint32_t taken = carveout_bytes + d->l1_unusable_bytes;
    uint32_t bytes = d->unified_bytes > taken ? d->unified_bytes - taken : 0;
    uint32_t ways = bytes / LINE_BYTES / d->l1_sets;

    return ways ? ways : 1;
}

static uint32_t most_ways(const struct gpu_design *d)
{
    return l1_ways(d, d->carveout_bytes[0]);
}

size_t l1_bytes(const struct gpu_design *d)
{
    return tag_sets_bytes(d->l1_sets, most_ways(d)) + (size_t)d->l1_sets * most_ways(d) * sizeof(struct l1_line);
}

void l1_init(struct l1 *c, const struct gpu_design *d, void *memory)
{
    memset(c, 0, sizeof *c);
    c->set_mask = d->l1_sets - 1;
    c->set_shift = (uint32_t)__builtin_ctz(d->l1_sets);
    tag_sets_init(&c->tags, d->l1_sets, most_ways(d), d->l1_replacement, memory);
    c->lines = (struct l1_line *)(void *)((char *)memory + tag_sets_bytes(d->l1_sets, most_ways(d)));
}

void l1_begin(struct l1 *c, const struct gpu_design *d, uint32_t carveout_bytes)
{
    c->ways = c->tags.ways = l1_ways(d, carveout_bytes);
    l1_invalidate(c);
}

void l1_invalidate(struct l1 *c)
{
    c->tags.epoch++;
}

void l1_rebase(struct l1 *c, uint32_t cycles)
{
    for (uint32_t i = 0; i < (c->set_mask + 1) * c->ways; i++)
        c->lines[i].ready = time_back(c->lines[i].ready, cycles);
}
