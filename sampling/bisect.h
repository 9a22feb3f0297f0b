/* sampling/bisect.h: groups cut in two by 2-means, the parts again, as long as a method's rule says so. What
 * Allegro and ROOT share. The best cut is found exactly (two_means.h) instead of from random starts, so that a plan
 * is repeatable; the recursion is a stack, as its depth is up to the data. */
#ifndef VIVACE_SAMPLING_BISECT_H
#define VIVACE_SAMPLING_BISECT_H

#include <stddef.h>
#include <stdint.h>

#include "sampling/strata.h"

struct bisect_goal {
    double z, error;
};

struct bisect_span {
    size_t begin, end; /* runs */
    double inherited;  /* samples that the rule gave it when it was a part; NaN: it is a whole group */
};

/* Looks at a span. Returns the run at which its right part begins, with each part's samples in parts[] for rules by
 * which parts inherit; or span->begin: it stays whole, with *samples. */
typedef size_t (*bisect_rule)(const struct groups *g, const struct bisect_span *span,
                              const struct bisect_goal *goal, uint64_t *samples, double parts[2]);

/* Every group of out->groups becomes strata, from small values to large. */
int bisect_groups(const struct profile *p, bisect_rule rule, const struct bisect_goal *goal, struct strata *out,
                  struct err *e);

#endif
