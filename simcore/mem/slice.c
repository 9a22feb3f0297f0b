#include "simcore/mem/slice.h"

void slice_decide_copy(struct l2 *c, struct mem_counters *count, const struct mem_request *r,
                       const struct address_place *own, struct slice_step *out)
{
    uint32_t sectors = sector_count(r->sectors), missing;

    slice_take_line(c, count, r, tag_mark(r->line), own, out);
    out->fetch = slice_take_missing(&c->lines[out->line], r->sectors);
    missing = sector_count(out->fetch);
    count->read_requests++;
    count->read_sectors += sectors;
    count->read_hit_sectors += sectors - missing; /* the home partition counts the others */
    count->far_requests += missing != 0;
    count->far_sectors += missing;
}

void slice_forget_copy(struct l2 *c, const struct address_place *own, uint64_t line, uint8_t sectors)
{
    size_t at = l2_peek(c, own->slice, own->set, line);

    if (at != L2_ABSENT)
        c->lines[at].valid &= (uint8_t)~sectors;
}
