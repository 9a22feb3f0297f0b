/* wire/metrics.h: what the simulator's counters say about the whole workload: totals, and rates as ratios of two
 * totals (never means of rates), each with an interval. */
#ifndef VIVACE_WIRE_METRICS_H
#define VIVACE_WIRE_METRICS_H

#include "sampling/plan.h"
#include "wire/json.h"

/* The counters that the metrics are made of. */
#define METRIC_COUNTERS 25
extern const char *const metric_counters[METRIC_COUNTERS];
/* Its place in metric_counters; -1: no metric is made of it. */
int metric_counter(const char *name);

#define METRIC_ADDS 8
struct metric {
    const char *name, *unit, *sentence;
    struct metric_side {
        const char *add[METRIC_ADDS]; /* counters, added up; NULL at the end */
        double scale;
    } top, bottom;   /* bottom.add[0] NULL: the metric is a total */
    bool per_second; /* the ratio is to cycles, and meant to be to seconds */
};
extern const struct metric metrics[]; /* name NULL at the end */

/* Values of one design, in the order of the plan's samples; NaN where there is no result. */
struct metric_values {
    size_t samples;
    double *of[METRIC_COUNTERS]; /* NULL: no result has it */
};
int metric_values_init(struct metric_values *v, size_t samples, struct err *e);
void metric_values_release(struct metric_values *v);

struct metric_estimate {
    const struct metric *metric;
    double value, half_width, df; /* NaN: not known */
    uint64_t results;             /* samples it rests on */
    double effective;             /* as in struct projected */
    bool promised;
};
/* Why the interval is not promised, NULL where it is or where there is none: a sentence without a full stop. */
const char *metric_not_promised(const struct metric_estimate *m);
/* All metrics, in order; malloc'ed. clock_hz: cycles of the design's clock in a second. */
int metrics_estimate(const struct plan *plan, const struct metric_values *v, double clock_hz, double level,
                     struct metric_estimate **out, size_t *count, struct err *e);
/* [{name, unit, sentence, rate, value, half_width, df, results, effective, not_promised}] */
json_t *metrics_to_json(const struct metric_estimate *m, size_t count);

/* What the metric is where the counters, in the order of metric_counters, are known and not estimated: of one
 * launch, or summed over all. NaN where its lower side is 0. */
double metric_value(const struct metric *m, const double counters[METRIC_COUNTERS], double clock_hz);

/* Of one result, without an estimate: [{name, unit, value, sentence}]. counters: in the order of metric_counters,
 * NaN where it has none. */
json_t *metrics_of_one(const double counters[METRIC_COUNTERS], double clock_hz);

/* Adds `quantiles`, of the times of launches: [{p, value, low, high, value_s, low_s, high_s}] for p of 0.1, 0.5,
 * 0.9 and 0.99 (sampling/time_quantile.h), and `quantiles_why_not`: null, or why there are none. */
int quantiles_put(struct json_obj *o, const struct plan *plan, const double *y, double level,
                  double seconds_per_unit, struct err *e);

#endif
