/* simcore/sm/lines.h: what the lines of a memory instruction ask of L2: between lines.c, loads.c, stores.c and
 * bulk.c. */
#ifndef VIVACE_SIMCORE_SM_LINES_H
#define VIVACE_SIMCORE_SM_LINES_H

#include "simcore/sm/access.h"

/* Before any is asked for. to_l1: where each line is in L1, which the host begins to fetch; and of many in L2. */
void lines_begin(struct access *a, enum mem_kind kind, bool to_l1);
/* Where all lines live in L2, unless that is known or the port needs it not. */
void lines_place(struct access *a);
/* Requests `first` to `end` - 1 of a->asked go; its `back` says when each is done. */
void lines_send(struct access *a, uint32_t first, uint32_t end);

/* What memory counts from here on belongs to the launch of the access. */
void lines_charge(const struct access *a);

/* A request for sectors of line i alone. */
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

/* What passes the tags of L1 at t leaves the SM: */
static inline sim_time_ps leaves(const struct access *a, uint32_t t)
{
    const struct sm_env *env = a->sm->env;

    return clock_to_ps(&env->clock, a->sm->base + t + env->design->l1_detect);
}

/* What that takes, for many lines. */
static inline struct clock_run leaving(const struct access *a, uint32_t t)
{
    const struct sm_env *env = a->sm->env;

    return clock_run_from(&env->clock, a->sm->base + t + env->design->l1_detect);
}

/* How an SM's local time is found for what is back, for many lines. */
struct answers {
    struct clock_domain clock;
    uint64_t base;
    uint32_t behind; /* cycles from there to its use */
};
static inline struct answers answers_to(const struct access *a)
{
    const struct gpu_design *d = a->sm->env->design;

    return (struct answers){a->sm->env->clock, a->sm->base, d->l1_latency - d->l1_detect};
}
/* When what is back at this time can be used. */
static inline uint32_t answered(const struct answers *w, sim_time_ps back)
{
    return sm_local_of(w->base, clock_from_ps(&w->clock, back) + w->behind);
}

/* The tags take a load's lines one after the other, but two neighbours together: loads that straddle two lines run
 * at the speed of those that do not (A100, stride 1 at all offsets: 1.02 clocks; github te42kyfo/gpu-benches). */
static inline uint32_t tag_cycles_256(const struct gpu_design *d, const struct coalesced *c)
{
    if (c->count == 2 && c->line[1] == c->line[0] + 1)
        return d->tag_slope_256 + d->tag_base_256;
    return d->tag_slope_256 * c->count + d->tag_base_256;
}

/* What a load has found out about its lines. */
struct found {
    uint64_t hits; /* a bit for each line that can be used at once, beside the latency of a hit */
    uint32_t latest;
    uint32_t hit_sectors, miss_sectors; /* of lines that can be used at once, and of the others */
    uint32_t pending, missing;          /* sectors on their way to L1, and not in it */
};

/* loads.c, stores.c, bulk.c: as struct outstanding_ops (outstanding.h) says, for ports that say when requests are
 * over; and look-ups for those that call back. */
void loads_look_up(struct access *a, uint32_t start, bool bypass, struct found *f);
void loads_look_up_in_flight(struct access *a, uint32_t start, bool bypass, struct found *f);
uint32_t stores_send(struct access *a, enum mem_kind kind, const uint8_t lanes[], uint32_t *t);
uint32_t atomics_send(struct access *a, const uint8_t lanes[], uint32_t start);
uint32_t bulk_send(struct access *a, enum mem_kind kind, uint32_t start);

#endif
