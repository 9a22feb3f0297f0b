/* simcore/mem/memory_internal.h: the definition of struct memory, for memory.c and the two paths. */
#ifndef VIVACE_SIMCORE_MEM_MEMORY_INTERNAL_H
#define VIVACE_SIMCORE_MEM_MEMORY_INTERNAL_H

#include "simcore/mem/dram/dram.h"
#include "simcore/mem/l2.h"
#include "simcore/mem/memory.h"
#include "simcore/mem/noc/noc.h"

/* The timing state of one slice. slice.h decides hits and evictions. */
struct slice_stages {
    sim_time_ps accept_from; /* write-back pressure: no request is accepted before */
    uint32_t epoch;
    struct res port, atomic; /* port: the tags and data, which a request uses together */
};

struct memory {
    struct address_map map;
    struct noc noc;
    struct l2 l2;
    struct dram dram;
    struct tlb *tlb;      /* NULL: TLB not modelled */
    uint32_t epoch, half; /* half: number of slices per partition, if there are two partitions */
    struct slice_stages *slice;
    uint64_t slice_q16; /* picoseconds * 65536 per byte */
    /* time on a slice's port by number of sectors: [0] with and [1] without a header; at least the time at its tags
     */
    uint32_t slice_ps[2][LINE_SECTORS + 1];
    uint32_t tag_ps, atomic_lane_ps, atomic_sector_ps, atomic_latency_ps;
    struct mem_counters count;
    struct observer *observer; /* NULL: no observer */
};

/* Reports that r was in a stage from `from` to `to`; returns `to`. */
static inline sim_time_ps observe_stage(const struct memory *m, const struct mem_request *r, enum mem_stage stage,
                                        uint32_t place, uint32_t amount, sim_time_ps from, sim_time_ps to)
{
    if (m->observer) {
        const struct mem_step step = {stage, place, amount, from, to, .missed = 0};

        observer_stage(m->observer, r, &step);
    }
    return to;
}

/* As observe_stage(), for the tags of a slice, where r requests a number of sectors. missed: as in struct mem_step.
 */
static inline sim_time_ps observe_tags(const struct memory *m, const struct mem_request *r, uint32_t slice,
                                       uint32_t missed, sim_time_ps from, sim_time_ps to)
{
    if (m->observer) {
        const struct mem_step step = {STAGE_TAGS, slice, sector_count(r->sectors), from, to, missed};

        observer_stage(m->observer, r, &step);
    }
    return to;
}

/* The home partition of an address. */
static inline uint32_t memory_home(const struct memory *m, const struct address_place *place)
{
    return m->noc.partitions > 1 && place->slice >= m->half;
}

/* The location of the other partition's copy of a line. */
static inline struct address_place memory_mirror(const struct memory *m, const struct address_place *place)
{
    struct address_place mirror = *place;

    mirror.slice = place->slice < m->half ? place->slice + m->half : place->slice - m->half;
    return mirror;
}

/* The address translation time of a request at t. */
static inline sim_time_ps translation_ps(struct memory *m, const struct mem_request *r, sim_time_ps t)
{
    sim_time_ps to;

    if (!m->tlb)
        return 0;
    to = tlb_translate(m->tlb, &m->count.tlb, r->sm, r->line, t);
    if (to > t)
        observe_stage(m, r, STAGE_TRANSLATION, r->sm, 1, t, to);
    return to - t;
}

static inline sim_time_ps later(sim_time_ps a, sim_time_ps b)
{
    return a > b ? a : b;
}

#endif
