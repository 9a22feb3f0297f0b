/* simcore/mem/path_analytic/reserve_request.h: passes one request from the network through the home slice of its
 * address or, on a GPU with two partitions, through the slice of the SM's own partition and over the bridge. Every
 * stage is reserved for the time at which the request arrives there. Part of reserve.c, which provides the entry
 * time. */
#ifndef VIVACE_SIMCORE_MEM_PATH_ANALYTIC_RESERVE_REQUEST_H
#define VIVACE_SIMCORE_MEM_PATH_ANALYTIC_RESERVE_REQUEST_H

#include "simcore/mem/memory_internal.h"
#include "simcore/mem/slice.h"

static inline struct slice_stages *slice_begin(struct memory *m, uint32_t i)
{
    struct slice_stages *s = &m->slice[i];

    if (s->epoch != m->epoch) {
        res_reset(&s->port, m->epoch);
        res_reset(&s->atomic, m->epoch);
        s->accept_from = 0;
        s->epoch = m->epoch;
    }
    return s;
}

/* One request. The common kinds are compiled separately, so the functions below are inlined. */
#define RESERVE_INLINE static inline __attribute__((always_inline))

struct reserve_request {
    struct memory *m;
    const struct mem_request *r;
    const struct address_place *home;
    struct observer *observer; /* NULL: no observer */
    sim_time_ps now;
    enum mem_kind kind;
    uint32_t sectors; /* number of requested sectors */
};

/* Reports that the request was in a stage from `from` to `to`; returns `to`. */
RESERVE_INLINE sim_time_ps tell_stage(const struct reserve_request *k, enum mem_stage stage, uint32_t place,
                                      uint32_t amount, sim_time_ps from, sim_time_ps to)
{
    return k->observer ? observe_stage(k->m, k->r, stage, place, amount, from, to) : to;
}

/* Writes modified sectors to DRAM. A full write buffer blocks the slice: it accepts no later request until the
 * buffer has room. */
static __attribute__((noinline)) sim_time_ps write_back_of(struct reserve_request request, struct slice_stages *s,
                                                           struct slice_step step, sim_time_ps t)
{
    const struct reserve_request *k = &request;
    struct memory *m = k->m;
    struct address_place place;
    sim_time_ps done;

    address_locate(&m->map, step.evicted, &place);
    done = tell_stage(k, STAGE_WRITE_BACK, place.channel, sector_count(step.write_back), t,
                      dram_access(&m->dram, &place, sector_count(step.write_back), true, k->now, t));
    if (done > t + m->dram.write_buffer_ps) {
        s->accept_from = later(s->accept_from, done - m->dram.write_buffer_ps);
        t = s->accept_from;
    }
    return t;
}

/* Performs the write-back if there is one. This is rare, so the request is passed as a copy and can stay in
 * registers. */
RESERVE_INLINE sim_time_ps write_back(const struct reserve_request *k, struct slice_stages *s,
                                      const struct slice_step *step, sim_time_ps t)
{
    return step->write_back ? write_back_of(*k, s, *step, t) : t;
}

/* Fetches the missing sectors. Returns when all requested sectors of the line have arrived. ready: this time for
 * earlier fetches; it is increased by the new fetch. */
RESERVE_INLINE sim_time_ps fill(const struct reserve_request *k, const struct slice_step *step, sim_time_ps *ready,
                                sim_time_ps t)
{
    if (step->fetch) {
        uint32_t sectors = sector_count(step->fetch);

        *ready = later(*ready, tell_stage(k, STAGE_FILL, k->home->channel, sectors, t,
                                          dram_access(&k->m->dram, k->home, sectors, false, k->now, t)));
    }
    return later(t, *ready);
}

/* The tags accept one request per cycle. A request occupies the port at least as long, so the port's reservation
 * represents both. missed: sectors among the requested ones. */
RESERVE_INLINE sim_time_ps tags(const struct reserve_request *k, struct slice_stages *s, uint32_t slice,
                                uint8_t missed, sim_time_ps t)
{
    sim_time_ps to = later(t, s->accept_from) + k->m->tag_ps;

    return k->observer ? observe_tags(k->m, k->r, slice, sector_count(missed), t, to) : to;
}

/* Passes the slice's port. A reply includes its header; the header of a write was already handled at the tags. */
RESERVE_INLINE sim_time_ps data(const struct reserve_request *k, struct slice_stages *s, uint32_t slice,
                                uint32_t sectors, sim_time_ps t)
{
    return tell_stage(k, STAGE_DATA, slice, sectors, t,
                      res_take(&s->port, k->now, t, k->m->slice_ps[k->kind == MEM_WRITE][sectors]));
}

static inline sim_time_ps cross(const struct reserve_request *k, uint32_t from, bool back, uint32_t bytes,
                                sim_time_ps t)
{
    return tell_stage(k, STAGE_BRIDGE, from, bytes + k->m->noc.header_bytes, t,
                      noc_cross(&k->m->noc, from, back, bytes, k->now, t));
}

