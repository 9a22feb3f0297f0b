/* server/domain/project/stopping_internal.h: parts of the stopping rule: its rule and what earlier looks used up,
 * what samples cost, and what is said of a decision. */
#ifndef VIVACE_SERVER_RUN_STOPPING_INTERNAL_H
#define VIVACE_SERVER_RUN_STOPPING_INTERNAL_H

#include "server/domain/project/stopping.h"

/* --- stopping_levels.c --- */
/* The rule without its budget. */
struct look_rule stopping_rule(const struct rule_row *rule);
/* What each promise used up at looks 1 .. `looks`, as look_take() wants it: designs' totals, then differences to
 * the baseline. A promise that was not asked for at an earlier look used up nothing there. malloc'ed; NULL: no
 * memory. */
struct look_spent *stopping_past(const struct look_past *past, int looks, const struct look_rule *rule,
                                 size_t designs, struct err *e);

/* --- stopping_cost.c --- */
struct stopping_costs {
    double *seconds; /* a stratum: of one more sample on all designs; malloc'ed */
    double spent_s;
};
/* From this run's own simulations; strata of which nothing was measured, and replays, as the plan thinks. */
int stopping_costs_load(const struct run_results *r, struct db *db, struct stopping_costs *out,
                        struct err *e) MUST_CHECK;
/* The rest of the budget, in seconds, or in jobs where those are its unit; infinite without one. */
double stopping_budget_left(const struct rule_row *rule, const struct run_results *r,
                            const struct stopping_costs *c);

/* --- stopping_text.c --- */
/* The promise that is furthest from being kept; NULL: all are. */
const struct look_promise *stopping_worst(const struct look *look);
/* The decision as an event_part(); NULL: no memory. */
json_t *stopping_decision(const struct verdict *v, const struct run_results *r) MUST_CHECK;

#endif
