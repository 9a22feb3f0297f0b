/* server/domain/run/extension.h: more of a run: whether it may be asked for, and what it costs before it is. */
#ifndef VIVACE_SERVER_RUN_EXTENSION_H
#define VIVACE_SERVER_RUN_EXTENSION_H

#include "server/store/repo/repo_look.h"
#include "server/store/repo/repo_run.h"
#include "wire/json.h"

/* May the run be extended? ERR_CONFLICT: not in its state; ERR_INVALID: its plan cannot be looked at. */
int extension_allowed(struct db *db, const struct run_row *run, struct err *e) MUST_CHECK;
/* Can a rule be kept where launches are projected inside, with such half-widths? ERR_INVALID: not. */
int extension_fits_inside(double inside_kernels, const struct rule_row *rule, struct err *e) MUST_CHECK;
/* What is given of a rule -> the rule that the run gets: the level is the run's unless it is given, looks and
 * budget come on top of those that were used. ERR_CONFLICT: no level is left. past: its looks so far. */
int extension_rule(struct db *db, const struct run_row *run, int64_t designs, const struct look_past *past,
                   struct rule_row *rule, struct err *e) MUST_CHECK;

/* What the first look under that rule asks for, as the extension then simulates it: a new reference in *out,
 *   {"run","until","resolve","baseline","decision","reason","samples","jobs","designs":[{"design","jobs"}],
 *    "missing_traces","expected_s","looks_left","why_not"}
 * All designs of a run share the samples, so each has as many jobs. why_not: in words, where the run is still being
 * simulated or may not be extended; numbers are null then. Writes nothing. Takes a second for some million
 * launches. */
int extension_cost(struct db *db, struct clock *clock, const struct run_row *run, const struct rule_row *given,
                   json_t **out, struct err *e) MUST_CHECK;

/* The same of what is refused. */
json_t *extension_refused(const char *run, const struct rule_row *given, const char *why);

#endif
