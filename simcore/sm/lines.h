/* simcore/sm/lines.h: L2 requests for the lines of a memory instruction. Shared by lines.c, loads.c, stores.c and
 * bulk.c. */
#ifndef VIVACE_SIMCORE_SM_LINES_H
#define VIVACE_SIMCORE_SM_LINES_H

#include "simcore/sm/access.h"

/* Call before the first request. to_l1: computes the L1 set of each line and prefetches it; for many lines, also
 * their L2 location. */
void lines_begin(struct access *a, enum mem_kind kind, bool to_l1);
/* Computes the L2 location of all lines, unless it is known or the port does not need it. */
void lines_place(struct access *a);
/* Sends requests `first` to `end` - 1 of a->asked; their `back` becomes the completion time of each. */
void lines_send(struct access *a, uint32_t first, uint32_t end);

/* From here on, memory counts belong to the launch of the access. */
void lines_charge(const struct access *a);

/* Makes a request for sectors of line i. */
static inline struct mem_request line_request(const struct access *a, uint32_t i, uint8_t sectors,
                                              enum mem_kind kind, uint32_t lanes, sim_time_ps made)
{
    return (struct mem_request){.line = a->lines.line[i],
                                .sectors = sectors,
                                .full = a->lines.full[i],
                                .kind = (uint8_t)kind,
                                .lanes = (uint8_t)lanes,
                                .sm = (uint16_t)a->sm->index,
                                .made = made};
}

/* The time at which a request that passes the L1 tags at t leaves the SM. */
static inline sim_time_ps leaves(const struct access *a, uint32_t t)
{
    const struct sm_env *env = a->sm->env;

    return clock_to_ps(&env->clock, a->sm->base + t + env->design->l1_detect);
}

/* As leaves(), for many lines. */
static inline struct clock_run leaving(const struct access *a, uint32_t t)
{
    const struct sm_env *env = a->sm->env;

    return clock_run_from(&env->clock, a->sm->base + t + env->design->l1_detect);
}

/* Converts completion times to an SM's local time, for many lines. */
struct answers {
    struct clock_domain clock;
    uint64_t base;
    uint32_t behind; /* cycles from arrival to use */
};
static inline struct answers answers_to(const struct access *a)
{
    const struct gpu_design *d = a->sm->env->design;

    return (struct answers){a->sm->env->clock, a->sm->base, d->l1_latency - d->l1_detect};
}
/* When data that arrives at this time can be used. */
static inline uint32_t answered(const struct answers *w, sim_time_ps back)
{
    return sm_local_of(w->base, clock_from_ps(&w->clock, back) + w->behind);
}

/* The tags accept a load's lines one after the other, but two adjacent lines together: loads that cross a line
 * boundary have the same throughput as others (A100, stride 1 at all offsets: 1.02 clocks; github te42kyfo/gpu-
 * benches). */
static inline uint32_t tag_cycles_256(const struct gpu_design *d, const struct coalesced *c)
{
    if (c->count == 2 && c->line[1] == c->line[0] + 1)
        return d->tag_slope_256 + d->tag_base_256;
    return d->tag_slope_256 * c->count + d->tag_base_256;
}

/* The result of the L1 lookups of a load. */
struct found {
    uint64_t hits; /* a bit for each line that can be used after the hit latency */
    uint32_t latest;
    uint32_t hit_sectors, miss_sectors; /* sectors of lines that can be used at once, and of the other lines */
    uint32_t pending, missing;          /* sectors in flight to L1, and sectors not in L1 */
};

/* In loads.c, stores.c, bulk.c: implementations of struct outstanding_ops (outstanding.h) for ports that return
 * completion times, and lookups for ports that call back. */
void loads_look_up(struct access *a, uint32_t start, bool bypass, struct found *f);
void loads_look_up_in_flight(struct access *a, uint32_t start, bool bypass, struct found *f);
uint32_t stores_send(struct access *a, enum mem_kind kind, const uint8_t lanes[], uint32_t *t);
uint32_t atomics_send(struct access *a, const uint8_t lanes[], uint32_t start);
uint32_t bulk_send(struct access *a, enum mem_kind kind, uint32_t start);

#endif
