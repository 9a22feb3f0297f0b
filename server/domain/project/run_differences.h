/* server/domain/project/run_differences.h: totals and differences of a run's designs: value, half-width, level, the
 * number of intervals that share the confidence, and whether a difference is distinguishable from none. Only this
 * module decides these. The projector stores the results (tables projection and comparison); pages, comparisons,
 * CSV and the command line show them.
 *
 * The differences of one run hold simultaneously at its confidence. With m other designs each has the level 1 -
 * (1 - confidence) / m (Bonferroni, sampling/estimate/comparisons.h), independent of how many of them a user views.
 * If interim analyses use a difference, it has the level of the interim analysis (stopping_levels.h). The level is
 * the same whichever of two designs is the baseline. */
#ifndef VIVACE_SERVER_RUN_RUN_DIFFERENCES_H
#define VIVACE_SERVER_RUN_RUN_DIFFERENCES_H

#include "base/strbuf.h"
#include "sampling/estimate/comparisons.h"
#include "server/domain/project/stopping_levels.h"
#include "wire/json.h"

/* Explains a level. */
struct level_shared {
    double level, confidence;
    size_t intervals; /* number of intervals that share the confidence */
    int analyses;     /* maximum number of interim analyses that share it; 0: none */
};
struct level_shared run_total_level(const struct run_levels *l, size_t design);
/* A sentence without its full stop that explains why the level is not the confidence. "": it is. */
void level_note(const struct level_shared *s, struct strbuf *out);
/* Adds the members level, confidence, intervals, looks and level_note to an open object. */
void level_put(const struct level_shared *s, struct json_obj *o);

struct run_differences {
    struct comparisons c;        /* all designs compared with one; empty if there is one design */
    struct level_shared *levels; /* per design */
};
/* Compares r's designs with `baseline`, in seconds, or in the results' unit if they are not times. The caller
 * releases the result, also after a failure. */
int run_differences_make(struct run_differences *out, const struct run_results *r, const struct run_levels *l,
                         size_t baseline, struct err *e) MUST_CHECK;
void run_differences_release(struct run_differences *d);

/* The total of a design by the plan's own estimator, in the results' unit. The caller releases it. */
int run_total_make(const struct run_results *r, const struct run_levels *l, size_t design, struct projection *out,
                   struct err *e) MUST_CHECK;

#endif
