/* cli/plan/plan_explain.h: `vivace plan --explain`: explains the plan's sizes in sentences. */
#ifndef VIVACE_CLI_PLAN_EXPLAIN_H
#define VIVACE_CLI_PLAN_EXPLAIN_H

#include <stddef.h>

#include "sampling/plan/plan.h"

/* Prints the limits of the whole plan. */
void plan_explain_whole(const struct plan *p);
/* Explains the sample sizes of the strata order[0 .. shown-1], and the effect of one more sample in each. */
void plan_explain_strata(const struct plan *p, const size_t *order, size_t shown);

#endif
