/* sampling/plan/strata.h: the result of a method before samples are drawn: strata and their sample sizes. */
#ifndef VIVACE_SAMPLING_STRATA_H
#define VIVACE_SAMPLING_STRATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "sampling/profile/groups.h"
#include "sampling/plan/plan.h"

#define NO_NAME UINT32_MAX
struct stratum_pick {
    enum group_key kind;       /* of its group */
    size_t run_begin, run_end; /* runs of one group */
    uint64_t n;                /* samples */
    uint64_t stream;           /* random stream: depends on the stratum's content, not on its position */
    size_t chosen; /* with strata.representative or method.draws_itself: its n ids are strata.chosen[chosen ..],
                      distinct unless drawn with replacement */
    uint32_t name; /* vivace: name_id of its kernel; NO_NAME: several names */
    double planned_sd, cost; /* as in struct plan_stratum; planned_sd 0: none; cost 0: the mean value */
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
    double noise_floor;    /* minimum planned spread, as a share of the mean; 0: the method has none */
    double promised_error; /* as in struct plan */
    bool promise_valid;
    double planned_df;
    double assured, assured_noise; /* as in struct plan; 0: not requested */
    void *kept; /* what method.redraw() needs of stratify(): one allocation, freed with the strata; NULL: nothing */
};

void strata_release(struct strata *s);
/* Removes all strata, samples and sentences; the groups and `kept` stay. */
void strata_clear(struct strata *s);
/* Appends the `rank`-th stratum of a group. */
int strata_add(struct strata *s, const struct profile *p, size_t group, size_t rank, size_t run_begin,
               size_t run_end, uint64_t n, struct err *e);

/* Appends a stratum with the samples that the method chose or drew itself. */
int strata_add_chosen(struct strata *s, const struct profile *p, size_t group, size_t rank, size_t run_begin,
                      size_t run_end, const uint32_t *ids, size_t n, struct err *e);

static inline uint64_t stratum_population(const struct strata *s, size_t h)
{
    return runs_rows(&s->groups, s->items[h].run_begin, s->items[h].run_end);
}

/* State for drawing samples. Each stratum has its own random stream, and a larger n starts with the same draws, so
 * a plan that grows keeps its samples. */
struct drawer {
    uint64_t *taken; /* one bit per member; all 0 between calls */
    size_t words;
};
int drawer_init(struct drawer *d, const struct strata *s, struct err *e);
void drawer_release(struct drawer *d);
/* Launch ids of the stratum's n draws: distinct, or with repeats when the strata are drawn with replacement.
 * Samples that the method chose are copied. */
void draw_stratum(struct drawer *d, const struct strata *s, size_t h, uint64_t seed, enum rng_purpose purpose,
                  uint32_t *out);

#endif
