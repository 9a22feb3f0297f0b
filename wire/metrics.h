/* wire/metrics.h: metrics of the whole workload from the simulator's counters: totals, and rates as ratios of two
 * totals (never means of rates), each with an interval. */
#ifndef VIVACE_WIRE_METRICS_H
#define VIVACE_WIRE_METRICS_H

#include "sampling/plan/plan.h"
#include "wire/json.h"

/* Number of counters that the metrics use. */
#define METRIC_COUNTERS 25
extern const char *const metric_counters[METRIC_COUNTERS];
/* Index in metric_counters; -1: no metric uses this counter. */
int metric_counter(const char *name);

#define METRIC_ADDS 8
struct metric {
    const char *name, *unit, *sentence;
    struct metric_side {
        const char *add[METRIC_ADDS]; /* names of counters to add up; NULL at the end */
        double scale;
    } top, bottom;   /* top / bottom; bottom.add[0] NULL: the metric is the total `top` */
    bool per_second; /* a ratio per cycle that is reported per second */
    /* What caches decide: the share of `whole` that is `part` may be anything in any launch. part.add[0] NULL: not
     * such a metric. rest: whole - part must be known too. */
    struct metric_cached {
        struct metric_side part, whole;
        bool rest;
    } cached;
};
extern const struct metric metrics[]; /* name NULL at the end */

/* Values for one design, in the order of the plan's samples. NaN: no result. */
struct metric_values {
    size_t samples;
    double *of[METRIC_COUNTERS]; /* NULL: no result has this counter */
};
int metric_values_init(struct metric_values *v, size_t samples, struct err *e);
void metric_values_release(struct metric_values *v);

struct metric_estimate {
    const struct metric *metric;
    double value, half_width, df; /* NaN: unknown */
    uint64_t results;             /* number of samples that were used */
    double effective, hidden;     /* as in struct projected */
    bool noise_known;             /* enough degrees of freedom for noise that all strata have in common */
    bool by_caches; /* not promised because it depends on the cache contents at the start of launches */
    bool promised;
};
/* Why the interval is not promised, as a sentence without a full stop. NULL: it is promised, or there is no
 * interval. */
const char *metric_not_promised(const struct metric_estimate *m);
/* All metrics, in order; the caller frees them. clock_hz: clock of the design. */
int metrics_estimate(const struct plan *plan, const struct metric_values *v, double clock_hz, double level,
                     struct metric_estimate **out, size_t *count, struct err *e);
/* [{name, unit, sentence, rate, value, half_width, df, results, effective, not_promised}] */
json_t *metrics_to_json(const struct metric_estimate *m, size_t count);

/* The metric for known counters (no estimate), in the order of metric_counters: of one launch, or summed over
 * all. NaN if the denominator is 0. */
double metric_value(const struct metric *m, const double counters[METRIC_COUNTERS], double clock_hz);

/* For one result, without an estimate: [{name, unit, value, sentence}]. counters: in the order of
 * metric_counters, NaN if absent. */
json_t *metrics_of_one(const double counters[METRIC_COUNTERS], double clock_hz);

/* Adds `quantiles` of the launches' times: [{p, value, low, high, value_s, low_s, high_s}] for p of 0.1, 0.5, 0.9
 * and 0.99 (sampling/estimate/time_quantile.h), and `quantiles_why_not`: null, or the reason why there are none. */
int quantiles_put(struct json_obj *o, const struct plan *plan, const double *y, double level,
                  double seconds_per_unit, struct err *e);

#endif
