#include "simcore/mem/l2.h"

#include "simcore/engine/wide.h"

static size_t tag_bytes(const struct l2 *c)
{
    return tag_sets_bytes(c->slices * c->sets, c->ways);
}

static size_t line_bytes(const struct l2 *c)
{
    return (size_t)c->slices * c->sets * c->ways * sizeof *c->lines;
}

int l2_init(struct l2 *c, const struct gpu_design *d, struct err *e)
{
    memset(c, 0, sizeof *c);
    c->slices = d->l2_slices;
    c->ways = d->l2_ways;
    c->dirty_ways = (c->ways * d->l2_dirty_65536) >> 16;
    c->dirty_ways = c->dirty_ways ? c->dirty_ways : 1;
    c->fetch_sectors = d->l2_fetch_bytes / SECTOR_BYTES;
    c->sets = d->l2_bytes / d->l2_slices / LINE_BYTES / d->l2_ways;
    c->memory = wide_zalloc(1, tag_bytes(c) + line_bytes(c), e);
    if (!c->memory)
        return -1;
    tag_sets_init(&c->tags, c->slices * c->sets, c->ways, d->l2_replacement, c->memory);
    c->lines = (struct l2_line *)(void *)(c->memory + tag_bytes(c));
    return 0;
}

void l2_release(struct l2 *c)
{
    wide_free(c->memory, 1, tag_bytes(c) + line_bytes(c));
    memset(c, 0, sizeof *c);
}

void l2_clean_oldest(struct l2 c, struct tag_set *s, struct l2_line *lines, struct l2_lookup *out)
{
    uint32_t place = s->filled, w;

    do
        w = tag_in_order(&c.tags, s, --place);
    while (!lines[w].dirty);
    out->evicted = lines[w].number;
    out->evicted_dirty = lines[w].dirty;
    lines[w].dirty = 0;
    s->changed--;
}

size_t l2_peek(const struct l2 *c, uint32_t slice, uint32_t set, uint64_t line)
{
    uint32_t index = slice * c->sets + set;
    const struct tag_set *s = tag_set_at(&c->tags, index);
    size_t first = (size_t)index * c->ways;
    uint32_t w = c->ways;

    if (s->epoch == c->tags.epoch)
        w = tag_find(&c->tags, s, c->lines + first, sizeof *c->lines, line, tag_mark(line));
    return w < c->ways ? first + w : L2_ABSENT;
}
