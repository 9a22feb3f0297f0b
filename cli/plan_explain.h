/* cli/plan_explain.h: `vivace plan --explain`: why the plan is as it is, in sentences. */
#ifndef VIVACE_CLI_PLAN_EXPLAIN_H
#define VIVACE_CLI_PLAN_EXPLAIN_H

#include <stddef.h>

#include "sampling/plan.h"

/* What limits the plan as a whole. */
void plan_explain_whole(const struct plan *p);
/* Why the strata order[0 .. shown-1] got their samples, and what one more would buy. */
void plan_explain_strata(const struct plan *p, const size_t *order, size_t shown);

#endif
