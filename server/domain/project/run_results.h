/* server/domain/project/run_results.h: what a run has found out: plan, designs and the value of every sample.
 *
 * What is shown of a run that was complete once is its last complete answer, until the next one is: samples of that
 * answer's plan, without results that have come since. Only what works on the next answer reads all there is now.
 */
#ifndef VIVACE_SERVER_RUN_RESULTS_H
#define VIVACE_SERVER_RUN_RESULTS_H

#include "sampling/cache_bounds.h"
#include "sampling/plan.h"
#include "server/store/repo/repo_answer.h"
#include "server/store/repo/repo_projection.h"
#include "server/store/repo/repo_run.h"
#include "wire/json.h"

enum run_results_which { RUN_RESULTS_SHOWN, RUN_RESULTS_NOW };
struct run_results {
    enum run_results_which which;
    struct run_row run; /* with plan and confidence of the answer, where that is shown */
    bool answered;      /* it was complete once */
    bool as_answered;   /* these are the results of that answer, of one that is final where all were asked for */
    struct answer_row answer; /* if answered */
    struct plan plan;
    struct run_design_row *designs;
    size_t design_count;
    double *y;                /* as the simulator counts: [design][sample]; NaN: not yet */
    double *seconds_per_unit; /* per design; NaN: no time */
    double *warm;             /* as y, but fully warm; NaN beside a result: not known (sampling/cache_bounds.h) */
    double *error;          /* as y: standard errors of results that are projected inside their launches, else 0 */
    uint64_t *empty_caches; /* per design: results that began with empty caches */
    uint64_t *projected;    /* per design: results that are projected inside their launches */
};
/* Of a run that was found. To be released, also after a failure. */
int run_results_load(struct run_results *out, struct db *db, const struct run_row *run,
                     enum run_results_which which, struct err *e);
void run_results_release(struct run_results *r);
/* The run's last complete answer and what is under way, as pages show them (repo_answer.h): a new reference,
 * JSON null where it has not been complete yet. NULL on failure. */
json_t *run_answer_json(struct db *db, const char *run, struct err *e);
/* Of designs of one run, *c being made of run_results_seconds(): what the cache state of launches that began with
 * empty caches could reverse is not distinguishable, in total and kernel by kernel. */
int run_results_mark_indistinguishable(const struct run_results *r, struct comparisons *c, struct err *e);
/* Where other values of the same results are read from; valid as long as r. */
struct projection_of run_results_source(const struct run_results *r);
const char *run_results_unit(const struct run_results *r); /* of y */
const double *run_results_of(const struct run_results *r, size_t design);
const double *run_results_error(const struct run_results *r, size_t design); /* NULL: no result is projected */
struct bounded_values run_results_bounded(const struct run_results *r, size_t design); /* y, warm and error */
/* Per design: what the errors inside launches do to its total, in the unit of run_results_seconds(). */
int run_results_within(const struct run_results *r, double *out, struct err *e);
/* Widens differences of run_results_seconds() by what projections inside launches may be off. */
int run_results_widen(const struct run_results *r, struct comparisons *c, struct err *e);
/* The values in seconds where designs have clocks, so that they can be held against each other; as they are where
 * they are no times. y[design]: into the array that is returned, which the caller frees. NULL: out of memory. */
double *run_results_seconds(const struct run_results *r, const double **y, struct err *e);
/* y in a unit of the profile if a launch takes `kappa` times its profiled time (for results and profiles that are
 * no times: kappa results an instruction); 0 for kappa: as it takes there, and 0 where that is not known. */
double run_results_kappa(const struct run_results *r, size_t design, double kappa);

#endif
