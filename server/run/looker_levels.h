/* server/run/looker_levels.h: at which level the intervals of a run hold. Looks share the level of a run's rule, so
 * what a run that is looked at says of its promises is at the level of its last look, or, while samples come in, at
 * that of a look taken now (sampling/looks.h). Everything that shows an interval of a run goes by this. */
#ifndef VIVACE_SERVER_RUN_LOOKER_LEVELS_H
#define VIVACE_SERVER_RUN_LOOKER_LEVELS_H

#include "sampling/comparisons.h"
#include "sampling/looks.h"
#include "server/run/run_results.h"

struct run_levels {
    double *total;      /* per design; the run's confidence where no look goes by it */
    double *difference; /* per design, to `baseline`; NaN: no look goes by it */
    size_t baseline;
    int looks; /* that share the level of a total, the run's confidence, at most; 0: no look goes by totals */
};
/* now: a look that was taken just now and stands nowhere yet, or NULL; number 0: none. To be released, also after a
 * failure. */
int run_levels_load(struct run_levels *out, struct db *db, const struct run_results *r, const struct look *now,
                    struct err *e) MUST_CHECK;
void run_levels_release(struct run_levels *l);
/* The totals of a comparison with the rule's baseline, at these levels instead. y: as it was made from. */
int run_levels_compare(const struct run_levels *l, const struct run_results *r, const double *const *y,
                       struct comparisons *c, struct err *e) MUST_CHECK;

#endif
