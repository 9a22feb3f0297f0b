/* server/domain/project/stopping_internal.h: parts of the stopping rule: the rule without budget, the level that
 * earlier interim analyses spent, the costs of samples, and the text of a decision. */
#ifndef VIVACE_SERVER_RUN_STOPPING_INTERNAL_H
#define VIVACE_SERVER_RUN_STOPPING_INTERNAL_H

#include "server/domain/project/stopping.h"

/* --- stopping_levels.c --- */
/* The rule of `row` without its budget. */
struct interim_rule stopping_rule(const struct rule_row *rule);
/* The level that each promise spent at interim analyses 1 .. `analyses`, in the layout of interim_analyze(): totals
 * of the designs, then differences to the baseline. A promise that an earlier analysis did not include has spent
 * nothing there. malloc'ed; NULL: out of memory. */
struct interim_spent *stopping_past(const struct interim_past *past, int analyses, const struct interim_rule *rule,
                                    size_t designs, struct err *e);

/* --- stopping_cost.c --- */
struct stopping_costs {
    double *seconds; /* per stratum: one more sample on all designs; malloc'ed */
    double spent_s;
};
/* Costs from this run's own simulations. For strata without measurements, and for replays, from the plan. */
int stopping_costs_load(const struct run_results *r, struct db *db, struct stopping_costs *out,
                        struct err *e) MUST_CHECK;
/* The remaining budget, in seconds, or in jobs if that is its unit. Infinite without a budget. */
double stopping_budget_left(const struct rule_row *rule, const struct run_results *r,
                            const struct stopping_costs *c);

/* --- stopping_text.c --- */
/* The promise that is furthest from its goal. NULL: all promises are kept. */
const struct interim_promise *stopping_worst(const struct interim_analysis *analysis);
/* The decision as an event_part(). NULL: out of memory. */
json_t *stopping_decision(const struct verdict *v, const struct run_results *r) MUST_CHECK;

#endif
