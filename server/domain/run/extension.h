/* server/domain/run/extension.h: extends a run: whether it is allowed, and its cost before it begins. */
#ifndef VIVACE_SERVER_RUN_EXTENSION_H
#define VIVACE_SERVER_RUN_EXTENSION_H

#include "server/store/repo/repo_interim.h"
#include "server/store/repo/repo_run.h"
#include "wire/json.h"

/* Whether the run can be extended. ERR_CONFLICT: not in its state; ERR_INVALID: its plan does not support
 * interim analyses. */
int extension_allowed(struct db *db, const struct run_row *run, struct err *e) MUST_CHECK;
/* Whether a rule can be met if launches are projected inside with such half-widths. ERR_INVALID: it cannot. */
int extension_fits_inside(double inside_kernels, const struct rule_row *rule, struct err *e) MUST_CHECK;
/* Completes the rule in a request: the level is the run's unless it is given, and used analyses and budget are
 * added. ERR_CONFLICT: no level remains. past: the run's earlier interim analyses. */
int extension_rule(struct db *db, const struct run_row *run, int64_t designs, const struct interim_past *past,
                   struct rule_row *rule, struct err *e) MUST_CHECK;

/* The decision and cost of the first interim analysis under that rule. A new reference in *out:
 *   {"run","until","resolve","baseline","decision","reason","samples","jobs","designs":[{"design","jobs"}],
 *    "missing_traces","expected_s","looks_left","why_not"}
 * All designs of a run share the samples, so each has the same number of jobs. why_not: a message if the run is
 * still being simulated or cannot be extended; numbers are then null. Writes nothing. Takes about a second for
 * some million launches. */
int extension_cost(struct db *db, struct clock *clock, const struct run_row *run, const struct rule_row *given,
                   json_t **out, struct err *e) MUST_CHECK;

/* The answer of extension_cost() for an extension that was refused. */
json_t *extension_refused(const char *run, const struct rule_row *given, const char *why);

#endif
