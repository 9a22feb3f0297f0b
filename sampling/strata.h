/* sampling/strata.h: what a method decides before anything is drawn: strata, and how many samples of each. */
#ifndef VIVACE_SAMPLING_STRATA_H
#define VIVACE_SAMPLING_STRATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "sampling/groups.h"
#include "sampling/plan.h"

#define NO_NAME UINT32_MAX
struct stratum_pick {
    enum group_key kind;       /* of its group */
    size_t run_begin, run_end; /* runs of one group */
    uint64_t n;                /* samples */
    uint64_t stream;           /* of random numbers: from what the stratum is, not from its position */
    size_t chosen;             /* with strata.representative or method.draws_itself: its n ids stand in
                                * strata.chosen[chosen ..], distinct unless drawn with replacement */
    uint32_t name;             /* vivace: of its kernel, name_id; NO_NAME: of several */
    double planned_sd, cost;   /* as in struct plan_stratum; 0: not planned with; the mean */
};

struct strata {
    struct groups groups;
    size_t count, capacity;
    struct stratum_pick *items;
    uint32_t *chosen; /* NULL: samples are drawn by draw_stratum() */
    size_t chosen_count, chosen_capacity;
    bool with_replacement;
    bool representative; /* chosen by a rule, not at random */
    enum plan_estimator estimator;
    enum plan_variance variance;
    char caution[PLAN_NOTE], note[PLAN_NOTE]; /* as in struct plan */
    double noise_floor;    /* least spread planned with, as a share of the mean; 0: the method has none */
    double promised_error; /* as in struct plan */
    bool promise_valid;
    double planned_df;
    double assured, assured_noise; /* as in struct plan; 0: not asked for */
};

void strata_release(struct strata *s);
/* Appends a stratum of a group: the `rank`-th of it. */
int strata_add(struct strata *s, const struct profile *p, size_t group, size_t rank, size_t run_begin,
               size_t run_end, uint64_t n, struct err *e);

/* Appends a stratum with the samples that the method chose or drew itself. */
int strata_add_chosen(struct strata *s, const struct profile *p, size_t group, size_t rank, size_t run_begin,
                      size_t run_end, const uint32_t *ids, size_t n, struct err *e);

static inline uint64_t stratum_population(const struct strata *s, size_t h)
{
    return runs_rows(&s->groups, s->items[h].run_begin, s->items[h].run_end);
}

/* Draws. A stratum's draws come from a stream of their own, and the first n draws are the same for every larger n:
 * a plan that grows keeps what it has. */
struct drawer {
    uint64_t *taken; /* a bit per member; all clear between calls */
    size_t words;
};
int drawer_init(struct drawer *d, const struct strata *s, struct err *e);
void drawer_release(struct drawer *d);
/* Launch ids of the stratum's n draws: distinct, or with repeats when the strata are drawn with replacement.
 * Those that the method chose itself are copied. */
void draw_stratum(struct drawer *d, const struct strata *s, size_t h, uint64_t seed, enum rng_purpose purpose,
                  uint32_t *out);

#endif
