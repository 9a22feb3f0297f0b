/* simcore/mem/slice.h: the functional behaviour of an L2 slice: hits, fills, merges, evictions, and the counts.
 *
 *
 * It has no timing. The memory path (path_analytic/ or path_event/) calls it when a request is at the tags, and
 * then models the time of the result. */
#ifndef VIVACE_SIMCORE_MEM_SLICE_H
#define VIVACE_SIMCORE_MEM_SLICE_H

#include "simcore/mem/l2.h"
#include "simcore/mem/memory.h"

/* For functions that are called once per sector. */
#define SLICE_INLINE static inline __attribute__((always_inline))

struct slice_step {
    size_t line;        /* index of the line in l2.lines; another request may evict it later */
    uint64_t evicted;   /* number of the line that was evicted or cleaned, valid if write_back is not 0 */
    uint8_t write_back; /* its modified sectors, which go to DRAM first */
    uint8_t fetch;      /* sectors of the request's line that it must fetch from DRAM, including neighbours */
    uint8_t missed;     /* for a read: these sectors without the neighbours */
    sim_time_ps ready;  /* arrival time of sectors that were already present; 0: the line is new */
};

/* Returns the wanted sectors that L2 does not have completely, and marks them as valid. */
static inline uint8_t slice_take_missing(struct l2_line *line, uint8_t wanted)
{
    uint8_t missing = wanted & (uint8_t)(~line->valid | line->partial);

    line->valid |= missing;
    line->partial &= (uint8_t)~missing;
    return missing;
}

/* If sectors are fetched in groups: returns the other sectors of the missing ones' groups, and marks them as valid.
 */
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
    if (kind == MEM_READ) { /* reads from the other partition were counted there */
        c->read_requests++;
        c->read_sectors += sectors;
    }
    c->read_hit_sectors += sectors - missing;
    c->read_miss_sectors += missing;
}

/* Marks the line as modified. A cleaned line is reported in the same members as an evicted line. Both never occur
 * together, because the eviction of a modified line makes room for another one. */
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

/* A write never fetches: a partly written sector is completed when it is read. */
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

/* Looks up the line and allocates it if it is absent. Returns whether it was present. */
SLICE_INLINE bool slice_take_line(struct l2 *c, struct mem_counters *count, const struct mem_request *r,
                                  uint32_t mark, const struct address_place *place, struct slice_step *out)
{
    struct l2_lookup found;

    l2_find(c, place->slice, place->set, r->line, mark, &found);
    /* The line's masks are read here. A read after the change of the masks would make the host wait for its own
     * store. */
    *out = (struct slice_step){.line = found.line,
                               .evicted = found.evicted,
                               .write_back = found.evicted_dirty,
                               .ready = found.present ? c->lines[found.line].ready : 0};
    count->writebacks += out->write_back != 0;
    return found.present;
}

/* Looks up a request of this kind, whose line has this mark, in the slice of its location. Changes the line to its
 * state after all data has arrived: sectors to fetch count as valid. Their arrival time is the line's `ready`,
 * which the caller stores. */
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

/* The same for a read in the SM's partition if it is not the address's home: the partition keeps a copy. `fetch`
 * are the sectors to request from the home partition (a MEM_FAR_READ). Copies are never modified, so they are never
 * written back. */
void slice_decide_copy(struct l2 *c, struct mem_counters *count, const struct mem_request *r,
                       const struct address_place *own, struct slice_step *out);
/* The home partition has modified these sectors: removes them from the other partition's copy, if there is one. */
void slice_forget_copy(struct l2 *c, const struct address_place *own, uint64_t line, uint8_t sectors);

#endif
