/* tests/harness/simulated.h: the simulated results of all launches of a workload, from the output of `vivace
 * simulate TRACES --gpu A,B,… --metrics --csv`. The results of a plan's samples are then known, so that the plan
 * can be drawn thousands of times. */
#ifndef VIVACE_TESTS_HARNESS_SIMULATED_H
#define VIVACE_TESTS_HARNESS_SIMULATED_H

#include "sampling/plan/strata.h"
#include "wire/metrics.h"

enum { SIMULATED_DESIGNS = 8, SIMULATED_NAME = 128 };

struct simulated {
    struct profile p; /* values of the first design: cycles, taken as nanoseconds, or warp instructions */
    size_t designs;
    char names[SIMULATED_DESIGNS][SIMULATED_NAME];
    double clock_hz[SIMULATED_DESIGNS];
    struct metric_values of[SIMULATED_DESIGNS]; /* a value per launch; without --metrics most counters have none */
};
/* The file must have launches numbered from 0, all of them for every design. The caller releases *s, also after an
 * error. */
int simulated_load(struct simulated *s, const char *path, enum profile_unit unit, struct err *e);
void simulated_release(struct simulated *s);

/* The counter's values on a design, one for each launch. */
const double *simulated_counter(const struct simulated *s, size_t design, const char *name);
/* The true value of the metric, from all launches. */
double simulated_metric(const struct simulated *s, size_t design, const struct metric *m);
/* Scores of the intervals of a metric, over draws of a plan. */
struct metric_score {
    const struct metric *metric;
    unsigned known; /* number of draws with an interval */
    double truth, rmse, most;
    double half_width, df; /* medians */
    double holds;          /* share of the intervals that cover the truth */
    double promised;       /* share of the intervals that are promised */
    double broken;         /* share of the intervals that are promised and do not cover the truth */
    double wide;           /* median half-width divided by 1.96 times the root mean square error */
};
enum { METRIC_SCORES = 32 };
/* Draws the plan `repeats` times, with seeds from 1; scores[METRIC_SCORES], *count of them. */
int simulated_scores(const struct simulated *s, size_t design, struct plan *plan, const struct strata *strata,
                     unsigned repeats, double level, struct metric_score *scores, size_t *count, struct err *e);

#endif
