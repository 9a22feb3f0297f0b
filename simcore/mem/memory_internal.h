/* simcore/mem/memory_internal.h: what is behind struct memory, for those who drive it (memory.c, the two
 * paths). */
#ifndef VIVACE_SIMCORE_MEM_MEMORY_INTERNAL_H
#define VIVACE_SIMCORE_MEM_MEMORY_INTERNAL_H

#include "simcore/mem/dram/dram.h"
#include "simcore/mem/l2.h"
#include "simcore/mem/memory.h"
#include "simcore/mem/noc/noc.h"

/* The stages of one slice. What it decides is slice.h's. */
struct slice_stages {
    sim_time_ps accept_from; /* write-back pressure: nothing new is let in before */
    uint32_t epoch;
    struct res port, atomic; /* port: its tags and data, which a request passes together */
};

struct memory {
    struct address_map map;
    struct noc noc;
    struct l2 l2;
    struct dram dram;
    struct tlb *tlb;      /* level on; else NULL */
    uint32_t epoch, half; /* half: as many slices has a partition, where there are two */
    struct slice_stages *slice;
    uint64_t slice_q16;                     /* picoseconds * 65536 a byte */
    uint32_t slice_ps[2][LINE_SECTORS + 1]; /* by number of sectors, through a slice's port: with a header, and
                                               without; at least as long as at its tags */
    uint32_t tag_ps, atomic_lane_ps, atomic_sector_ps, atomic_latency_ps;
    struct mem_counters count;
    struct observer *observer; /* NULL: nobody watches */
};

/* Tells a stage that r was in from `from` to `to`; returns `to`. */
static inline sim_time_ps observe_stage(const struct memory *m, const struct mem_request *r, enum mem_stage stage,
                                        uint32_t place, uint32_t amount, sim_time_ps from, sim_time_ps to)
{
    if (m->observer) {
        const struct mem_step step = {stage, place, amount, from, to, .missed = 0};

        observer_stage(m->observer, r, &step);
    }
    return to;
}

/* The same of a slice's tags, of which r asks for a number of sectors; missed: as in struct mem_step. */
static inline sim_time_ps observe_tags(const struct memory *m, const struct mem_request *r, uint32_t slice,
                                       uint32_t missed, sim_time_ps from, sim_time_ps to)
{
    if (m->observer) {
        const struct mem_step step = {STAGE_TAGS, slice, sector_count(r->sectors), from, to, missed};

        observer_stage(m->observer, r, &step);
    }
    return to;
}

/* The partition in which an address lives. */
static inline uint32_t memory_home(const struct memory *m, const struct address_place *place)
{
    return m->noc.partitions > 1 && place->slice >= m->half;
}

/* Where the other partition keeps its copy of a line. */
static inline struct address_place memory_mirror(const struct memory *m, const struct address_place *place)
{
    struct address_place mirror = *place;

    mirror.slice = place->slice < m->half ? place->slice + m->half : place->slice - m->half;
    return mirror;
}

/* How long a request of t waits for its address. */
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
