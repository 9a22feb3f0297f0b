/* server/domain/project/run_results.h: the results of a run: plan, designs and the value of every sample.
 *
 * If a run was complete once, users see its last complete answer until there is a new one: the samples of that
 * answer's plan, without later results. Only the code that prepares the next answer reads all results. */
#ifndef VIVACE_SERVER_RUN_RESULTS_H
#define VIVACE_SERVER_RUN_RESULTS_H

#include "sampling/checks/cache_bounds.h"
#include "sampling/plan/plan.h"
#include "server/store/repo/repo_answer.h"
#include "server/store/repo/repo_projection.h"
#include "server/store/repo/repo_run.h"
#include "wire/json.h"

enum run_results_which { RUN_RESULTS_SHOWN, RUN_RESULTS_NOW };
struct run_results {
    enum run_results_which which;
    struct run_row run;       /* with plan and confidence of the answer, if that is shown */
    bool answered;            /* the run was complete once */
    bool as_answered;         /* these are the results of that answer; with RUN_RESULTS_NOW only if it is final */
    struct answer_row answer; /* if answered */
    struct plan plan;
    struct run_design_row *designs;
    size_t design_count;
    double *y;                /* in the simulator's unit: [design][sample]; NaN: no result yet */
    double *seconds_per_unit; /* per design; NaN: the results are not times */
    double
        *warm; /* as y, but with fully warm caches; NaN beside a result: unknown (sampling/checks/cache_bounds.h) */
    double *error;          /* as y: standard errors of results projected inside their launches, otherwise 0 */
    uint64_t *empty_caches; /* per design: number of results that began with empty caches */
    uint64_t *projected;    /* per design: number of results that are projected inside their launches */
    struct trace_warnings *traces; /* per design */
};
/* Loads the results of `run`. The caller releases them, also after a failure. */
int run_results_load(struct run_results *out, struct db *db, const struct run_row *run,
                     enum run_results_which which, struct err *e);
void run_results_release(struct run_results *r);
/* The index of the design with this name; r->design_count: none. */
size_t run_results_design(const struct run_results *r, const char *name);
/* The run's last complete answer and the work in progress, as pages show them (repo_answer.h). A new reference,
 * JSON null where the run has not been complete yet. NULL on failure. */
json_t *run_answer_json(struct db *db, const char *run, struct err *e);
/* For designs of one run, with *c from run_results_seconds(). A difference that the cache state of launches with
 * empty caches could reverse becomes not distinguishable, in total and for each kernel. */
int run_results_mark_indistinguishable(const struct run_results *r, struct comparisons *c, struct err *e);
/* Makes the run_results_* functions read these values instead. The values must live as long as r. */
struct projection_of run_results_source(const struct run_results *r);
const char *run_results_unit(const struct run_results *r); /* unit of y */
const double *run_results_of(const struct run_results *r, size_t design);
const double *run_results_error(const struct run_results *r, size_t design); /* NULL: no result is projected */
struct bounded_values run_results_bounded(const struct run_results *r, size_t design); /* y, warm and error */
/* Per design: the error of its total from errors inside launches, in the unit of run_results_seconds(). */
int run_results_within(const struct run_results *r, double *out, struct err *e);
/* Widens differences of run_results_seconds() by the error of projections inside launches. */
int run_results_widen(const struct run_results *r, struct comparisons *c, struct err *e);
/* The values in seconds if all designs have clocks, so that they can be compared; unchanged if they are not
 * times. y[design] points into the returned array, which the caller frees. NULL: out of memory. */
double *run_results_seconds(const struct run_results *r, const double **y, struct err *e);
/* All values of a run in that unit; values[design] points into the other members. */
struct results_seconds {
    struct bounded_values *values;
    const double **y;
    double *empty, *warm, *error;
};
/* The caller releases *out, also after a failure. */
int run_results_bounded_seconds(const struct run_results *r, struct results_seconds *out, struct err *e);
void results_seconds_release(struct results_seconds *s);
/* Results per unit of the profile if a launch takes `kappa` times its profiled time. For results and profiles
 * that are not times, kappa is the number of results per instruction. kappa 0: the ratio of this run, or 0 if it
 * is unknown. */
double run_results_kappa(const struct run_results *r, size_t design, double kappa);

#endif
