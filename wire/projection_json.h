/* wire/projection_json.h: estimates with their intervals and their checks as JSON, for server and command line.
 * `seconds_per_unit` converts results to time. NaN: results have no time, and the members `*_s` are null. */
#ifndef VIVACE_WIRE_PROJECTION_JSON_H
#define VIVACE_WIRE_PROJECTION_JSON_H

#include "sampling/estimate/communication_split.h"
#include "sampling/checks/bootstrap.h"
#include "sampling/checks/cache_bounds.h"
#include "sampling/checks/estimator_comparison.h"
#include "sampling/estimate/projection.h"
#include "wire/json.h"

/* All functions that return json_t return a new reference. NULL: out of memory. */
/* An array of {name, estimator, unit, value, half_width, value_s, half_width_s, df} */
json_t *cross_checks_to_json(const struct projection *p, const char *unit, double seconds_per_unit);
/* {low, high, low_s, high_s, standard_error, bias, acceleration, resamples, informative, disagrees, sentence}, or
 * {why_not} */
json_t *bootstrap_to_json(const struct bootstrap *b, double seconds_per_unit);
/* {disagree, each: [{estimator, used, disagrees, value, half_width, value_s, half_width_s, df, why_not, warning}]}
 */
json_t *opinions_to_json(const struct opinions *x, double seconds_per_unit);
/* {value, half_width, value_s, half_width_s, low, high, low_s, high_s} */
json_t *warm_bound_to_json(const struct warm_bound *x, double seconds_per_unit);
/* Parts of communication kernels and of all other kernels, for a profile of times. NULL: out of memory. */
json_t *communication_to_json(const struct communication_split *x, double seconds_per_unit);
json_t *not_covered_to_json(void);
/* Adds estimator, unit, value, half_width, value_s, half_width_s, df, level, variance_method, warning, done,
 * planned, complete and cross_checks. If `b` is not NULL, also bootstrap. */
void estimate_put(struct json_obj *o, const struct projection *p, const struct bootstrap *b, const char *unit,
                  double seconds_per_unit);

#endif
