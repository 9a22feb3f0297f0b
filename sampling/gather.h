/* sampling/gather.h: the results of a plan's samples as strata for the estimators. */
#ifndef VIVACE_SAMPLING_GATHER_H
#define VIVACE_SAMPLING_GATHER_H

#include "sampling/estimator_aux.h"
#include "sampling/plan.h"

struct gathered {
    size_t count;
    struct aux_stratum *strata; /* as in the plan; draws with replacement stand there as often as drawn */
    double *x, *y;
    bool blank; /* a stratum has no result */
    bool has_x; /* every sample knows its x */
};

/* What stands as x: what the plan's own estimator needs, or the profiled value. */
enum gather_x { GATHER_PLANNED, GATHER_PROFILED };

/* y: one value a plan sample, in the order of plan->samples; NaN where there is no result. */
int gather(const struct plan *plan, const double *y, enum gather_x what, struct gathered *out, struct err *e);
/* Strata of one kernel name become a group; those of mixed names stay alone. Until then each stratum is one. */
int gather_groups(const struct plan *plan, struct gathered *g, struct err *e);
void gathered_release(struct gathered *g);

/* The estimator by which the plan says that its samples stand for the whole. */
enum aux_estimator planned_estimator(const struct plan *plan);

#endif
