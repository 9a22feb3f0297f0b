/* simcore/mem/slice.h: what a slice of the L2 does with a request: hits, fills, merges, evictions, and the counts.
 *
 * Decisions only, no time: the memory path (path_analytic/ or path_event/) asks at the moment at
 * which the request is at the tags, and then takes the time that the answer costs. */
#ifndef VIVACE_SIMCORE_MEM_SLICE_H
#define VIVACE_SIMCORE_MEM_SLICE_H

#include "simcore/mem/l2.h"
#include "simcore/mem/memory.h"

/* For who asks once a sector. */
#define SLICE_INLINE static inline __attribute__((always_inline))

struct slice_step {
    size_t line;        /* index of the line in l2.lines; another request may evict it later */
    uint64_t evicted;   /* number of the line that had to go or to be cleaned, where write_back is not 0 */
    uint8_t write_back; /* its changed sectors, which go to DRAM first */
    uint8_t fetch;  /* sectors of the request's line that come from DRAM before it goes on, and their neighbours */
    uint8_t missed; /* of a read: these without the neighbours */
    sim_time_ps ready; /* when what was there arrives; 0: the line is new */
};

/* Sectors of the wanted ones that L2 does not have as a whole; it will. */
static inline uint8_t slice_take_missing(struct l2_line *line, uint8_t wanted)
{
    uint8_t missing = wanted & (uint8_t)(~line->valid | line->partial);

    line->valid |= missing;
    line->partial &= (uint8_t)~missing;
    return missing;
}

/* What a miss brings along where sectors are fetched together: the others of their pieces. */
static inline uint8_t slice_take_neighbours(const struct l2 *l2, struct l2_line *line, uint8_t missing)
{
    uint8_t pieces = missing | (uint8_t)((missing & 5) << 1 | (missing >> 1 & 5));

    if (l2->fetch_sectors > 2)
        pieces = 15;
    pieces &= (uint8_t)~line->valid;
    line->valid |= pieces;
    return pieces;
}

SLICE_INLINE void slice_decide_read(const struct l2 *l2, struct mem_counters *c, const struct mem_request *r,
                                    enum mem_kind kind, struct l2_line *line, bool present, struct slice_step *out)
{
    uint32_t sectors = sector_count(r->sectors), missing = 0;

    if (!present) {
        out->fetch = line->valid = r->sectors;
        missing = sectors;
    } else if (r->sectors & (uint8_t)(~line->valid | line->partial)) {
        out->fetch = slice_take_missing(line, r->sectors);
        missing = sector_count(out->fetch);
    }
    out->missed = out->fetch;
    if (missing && l2->fetch_sectors > 1)
        out->fetch |= slice_take_neighbours(l2, line, out->fetch);
    if (kind == MEM_READ) { /* those from afar were counted where they came from */
        c->read_requests++;
        c->read_sectors += sectors;
    }
    c->read_hit_sectors += sectors - missing;
    c->read_miss_sectors += missing;
}

/* The line changes. What that makes L2 write back is reported with what the line's place had to give up: there is
 * never both, since a changed line that went made room for another. */
static inline void slice_change(struct l2 *c, struct mem_counters *count, const struct mem_request *r,
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
SLICE_INLINE void slice_decide_write(struct mem_counters *c, const struct mem_request *r, struct l2_line *line)
{
    c->write_requests++;
    c->write_sectors += sector_count(r->sectors);
    line->partial |= (uint8_t)(r->sectors & ~r->full & ~line->valid);
    line->partial &= (uint8_t)~r->full;
    line->valid |= r->sectors;
}

SLICE_INLINE void slice_decide_atomic(struct mem_counters *c, const struct mem_request *r, struct l2_line *line,
                                      struct slice_step *out)
{
    c->atomic_requests++;
    c->atomic_sectors += sector_count(r->sectors);
    out->fetch = slice_take_missing(line, r->sectors);
}

/* Looks the line up, allocates it if need be; returns whether it was there. */
SLICE_INLINE bool slice_take_line(struct l2 *c, struct mem_counters *count, const struct mem_request *r,
                                  uint32_t mark, const struct address_place *place, struct slice_step *out)
{
    struct l2_lookup found;

    l2_find(c, place->slice, place->set, r->line, mark, &found);
    /* Read now: who read it behind a change of the masks would have the host wait for its own store. */
    *out = (struct slice_step){.line = found.line,
                               .evicted = found.evicted,
                               .write_back = found.evicted_dirty,
                               .ready = found.present ? c->lines[found.line].ready : 0};
    count->writebacks += out->write_back != 0;
    return found.present;
}

/* Looks the request, of the kind given and whose line has this mark, up in the slice its place names, and leaves
 * the line as it will be once everything has arrived: the sectors to fetch count as valid. When they are there is
 * the line's `ready`, which the caller keeps. */
SLICE_INLINE void slice_decide_kind(struct l2 *c, struct mem_counters *count, const struct mem_request *r,
                                    enum mem_kind kind, uint32_t mark, const struct address_place *place,
                                    struct slice_step *out)
{
    bool present = slice_take_line(c, count, r, mark, place, out);
    struct l2_line *line = &c->lines[out->line];

    switch (kind) {
    case MEM_READ:
    case MEM_FAR_READ: slice_decide_read(c, count, r, kind, line, present, out); break;
    case MEM_WRITE:
        slice_decide_write(count, r, line);
        slice_change(c, count, r, place, out);
        break;
    case MEM_ATOMIC:
    case MEM_REDUCTION:
        slice_decide_atomic(count, r, line, out);
        slice_change(c, count, r, place, out);
        break;
    }
}
static inline void slice_decide(struct l2 *c, struct mem_counters *count, const struct mem_request *r,
                                const struct address_place *place, struct slice_step *out)
{
    slice_decide_kind(c, count, r, (enum mem_kind)r->kind, tag_mark(r->line), place, out);
}

/* The same for a read in the asker's partition, where that is not the address's home: it keeps a copy. `fetch` is
 * what home is to be asked for (a MEM_FAR_READ); copies are never changed, so they are never written back. */
void slice_decide_copy(struct l2 *c, struct mem_counters *count, const struct mem_request *r,
                       const struct address_place *own, struct slice_step *out);
/* Home has changed these sectors: the copy that the other partition may have loses them. */
void slice_forget_copy(struct l2 *c, const struct address_place *own, uint64_t line, uint8_t sectors);

#endif
