/* server/run/run_results.h: what a run has found out so far: plan, designs and the value of every sample. */
#ifndef VIVACE_SERVER_RUN_RESULTS_H
#define VIVACE_SERVER_RUN_RESULTS_H

#include "sampling/cache_bounds.h"
#include "server/db/repo_projection.h"
#include "server/db/repo_run.h"

struct run_results {
    struct run_row run;
    struct plan plan;
    struct run_design_row *designs;
    size_t design_count;
    double *y;                /* as the simulator counts: [design][sample]; NaN: not yet */
    double *seconds_per_unit; /* per design; NaN: no time */
    double *warm;             /* as y, but fully warm; NaN beside a result: not known (sampling/cache_bounds.h) */
    uint64_t *empty_caches;   /* per design: results that began with empty caches */
};
/* Of a run that was found. To be released, also after a failure. */
int run_results_load(struct run_results *out, struct db *db, const struct run_row *run, struct err *e);
void run_results_release(struct run_results *r);
/* Of designs of one run, *c being made of run_results_seconds(): what the cache state of launches that began with
 * empty caches could reverse is not distinguishable, in total and kernel by kernel. */
int run_results_mark_indistinguishable(const struct run_results *r, struct comparisons *c, struct err *e);
const char *run_results_unit(const struct run_results *r); /* of y */
const double *run_results_of(const struct run_results *r, size_t design);
struct bounded_values run_results_bounded(const struct run_results *r, size_t design); /* y and warm */
/* The values in seconds where designs have clocks, so that they can be held against each other; as they are where
 * they are no times. y[design]: into the array that is returned, which the caller frees. NULL: out of memory. */
double *run_results_seconds(const struct run_results *r, const double **y, struct err *e);
/* y in a unit of the profile if a launch takes `kappa` times its profiled time (for results and profiles that are
 * no times: kappa results an instruction); 0 for kappa: as it takes there, and 0 where that is not known. */
double run_results_kappa(const struct run_results *r, size_t design, double kappa);

#endif