/* The time for which a slice's atomic unit is busy with a number of lanes on one word, or with sectors. */
static inline uint32_t slice_atomic_ps(const struct memory *m, uint32_t lanes, uint32_t sectors)
{
    uint32_t by_lanes = lanes * m->atomic_lane_ps, by_sectors = sectors * m->atomic_sector_ps;

    return by_lanes > by_sectors ? by_lanes : by_sectors;
}

/* Operations on one line are serialized, because all operations of a slice are. */
RESERVE_INLINE sim_time_ps atomic(const struct reserve_request *k, struct slice_stages *s, sim_time_ps t)
{
    t = tell_stage(k, STAGE_DATA, k->home->slice, k->sectors, t,
                   res_take(&s->atomic, k->now, t, slice_atomic_ps(k->m, k->r->lanes, k->sectors)));
    return k->kind == MEM_REDUCTION ? t : t + k->m->atomic_latency_ps;
}

/* After tags and DRAM: passes the slice's port or its atomic unit. */
RESERVE_INLINE sim_time_ps leave_slice(const struct reserve_request *k, struct slice_stages *s, sim_time_ps t)
{
    if (k->kind == MEM_ATOMIC || k->kind == MEM_REDUCTION)
        return atomic(k, s, t);
    return data(k, s, k->home->slice, k->sectors, t);
}

/* Passes the home slice of the address, whose tags gave `step`. ready: as in fill(); the caller stores it. Returns
 * when the answer leaves the slice; for requests without an answer, when the slice has accepted it. */
RESERVE_INLINE sim_time_ps pass_slice(const struct reserve_request *k, const struct slice_step *step,
                                      sim_time_ps *ready, sim_time_ps t)
{
    struct slice_stages *s = slice_begin(k->m, k->home->slice);

    t = write_back(k, s, step, tags(k, s, k->home->slice, step->missed, t));
    if (k->kind != MEM_WRITE)
        t = fill(k, step, ready, t);
    return leave_slice(k, s, t);
}

RESERVE_INLINE sim_time_ps serve(const struct reserve_request *k, sim_time_ps t)
{
    struct slice_step step;
    struct l2_line *line;
    sim_time_ps ready;

    slice_decide_kind(&k->m->l2, &k->m->count, k->r, k->kind, tag_mark(k->r->line), k->home, &step);
    line = &k->m->l2.lines[step.line];
    ready = step.ready;
    t = pass_slice(k, &step, &ready, t);
    if (step.fetch)
        line->ready = ready;
    return t;
}

/* A read of an address whose home is the other partition. Sectors without a local copy come over the bridge, and a
 * copy stays here. Arriving data is forwarded directly; only sectors that were present use the slice's data port.
 * This also prevents cyclic reservations, in which the waiting times of two partitions would increase each other.
 */
static inline sim_time_ps serve_copy(const struct reserve_request *k, uint32_t partition, sim_time_ps t)
{
    struct memory *m = k->m;
    const struct address_place own = memory_mirror(m, k->home);
    struct slice_stages *s = slice_begin(m, own.slice);
    struct mem_request rest = *k->r;
    struct slice_step step;
    sim_time_ps read;
    uint8_t present;

    t = tags(k, s, own.slice, 0, t); /* the home partition reports the misses */
    slice_decide_copy(&m->l2, &m->count, k->r, &own, &step);
    t = write_back(k, s, &step, t);
    present = k->r->sectors & (uint8_t)~step.fetch;
    read = present ? data(k, s, own.slice, sector_count(present), t) : t;
    if (step.fetch) {
        struct l2_line *copy = &m->l2.lines[step.line];
        struct reserve_request home = *k;

        home.r = &rest;
        home.kind = MEM_FAR_READ;
        rest.kind = MEM_FAR_READ;
        rest.sectors = step.fetch;
        home.sectors = sector_count(step.fetch);
        t = serve(&home, cross(k, partition, false, 0, t));
        copy->ready = later(copy->ready, cross(k, !partition, true, home.sectors * SECTOR_BYTES, t));
    }
    return later(read, m->l2.lines[step.line].ready);
}

/* Passes writes to the home partition and invalidates the other partition's copy. */
static inline sim_time_ps serve_change(const struct reserve_request *k, uint32_t partition, sim_time_ps t)
{
    struct memory *m = k->m;
    const struct address_place other = memory_mirror(m, k->home);
    bool far = memory_home(m, k->home) != partition;

    if (far) {
        t = cross(k, partition, false, k->sectors * SECTOR_BYTES, t);
        m->count.far_requests++;
        m->count.far_sectors += k->sectors;
    }
    slice_forget_copy(&m->l2, &other, k->r->line, k->r->sectors);
    t = serve(k, t);
    return far && k->kind == MEM_ATOMIC ? cross(k, !partition, true, k->sectors * SECTOR_BYTES, t) : t;
}

/* For a GPU with two partitions. */
RESERVE_INLINE sim_time_ps serve_apart(const struct reserve_request *k, sim_time_ps t)
{
    uint32_t partition = noc_partition(&k->m->noc, k->r->sm);

    if (k->kind != MEM_READ)
        return serve_change(k, partition, t);
    if (memory_home(k->m, k->home) != partition)
        return serve_copy(k, partition, t);
    return serve(k, t);
}

#endif
