#include "simcore/mem/slice.h"

/* Sectors of the wanted ones that L2 does not have as a whole; it will. */
static uint8_t take_missing(struct l2_line *line, uint8_t wanted)
{
    uint8_t missing = wanted & (uint8_t)(~line->valid | line->partial);

    line->valid |= missing;
    line->partial &= (uint8_t)~missing;
    return missing;
}

/* What a miss brings along: the other sectors of the pieces that are fetched together. */
static uint8_t take_neighbours(const struct l2 *l2, struct l2_line *line, uint8_t missing)
{
    uint8_t pieces = missing;

    if (l2->fetch_sectors > 1)
        pieces |= (uint8_t)((missing & 5) << 1 | (missing >> 1 & 5));
    if (l2->fetch_sectors > 2 && missing)
        pieces = 15;
    pieces &= (uint8_t)~line->valid;
    line->valid |= pieces;
    return pieces;
}

static void decide_read(const struct l2 *l2, struct mem_counters *c, const struct mem_request *r,
                        struct l2_line *line, struct slice_step *out)
{
    uint32_t sectors = sector_count(r->sectors), missing;

    out->fetch = take_missing(line, r->sectors);
    missing = sector_count(out->fetch);
    out->fetch |= take_neighbours(l2, line, out->fetch);
    c->read_requests += r->kind == MEM_READ; /* those from afar were counted where they came from */
    c->read_sectors += r->kind == MEM_READ ? sectors : 0;
    c->read_hit_sectors += sectors - missing;
    c->read_miss_sectors += missing;
}

/* The line changes. What that makes L2 write back is told with what the line's place had to give up: there is never
 * both, since a changed line that went made room for another. */
static void change(struct l2 *c, struct mem_counters *count, const struct mem_request *r,
                   const struct address_place *place, struct slice_step *out)
{
    struct l2_lookup over = {0};

    l2_change(c, place->slice, place->set, out->line, r->sectors, &over);
    if (over.evicted_dirty) {
        out->evicted = over.evicted;
        out->write_back = over.evicted_dirty;
        count->writebacks++;
    }
}

/* A write never fetches: a sector written in part is completed when somebody reads it. */
static void decide_write(struct mem_counters *c, const struct mem_request *r, struct l2_line *line)
{
    c->write_requests++;
    c->write_sectors += sector_count(r->sectors);
    line->partial |= (uint8_t)(r->sectors & ~r->full & ~line->valid);
    line->partial &= (uint8_t)~r->full;
    line->valid |= r->sectors;
}

static void decide_atomic(struct mem_counters *c, const struct mem_request *r, struct l2_line *line,
                          struct slice_step *out)
{
    c->atomic_requests++;
    c->atomic_sectors += sector_count(r->sectors);
    out->fetch = take_missing(line, r->sectors);
}

/* Looks the line up, allocates it if need be. */
static struct l2_line *take_line(struct l2 *c, struct mem_counters *count, const struct mem_request *r,
                                 const struct address_place *place, struct slice_step *out)
{
    struct l2_lookup found;

    l2_find(c, place->slice, place->set, r->line, &found);
    *out = (struct slice_step){.line = found.line, .evicted = found.evicted, .write_back = found.evicted_dirty};
    count->writebacks += out->write_back != 0;
    return &c->lines[found.line];
}

void slice_decide(struct l2 *c, struct mem_counters *count, const struct mem_request *r,
                  const struct address_place *place, struct slice_step *out)
{
    struct l2_line *line = take_line(c, count, r, place, out);

    switch ((enum mem_kind)r->kind) {
    case MEM_READ:
    case MEM_FAR_READ: decide_read(c, count, r, line, out); break;
    case MEM_WRITE:
        decide_write(count, r, line);
        change(c, count, r, place, out);
        break;
    case MEM_ATOMIC:
    case MEM_REDUCTION:
        decide_atomic(count, r, line, out);
        change(c, count, r, place, out);
        break;
    }
}

void slice_decide_copy(struct l2 *c, struct mem_counters *count, const struct mem_request *r,
                       const struct address_place *own, struct slice_step *out)
{
    uint32_t sectors = sector_count(r->sectors), missing;

    out->fetch = take_missing(take_line(c, count, r, own, out), r->sectors);
    missing = sector_count(out->fetch);
    count->read_requests++;
    count->read_sectors += sectors;
    count->read_hit_sectors += sectors - missing; /* home counts the rest */
    count->far_requests += missing != 0;
    count->far_sectors += missing;
}

void slice_forget_copy(struct l2 *c, const struct address_place *own, uint64_t line, uint8_t sectors)
{
    size_t at = l2_peek(c, own->slice, own->set, line);

    if (at != L2_ABSENT)
        c->lines[at].valid &= (uint8_t)~sectors;
}
