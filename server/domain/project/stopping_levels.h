/* server/domain/project/stopping_levels.h: confidence levels of the intervals of a run. Interim analyses share
 * the level of a run's stopping rule. So the intervals of a run have the level of its last interim analysis.
 * While samples arrive, they have the level of an analysis made now (sampling/sequential/interim.h). A complete
 * answer keeps its levels. All code that shows an interval of a run uses these levels (run_differences.h). */
#ifndef VIVACE_SERVER_RUN_STOPPING_LEVELS_H
#define VIVACE_SERVER_RUN_STOPPING_LEVELS_H

#include "sampling/sequential/interim.h"
#include "server/domain/project/run_results.h"

struct run_levels {
    double confidence;  /* confidence that interim analyses and differences share */
    double *total;      /* per design; equals the confidence if no interim analysis uses the total */
    double *difference; /* per design, to `baseline`; NaN: no interim analysis uses the difference */
    size_t baseline;
    int total_analyses, difference_analyses; /* maximum numbers of interim analyses that share the confidence; 0:
                                          none uses totals, or differences */
};
/* now: an interim analysis that is not stored yet, or NULL; number 0: none. The caller releases *out, also after
 * a failure. */
int run_levels_load(struct run_levels *out, struct db *db, const struct run_results *r,
                    const struct interim_analysis *now, struct err *e) MUST_CHECK;
void run_levels_release(struct run_levels *l);
/* The level of the difference between two designs, whichever is the baseline. NaN: no interim analysis uses it. */
double run_levels_between(const struct run_levels *l, size_t a, size_t b);

#endif
