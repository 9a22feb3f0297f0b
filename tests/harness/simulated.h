/* tests/harness/simulated.h: all launches of a workload, simulated: what `vivace simulate TRACES --gpu A,B,…
 * --metrics
 * --csv` printed. A plan's samples then have their results at once, so that a plan can be drawn thousands of times.
 */
#ifndef VIVACE_TESTS_HARNESS_SIMULATED_H
#define VIVACE_TESTS_HARNESS_SIMULATED_H

#include "sampling/strata.h"
#include "wire/metrics.h"

enum { SIMULATED_DESIGNS = 8, SIMULATED_NAME = 128 };

struct simulated {
    struct profile p; /* of the first design: cycles as nanoseconds, or warp instructions */
    size_t designs;
    char names[SIMULATED_DESIGNS][SIMULATED_NAME];
    double clock_hz[SIMULATED_DESIGNS];
    struct metric_values of[SIMULATED_DESIGNS]; /* a value a launch; without --metrics few counters have any */
};
/* Launches are numbered from 0, and every design has them all. To be released in any case. */
int simulated_load(struct simulated *s, const char *path, enum profile_unit unit, struct err *e);
void simulated_release(struct simulated *s);

/* The counter's values of a design, a launch each. */
const double *simulated_counter(const struct simulated *s, size_t design, const char *name);
/* What the metric is of all launches. */
double simulated_metric(const struct simulated *s, size_t design, const struct metric *m);
/* The intervals of a metric, over draws of a plan. */
struct metric_score {
    const struct metric *metric;
    unsigned known; /* draws with an interval */
    double truth, rmse, most;
    double half_width, df; /* medians */
    double holds;          /* share of the intervals */
    double promised;       /* of the intervals: those that are promised */
    double broken;         /* of the intervals: those that are promised and do not hold */
    double wide;           /* half-width over 1.96 times the root mean square error */
};
enum { METRIC_SCORES = 32 };
/* Draws the plan `repeats` times, with seeds from 1; scores[METRIC_SCORES], *count of them. */
int simulated_scores(const struct simulated *s, size_t design, struct plan *plan, const struct strata *strata,
                     unsigned repeats, double level, struct metric_score *scores, size_t *count, struct err *e);

#endif
