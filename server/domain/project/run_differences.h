/* server/domain/project/run_differences.h: totals and differences of a run's designs: value, half-width, level, how
 * many intervals share it, and whether a difference is distinguishable from none. This is decided here and nowhere
 * else: the projector keeps it (projection, comparison), and pages, comparisons, CSV and the command line show it.
 *
 * The differences of one run hold together at its confidence: with m other designs each is at 1 - (1 - confidence)
 * / m (Bonferroni, sampling/comparisons.h), however many of them somebody looks at. Where looks go by a difference,
 * its level is that of the look (stopping_levels.h). Whichever of two designs is the baseline, the level is the
 * same.
 */
#ifndef VIVACE_SERVER_RUN_RUN_DIFFERENCES_H
#define VIVACE_SERVER_RUN_RUN_DIFFERENCES_H

#include "base/strbuf.h"
#include "sampling/comparisons.h"
#include "server/domain/project/stopping_levels.h"
#include "wire/json.h"

/* What is said of a level. */
struct level_shared {
    double level, confidence;
    size_t intervals; /* that share the confidence */
    int looks;        /* that share it, at most; 0: none */
};
struct level_shared run_total_level(const struct run_levels *l, size_t design);
/* Why the level is not the confidence, a sentence without its stop; "" : it is. */
void level_note(const struct level_shared *s, struct strbuf *out);
/* Members level, confidence, intervals, looks, level_note of an open object. */
void level_put(const struct level_shared *s, struct json_obj *o);

struct run_differences {
    struct comparisons c;        /* all designs against one; of one design alone: empty */
    struct level_shared *levels; /* per design */
};
/* r's designs against `baseline`, in seconds, or in what results count where they are no times. To be released,
 * also after a failure. */
int run_differences_make(struct run_differences *out, const struct run_results *r, const struct run_levels *l,
                         size_t baseline, struct err *e) MUST_CHECK;
void run_differences_release(struct run_differences *d);

/* The total of a design by the plan's own estimator, in what results count. To be released. */
int run_total_make(const struct run_results *r, const struct run_levels *l, size_t design, struct projection *out,
                   struct err *e) MUST_CHECK;

#endif
