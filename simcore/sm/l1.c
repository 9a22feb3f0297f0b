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
    uint32_t most = l1_ways(d, d->carveout_bytes[0]);

    memset(c, 0, sizeof *c);
    c->set_mask = d->l1_sets - 1;
    c->set_shift = (uint32_t)__builtin_ctz(d->l1_sets);
    if (tag_sets_init(&c->tags, d->l1_sets, most, e) < 0)
        return -1;
    c->lines = mem_zalloc((size_t)d->l1_sets * most, sizeof *c->lines, e);
    if (c->lines)
        return 0;
    l1_release(c);
    return -1;
}

void l1_release(struct l1 *c)
{
    tag_sets_release(&c->tags);
    free(c->lines);
    memset(c, 0, sizeof *c);
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
