/* sampling/strata/bisect.h: cuts groups in two by 2-means, recursively, as long as a method's rule allows it.
 * Shared by Allegro and ROOT. The best cut is found exactly (two_means.h) instead of from random starts, so that a
 * plan is repeatable; the recursion uses an explicit stack, as its depth depends on the data. */
#ifndef VIVACE_SAMPLING_BISECT_H
#define VIVACE_SAMPLING_BISECT_H

#include <stddef.h>
#include <stdint.h>

#include "sampling/plan/strata.h"

struct bisect_goal {
    double z, error;
};

struct bisect_span {
    size_t begin, end; /* runs */
    double inherited;  /* samples that the rule assigned to it as a part of its parent; NaN: it is a whole group */
};

/* Decides whether to cut a span. To cut, returns the run at which the right part begins, with each part's samples
 * in parts[] for rules that let parts inherit them. Otherwise returns span->begin, with the span's sample size in
 * *samples. */
typedef size_t (*bisect_rule)(const struct groups *g, const struct bisect_span *span,
                              const struct bisect_goal *goal, uint64_t *samples, double parts[2]);

/* Every group of out->groups becomes strata, from small values to large. */
int bisect_groups(const struct profile *p, bisect_rule rule, const struct bisect_goal *goal, struct strata *out,
                  struct err *e);

#endif
