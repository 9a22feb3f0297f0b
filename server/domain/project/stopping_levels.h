/* server/domain/project/stopping_levels.h: at which level the intervals of a run hold. Looks share the level of a
 * run's rule, so what a run that is looked at says of its promises is at the level of its last look, or, while
 * samples come in, at that of a look taken now (sampling/looks.h). A complete answer keeps the levels that it was
 * made with. Everything that shows an interval of a run goes by this (run_differences.h). */
#ifndef VIVACE_SERVER_RUN_STOPPING_LEVELS_H
#define VIVACE_SERVER_RUN_STOPPING_LEVELS_H

#include "sampling/looks.h"
#include "server/domain/project/run_results.h"

struct run_levels {
    double confidence;  /* that looks share, and differences */
    double *total;      /* per design; the confidence where no look goes by it */
    double *difference; /* per design, to `baseline`; NaN: no look goes by it */
    size_t baseline;
    int total_looks, difference_looks; /* that share the confidence, at most; 0: no look goes by these */
};
/* now: a look that was taken just now and is not written yet, or NULL; number 0: none. To be released, also after a
 * failure. */
int run_levels_load(struct run_levels *out, struct db *db, const struct run_results *r, const struct look *now,
                    struct err *e) MUST_CHECK;
void run_levels_release(struct run_levels *l);
/* Of the difference between two designs, whichever is the baseline; NaN: no look goes by it. */
double run_levels_between(const struct run_levels *l, size_t a, size_t b);

#endif
